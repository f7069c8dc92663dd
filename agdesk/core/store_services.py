"""What is kept, and the tools that conversations offer: a part of a ``Workspace``."""

from __future__ import annotations

import asyncio
import dataclasses
import logging
from collections.abc import AsyncIterator
from pathlib import Path
from typing import TYPE_CHECKING

from agdesk.core.emitter import Emitter
from agdesk.core.errors import StoreError
from agdesk.core.ir.blocks import BlobRef, ContentBlock
from agdesk.core.providers.model_services import ModelServices
from agdesk.core.store.values import StoreState, UnfinishedEdit
from agdesk.core.trace.events import TraceRecord

if TYPE_CHECKING:
    from agdesk.core.attachments import MediaBlock
    from agdesk.core.cycle.tool_setup import ToolSetup
    from agdesk.core.ir.blocks import JsonObject
    from agdesk.core.ir.effect import Effect
    from agdesk.core.ir.request import ToolDefinition
    from agdesk.core.ir.tool_selection import ToolSelection
    from agdesk.core.providers.registry import ProviderRegistry
    from agdesk.core.store.conversations import Conversations
    from agdesk.core.store.permissions import Permissions
    from agdesk.core.store.store import Store
    from agdesk.core.tools.base import Tool

log = logging.getLogger(__name__)


