"""How a row of the tree is drawn: name, what is wrong, text, and the figures at the end."""

from __future__ import annotations

from PySide6.QtCore import QModelIndex, QObject, QPersistentModelIndex, QRect, QSize
from PySide6.QtGui import QFont, QFontMetrics, QPainter
from PySide6.QtWidgets import QStyledItemDelegate, QStyleOptionViewItem
from typing_extensions import override

from agdesk.ui.inspector.columns import Column
from agdesk.ui.inspector.labels import RowLabel
from agdesk.ui.inspector.model import LABEL_ROLE
from agdesk.ui.theme import current_theme
from agdesk.ui.widgets.row_painting import mirrored, paint_text
from agdesk.ui.widgets.text import visible_text


class TraceDelegate(QStyledItemDelegate):
    """Draws texts only; the ground of a row is drawn by the view, over all columns at once."""

    def __init__(self, parent: QObject) -> None:
        super().__init__(parent)
        current_theme().theme_changed.connect(self._restyle)
        self._restyle()

    @override
    def paint(
        self, painter: QPainter, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex
    ) -> None:
        painter.save()
        if index.column() == Column.NAME:
            self._paint_label(painter, option, index.data(LABEL_ROLE))
        else:
            theme = current_theme()
            area = option.rect.adjusted(0, 0, -theme.metrics.space_8, 0)
            paint_text(painter, area, index.data(), font=theme.font("caption"), color=theme.color("muted"), at_end=True)
        painter.restore()

    @override
    def sizeHint(self, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex) -> QSize:
        return QSize(0, trace_row_height())

    def _paint_label(self, painter: QPainter, option: QStyleOptionViewItem, label: RowLabel) -> None:
        left, right = option.rect.left() + self._gap // 2, option.rect.right()
        if label.problem:
            size = self._icon_size
            ratio = painter.device().devicePixelRatioF()
            place = QRect(left, option.rect.center().y() - size // 2, size, size)
            pixmap = current_theme().pixmap("warning", color="danger", size=size, ratio=ratio)
            painter.drawPixmap(mirrored(option, place), pixmap)
            left += size + self._gap // 2
        for text, color, font in (
            (label.name, "text", self._heading_font if label.is_heading else self._font),
            (label.problem, "danger", self._font),
            (visible_text(label.text), "muted", self._font),
        ):
            if text and left < right:
                width = min(QFontMetrics(font).horizontalAdvance(text) + 1, right - left)
                area = QRect(left, option.rect.top(), width, option.rect.height())
                paint_text(painter, mirrored(option, area), text, font=font, color=self._colors[color])
                left += width + self._gap

    def _restyle(self) -> None:
        theme = current_theme()
        self._font, self._heading_font, self._figure_font = (
            theme.font("body"),
            theme.font("body"),
            theme.font("caption"),
        )
        self._heading_font.setWeight(QFont.Weight.DemiBold)
        self._colors = {name: theme.color(name) for name in ("text", "muted", "danger")}
        self._gap, self._icon_size = theme.metrics.space_8, theme.metrics.px(14)


def trace_row_height() -> int:
    """Height of a row in pixels; lower than that of a list: a trace is read by the screenful."""
    theme = current_theme()
    return QFontMetrics(theme.font("body")).height() + theme.metrics.space_8
