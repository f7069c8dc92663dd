"""One conversation: model picker, transcript, composer and status line."""

from __future__ import annotations

import time
from functools import cached_property
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt, QTimer, Signal
from PySide6.QtWidgets import QApplication, QGridLayout, QHBoxLayout, QStackedWidget, QVBoxLayout, QWidget

from agdesk.core.cycle import AgentSession
from agdesk.core.trace.events import TraceRecord
from agdesk.core.workspace import Workspace
from agdesk.ui.bridge import DrainTimer, SessionBridge
from agdesk.ui.chat.link_question import LinkQuestion
from agdesk.ui.chat.model_picker import ModelPicker
from agdesk.ui.chat.status import StreamStatus
from agdesk.ui.chat.status_text import status_text
from agdesk.ui.theme import current_theme
from agdesk.ui.widgets.composer import Composer
from agdesk.ui.widgets.empty_state import EmptyState
from agdesk.ui.widgets.icon_button import IconButton
from agdesk.ui.widgets.labels import StatusLine

if TYPE_CHECKING:
    from agdesk.ui.chat.feed import TranscriptFeed
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
        self.composer = Composer()
        self.status_line = StatusLine()
        self.picker = ModelPicker(session)
        self.picker.set_models(workspace.model_refs())
        self._status = StreamStatus()
        self._has_title = False
        self._is_running = False
        self._sent_s = 0.0
        self._bridge = SessionBridge(session, drain, self)
        self._bridge.batch.connect(self._on_batch)
        self._clock = QTimer(self)
        self._clock.setInterval(_CLOCK_MS)
        self._clock.timeout.connect(self._show_status)
        self._build()
        self.composer.submitted.connect(self.send)
        self._show_status()

    @cached_property
    def transcript(self) -> VirtualTranscript:
        """Where the messages are drawn; made when it is first needed, because an empty conversation is painted sooner
        without it (PERF5)."""
        from agdesk.ui.widgets.transcript import VirtualTranscript

        transcript = VirtualTranscript()
        transcript.link_activated.connect(lambda url: LinkQuestion(url, self).open())
        self._pages.addWidget(transcript)
        return transcript

    @cached_property
    def _feed(self) -> TranscriptFeed:
        from agdesk.ui.chat.feed import TranscriptFeed

        return TranscriptFeed(self.transcript)

    def send(self, text: str) -> None:
        """Submits the user's text; does nothing while an answer is running or for an empty message."""
        if self.session.is_running or not text.strip():
            return
        self.session.submit(text)
        self._sent_s = time.monotonic()
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
        if self._pages.currentWidget() is not self.empty_state:
            self.transcript.jump_to_latest()

    def close_session(self) -> None:
        """Stops listening; the session itself is closed by the workspace."""
        self._clock.stop()
        self._bridge.close()

    def _build(self) -> None:
        metrics = current_theme().metrics
        self._pages = QStackedWidget()
        self.empty_state = self._make_empty_state()
        self._pages.addWidget(self.empty_state)
        self.send_button = IconButton("send", self.tr("Send"), color="accent")
        self.send_button.setFocusPolicy(Qt.FocusPolicy.TabFocus)  # a click leaves the keyboard where one writes
        self.send_button.clicked.connect(self._on_send_button)
        header = QHBoxLayout()
        header.addWidget(self.picker)
        header.addStretch(1)
        column = QWidget()  # as wide as the text above it, and centred with it
        column.setMaximumWidth(metrics.text_column + 2 * metrics.space_12)
        writing = QGridLayout(column)
        writing.setContentsMargins(0, 0, 0, 0)
        writing.setColumnStretch(0, 1)
        writing.addWidget(self.composer, 0, 0)
        writing.addWidget(self.send_button, 0, 1, Qt.AlignmentFlag.AlignBottom)
        writing.addWidget(self.status_line, 1, 0, 1, 2)
        centred = QHBoxLayout()
        centred.addStretch(1)
        centred.addWidget(column, 1000)
        centred.addStretch(1)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(metrics.space_16, metrics.space_8, metrics.space_16, metrics.space_8)
        layout.setSpacing(metrics.space_8)
        layout.addLayout(header)
        layout.addWidget(self._pages, 1)
        layout.addLayout(centred)

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
        self.composer.setFocus()
        if not self.session.is_running:
            self.composer.submit()
        elif time.monotonic() - self._sent_s > QApplication.doubleClickInterval() / 1000:
            self.stop()  # the second click of a double click on Send means nothing

    def _on_batch(self, records: list[TraceRecord]) -> None:
        if self._pages.currentWidget() is not self.transcript:
            self._pages.setCurrentWidget(self.transcript)
        ended_turns = self._status.ended_turns
        for record in records:
            self._status.apply(record)
        self._feed.append(records)
        self.transcript.refresh()
        self._show_running(self._status.phase.is_running)
        self._show_status()
        if self._status.ended_turns != ended_turns:  # a turn may begin and end within one batch
            self.turn_ended.emit()

    def _show_running(self, is_running: bool) -> None:
        if is_running == self._is_running:
            return
        self._is_running = is_running
        if is_running:
            self._clock.start()
        else:
            self._clock.stop()
        name = self.tr("Stop") if is_running else self.tr("Send")
        self.send_button.set_icon("stop" if is_running else "send")
        self.send_button.setAccessibleName(name)
        self.send_button.setToolTip(self.tr("Stop (Esc)") if is_running else self.tr("Send (Enter)"))
        self.picker.setEnabled(not is_running)

    def _show_status(self) -> None:
        snapshot = self._status.snapshot(self.session.recorder.now_ns())
        self.status_line.setText(status_text(snapshot, self.session.cost))
