"""The widgets below an answer that did not end by itself: a line or an error, with what can be done about it."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QRectF, Qt, Signal
from PySide6.QtGui import QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QLabel, QWidget
from typing_extensions import override

from agdesk.ui.theme import current_theme
from agdesk.ui.widgets.buttons import PushButton
from agdesk.ui.widgets.flow_layout import FlowLayout
from agdesk.ui.widgets.labels import PlainLabel
from agdesk.ui.widgets.text import safe_text
from agdesk.ui.widgets.transcript.row_widget import RowContext, RowWidget, paint_card
from agdesk.ui.widgets.transcript.rows import ErrorRow, FooterRow, Row
from agdesk.ui.widgets.transcript.values import NextStep


class StepButtons(QWidget):
    """A button for each step that can be taken; hidden while there is none.

    Signals:
        chosen(str): the ``EndAction`` of a button that was pressed.
    """

    chosen = Signal(str)

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self._layout = FlowLayout(self, spacing=current_theme().metrics.space_8)
        self._buttons: list[PushButton] = []
        self._steps: tuple[NextStep, ...] = ()

    def show_steps(self, steps: Sequence[NextStep]) -> None:
        """Puts these in place of what was offered; a button that stays keeps the keyboard."""
        self._steps = tuple(steps)
        while len(self._buttons) < len(steps):
            self._add(len(self._buttons))
        for index, button in enumerate(self._buttons):
            button.setVisible(index < len(steps))
            if index < len(steps):
                button.setText(safe_text(steps[index].text).replace("&", "&&"))
                button.setAccessibleName(steps[index].text)
        self.setVisible(bool(steps))

    def shown(self) -> tuple[QWidget, ...]:
        """The buttons, in reading order."""
        return tuple(self._buttons[: len(self._steps)])

    @override
    def hasHeightForWidth(self) -> bool:
        return True

    @override
    def heightForWidth(self, width: int) -> int:
        return self._layout.heightForWidth(width)

    def _add(self, index: int) -> None:
        button = PushButton(self)
        button.clicked.connect(lambda: self.chosen.emit(self._steps[index].action))
        self._buttons.append(button)
        self._layout.addWidget(button)


class FooterWidget(RowWidget):
    """A small muted text, and below it the buttons."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self._label = PlainLabel(self, color="muted", font="caption")
        self._label.setWordWrap(True)
        self._label.setAlignment(Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignLeading)
        self._steps = StepButtons(self)
        self._steps.chosen.connect(self._on_chosen)
        self._gutter = self._space = 0

    @override
    def bind(self, row: Row, context: RowContext) -> None:
        assert isinstance(row, FooterRow)
        self.row = row
        self._gutter = context.gutter
        self._space = context.metrics.space_8
        self._label.setText(row.message.footer)
        self._steps.show_steps(row.message.steps if row.message.error is None else ())

    @override
    def measure(self, width: int) -> int:
        inner = width - 2 * self._gutter
        buttons = 0 if self._steps.isHidden() else self._space + self._steps.heightForWidth(inner)
        return self._label.heightForWidth(inner) + buttons + 2 * self._space

    @override
    def arrange(self) -> None:
        inner = self.width() - 2 * self._gutter
        below = 0 if self._steps.isHidden() else self._steps.heightForWidth(inner) + self._space
        self._label.setGeometry(self._gutter, self._space, inner, self.height() - 2 * self._space - below)
        self._steps.setGeometry(self._gutter, self.height() - below, inner, max(0, below - self._space))

    @override
    def focus_widgets(self) -> tuple[QWidget, ...]:
        return self._steps.shown()

    def _on_chosen(self, action: str) -> None:
        self.end_action_chosen.emit(self.row, action)


class ErrorWidget(RowWidget):
    """What failed, the other side's words, the next step, and the buttons that take one."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self._icon = QLabel(self)
        self._title = PlainLabel(self)
        self._detail = PlainLabel(self, color="muted")
        self._hint = PlainLabel(self)
        self._labels = (self._title, self._detail, self._hint)
        for label in self._labels:
            label.setWordWrap(True)
            label.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        self._steps = StepButtons(self)
        self._steps.chosen.connect(self._on_chosen)
        self._above = self._inset = self._space = self._icon_size = 0

    @override
    def bind(self, row: Row, context: RowContext) -> None:
        assert isinstance(row, ErrorRow) and row.message.error is not None
        error = row.message.error
        theme = current_theme()
        self.row = row
        self._above = context.metrics.space_12
        self._inset = context.gutter
        self._space = context.metrics.space_4
        self._icon_size = theme.metrics.icon
        ratio = self.devicePixelRatioF()
        self._icon.setPixmap(theme.pixmap("warning", color="danger", size=self._icon_size, ratio=ratio))
        for label, text in zip(self._labels, (error.title, error.detail, error.hint), strict=True):
            label.setText(text)
            label.setVisible(bool(text))
        self._steps.show_steps(row.message.steps)
        font = theme.font("body")
        font.setBold(True)
        self._title.setFont(font)

    def select(self, span: tuple[int, int] | None) -> None:
        """Selects from one character to another of all texts, each on a line of its own; None: nothing."""
        start = 0
        for label in self._labels:
            text = label.text()
            if span is not None and text and start <= span[0] < start + len(text):
                label.setSelection(span[0] - start, min(span[1] - start, len(text)) - (span[0] - start))
            elif label.hasSelectedText():
                label.setSelection(0, 0)
            start += len(text) + 1 if text else 0

    @override
    def measure(self, width: int) -> int:
        shown = [label for label in self._labels if not label.isHidden()]
        heights = [label.heightForWidth(self._text_width(width)) for label in shown]
        if not self._steps.isHidden():
            heights.append(self._space + self._steps.heightForWidth(self._text_width(width)))
        return self._above + 2 * self._inset + sum(heights) + self._space * (len(heights) - 1)

    @override
    def arrange(self) -> None:
        top = self._above + self._inset
        left = 2 * self._inset + self._icon_size
        self._icon.setGeometry(self._inset, top, self._icon_size, self._icon_size)
        for label in self._labels:
            if not label.isHidden():
                width = self._text_width(self.width())
                height = label.heightForWidth(width)
                label.setGeometry(left, top, width, height)
                top += height + self._space
        width = self._text_width(self.width())
        self._steps.setGeometry(left, top + self._space, width, self._steps.heightForWidth(width))

    @override
    def focus_widgets(self) -> tuple[QWidget, ...]:
        return self._steps.shown()

    @override
    def paintEvent(self, event: QPaintEvent) -> None:
        theme = current_theme()
        painter = QPainter(self)
        painter.setPen(QPen(theme.color("danger"), 1))
        painter.setBrush(theme.color("raised"))
        area = QRectF(self.rect()).adjusted(0, self._above, 0, 0)
        paint_card(painter, area, radius=theme.metrics.card_radius, is_first=True, is_last=True)
        painter.end()

    def _on_chosen(self, action: str) -> None:
        self.end_action_chosen.emit(self.row, action)

    def _text_width(self, width: int) -> int:
        return width - 3 * self._inset - self._icon_size
