"""The bar of parts, and the swatches that say which is which: by colour and by pattern."""

from __future__ import annotations

from PySide6.QtCore import QRectF, QSize, Qt
from PySide6.QtGui import QBrush, QPainter, QPainterPath, QPaintEvent, QPen
from PySide6.QtWidgets import QSizePolicy, QWidget
from typing_extensions import override

from agdesk.core.cycle.gauge import Parts
from agdesk.ui.theme import current_theme

_Pattern = Qt.BrushStyle
LOOKS: tuple[tuple[str, Qt.BrushStyle], ...] = (
    ("mixed", _Pattern.SolidPattern),
    ("warning", _Pattern.Dense4Pattern),
    ("accent", _Pattern.SolidPattern),
    ("muted", _Pattern.BDiagPattern),
    ("action", _Pattern.HorPattern),
    ("success", _Pattern.DiagCrossPattern),
    ("text", _Pattern.FDiagPattern),
)
"""A colour of the theme and a pattern for each of ``Parts``, in its order."""
_HEIGHT = 14
_SWATCH = 12


class StackedBar(QWidget):
    """The parts side by side, as wide as their share of the window; what is left of it stays empty."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._parts = Parts()
        self._whole = 1
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)

    def show_parts(self, parts: Parts, whole: int) -> None:
        """Other figures.

        Args:
            whole: what the full width stands for; parts that sum to more fill it.
        """
        self._parts, self._whole = parts, max(whole, sum(parts), 1)
        self.update()

    @override
    def sizeHint(self) -> QSize:
        return QSize(0, current_theme().metrics.px(_HEIGHT))

    @override
    def paintEvent(self, event: QPaintEvent) -> None:
        theme = current_theme()
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        area = QRectF(self.rect()).adjusted(0.5, 0.5, -0.5, -0.5)
        shape = QPainterPath()
        shape.addRoundedRect(area, theme.metrics.radius / 2, theme.metrics.radius / 2)
        painter.setClipPath(shape)
        x = area.left()
        for part, look in zip(self._parts, LOOKS, strict=True):
            width = area.width() * part / self._whole
            left = area.right() + area.left() - x - width if self.isRightToLeft() else x
            _paint_piece(painter, QRectF(left, area.top(), width, area.height()), look)
            x += width
        painter.setClipping(False)
        painter.setPen(QPen(theme.color("control_edge"), 1))
        painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.drawPath(shape)
        painter.end()


class Swatch(QWidget):
    """How the part at an index of ``Parts`` looks in the bar."""

    def __init__(self, index: int, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._look = LOOKS[index]
        self.setFixedSize(self.sizeHint())

    @override
    def sizeHint(self) -> QSize:
        side = current_theme().metrics.px(_SWATCH)
        return QSize(side, side)

    @override
    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        area = QRectF(self.rect()).adjusted(0.5, 0.5, -0.5, -0.5)
        _paint_piece(painter, area, self._look)
        painter.setPen(QPen(current_theme().color("control_edge"), 1))
        painter.drawRect(area)
        painter.end()


def _paint_piece(painter: QPainter, area: QRectF, look: tuple[str, Qt.BrushStyle]) -> None:
    color, pattern = look
    painter.fillRect(area, QBrush(current_theme().color(color), pattern))
    if area.width() >= 1:
        painter.fillRect(QRectF(area.right() - 1, area.top(), 1, area.height()), current_theme().color("raised"))
