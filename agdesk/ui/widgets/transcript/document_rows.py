"""The widgets of the rows that show running text: Markdown, and text as it was typed."""

from __future__ import annotations

from PySide6.QtCore import QRect, QRectF, Qt
from PySide6.QtGui import QColor, QPainter, QPaintEvent
from PySide6.QtWidgets import QWidget
from typing_extensions import override

from agdesk.ui.theme import current_theme
from agdesk.ui.widgets.transcript.pane import TextPane
from agdesk.ui.widgets.transcript.row_widget import RowContext, RowWidget, document_height, paint_card
from agdesk.ui.widgets.transcript.rows import PlainRow, Row, TextRow


class TextWidget(RowWidget):
    """A run of Markdown blocks."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self._pane = self.adopt_pane(TextPane(self))
        self._gutter = 0
        self._top = 0

    @override
    def bind(self, row: Row, context: RowContext) -> None:
        assert isinstance(row, TextRow)
        self.row = row
        self._gutter = context.gutter
        metrics = context.metrics
        self._top = {"block": metrics.space_8, "item": metrics.space_4, "line": 0}[row.segment.start]
        self._pane.show_document(context.document(row))

    @override
    def measure(self, width: int) -> int:
        if self._pane.document().isEmpty():
            return 0
        return self._top + document_height(self._pane, left=self._gutter, width=width - 2 * self._gutter)

    @override
    def content_top(self) -> int:
        return self._top

    @override
    def arrange(self) -> None:
        gutter = self._gutter
        self._pane.setGeometry(gutter, self._top, self.width() - 2 * gutter, self.height() - self._top)

    @override
    def focus_widgets(self) -> tuple[QWidget, ...]:
        return (self._pane,)

    @override
    def setAccessibleName(self, name: str) -> None:
        super().setAccessibleName(name)
        self._pane.setAccessibleName(name)

    @override
    def paintEvent(self, event: QPaintEvent) -> None:
        if isinstance(self.row, TextRow) and self.row.block.kind == "thinking":
            theme = current_theme()
            painter = QPainter(self)
            painter.fillRect(QRect(0, 0, theme.metrics.px(2), self.height()), theme.color("border"))
            painter.end()
        super().paintEvent(event)


class PlainWidget(RowWidget):
    """A part of a user's message: tinted, as it was typed."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self._pane = self.adopt_pane(TextPane(self))
        self._inset = self._above = self._below = 0

    @override
    def bind(self, row: Row, context: RowContext) -> None:
        assert isinstance(row, PlainRow)
        self.row = row
        self._inset = context.gutter
        # the line height adds its space above the letters
        self._above = context.metrics.px(6) if row.is_first else 0
        self._below = context.metrics.px(10) if row.is_last else 0
        self._pane.show_document(context.document(row))

    @override
    def measure(self, width: int) -> int:
        content = document_height(self._pane, left=self._inset, width=width - 2 * self._inset)
        return self._above + content + self._below

    @override
    def content_top(self) -> int:
        return self._above

    @override
    def arrange(self) -> None:
        height = self.height() - self._above - self._below
        self._pane.setGeometry(QRect(self._inset, self._above, self.width() - 2 * self._inset, height))

    @override
    def focus_widgets(self) -> tuple[QWidget, ...]:
        return (self._pane,)

    @override
    def setAccessibleName(self, name: str) -> None:
        super().setAccessibleName(name)
        self._pane.setAccessibleName(name)

    @override
    def paintEvent(self, event: QPaintEvent) -> None:
        if isinstance(self.row, PlainRow):
            theme = current_theme()
            painter = QPainter(self)
            color: QColor = theme.color("user_block")
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(color)
            paint_card(
                painter,
                QRectF(self.rect()),
                radius=theme.metrics.card_radius,
                is_first=self.row.is_first,
                is_last=self.row.is_last,
            )
            painter.end()
        super().paintEvent(event)
