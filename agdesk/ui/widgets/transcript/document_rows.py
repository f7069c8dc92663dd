"""The widgets of the rows that show a document: text, code, and text as it was typed."""

from __future__ import annotations

from PySide6.QtCore import QRect, QRectF, Qt
from PySide6.QtGui import QColor, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QWidget
from typing_extensions import override

from agdesk.ui.theme import current_theme
from agdesk.ui.widgets.icon_button import IconButton
from agdesk.ui.widgets.labels import ElidedLabel
from agdesk.ui.widgets.transcript.pane import TextPane
from agdesk.ui.widgets.transcript.row_widget import RowContext, RowWidget, document_height, paint_card
from agdesk.ui.widgets.transcript.rows import CodeRow, PlainRow, Row, TextRow


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


class CodeWidget(RowWidget):
    """A part of a fenced code block: a card, with the language and a Copy button at its start."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self._language = ElidedLabel(self, color="muted", font="caption")
        self._copy = IconButton("copy", self.tr("Copy code"), self)
        self._copy.clicked.connect(self._on_copy)
        self._pane = self.adopt_pane(TextPane(self))
        self._header = self._inset = self._above = self._below = 0

    @override
    def bind(self, row: Row, context: RowContext) -> None:
        assert isinstance(row, CodeRow)
        segment = row.segment
        self.row = row
        self._inset = context.gutter
        self._above = context.metrics.space_12 if segment.is_first else 0
        self._header = context.metrics.hit_area if segment.is_first else 0
        self._below = context.metrics.space_12 if segment.is_last or not segment.is_closed else 0
        self._language.setText(segment.fence.language or self.tr("code"))
        self._language.setVisible(segment.is_first)
        self._copy.setVisible(segment.is_first)
        self._pane.show_document(context.document(row))

    @override
    def measure(self, width: int) -> int:
        content = document_height(self._pane, left=self._inset, width=width - 2 * self._inset)
        return self._above + self._header + content + self._below

    @override
    def arrange(self) -> None:
        inset, width = self._inset, self.width()
        button = self._copy.sizeHint().width()
        self._language.setGeometry(inset, self._above, width - 3 * inset - button, self._header)
        self._copy.setGeometry(width - button - inset // 2, self._above, button, self._header)
        top = self._above + self._header
        self._pane.setGeometry(inset, top, width - 2 * inset, self.height() - top - self._below)

    @override
    def focus_widgets(self) -> tuple[QWidget, ...]:
        return (self._copy, self._pane) if self._header else (self._pane,)

    @override
    def setAccessibleName(self, name: str) -> None:
        super().setAccessibleName(name)
        self._pane.setAccessibleName(self.tr("code in %1").replace("%1", name))

    @override
    def paintEvent(self, event: QPaintEvent) -> None:
        if isinstance(self.row, CodeRow):
            theme = current_theme()
            painter = QPainter(self)
            painter.setPen(QPen(theme.color("border"), 1))
            painter.setBrush(theme.color("code"))
            is_last = self.row.segment.is_last or not self.row.segment.is_closed
            area = QRectF(self.rect()).adjusted(0, self._above, 0, 0)
            paint_card(
                painter, area, radius=theme.metrics.card_radius, is_first=self.row.segment.is_first, is_last=is_last
            )
            painter.end()
        super().paintEvent(event)

    def _on_copy(self) -> None:
        self._copy.confirm()
        self.copy_chosen.emit(self.row)


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
