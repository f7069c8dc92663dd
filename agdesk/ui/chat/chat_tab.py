"""One conversation: model picker, transcript, composer and status line."""

from __future__ import annotations

from PySide6.QtCore import QTimer, Signal
from PySide6.QtWidgets import QHBoxLayout, QStackedWidget, QVBoxLayout, QWidget

from agdesk.core.cycle import AgentSession
from agdesk.core.trace.events import TraceRecord
from agdesk.core.workspace import Workspace
from agdesk.ui.bridge import DrainTimer, SessionBridge
from agdesk.ui.chat.feed import TranscriptFeed
from agdesk.ui.chat.model_picker import ModelPicker
from agdesk.ui.chat.status import StreamStatus
from agdesk.ui.chat.status_text import status_text
from agdesk.ui.theme import current_theme
from agdesk.ui.widgets.composer import Composer
from agdesk.ui.widgets.empty_state import EmptyState
from agdesk.ui.widgets.icon_button import IconButton
from agdesk.ui.widgets.labels import StatusLine
from agdesk.ui.widgets.transcript import VirtualTranscript

_CLOCK_MS = 100
_TITLE_CHARACTERS = 60


class ChatTab(QWidget):
    """The conversation of one ``AgentSession``.

    Signals:
        title_changed(str): the first line of the first message (D15).
        turn_ended(): the running turn has ended and everything of it is drawn.
    """

    title_changed = Signal(str)
    turn_ended = Signal()

    def __init__(self, workspace: Workspace, session: AgentSession, drain: DrainTimer) -> None:
        super().__init__()
        self.session = session
        self.transcript = VirtualTranscript()
        self.composer = Composer()
        self.status_line = StatusLine()
        self.picker = ModelPicker(session)
        self.picker.set_models(workspace.model_refs())
        self._feed = TranscriptFeed(self.transcript)
        self._status = StreamStatus()
        self._has_title = False
        self._is_running = False
        self._bridge = SessionBridge(session, drain, self)
        self._bridge.batch.connect(self._on_batch)
        self._clock = QTimer(self)
        self._clock.setInterval(_CLOCK_MS)
        self._clock.timeout.connect(self._show_status)
        self._build()
        self.composer.submitted.connect(self.send)
        self._show_running(False)
        self._show_status()

    def send(self, text: str) -> None:
        """Submits the user's text; does nothing while an answer is running or for an empty message."""
        if self.session.is_running or not text.strip():
            return
        self.session.submit(text)
        self.composer.clear()
        if not self._has_title:
            self._has_title = True
            self.title_changed.emit(text.strip().splitlines()[0][:_TITLE_CHARACTERS])

    def stop(self) -> None:
        """Stops the running answer; what has arrived stays."""
        self.session.cancel()

    def focus_composer(self) -> None:
        """Puts the keyboard where the next message is written."""
        self.composer.setFocus()

    def jump_to_latest(self) -> None:
        """Scrolls to the end and follows the stream again."""
        self.transcript.jump_to_latest()

    def close_session(self) -> None:
        """Stops listening; the session itself is closed by the workspace."""
        self._clock.stop()
        self._bridge.close()

    def _build(self) -> None:
        metrics = current_theme().metrics
        self._pages = QStackedWidget()
        self._pages.addWidget(self._make_empty_state())
        self._pages.addWidget(self.transcript)
        self._send_button = IconButton("send", self.tr("Send"), color="accent")
        self._send_button.clicked.connect(self._on_send_button)
        header = QHBoxLayout()
        header.addWidget(self.picker)
        header.addStretch(1)
        writing = QHBoxLayout()
        writing.addWidget(self.composer, 1)
        writing.addWidget(self._send_button)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(metrics.space_16, metrics.space_12, metrics.space_16, metrics.space_12)
        layout.setSpacing(metrics.space_8)
        layout.addLayout(header)
        layout.addWidget(self._pages, 1)
        layout.addLayout(writing)
        layout.addWidget(self.status_line)

    def _make_empty_state(self) -> EmptyState:
        examples = (
            self.tr("Say hello in French."),
            self.tr("Explain what a token is in two sentences."),
            self.tr("Write a haiku about a window."),
        )
        state = EmptyState(
            self.tr("Start a conversation"),
            self.tr(
                "The built-in model answers on this machine, without a key. Other providers take theirs from the "
                "environment, for example OPENAI_API_KEY."
            ),
            choices=examples,
        )
        state.chosen.connect(lambda index: self.send(examples[index]))
        return state

    def _on_send_button(self) -> None:
        if self.session.is_running:
            self.stop()
        else:
            self.composer.submit()

    def _on_batch(self, records: list[TraceRecord]) -> None:
        if self._pages.currentWidget() is not self.transcript:
            self._pages.setCurrentWidget(self.transcript)
        for record in records:
            self._status.apply(record)
        self._feed.append(records)
        is_running = self._status.phase.is_running
        if is_running != self._is_running:
            self._show_running(is_running)
            if not is_running:
                self.turn_ended.emit()
        self._show_status()

    def _show_running(self, is_running: bool) -> None:
        self._is_running = is_running
        if is_running:
            self._clock.start()
        else:
            self._clock.stop()
        name = self.tr("Stop") if is_running else self.tr("Send")
        self._send_button.set_icon("stop" if is_running else "send")
        self._send_button.setAccessibleName(name)
        self._send_button.setToolTip(self.tr("Stop (Esc)") if is_running else self.tr("Send (Enter)"))
        self.picker.setEnabled(not is_running)

    def _show_status(self) -> None:
        snapshot = self._status.snapshot(self.session.recorder.now_ns())
        self.status_line.setText(status_text(snapshot, self.session.cost))
