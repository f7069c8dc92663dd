"""What a view shows when there is nothing in it."""

from __future__ import annotations

from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QPushButton, QVBoxLayout, QWidget
from typing_extensions import override

from agdesk.ui.theme import current_theme
from agdesk.ui.widgets.buttons import PushButton
from agdesk.ui.widgets.labels import PlainLabel


class EmptyState(QWidget):
    """A title, a sentence, and what can be done, in the middle of the place.

    Args:
        title: a few words.
        sentence: one.
        choices: text of each button.
        has_primary: the first button is the one main action.
        are_examples: the title is enough where there is no height for all: the rest is left out, the last first.

    Signals:
        chosen(int): the button of that index was pressed.
    """

    chosen = Signal(int)

    def __init__(
        self,
        title: str,
        sentence: str,
        *,
        choices: tuple[str, ...] = (),
        has_primary: bool = False,
        are_examples: bool = False,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self._are_examples = are_examples
        self._layout = QVBoxLayout(self)
        self._layout.addStretch(2)
        self._labels = (PlainLabel(self, font="empty_state"), PlainLabel(self, color="muted", font="body"))
        for label, text in zip(self._labels, (title, sentence), strict=True):
            label.setText(text)
            label.setWordWrap(True)
            label.setAlignment(Qt.AlignmentFlag.AlignCenter)
            self._layout.addWidget(label)
        self.buttons: list[QPushButton] = []
        for index, choice in enumerate(choices):
            button = PushButton(choice.replace("&", "&&"), self)
            button.setAccessibleName(choice)
            button.setProperty("primary", has_primary and index == 0)
            button.clicked.connect(lambda _checked=False, index=index: self.chosen.emit(index))
            self.buttons.append(button)
            self._layout.addWidget(button, alignment=Qt.AlignmentFlag.AlignHCenter)
        self._layout.addStretch(3)
        current_theme().theme_changed.connect(self._restyle)
        self._restyle()

    @override
    def minimumSizeHint(self) -> QSize:
        hint = super().minimumSizeHint()
        return QSize(hint.width(), self._height_of(self.width(), 1)) if self._are_examples else hint

    @override
    def hasHeightForWidth(self) -> bool:
        return not self._are_examples and super().hasHeightForWidth()

    @override
    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit()

    def _fit(self) -> None:
        if self._are_examples:
            parts = (*self._labels, *self.buttons)
            count = len(parts)
            while count > 1 and self._height_of(self.width(), count) > self.height():
                count -= 1
            for index, part in enumerate(parts):
                part.setVisible(index < count)

    def _height_of(self, width: int, count: int) -> int:
        """What the first of the labels and buttons need."""
        margins, space = self._layout.contentsMargins(), self._layout.spacing()
        room = width - margins.left() - margins.right()
        heights = [label.heightForWidth(room) for label in self._labels]
        heights += [button.sizeHint().height() for button in self.buttons]
        del heights[count:]
        # the layout puts its spacing beside what stretches too
        return margins.top() + margins.bottom() + sum(heights) + space * (len(heights) + 1)

    def _restyle(self) -> None:
        metrics = current_theme().metrics
        self._layout.setSpacing(metrics.space_12)
        self._layout.setContentsMargins(metrics.space_24, metrics.space_24, metrics.space_24, metrics.space_24)
        self._fit()
