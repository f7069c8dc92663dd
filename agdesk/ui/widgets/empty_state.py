"""What a view shows when there is nothing in it."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QPushButton, QVBoxLayout, QWidget

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
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self._layout = QVBoxLayout(self)
        self._layout.addStretch(2)
        for label, text in (
            (PlainLabel(self, font="empty_state"), title),
            (PlainLabel(self, color="muted", font="body"), sentence),
        ):
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

    def _restyle(self) -> None:
        metrics = current_theme().metrics
        self._layout.setSpacing(metrics.space_12)
        self._layout.setContentsMargins(metrics.space_24, metrics.space_24, metrics.space_24, metrics.space_24)
