"""The class of a call: a shape with a letter, in its colour; no one has to tell colours apart."""

from __future__ import annotations

from PySide6.QtCore import QPointF, QRectF, QSize, Qt
from PySide6.QtGui import QPainter, QPaintEvent, QPen, QPolygonF
from PySide6.QtWidgets import QWidget
from typing_extensions import override

from agdesk.core.ir.request import ResultSemantic
from agdesk.ui.approval.words import semantic_name
from agdesk.ui.theme import current_theme

_EDGE = 20


def badge_edge() -> int:
    """Width and height of a mark, in pixels."""
    return current_theme().metrics.px(_EDGE)


def paint_mark(painter: QPainter, place: QPointF, semantic: ResultSemantic) -> None:
    """A circle for Factual, a diamond for Action, a square for Mixed; with the first letter of its name."""
    theme = current_theme()
    edge = badge_edge()
    box = QRectF(place.x(), place.y(), edge, edge).adjusted(1, 1, -1, -1)
    painter.save()
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.setPen(QPen(theme.color(semantic.value), theme.metrics.px(1.5)))
    painter.setBrush(Qt.BrushStyle.NoBrush)
    match semantic:
        case ResultSemantic.FACTUAL:
            painter.drawEllipse(box)
        case ResultSemantic.ACTION:
            middle = box.center()
            corners = [(middle.x(), box.top()), (box.right(), middle.y()), (middle.x(), box.bottom())]
            painter.drawPolygon(QPolygonF([QPointF(*corner) for corner in [*corners, (box.left(), middle.y())]]))
        case ResultSemantic.MIXED:
            painter.drawRect(box.adjusted(1, 1, -1, -1))
    font = theme.font("caption")
    font.setPixelSize(theme.metrics.px(10))
    font.setBold(True)
    painter.setFont(font)
    painter.drawText(box, Qt.AlignmentFlag.AlignCenter.value, semantic_name(semantic)[:1])
    painter.restore()


class SemanticBadge(QWidget):
    """The mark and the name of a class."""

    def __init__(self, semantic: ResultSemantic, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._semantic = semantic
        self.setAccessibleName(semantic_name(semantic))
        current_theme().theme_changed.connect(self.updateGeometry)

    @override
    def sizeHint(self) -> QSize:
        metrics, edge = current_theme().metrics, badge_edge()
        width = self.fontMetrics().horizontalAdvance(semantic_name(self._semantic))
        return QSize(edge + metrics.space_8 + width, max(edge, self.fontMetrics().height()))

    @override
    def minimumSizeHint(self) -> QSize:
        return self.sizeHint()

    @override
    def paintEvent(self, event: QPaintEvent) -> None:
        theme, edge = current_theme(), badge_edge()
        painter = QPainter(self)
        is_mirrored = self.isRightToLeft()
        place = QPointF(self.width() - edge if is_mirrored else 0, (self.height() - edge) / 2)
        paint_mark(painter, place, self._semantic)
        painter.setPen(theme.color(self._semantic.value))
        inset = edge + theme.metrics.space_8
        area = self.rect().adjusted(0 if is_mirrored else inset, 0, -inset if is_mirrored else 0, 0)
        flags = Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignLeading
        painter.setLayoutDirection(self.layoutDirection())
        painter.drawText(area, flags.value, semantic_name(self._semantic))
        painter.end()
