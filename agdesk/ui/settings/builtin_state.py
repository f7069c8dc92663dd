"""What the built-in model's process is doing, and the button that starts it again."""

from __future__ import annotations

from typing import assert_never

from PySide6.QtWidgets import QHBoxLayout, QPushButton, QVBoxLayout, QWidget
from shiboken6 import isValid

from agdesk.core.errors import AgdeskError
from agdesk.core.providers.llama_server import LlamaServer, LlamaState
from agdesk.core.tasks import spawn
from agdesk.ui.core_words import words_of
from agdesk.ui.theme import current_theme
from agdesk.ui.widgets.card import Card
from agdesk.ui.widgets.notice import Notice
from agdesk.ui.widgets.wrapped_label import WrappedLabel


class BuiltinState(QWidget):
    """Follows a ``LlamaServer``; stands below the rows of the built-in model."""

    def __init__(self, llama: LlamaServer) -> None:
        super().__init__()
        self._llama = llama
        self._is_restarting = False
        self.state = WrappedLabel(self)
        self.restart_button = QPushButton(self.tr("Restart"))
        self.restart_button.setAccessibleName(self.tr("Restart the built-in model"))
        self.restart_button.setToolTip(self.tr("An answer of the built-in model that is running ends."))
        self.restart_button.clicked.connect(lambda _checked=False: self._restart())
        self.notice = Notice(self)
        note = WrappedLabel(self, color="muted", font="caption")
        note.setText(self.tr("A change takes effect with the next message to the built-in model."))
        metrics = current_theme().metrics
        card = Card(self)
        line = QHBoxLayout()
        line.setContentsMargins(0, metrics.space_8, 0, metrics.space_8)
        line.addWidget(self.state, 1)
        line.addWidget(self.restart_button)
        card.column.addLayout(line)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(metrics.space_12)
        column.addWidget(note)
        column.addWidget(card)
        column.addWidget(self.notice)
        unsubscribe = llama.states.subscribe(self._show_state)
        self.destroyed.connect(lambda: unsubscribe())
        self._show_state(llama.state)

    def _show_state(self, state: LlamaState) -> None:
        match state:
            case LlamaState.STOPPED:
                words = self.tr("Not started; the first message starts it.")
            case LlamaState.STARTING:
                words = self.tr("Starting…")
            case LlamaState.RUNNING:
                words = self.tr("Running")
            case LlamaState.CRASHED:
                words = self.tr("It has crashed; the next message starts it again.")
            case _:
                assert_never(state)
        self.state.setText(self.tr("Process: %1").replace("%1", words))
        self.restart_button.setText(self.tr("Start") if state is LlamaState.STOPPED else self.tr("Restart"))

    def _restart(self) -> None:
        if self._is_restarting:
            return
        self._is_restarting = True
        self.restart_button.setEnabled(False)
        self.notice.clear()
        spawn(self._run_restart(), name="restart of the built-in model")

    async def _run_restart(self) -> None:
        problem: AgdeskError | None = None
        try:
            await self._llama.aclose()
            await self._llama.acquire()
        except AgdeskError as error:
            problem = error
        finally:
            self._is_restarting = False
            if isValid(self):
                self.restart_button.setEnabled(True)
                if problem is not None:
                    self.notice.show_text(*words_of(problem))
