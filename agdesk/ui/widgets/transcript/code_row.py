"""The widget of a part of a code block: its card, language, buttons and line numbers."""

from __future__ import annotations

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QFontMetricsF, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QTextEdit, QWidget
from typing_extensions import override

from agdesk.ui.theme import current_theme
from agdesk.ui.widgets.icon_button import IconButton
from agdesk.ui.widgets.labels import ElidedLabel
from agdesk.ui.widgets.transcript.pane import TextPane
from agdesk.ui.widgets.transcript.row_widget import RowContext, RowWidget, document_height, paint_card
from agdesk.ui.widgets.transcript.rows import CodeRow, Row

LEAST_DIGITS = 3  # so that the code of a block does not shift at every tenth line


class CodeWidget(RowWidget):
    """A part of a fenced code block, with the language and the buttons above its start.

    Long lines are wrapped, or all parts of the block scroll sideways together. Line numbers are painted beside the text
    and never part of it.
    """

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self._language = ElidedLabel(self, color="muted", font="caption")
        self._wrap = IconButton("wrap", self.tr("Wrap long lines"), self)
        self._wrap.setCheckable(True)
        self._wrap.setProperty("quiet", True)  # almost all are checked: the icon tells
        self._wrap.clicked.connect(self._on_wrap)
        self._copy = IconButton("copy", self.tr("Copy code"), self)
        self._copy.clicked.connect(self._on_copy)
        self._pane = self.adopt_pane(TextPane(self))
        self._pane.horizontalScrollBar().valueChanged.connect(self._on_scrolled)
        self._pane.horizontalScrollBar().setAccessibleName(self.tr("Scroll the code"))
        self._header = self._inset = self._above = self._below = self._numbers = 0

    @override
    def bind(self, row: Row, context: RowContext) -> None:
        assert isinstance(row, CodeRow)
        segment, metrics = row.segment, context.metrics
        self.row = None  # what the scroll bar says while the pane changes its document is not the user's
        self._inset = context.gutter
        self._above = metrics.space_12 if segment.is_first else 0
        self._header = metrics.hit_area if segment.is_first else 0
        self._below = metrics.space_12 if segment.is_last or not segment.is_closed else 0
        language = segment.fence.language or self.tr("code")
        self._language.setText(self.tr("Beyond 2 MB: shown as it came") if segment.fence.is_raw else language)
        is_wrapped = context.code.is_wrapped if segment.fence.is_wrapped is None else segment.fence.is_wrapped
        self._wrap.setChecked(is_wrapped)
        self._wrap.set_icon("wrap" if is_wrapped else "no_wrap")
        for part in (self._language, self._wrap, self._copy):
            part.setVisible(segment.is_first)
        self._numbers = self._number_width(segment.first_line + segment.lines + 1) if context.code.has_numbers else 0
        modes, policies = QTextEdit.LineWrapMode, Qt.ScrollBarPolicy
        self._pane.setLineWrapMode(modes.WidgetWidth if is_wrapped else modes.NoWrap)
        self._pane.setHorizontalScrollBarPolicy(
            policies.ScrollBarAlwaysOff if is_wrapped else policies.ScrollBarAsNeeded
        )
        self._pane.show_document(context.document(row))
        self.row = row

    @override
    def measure(self, width: int) -> int:
        left, room = self._inset + self._numbers, width - 2 * self._inset - self._numbers
        content = document_height(self._pane, left=left, width=room)
        if not self._wrap.isChecked() and self._pane.document().size().width() > room:
            content += self._pane.horizontalScrollBar().sizeHint().height()
        return self._above + self._header + content + self._below

    @override
    def content_top(self) -> int:
        return self._above + self._header

    @override
    def arrange(self) -> None:
        inset, width = self._inset, self.width()
        button = self._copy.sizeHint().width()
        self._language.setGeometry(inset, self._above, width - 3 * inset - 2 * button, self._header)
        self._copy.setGeometry(width - button - inset // 2, self._above, button, self._header)
        self._wrap.setGeometry(width - 2 * button - inset // 2, self._above, button, self._header)
        top, left = self._above + self._header, inset + self._numbers
        self._pane.setGeometry(left, top, width - inset - left, self.height() - top - self._below)
        if isinstance(self.row, CodeRow):
            self._pane.horizontalScrollBar().setValue(self.row.segment.fence.left)

    @override
    def focus_widgets(self) -> tuple[QWidget, ...]:
        return (self._wrap, self._copy, self._pane) if self._header else (self._pane,)

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
            if self._numbers:
                self._paint_numbers(painter, self.row)
            painter.end()
        super().paintEvent(event)

    def _paint_numbers(self, painter: QPainter, row: CodeRow) -> None:
        theme = current_theme()
        painter.setFont(self._pane.document().defaultFont())
        painter.setPen(theme.color("muted"))
        measure = QFontMetricsF(painter.font())
        right = self._inset + self._numbers - theme.metrics.space_12
        layout = self._pane.document().documentLayout()
        block = self._pane.document().begin()
        number = row.segment.first_line
        while block.isValid():
            number += 1
            area = layout.blockBoundingRect(block)
            line = block.layout().lineAt(0)
            if line.isValid() and not (row.segment.is_continued and block.blockNumber() == 0):
                base = self._pane.y() + block.layout().position().y() + line.y() + line.ascent()
                text = str(number)
                painter.drawText(QPointF(right - measure.horizontalAdvance(text), base), text)
            if self._pane.y() + area.bottom() > self.height():
                break
            block = block.next()

    @staticmethod
    def _number_width(last: int) -> int:
        theme = current_theme()
        digit = QFontMetricsF(theme.font("code")).horizontalAdvance("0")
        return round(digit * max(LEAST_DIGITS, len(str(last)))) + theme.metrics.space_12

    def _on_copy(self) -> None:
        self._copy.confirm()
        self.copy_chosen.emit(self.row)

    def _on_wrap(self, is_wrapped: bool) -> None:
        if isinstance(self.row, CodeRow):
            self.row.segment.fence.is_wrapped = is_wrapped
            self.row.segment.fence.left = 0
            self.wrap_chosen.emit(self.row)

    def _on_scrolled(self, left: int) -> None:
        """The other parts of the block on the screen scroll too."""
        if not isinstance(self.row, CodeRow) or self._wrap.isChecked():
            return
        fence = self.row.segment.fence
        fence.left = left
        viewport = self.parentWidget()
        for other in viewport.findChildren(CodeWidget) if viewport is not None else ():
            if other is not self and isinstance(other.row, CodeRow) and other.row.segment.fence is fence:
                other.scroll_sideways(left)

    def scroll_sideways(self, left: int) -> None:
        """Shows the code from that many pixels on."""
        row, self.row = self.row, None  # it is not this part that was scrolled
        self._pane.horizontalScrollBar().setValue(left)
        self.row = row
