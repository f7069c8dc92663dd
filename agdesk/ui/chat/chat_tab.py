"""One conversation: model picker, transcript, composer and status line."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from functools import cached_property
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt, QTimer, Signal
from PySide6.QtWidgets import QApplication, QGridLayout, QHBoxLayout, QStackedWidget, QVBoxLayout, QWidget

from agdesk.core.cycle import AgentSession
from agdesk.core.errors import AgdeskError
from agdesk.core.trace.events import TraceRecord
from agdesk.core.workspace import StoreState, Workspace
from agdesk.ui.bridge import DrainTimer, SessionBridge
from agdesk.ui.chat.ledger.switch import ModelSwitch
from agdesk.ui.chat.parameters.bar import ParameterBar
from agdesk.ui.chat.picker.button import ModelPicker
from agdesk.ui.chat.status import Phase, StreamStatus
from agdesk.ui.chat.status_row import StatusRow
from agdesk.ui.chat.welcome import make_welcome
from agdesk.ui.theme import current_theme
from agdesk.ui.widgets.banner import Banner
from agdesk.ui.widgets.composer import Composer
from agdesk.ui.widgets.icon_button import IconButton
from agdesk.ui.widgets.text import sentences

if TYPE_CHECKING:
    from agdesk.ui.chat.feed import TranscriptFeed
    from agdesk.ui.widgets.transcript import VirtualTranscript

_CLOCK_MS = 100


class ChatTab(QWidget):
    """The conversation of one ``AgentSession``.

    Signals:
        title_changed(str): the conversation has another title.
        busy_changed(bool): an answer began or ended.
        turn_ended(): the running turn has ended and everything of it is drawn.
    """

    title_changed = Signal(str)
    busy_changed = Signal(bool)
    turn_ended = Signal()

    def __init__(self, workspace: Workspace, session: AgentSession, drain: DrainTimer) -> None:
        super().__init__()
        self.session = session
        self.composer = Composer()
        self.status_row = StatusRow()
        self.status_line = self.status_row.line
        self.picker = ModelPicker(workspace, session)
        self._workspace = workspace
        self._status = StreamStatus()
        self._title = ""
        self._is_running = False
        self._sent_s = 0.0
        self._bridge = SessionBridge(session, drain, self)
        self._bridge.batch.connect(self._on_batch)
        self._clock = QTimer(self)
        self._clock.setInterval(_CLOCK_MS)
        self._clock.timeout.connect(self._show_status)
        self._panel_place = QVBoxLayout()
        self.parameters = ParameterBar(workspace, session, place=self._panel_place, owner=self)
        self._build()
        self.parameters.closed.connect(self.focus_composer)
        self.composer.submitted.connect(self.send)
        self.status_row.now_chosen.connect(session.retry_now)
        self.status_row.cancel_chosen.connect(self.stop)
        self.status_row.focus_left.connect(self.focus_composer)
        self.switch = ModelSwitch(
            workspace, session, draft=self.composer.toPlainText, place=self._question_place, parent=self
        )
        self.switch.switched.connect(self._on_model_changed)
        self.switch.closed.connect(self.focus_composer)
        self.picker.chosen.connect(self.switch.choose)
        self._subscriptions = (
            workspace.conversations.changed.subscribe(self._on_conversation_changed),
            workspace.store_states.subscribe(self._on_store_state),
        )
        self._on_conversation_changed(session.id)
        self._show_status()

    @property
    def title(self) -> str:
        """The conversation's title; empty before its first message."""
        return self._title

    @property
    def phase(self) -> Phase:
        """Where the latest turn is."""
        return self._status.phase

    @cached_property
    def transcript(self) -> VirtualTranscript:
        """Where the messages are drawn; made when it is first needed, because an empty conversation is painted sooner
        without it (PERF5)."""
        from agdesk.ui.widgets.transcript import VirtualTranscript

        transcript = VirtualTranscript()
        transcript.link_activated.connect(self._ask_about_link)
        transcript.error_action_chosen.connect(self._resend)
        self._pages.addWidget(transcript)
        return transcript

    @cached_property
    def _feed(self) -> TranscriptFeed:
        from agdesk.ui.chat.feed import TranscriptFeed

        return TranscriptFeed(self.transcript)

    def send(self, text: str) -> None:
        """Submits the user's text; does nothing while an answer is running, while it is not settled which model
        answers, or for an empty message.

        What cannot be sent stays in the composer, and the reason stands above it.
        """
        if self.session.is_running or not text.strip():
            return
        if self.switch.is_pending:
            self.switch.point_out()
            return
        if self._has_begun(lambda: self.session.submit(text)):
            self.composer.clear()

    def show_stored(self, records: Sequence[TraceRecord]) -> None:
        """Draws what the conversation held when it was opened, before anything new arrives."""
        if records:
            self._draw(list(records))
        self._show_status()

    def scroll_place(self) -> str:
        """What is on the screen, for ``show_place``; empty while the end is."""
        if self._pages.currentWidget() is self.empty_state or (place := self.transcript.place()) is None:
            return ""
        return f"{place.key}#{place.row}#{place.top}"

    def show_place(self, text: str) -> None:
        """Scrolls to where ``scroll_place`` was; anything else is left out."""
        from agdesk.ui.widgets.transcript import ScrollPlace

        key, _, rest = text.partition("#")
        row, _, top = rest.partition("#")
        if row.isdecimal() and top.removeprefix("-").isdecimal():
            self.transcript.show_place(ScrollPlace(key, int(row), int(top)))

    def stop(self) -> None:
        """Stops the running answer, what has arrived stays; or puts away the question for another model."""
        self.switch.keep()
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
        self.switch.close()
        self.picker.stop_listening()
        self.parameters.stop_listening()
        self._bridge.close()
        for unsubscribe in self._subscriptions:
            unsubscribe()

    def _build(self) -> None:
        metrics = current_theme().metrics
        self._pages = QStackedWidget()
        self.empty_state = make_welcome(self._send_example)
        self._pages.addWidget(self.empty_state)
        self.notice = Banner()
        self.send_button = IconButton("send", self.tr("Send"), color="accent")
        self.send_button.setFocusPolicy(Qt.FocusPolicy.TabFocus)  # a click leaves the keyboard where one writes
        self.send_button.clicked.connect(self._on_send_button)
        side = metrics.space_16
        header = QHBoxLayout()
        header.setContentsMargins(side, 0, side, 0)
        header.setSpacing(metrics.space_8)
        header.addWidget(self.picker, 1)
        header.addWidget(self.parameters)
        self._panel_place.setContentsMargins(side, 0, side, 0)
        column = QWidget()  # as wide as the text above it, and centred with it
        column.setMaximumWidth(metrics.text_column + 2 * metrics.space_12)
        writing = QGridLayout(column)
        writing.setContentsMargins(0, 0, 0, 0)
        writing.setColumnStretch(0, 1)
        self._question_place = QVBoxLayout()
        writing.addLayout(self._question_place, 0, 0, 1, 2)
        writing.addWidget(self.notice, 1, 0, 1, 2)
        writing.addWidget(self.composer, 2, 0)
        writing.addWidget(self.send_button, 2, 1, Qt.AlignmentFlag.AlignBottom)
        writing.addWidget(self.status_row, 3, 0, 1, 2)
        centred = QHBoxLayout()
        centred.setContentsMargins(side, 0, side, 0)
        centred.addStretch()
        centred.addWidget(column, 1)
        centred.addStretch()
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, metrics.space_8, 0, metrics.space_8)
        layout.setSpacing(metrics.space_8)
        layout.addLayout(header)
        layout.addLayout(self._panel_place)
        layout.addWidget(self._pages, 1)
        layout.addLayout(centred)

    def _send_example(self, text: str) -> None:
        self.composer.setFocus()  # the button that had the keyboard goes away
        self.send(text)

    def _on_send_button(self) -> None:
        self.composer.setFocus()
        if not self.session.is_running:
            self.composer.submit()
        elif time.monotonic() - self._sent_s > QApplication.doubleClickInterval() / 1000:
            self.stop()  # the second click of a double click on Send means nothing

    def _resend(self, key: str) -> None:
        """Asks again for what failed, without the parameter that its model refused."""
        if (offer := self._feed.offer_at(key)) is None or self.session.is_running:
            return
        if self._has_begun(lambda: self.session.resend_without(offer.error, model_ref=offer.model_ref)):
            self.composer.setFocus()  # the button that had the keyboard goes away

    def _has_begun(self, begin: Callable[[], object]) -> bool:
        """Begins a turn; what cannot be begun has its reason above the composer."""
        try:
            begin()
        except AgdeskError as error:
            self.notice.show_text(sentences(error.message, error.hint))
            return False
        self.notice.clear()
        self._sent_s = time.monotonic()
        return True

    def _on_model_changed(self) -> None:
        self.picker.refresh()
        self.parameters.refresh()

    def _on_conversation_changed(self, conversation_id: str) -> None:
        if conversation_id != self.session.id:
            return
        row = self._workspace.conversations.get(conversation_id)
        title = row.title if row is not None else ""
        if title != self._title:
            self._title = title
            self.title_changed.emit(title)

    def _ask_about_link(self, url: str) -> None:
        from agdesk.ui.chat.link_question import LinkQuestion

        LinkQuestion(url, self).open()

    def _on_store_state(self, state: StoreState) -> None:
        if state.condition == "ok":
            self.notice.clear()  # that it could not be sent for want of space is no longer true

    def _draw(self, records: list[TraceRecord]) -> None:
        if self._pages.currentWidget() is not self.transcript:
            self._pages.setCurrentWidget(self.transcript)
        for record in records:
            self._status.apply(record)
        self._feed.append(records)
        self.transcript.refresh()

    def _on_batch(self, records: list[TraceRecord]) -> None:
        ended_turns = self._status.ended_turns
        self._draw(records)
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
        self.busy_changed.emit(is_running)

    def _show_status(self) -> None:
        snapshot = self._status.snapshot(self.session.recorder.now_ns())
        self.status_row.show_snapshot(snapshot, self.session.cost)
