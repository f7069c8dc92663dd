"""The states of the tree: nothing, loading, an error, no match, and the tree itself."""

from __future__ import annotations

from enum import Enum, auto

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QStackedWidget, QVBoxLayout, QWidget

from agdesk.ui.theme import current_theme
from agdesk.ui.widgets.buttons import PushButton
from agdesk.ui.widgets.labels import PlainLabel


class State(Enum):
    """What is to be seen."""

    EMPTY = auto()
    LOADING = auto()
    NO_MATCH = auto()
    ERROR = auto()
    FULL = auto()


class StateStack(QStackedWidget):
    """The tree, or a sentence in its place and what can be done about it.

    Signals:
        again_wanted(): try to load once more.
        clear_wanted(): take the filter away.
    """

    again_wanted = Signal()
    clear_wanted = Signal()

    def __init__(self, view: QWidget, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.state = State.EMPTY
        self._view = view
        self._page = QWidget(self)
        self.message = PlainLabel(self._page)
        self.hint = PlainLabel(self._page, color="muted")
        self.button = PushButton(self._page)
        self.button.clicked.connect(self._on_button)
        metrics = current_theme().metrics
        layout = QVBoxLayout(self._page)
        layout.setContentsMargins(metrics.space_24, metrics.space_24, metrics.space_24, metrics.space_24)
        layout.setSpacing(metrics.space_12)
        layout.addStretch(2)
        for label in (self.message, self.hint):
            label.setWordWrap(True)
            label.setAlignment(Qt.AlignmentFlag.AlignCenter)
            layout.addWidget(label)
        layout.addWidget(self.button, 0, Qt.AlignmentFlag.AlignHCenter)
        layout.addStretch(3)
        self.addWidget(self._page)
        self.addWidget(view)
        self.show_state(State.EMPTY)

    def show_state(self, state: State) -> None:
        """Shows a state other than ``ERROR``."""
        match state:
            case State.EMPTY:
                self._show_page(state, self.tr("Nothing was sent yet in this conversation."))
            case State.LOADING:
                self._show_page(state, self.tr("Loading…"))
            case State.NO_MATCH:
                self._show_page(state, self.tr("No record has these words."), button=self.tr("Clear the filter"))
            case _:
                self.state = state
                self.setCurrentWidget(self._view)

    def show_error(self, message: str, hint: str) -> None:
        """Says what failed and offers to try again."""
        self._show_page(State.ERROR, message, hint=hint, button=self.tr("Try again"))

    def _show_page(self, state: State, message: str, *, hint: str = "", button: str = "") -> None:
        self.state = state
        self.message.setText(message)
        self.hint.setText(hint)
        self.hint.setVisible(bool(hint))
        self.button.setText(button)
        self.button.setAccessibleName(button)
        self.button.setVisible(bool(button))
        self.setCurrentWidget(self._page)

    def _on_button(self) -> None:
        (self.again_wanted if self.state is State.ERROR else self.clear_wanted).emit()
