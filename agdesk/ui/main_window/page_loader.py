"""Fills a page with its conversation: a new one, an empty one of an earlier start, or a stored one."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Sequence
from contextlib import aclosing

from agdesk.core.cycle import AgentSession
from agdesk.core.errors import StoreError
from agdesk.core.settings.window_state import TabState
from agdesk.core.tasks import spawn
from agdesk.core.trace.events import TraceRecord
from agdesk.core.workspace import Workspace
from agdesk.ui.bridge import DrainTimer
from agdesk.ui.chat import ChatTab
from agdesk.ui.core_words import words_of
from agdesk.ui.main_window.page import TabPage
from agdesk.ui.widgets.code_look import CodeLook
from agdesk.ui.widgets.composer import SendKey

_PIECE_RECORDS = 100  # some 2 ms

log = logging.getLogger(__name__)


class PageLoader:
    """Makes pages and their conversations, and closes the sessions of those that go.

    Attributes:
        send_key: of the conversations made from now on; so is
        code_look: how their code is shown.
        open_models: shows what is known of every model, and points out the prices of one if it is given its reference;
            the conversations made from now on offer it.
    """

    def __init__(self, workspace: Workspace, drain: DrainTimer) -> None:
        self.send_key: SendKey = "enter"
        self.code_look = CodeLook()
        self.open_models: Callable[[str], None] = lambda _priced_ref: None
        self._workspace = workspace
        self._drain = drain
        self._closing: dict[str, asyncio.Task[None]] = {}

    def new_page(self, model_ref: str | None) -> TabPage:
        """A page with a new conversation."""
        session = self._workspace.open_session(model_ref)
        if (preset := self._workspace.presets.default) is not None:
            session.parameters, session.system_prompt = preset.parameters, preset.system_prompt
        page = self.stored_page(TabState(session.id, session.model_ref))
        page.set_chat(self._make_chat(session))
        return page

    def stored_page(self, stored: TabState) -> TabPage:
        """A page that loads its conversation when it is shown."""
        row = self._workspace.conversations.get(stored.session_id)
        title = row.title if row is not None else ""
        return TabPage(
            stored,
            title,
            begin=self.begin,
            keep_draft=self._workspace.set_draft,
            keep_edit=self._workspace.set_unfinished_edit,
        )

    def begin(self, page: TabPage) -> None:
        """Loads the page's conversation; an empty one is there at once."""
        if page.loading is not None and not page.loading.done():
            return
        session_id = page.session_id
        if not self.is_stored(session_id) and session_id not in self._closing:
            self._open_empty(page)
            page.loading = spawn(self._restore_draft(page), name=f"draft of {session_id}")
        else:
            page.show_loading()
            page.loading = spawn(self._load(page), name=f"load {session_id}")

    def is_stored(self, session_id: str) -> bool:
        """Whether there is a conversation to load: it has had a turn and was not deleted."""
        conversations = self._workspace.conversations
        return conversations.is_stored(session_id) and conversations.get(session_id) is not None

    def close(self, page: TabPage) -> None:
        """Ends the page and the session behind it; what has arrived is kept."""
        page.release()
        session_id = page.session_id
        if (session := self._workspace.sessions.get(session_id)) is not None:
            task = self._closing[session_id] = spawn(self._workspace.close_session(session), name=f"close {session_id}")
            task.add_done_callback(lambda _task: self._closing.pop(session_id, None))
        page.deleteLater()

    async def _load(self, page: TabPage) -> None:
        if (closing := self._closing.get(page.session_id)) is not None:  # what arrived last is to be in it
            await asyncio.wait([closing])
        if not self.is_stored(page.session_id):
            self._open_empty(page)
        else:
            try:
                session, records = await self._workspace.open_conversation(page.session_id)
            except StoreError as error:
                page.show_error(*words_of(error))
                return
            chat = await self._draw_end(session, records)
            if not session.is_whole:
                await self._show_in_parts(page, chat, records)
                return
            self._show(page, chat)
        await self._restore_draft(page)

    def _open_empty(self, page: TabPage) -> None:
        model_ref = page.stored.model_ref or None
        page.set_chat(self._make_chat(self._workspace.open_session(model_ref, session_id=page.session_id)))

    async def _draw_end(self, session: AgentSession, records: Sequence[TraceRecord]) -> ChatTab:
        """Draws what is shown first, a piece at a time: a long message would keep the other tabs waiting."""
        chat = self._make_chat(session)
        try:
            for start in range(0, len(records), _PIECE_RECORDS):
                chat.show_stored(records[start : start + _PIECE_RECORDS])
                await asyncio.sleep(0)
        except asyncio.CancelledError:
            chat.close_session()
            chat.deleteLater()
            raise
        return chat

    async def _show_in_parts(self, page: TabPage, chat: ChatTab, end: Sequence[TraceRecord]) -> None:
        """Shows the end of a long conversation and brings the rest, the other way round if one was reading there."""
        from agdesk.ui.chat.earlier import show_earlier

        session = chat.session
        is_at_end = not page.stored.scroll_place or chat.holds_place(page.stored.scroll_place)
        try:
            if is_at_end:
                self._show(page, chat)
                await self._restore_draft(page)
            async with aclosing(self._workspace.load_rest(session, before_seq=end[0].seq)) as pieces:
                await show_earlier(chat, pieces, end)
        except StoreError as error:
            page.drop_chat()
            chat.close_session()
            if not is_at_end:
                chat.deleteLater()
            await self._workspace.close_session(session)
            page.show_error(error.message, error.hint)
            return
        except asyncio.CancelledError:
            if not is_at_end:
                chat.close_session()
                chat.deleteLater()
            raise
        if not is_at_end:
            self._show(page, chat)
            await self._restore_draft(page)

    def _show(self, page: TabPage, chat: ChatTab) -> None:
        page.set_chat(chat)
        if page.stored.scroll_place:
            chat.show_place(page.stored.scroll_place)

    async def _restore_draft(self, page: TabPage) -> None:
        try:
            page.set_draft(await self._workspace.draft(page.session_id))
            page.set_attachments(await self._workspace.draft_attachments(page.session_id))
            if (edit := await self._workspace.unfinished_edit(page.session_id)) is not None:
                page.resume_edit(edit)
        except StoreError as error:
            log.error("the draft of %s cannot be read: %s", page.session_id, error.message)

    def _make_chat(self, session: AgentSession) -> ChatTab:
        chat = ChatTab(self._workspace, session, self._drain)
        chat.composer.send_key = self.send_key
        chat.reading.set_code_look(self.code_look)
        chat.picker.all_requested.connect(lambda: self.open_models(""))
        chat.price_correction_wanted.connect(self.open_models)
        return chat
