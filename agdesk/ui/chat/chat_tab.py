"""One conversation: model picker, transcript, composer and status line."""

from __future__ import annotations

import functools
from collections.abc import Callable, Sequence
from functools import cached_property
from typing import TYPE_CHECKING

from PySide6.QtCore import QTimer, Signal

from agdesk.core.cycle import AgentSession
from agdesk.core.cycle.branches import Branch
from agdesk.core.errors import AgdeskError
from agdesk.core.ir.blocks import ContentBlock
from agdesk.core.ir.messages import User
from agdesk.core.trace.events import TraceRecord
from agdesk.core.workspace import StoreState, Workspace
from agdesk.ui.bridge import DrainTimer, SessionBridge
from agdesk.ui.chat.attachments.box import AttachmentBox
from agdesk.ui.chat.branching import BranchControl
from agdesk.ui.chat.calls.control import CallControl
from agdesk.ui.chat.column import ConversationColumn
from agdesk.ui.chat.editing import MessageEdit
from agdesk.ui.chat.gauge.gauge import ContextGauge
from agdesk.ui.chat.ledger.switch import ModelSwitch
from agdesk.ui.chat.parameters.bar import ParameterBar
from agdesk.ui.chat.picker.button import ModelPicker
from agdesk.ui.chat.queue.control import QueueControl
from agdesk.ui.chat.status import Phase, StreamStatus
from agdesk.ui.chat.tools.control import ToolsControl
from agdesk.ui.core_words import words_of
from agdesk.ui.widgets.text import sentences

if TYPE_CHECKING:
    from agdesk.ui.chat.feed import TranscriptFeed

_CLOCK_MS = 100


