"""One open conversation, in a tab or in a window of its own, whether it is loaded yet or not."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from dataclasses import replace
from typing import Any

from PySide6.QtCore import QTimer, Signal
from PySide6.QtGui import QShowEvent
from PySide6.QtWidgets import QStackedWidget, QWidget
from typing_extensions import override

from agdesk.core.ir.blocks import ContentBlock
from agdesk.core.settings.window_state import TabState
from agdesk.core.trace.events import ResponseReceived, TraceRecord, TurnFailed
from agdesk.core.workspace import UnfinishedEdit
from agdesk.ui.chat import ChatTab
from agdesk.ui.chat.status import Phase
from agdesk.ui.core_words import said
from agdesk.ui.main_window.badges import Activity
from agdesk.ui.widgets.empty_state import EmptyState

_DRAFT_MS = 500
_ANSWER_CHARACTERS = 500


class TabPage(QStackedWidget):
    """A ``ChatTab`` once it is loaded; before that a skeleton, or why it could not be loaded.

    Args:
        stored: what is known of the tab without its conversation.
        title: of the conversation; empty for a new one.
        begin: loads the conversation; called when the page is shown for the first time, and by "Try again".
        keep_draft: takes the session's id and what stands in its composer.
        keep_edit: takes the session's id and the message that is being edited there.

    Signals:
        changed(): another title, or its conversation does something else.
        chat_ready(): ``chat`` is there.
        answer_ended(str, str): an answer ended by itself, or waits for the user: the conversation's title, and its
            beginning or its error.

    Attributes:
        chat: the conversation, None until it is loaded.
        loading: the task that loads it.
    """

    changed = Signal()
    chat_ready = Signal()
    answer_ended = Signal(str, str)

    def __init__(
        self,
        stored: TabState,
        title: str,
        *,
        begin: Callable[[TabPage], None],
        keep_draft: Callable[[str, str], None],
        keep_edit: Callable[[str, UnfinishedEdit | None], None],
    ) -> None:
        super().__init__()
        self.stored = stored
        self.chat: ChatTab | None = None
        self.loading: asyncio.Task[Any] | None = None
        self._title = title
        self._begin = begin
        self._keep_draft = keep_draft
        self._kept_draft = ""
        self._keep_edit = keep_edit
        self._kept_edit: UnfinishedEdit | None = None
        self._answer = ""
        self._unsubscribe: Callable[[], None] = lambda: None
        self._activity: Activity = "idle"
        self._draft_timer = QTimer(self)
        self._draft_timer.setSingleShot(True)
        self._draft_timer.setInterval(_DRAFT_MS)
        self._draft_timer.timeout.connect(self.save_draft)

    @property
    def session_id(self) -> str:
        """Of its conversation."""
        return self.stored.session_id

    @property
    def title(self) -> str:
        """The conversation's title; what a new one is called before its first message."""
        return self._title or self.tr("New conversation")

    @property
    def activity(self) -> Activity:
        """What the tab's sign tells. ``unread`` and ``failed`` end when the page is seen."""
        return self._activity

    @property
    def draft(self) -> str:
        """What stands in the composer."""
        return self.chat.editing.draft if self.chat is not None else ""

    @property
    def model_ref(self) -> str:
        """``provider/model`` that the conversation asks; empty for the default."""
        return self.chat.session.model_ref if self.chat is not None else self.stored.model_ref

    def state(self) -> TabState:
        """What brings the tab back; whether and where it is detached is its window's part."""
        if self.chat is None:
            return self.stored
        return replace(
            self.stored,
            model_ref=self.model_ref,
            scroll_place=self.chat.scroll_place(),
            has_parameters_open=self.chat.parameters.is_open,
        )

    def set_title(self, title: str) -> None:
        """Another title; empty for that of a new conversation."""
        if title != self._title:
            self._title = title
            self.changed.emit()

    def set_chat(self, chat: ChatTab) -> None:
        """Shows the loaded conversation."""
        self._clear()
        self.chat = chat
        chat.parameters.set_open(self.stored.has_parameters_open)
        self.addWidget(chat)
        self.setCurrentWidget(chat)
        chat.title_changed.connect(self.set_title)
        chat.busy_changed.connect(self._on_busy)
        chat.turn_ended.connect(self._on_turn_ended)
        chat.calls.waiting_changed.connect(self._on_waiting)
        chat.composer.textChanged.connect(self._on_written)
        self._unsubscribe = chat.session.records.subscribe(self._on_record)
        self.set_title(chat.title or self._title)
        self._set_activity("busy" if chat.session.is_running else "idle")
        if chat.calls.is_waiting:  # since before the program was started
            self._set_activity("waiting")
        self.chat_ready.emit()

    def drop_chat(self) -> None:
        """Shows no conversation any more, and keeps the draft; closing the session is the caller's part."""
        self.save_draft()
        self._unsubscribe()
        self.chat = None

    def set_draft(self, text: str) -> None:
        """Puts a kept draft into the composer, unless something is being written there already."""
        if self.chat is not None and text and not self.draft:
            self._kept_draft = text
            self.chat.composer.setPlainText(text)
            self.chat.composer.moveCursor(self.chat.composer.textCursor().MoveOperation.End)

    def resume_edit(self, edit: UnfinishedEdit) -> None:
        """Goes on with the message that was being edited; without that message, with what was written in its place."""
        if self.chat is None or self.chat.editing.message_id is not None:
            return
        tree = self.chat.session.branches.tree
        if edit.message_id in tree and tree.is_active(edit.message_id):
            self._kept_edit = edit
            self.chat.begin_edit(edit.message_id, edit.text)
        else:
            self.set_draft(edit.text)

    def set_attachments(self, blocks: tuple[ContentBlock, ...]) -> None:
        """Puts kept attachments above the composer, unless something is attached there already."""
        if self.chat is not None:
            self.chat.attachments.restore(blocks)

    def show_loading(self) -> None:
        """Says that the conversation is on its way."""
        from agdesk.ui.widgets.skeleton import Skeleton

        self._show(Skeleton(self.tr("Loading the conversation")))
        self._set_activity("idle")

    def show_error(self, message: str, hint: str) -> None:
        """Says why there is no conversation, and offers to try again."""
        sentence = f"{message}\n{hint}" if hint else message
        state = EmptyState(self.tr("This conversation cannot be opened"), sentence, choices=(self.tr("Try again"),))
        state.chosen.connect(lambda _index: self._begin(self))
        self._show(state)
        self._set_activity("failed")

    def focus_writing(self) -> None:
        """Puts the keyboard where one writes, or on what the page offers instead."""
        if self.chat is not None:
            self.chat.focus_composer()
        elif isinstance(state := self.currentWidget(), EmptyState):
            state.buttons[0].setFocus()
        else:  # it waits here for what is being loaded
            self.setFocus()

    def save_draft(self) -> None:
        """Hands the draft to the store now if it has changed."""
        self._draft_timer.stop()
        if self.chat is not None and self.draft != self._kept_draft:
            self._kept_draft = self.draft
            self._keep_draft(self.session_id, self._kept_draft)
        if self.chat is not None and (edit := self.chat.editing.unfinished) != self._kept_edit:
            self._kept_edit = edit
            self._keep_edit(self.session_id, edit)

    def release(self) -> None:
        """Keeps the draft and stops listening; closing the session is the workspace's part."""
        if self.loading is not None:
            self.loading.cancel()
        self.save_draft()
        self._unsubscribe()
        if self.chat is not None:
            self.chat.close_session()

    @override
    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        if self.currentWidget() is None:
            self._begin(self)
        if self.chat is not None and self._activity in ("unread", "failed"):
            self._set_activity("idle")

    def _show(self, widget: QWidget) -> None:
        focused = self.window().focusWidget()
        has_focus = focused is not None and (focused is self or self.isAncestorOf(focused))
        self._clear()
        self.addWidget(widget)
        self.setCurrentWidget(widget)
        if has_focus:
            self.focus_writing()

    def _clear(self) -> None:
        while (widget := self.currentWidget()) is not None:
            self.removeWidget(widget)
            widget.deleteLater()

    def _on_written(self) -> None:
        if not self._draft_timer.isActive():  # who writes without a pause is to lose no more than the others
            self._draft_timer.start()

    def _on_busy(self, is_busy: bool) -> None:
        if self._activity == "waiting" and is_busy:
            return
        if is_busy or self._activity in ("busy", "waiting"):
            self._set_activity("busy" if is_busy else "idle")

    def _on_waiting(self, is_waiting: bool) -> None:
        """A call waits for the user, or none does any more."""
        assert self.chat is not None
        if is_waiting:
            self._set_activity("waiting")
            self.answer_ended.emit(self.title, self.tr("A call waits for you to decide."))
        elif self._activity == "waiting":
            self._set_activity("busy" if self.chat.session.is_running else "idle")

    def _on_turn_ended(self) -> None:
        if self.chat is None or self.chat.session.is_running or self.chat.session.queue.is_going_on:
            return  # another answer follows
        if not (self.isVisible() and not self.window().isMinimized()):
            self._set_activity("failed" if self.chat.phase is Phase.FAILED else "unread")
        if self.chat.phase is not Phase.STOPPED:  # who stops it knows
            self.answer_ended.emit(self.title, self._answer)

    def _on_record(self, record: TraceRecord) -> None:
        kind = type(record.payload)  # every record passes here: the cheapest question there is
        if kind is ResponseReceived or kind is TurnFailed:
            match record.payload:
                case ResponseReceived(response=response):
                    self._answer = response.text()[:_ANSWER_CHARACTERS]
                case TurnFailed(error=error):
                    self._answer = said(error.message)
                case _:
                    pass

    def _set_activity(self, activity: Activity) -> None:
        if activity != self._activity:
            self._activity = activity
            self.changed.emit()