class StoreServices(ModelServices):
    """Reads and keeps what belongs to conversations; what their tools run with.

    Args:
        store: where conversations are kept; None keeps nothing, and then nothing of the store may be asked for.
    """

    def __init__(self, registry: ProviderRegistry, *, store: Store | None) -> None:
        super().__init__(registry)
        self._store = store
        if store is not None:
            registry.read_blob = store.blob
        self._known_tools: tuple[Tool, ...] | None = None

    @property
    def store(self) -> Store:
        """Where conversations are kept."""
        assert self._store is not None, "this workspace keeps nothing"
        return self._store

    @property
    def conversations(self) -> Conversations:
        """The list of stored conversations."""
        return self.store.conversations

    @property
    def store_state(self) -> StoreState:
        """Whether what happens is being kept."""
        return self.store.state

    @property
    def store_states(self) -> Emitter[StoreState]:
        """Every change of ``store_state``."""
        return self.store.states

    def try_store_again(self) -> None:
        """After a full disk: writes now what waits, instead of at the next attempt."""
        self.store.try_again()

    async def trace(self, conversation_id: str) -> AsyncIterator[list[TraceRecord]]:
        """Every record of a conversation that is kept, in order and in batches.

        Raises:
            StoreError: it cannot be read.
        """
        await self._kept()
        batches = self.store.trace(conversation_id)
        while (batch := await asyncio.to_thread(next, batches, None)) is not None:
            yield batch

    async def body(self, request_id: str) -> bytes | None:
        """A response body as received, secrets replaced; None if it is no longer kept."""
        return await asyncio.to_thread(self.store.body, request_id)

    async def blob(self, reference: BlobRef) -> bytes | None:
        """A request body as sent, secrets replaced, or an attachment; None if it is no longer kept."""
        return await asyncio.to_thread(self.store.blob, reference)

    async def draft(self, conversation_id: str) -> str:
        """What was written and not sent."""
        return await asyncio.to_thread(self.store.draft, conversation_id)

    def set_draft(self, conversation_id: str, text: str) -> None:
        """Keeps what is written and not sent, known keys replaced; empty removes it."""
        self.store.set_draft(conversation_id, self.registry.secrets.redact_text(text))

    async def unfinished_edit(self, conversation_id: str) -> UnfinishedEdit | None:
        """The message that was being edited when the conversation was last closed."""
        return await asyncio.to_thread(self.store.edits.load, conversation_id)

    def set_unfinished_edit(self, conversation_id: str, edit: UnfinishedEdit | None) -> None:
        """Keeps what is written in place of a message, known keys replaced; None: it is finished."""
        if edit is not None:
            edit = dataclasses.replace(edit, text=self.registry.secrets.redact_text(edit.text))
        self.store.edits.set(conversation_id, edit)

    async def attach(self, source: Path | bytes, *, name: str = "") -> MediaBlock:
        """Keeps a file, or bytes under a name, and gives the part of a message that stands for it (CHAT7).

        Known keys in a text are replaced. It is there until the program ends, and longer if a draft or a message holds
        it.

        Raises:
            AttachmentError: it is nothing that can be sent.
            StoreError: it cannot be kept now.
        """
        block = await asyncio.to_thread(self._attach, source, name)
        await self.store.settled()
        return block

    async def draft_attachments(self, conversation_id: str) -> tuple[ContentBlock, ...]:
        """What is attached to the draft of a conversation."""
        return await asyncio.to_thread(self.store.held.of_draft, conversation_id)

    def set_draft_attachments(self, conversation_id: str, blocks: tuple[ContentBlock, ...]) -> None:
        """Keeps what is attached to a draft; nothing removes it."""
        self.store.held.set_draft(conversation_id, blocks)

    # --- tools ---

    @property
    def permissions(self) -> Permissions:
        """The rules that answer calls."""
        return self.store.permissions

    async def tool_definitions(self) -> tuple[ToolDefinition, ...]:
        """What models are told of every tool that a conversation can switch on."""
        return tuple(tool.definition for tool in await self.all_tools())

    async def all_tools(self) -> tuple[Tool, ...]:
        """Every tool that a conversation can switch on."""
        return await asyncio.to_thread(self._all_tools)

    async def calls(self, conversation_id: str) -> list[TraceRecord]:
        """What became of every call of a conversation, in order (TOOL10). Raises ``StoreError``."""
        await self._kept()
        return await asyncio.to_thread(self.store.calls.of, conversation_id)

    async def decided_calls(self, *, limit: int = 20_000) -> list[TraceRecord]:
        """The newest questions and answers of all conversations, for a rehearsal (TOOL8). Raises ``StoreError``."""
        await self._kept()
        return await asyncio.to_thread(self.store.calls.decided, limit=limit)

    def known_tool(self, name: str) -> Tool | None:
        """A tool, once any has been offered; None if there is none of that name."""
        return next((tool for tool in self._known_tools or () if tool.definition.name == name), None)

    async def foresee(self, name: str, arguments: JsonObject, *, folder: str) -> Effect | None:
        """What a call would do with other arguments, without doing it."""
        from agdesk.core.tools.base import ToolContext

        tool = self.known_tool(name)
        if tool is None or tool.validate(arguments):
            return None
        return await tool.effect(arguments, ToolContext(Path(folder) if folder else None))

    async def _tools(self, selection: ToolSelection) -> ToolSetup | None:
        if not selection.names:
            return None
        from agdesk.core.cycle.tool_setup import ToolSetup
        from agdesk.core.tools.registry import ToolRegistry

        tools = await self.all_tools()
        chosen = ToolRegistry(tool for tool in tools if tool.definition.name in selection.names)
        return ToolSetup(chosen, Path(selection.folder) if selection.folder else None)

    def _all_tools(self) -> tuple[Tool, ...]:
        if self._known_tools is None:
            from agdesk.core.tools.builtin import builtin_tools

            self._known_tools = builtin_tools(proxies=self.registry.proxy_choice)
        return self._known_tools

    # --- private ---

    def _attach(self, source: Path | bytes, name: str) -> MediaBlock:
        from agdesk.core.attachments import check_attachment, read_attachment

        found = check_attachment(source, name) if isinstance(source, bytes) else read_attachment(source)
        if found.media_type.startswith("text/"):
            text = self.registry.secrets.redact_text(found.content.decode())
            found = dataclasses.replace(found, content=text.encode())
        return found.block(self.store.held.keep(found.content))

    def _check_can_keep(self) -> None:
        if self._store is not None and self._store.state.condition != "ok":
            state = self._store.state
            raise StoreError(state.message, state.hint)

    async def _kept(self) -> None:
        if self._store is None:
            return
        try:
            await self._store.settled()
        except StoreError as error:  # the state of the store says so to the user, until it can be written
            log.error("%s %s", error.message, error.hint)
