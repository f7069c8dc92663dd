"""``ConversationServices``: what a ``Workspace`` offers about conversations, of which it is a part."""

from __future__ import annotations

import asyncio
import dataclasses
import logging
import os
from collections.abc import AsyncIterator, Callable
from typing import TYPE_CHECKING

from agdesk.core.cycle import AgentSession, SessionServices
from agdesk.core.emitter import Emitter
from agdesk.core.errors import ConfigurationError, StoreError
from agdesk.core.ir.blocks import BlobRef
from agdesk.core.ir.messages import Message
from agdesk.core.ir.response import Usage
from agdesk.core.ir.tree import ConversationTree
from agdesk.core.providers.model_services import ModelServices
from agdesk.core.store.values import Conversation, Setup, StoredConversation, StoreState
from agdesk.core.trace.branches import copy_records
from agdesk.core.trace.events import TraceRecord
from agdesk.core.trace.recorder import Recorder

if TYPE_CHECKING:
    from agdesk.core.providers.base import LlmProvider
    from agdesk.core.providers.registry import ProviderRegistry
    from agdesk.core.store.conversations import Conversations
    from agdesk.core.store.store import Store

log = logging.getLogger(__name__)


class ConversationServices(ModelServices):
    """Opens, continues, forks and closes conversations, and reads what is kept of them.

    Args:
        store: where conversations are kept; None keeps nothing, and then nothing of the store may be asked for.

    Attributes:
        sessions: the open conversations by their id, which is that of their session.
    """

    def __init__(self, registry: ProviderRegistry, *, store: Store | None) -> None:
        super().__init__(registry)
        self.sessions: dict[str, AgentSession] = {}
        self._store = store
        self._unfollow: dict[str, Callable[[], None]] = {}

    def open_session(self, model_ref: str | None = None, *, session_id: str | None = None) -> AgentSession:
        """A new conversation with ``model_ref`` (``provider/model``) or the default model.

        ``session_id`` is that of an empty conversation of an earlier start.
        """
        model_ref = model_ref or self.registry.default_model_ref
        recorder = Recorder(session_id or os.urandom(16).hex())
        now_ms = recorder.wall_start_ns // 1_000_000
        row = Conversation(recorder.session_id, "", model_ref, now_ms, now_ms, recorder.wall_start_ns)
        setup = self._store.setups.of_empty(recorder.session_id) if self._store is not None else Setup()
        return self._start(row, recorder, (), setup=setup)

    async def open_conversation(self, conversation_id: str) -> tuple[AgentSession, tuple[TraceRecord, ...]]:
        """The session that continues a stored conversation, and the records that paint what it holds.

        Raises:
            StoreError: it cannot be read.
        """
        await self._kept()  # what the last session of it left behind
        stored = await asyncio.to_thread(self.store.load, conversation_id)
        setup = await asyncio.to_thread(self.store.setups.load, conversation_id)
        recorder = Recorder(
            conversation_id,
            wall_start_ns=stored.conversation.wall_start_ns,
            last_seq=stored.last_seq,
            last_ts_ns=stored.records[-1].ts_ns if stored.records else 0,
        )
        session = self._start(stored.conversation, recorder, stored.messages, tree=stored.tree, setup=setup)
        costs_usd = await asyncio.to_thread(self.costs_usd, stored.usages)
        for (_, usage), cost_usd in zip(stored.usages, costs_usd, strict=True):
            session.cost.add(usage, cost_usd)
        return session, stored.records

    async def fork(self, session: AgentSession, message_id: str) -> str:
        """Makes a new conversation of the active path up to and with a message, and gives its id (CHAT4).

        Raises:
            ConfigurationError: the message is not on the active path.
            StoreError: what there is cannot be read, or the new one cannot be kept.
        """
        if not session.branches.tree.is_active(message_id):
            raise ConfigurationError("This message is not shown now", "Select its branch first.")
        self._check_can_keep()
        stored = await self._load_path(session.id)
        fork = self.open_session(session.model_ref)
        fork.parameters, fork.system_prompt = session.parameters, session.system_prompt
        copy_records(stored.records, fork.recorder, up_to=message_id)
        self.conversations.rename(fork.id, f"{stored.conversation.title} (fork)")
        await self.close_session(fork)
        await self.store.settled()
        return fork.id

    async def close_session(self, session: AgentSession) -> None:
        """Stops what the session is doing, keeps what it recorded, and forgets it."""
        self.sessions.pop(session.id, None)
        await session.aclose()
        if (unfollow := self._unfollow.pop(session.id, None)) is not None:
            unfollow()

    # --- the store ---

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
        """A request body as sent, secrets replaced; None if it is no longer kept."""
        return await asyncio.to_thread(self.store.blob, reference)

    async def draft(self, conversation_id: str) -> str:
        """What was written and not sent."""
        return await asyncio.to_thread(self.store.draft, conversation_id)

    def set_draft(self, conversation_id: str, text: str) -> None:
        """Keeps what is written and not sent, known keys replaced; empty removes it."""
        self.store.set_draft(conversation_id, self.registry.secrets.redact_text(text))

    # --- private ---

    async def _load_path(self, conversation_id: str) -> StoredConversation:
        """The conversation as it is stored, everything that was recorded so far included."""
        await self.store.settled()
        return await asyncio.to_thread(self.store.load, conversation_id)

    def _start(
        self,
        row: Conversation,
        recorder: Recorder,
        messages: tuple[Message, ...],
        *,
        setup: Setup,
        tree: ConversationTree | None = None,
    ) -> AgentSession:
        services = SessionServices(
            connect=self._connect,
            price=self._price,
            wire_of=lambda provider_id: self.registry.endpoint(provider_id).wire,
            check_can_keep=self._check_can_keep,
            kept=self._kept,
            redact=self.registry.secrets.redact_text,
            resolve=self.resolve_model,
            remember_refused=self._remember_refused,
        )
        if self._store is not None:
            services = dataclasses.replace(services, load=self._load_path)
        session = AgentSession(row.model_ref, services=services, recorder=recorder, messages=messages, tree=tree)
        session.parameters, session.system_prompt = setup.parameters, setup.system_prompt
        if self._store is not None:
            session.parameters_changed.subscribe(lambda _: self._keep_setup(session))
            self._unfollow[session.id] = self._store.follow(recorder, row)
        self.sessions[session.id] = session
        return session

    def _keep_setup(self, session: AgentSession) -> None:
        self.store.setups.set(session.id, Setup(session.parameters, session.system_prompt))

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

    async def _connect(self, provider_id: str) -> LlmProvider:
        return await asyncio.to_thread(self.registry.get, provider_id)

    async def _price(self, model_ref: str, usage: Usage) -> float | None:
        return (await asyncio.to_thread(self.costs_usd, ((model_ref, usage),)))[0]