class ChatTab(ConversationColumn):
    """The conversation of one ``AgentSession``.

    Signals:
        title_changed(str): the conversation has another title.
        busy_changed(bool): an answer began or ended.
        turn_ended(): the running turn has ended and everything of it is drawn.
        price_correction_wanted(str): the user knows better what ``provider/model`` costs.
    """

    title_changed = Signal(str)
    busy_changed = Signal(bool)
    turn_ended = Signal()
    price_correction_wanted = Signal(str)

    def __init__(self, workspace: Workspace, session: AgentSession, drain: DrainTimer) -> None:
        super().__init__()
        self.session = session
        self.picker = ModelPicker(workspace, session)
        self._workspace = workspace
        self._status = StreamStatus()
        self._title = ""
        self._is_running = False
        self.editing = MessageEdit(self.composer, self.edit_bar)
        self.attachments = AttachmentBox(workspace, session, column=self)
        self._bridge = SessionBridge(session, drain, self)
        self._bridge.batch.connect(self._on_batch)
        self._clock = QTimer(self)
        self._clock.setInterval(_CLOCK_MS)
        self._clock.timeout.connect(self.show_status)
        self.parameters = ParameterBar(workspace, session, place=self.panel_place, owner=self)
        self.header.addWidget(self.picker, 1)
        self.gauge = ContextGauge(workspace, session, draft=self._draft)
        self.tools = ToolsControl(workspace, session)
        for part in (self.parameters, self.tools, self.gauge):
            self.header.addWidget(part)
        self.parameters.closed.connect(self.focus_composer)
        self.composer.textChanged.connect(self.gauge.refresh_soon)
        self.composer.textChanged.connect(self._show_send_button)
        self.composer.submitted.connect(self.send)
        self.example_chosen.connect(self._send_example)
        self.send_button.clicked.connect(self.focus_composer)
        self.send_button.send_chosen.connect(self.composer.submit)
        self.send_button.stop_chosen.connect(self.stop)
        self.attachments.changed.connect(self._show_send_button)
        self.attachments.changed.connect(self.gauge.refresh_soon)
        self.attachments.model_wanted.connect(self.picker.open)
        self.editing.ended.connect(self.attachments.end_edit)
        self.status_row.now_chosen.connect(session.retry_now)
        self.status_row.cancel_chosen.connect(self.stop)
        self.status_row.focus_left.connect(self.focus_composer)
        self.status_row.cost_chosen.connect(self.explain_cost)
        self.switch = ModelSwitch(workspace, session, draft=self._draft, place=self.question_place, parent=self)
        self.switch.switched.connect(self._on_model_changed)
        self.switch.closed.connect(self.focus_composer)
        self.picker.chosen.connect(self.switch.choose)
        self.branches = BranchControl(workspace, session, owner=self)
        self.branches.redraw_needed.connect(self._redraw)
        self.branches.edit_wanted.connect(self.begin_edit)
        self.branches.model_wanted.connect(self.answer_with_another)
        self.branches.step_taken.connect(self.focus_composer)  # the button that has the keyboard goes away
        self.branches.problem_found.connect(self.notice.show_text)
        self.calls = CallControl(workspace, session, column=self)
        self.queue = QueueControl(session, switch=self.switch, column=self)
        self.queue.changed.connect(self._on_queue_changed)
        for undoing in (self.attachments, self.queue, self.calls, self.parameters.presets):
            undoing.undo_offered.connect(self.branches.undo_offered)
        self.parameters.presets.problem_found.connect(self.notice.show_text)
        self._subscriptions = (
            workspace.conversations.changed.subscribe(self._on_conversation_changed),
            workspace.store_states.subscribe(self._on_store_state),
        )
        self._on_conversation_changed(session.id)
        self.show_status()

    @property
    def title(self) -> str:
        """The conversation's title; empty before its first message."""
        return self._title

    @property
    def phase(self) -> Phase:
        """Where the latest turn is."""
        return self._status.phase

    @cached_property
    def feed(self) -> TranscriptFeed:
        """What draws the records."""
        from agdesk.ui.chat.feed import TranscriptFeed

        session = self.session
        feed = TranscriptFeed(self.transcript, tree=session.branches.tree, can_go_on=lambda: session.can_go_on)
        self.attachments.attach_transcript(self.transcript, feed.attached)
        self.branches.attach(self.transcript, feed)
        return feed

    def send(self, text: str) -> None:
        """Submits the user's text, or puts it into the queue while an answer is running; does nothing while it is not
        settled which model answers, or for an empty message.

        What cannot be sent stays in the composer, and the reason stands above it.
        """
        content, edited, queue = self.attachments.content(text), self.editing.message_id, self.session.queue
        if not content or not self.attachments.is_ready():
            return
        must_wait = edited is None and queue.must_wait and (self.session.is_whole or not queue.is_paused)
        if self.switch.is_pending and not must_wait:
            self.switch.point_out()
        elif edited is None:
            if self._has_begun(lambda: queue.add(content) if must_wait else self.session.submit(content)):
                self.composer.clear()
                self.attachments.clear()
                if not must_wait:  # what one has just said is seen, wherever one was reading
                    self.jump_to_latest()
        elif self._has_begun(lambda: self.session.edit(edited, content if self.attachments.is_editing else text)):
            self.editing.end()

    def show_stored(self, records: Sequence[TraceRecord]) -> None:
        """Draws what the conversation held when it was opened, before anything new arrives; of a long one the end."""
        if records:
            self._draw(list(records))
        self.show_status()

    def stop(self) -> None:
        """Stops the answer, what has arrived stays, and pauses the queue; puts away the question for another model."""
        self.switch.keep()
        self.editing.end()
        self.session.cancel()

    def explain_cost(self) -> None:
        """Shows what the cost is made of, and the prices."""
        from agdesk.ui.chat.status_cost_sheet import CostSheet

        sheet = CostSheet(self._workspace, self.session, self.status_row)
        sheet.correction_wanted.connect(self.price_correction_wanted)
        sheet.open()

    def close_session(self) -> None:
        """Stops listening; the session itself is closed by the workspace."""
        self._clock.stop()
        self.queue.close()
        self.calls.close()
        self.switch.close()
        self.attachments.stop()
        for part in (self.branches, self.picker, self.parameters, self.tools, self.gauge):
            part.stop_listening()
        self._bridge.close()
        for unsubscribe in self._subscriptions:
            unsubscribe()

    def _send_example(self, text: str) -> None:
        self.composer.setFocus()  # the button that had the keyboard goes away
        self.send(text)

    def _has_begun(self, begin: Callable[[], object]) -> bool:
        """Begins a turn; what cannot be begun has its reason above the composer."""
        try:
            begin()
        except AgdeskError as error:
            self.notice.show_text(sentences(*words_of(error)))
            return False
        self.notice.clear()
        self.send_button.note_sent()
        return True

    def _on_model_changed(self) -> None:
        for part in (self.picker, self.parameters, self.tools, self.attachments, self.gauge):
            part.refresh()
        self.branches.show_offer()

    def answer_with_another(self, message_id: str | None = None) -> None:
        """Lets the user choose the model that answers a message again; the last one without an id."""
        again = functools.partial(self.branches.regenerate, message_id)
        self.picker.open(lambda model_ref: self.switch.choose(model_ref, then=again))

    def _draft(self) -> tuple[ContentBlock, ...]:
        return self.attachments.content(self.composer.toPlainText())

    def begin_edit(self, message_id: str, written: str | None = None) -> None:
        """Puts a message that is shown into the composer, or what had been written in its place."""
        node = self.session.branches.tree.node(message_id)
        text = self.transcript.message_source(self.feed.key_of(message_id))
        if isinstance(node.message, User):
            self.attachments.begin_edit(node.message.content)
        self.editing.begin(message_id, text, is_own=node.role == "user", written=written)

    def _redraw(self, branch: Branch) -> None:
        """Shows another path; what waits to be drawn is of the old one, and comes first."""
        self._bridge.flush()
        was_following = self.transcript.is_following
        shared_id, tree = branch.shared_id, self.session.branches.tree
        self.feed.draw_branch(None if shared_id is None else tree.node(shared_id), branch.records)
        self.gauge.take(branch.records)
        if not branch.records:  # there is less: the last turn is gone from view, with its figures
            self._status = StreamStatus()
        for record in branch.records:  # the line is that of the last turn that is shown, as at the next start
            self._status.apply(record)
        self.show_status()
        if was_following and not branch.records:  # what is to follow comes now
            self.transcript.jump_to_latest()
        self.branches.show_places(branch.records)
        self.transcript.refresh()

    def _on_conversation_changed(self, conversation_id: str) -> None:
        if conversation_id != self.session.id:
            return
        row = self._workspace.conversations.get(conversation_id)
        title = row.title if row is not None else ""
        if title != self._title:
            self._title = title
            self.title_changed.emit(title)

    def _on_store_state(self, state: StoreState) -> None:
        if state.condition == "ok":
            self.notice.clear()  # that it could not be sent for want of space is no longer true

    def _draw(self, records: list[TraceRecord]) -> None:
        if self.pages.currentWidget() is not self.transcript:
            self.pages.setCurrentWidget(self.transcript)
        for record in records:
            self._status.apply(record)
        self.feed.append(records)
        if self.session.is_whole:
            self.gauge.take(records)
        self.branches.show_places(records)
        self.transcript.refresh()

    def _on_batch(self, records: list[TraceRecord]) -> None:
        ended_turns = self._status.ended_turns
        self._draw(records)
        self._show_running()
        self.show_status()
        if self._status.ended_turns != ended_turns:  # a turn may begin and end within one batch
            self.turn_ended.emit()

    def _on_queue_changed(self) -> None:
        self._bridge.flush()  # else the turn that has just begun is not known here yet
        self._show_running()

    def _show_running(self) -> None:
        is_running = self._status.phase.is_running or self.session.queue.is_going_on
        if is_running == self._is_running:
            return
        self._is_running = is_running
        if is_running:
            self._clock.start()
        else:
            self._clock.stop()
        self._show_send_button()
        self.picker.setEnabled(not is_running)
        self.busy_changed.emit(is_running)

    def _show_send_button(self) -> None:
        is_empty = self.composer.document().isEmpty() and not self.composer.has_attachments
        self.send_button.show_state(is_running=self._is_running, is_empty=is_empty)

    def show_status(self) -> None:
        """Brings the status line up to date."""
        snapshot = self._status.snapshot(self.session.recorder.now_ns())
        self.status_row.show_snapshot(snapshot, self.session.cost)
