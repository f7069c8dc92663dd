"""``ConversationServices``: what a ``Workspace`` offers about conversations, of which it is a part."""

from __future__ import annotations

import asyncio
import dataclasses
import logging
import os
from collections.abc import AsyncGenerator, Callable, Sequence
from typing import TYPE_CHECKING

from agdesk.core.cycle import AgentSession, CostTracker, SessionServices
from agdesk.core.heap import give_back_free_memory
from agdesk.core.ir.queued import QueuedMessage
from agdesk.core.ir.response import Usage
from agdesk.core.store.conversations import fork_title
from agdesk.core.store.values import Conversation, Setup, StoredConversation
from agdesk.core.store_services import StoreServices
from agdesk.core.trace.branches import copy_records
from agdesk.core.trace.events import BranchSelected, TraceRecord, TreeChange
from agdesk.core.trace.recorder import Recorder

if TYPE_CHECKING:
    from agdesk.core.providers.base import LlmProvider
    from agdesk.core.providers.registry import ProviderRegistry
    from agdesk.core.store.store import Store

log = logging.getLogger(__name__)


class ConversationServices(StoreServices):
    """Opens, continues, forks and closes conversations.

    Attributes:
        sessions: the open conversations by their id, which is that of their session.
    """

    def __init__(self, registry: ProviderRegistry, *, store: Store | None) -> None:
        super().__init__(registry, store=store)
        self.sessions: dict[str, AgentSession] = {}
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
        queue = self._store.queues.of_empty(recorder.session_id) if self._store is not None else ()
        return self._start(row, recorder, None, setup=setup, queue=queue)

    async def open_conversation(self, conversation_id: str) -> tuple[AgentSession, tuple[TraceRecord, ...]]:
        """The session that continues a stored conversation, and the records that paint what it holds.

        Of a long one that is its end only: then the session is not whole before ``load_rest`` and ``complete``.

        Raises:
            StoreError: it cannot be read.
        """
        await self._kept()  # what the last session of it left behind
        stored = await asyncio.to_thread(self.store.long.end, conversation_id)
        setup = await asyncio.to_thread(self.store.setups.load, conversation_id)
        queue = await asyncio.to_thread(self.store.queues.load, conversation_id)
        recorder = Recorder(
            conversation_id,
            wall_start_ns=stored.conversation.wall_start_ns,
            last_seq=stored.last_seq,
            last_ts_ns=stored.last_ts_ns,
        )
        session = self._start(stored.conversation, recorder, stored, setup=setup, queue=queue)
        if stored.is_whole:
            await self._count_cost(session.cost, stored.usages)
        if (waiting := await asyncio.to_thread(self.store.calls.waiting_turn, conversation_id)) is not None:
            from agdesk.core.cycle.tool_setup import RoundBefore
            from agdesk.core.cycle.turn_plan import UnfinishedTurn

            before = RoundBefore(waiting.results, waiting.asked, waiting.begun)
            session.resume_when_whole(UnfinishedTurn(waiting.turn_id, waiting.model_ref, before))
        return session, stored.records

    async def load_rest(self, session: AgentSession, *, before_seq: int) -> AsyncGenerator[list[TraceRecord], None]:
        """Gives a session that is not whole its branches and what it cost, a piece at a time; ``complete`` it then.

        Args:
            before_seq: the seq of the first record that ``open_conversation`` gave.

        Yields:
            The records that paint what comes before it, from the first on.

        Raises:
            StoreError: it cannot be read.
        """
        outline = await asyncio.to_thread(self.store.long.outline, session.id)
        session.branches.tree.take_over(outline.tree)
        pieces, cost = self.store.long.pieces(session.id, outline), CostTracker()
        while (piece := await asyncio.to_thread(next, pieces, None)) is not None:
            for node in piece.nodes:
                session.branches.tree.fill(node)
            await self._count_cost(cost, piece.usages)
            yield [record for record in piece.records if record.seq < before_seq]
        session.cost = cost
        await asyncio.to_thread(give_back_free_memory)

    async def fork(self, session: AgentSession, message_id: str) -> str:
        """Makes a new conversation of what leads to a message, and of that message; gives its id (CHAT4).

        Raises:
            ConfigurationError: the message is deleted.
            StoreError: what there is cannot be read, or the new one cannot be kept.
        """
        self._check_can_keep()
        session.branches.existing(message_id)
        records = await self._painting(session.id, (BranchSelected(message_id),))
        row = self.conversations.get(session.id)
        fork = self.open_session(session.model_ref)
        fork.parameters, fork.system_prompt, fork.tools = session.parameters, session.system_prompt, session.tools
        copy_records(records, fork.recorder, up_to=message_id)
        self.conversations.rename(fork.id, fork_title(row.title if row is not None else ""))
        await self.close_session(fork)
        await self.store.settled()
        return fork.id

    async def close_session(self, session: AgentSession) -> None:
        """Stops what the session is doing, keeps what it recorded, and forgets it."""
        self.sessions.pop(session.id, None)
        await session.aclose()
        if (unfollow := self._unfollow.pop(session.id, None)) is not None:
            unfollow()

    # --- private ---

    async def _painting(self, conversation_id: str, changes: Sequence[TreeChange]) -> Sequence[TraceRecord]:
        """What paints a conversation as it would be after changes of its tree, all that was recorded included."""
        await self.store.settled()
        return (await asyncio.to_thread(self.store.load, conversation_id, changes)).records

    def _start(
        self,
        row: Conversation,
        recorder: Recorder,
        stored: StoredConversation | None,
        *,
        setup: Setup,
        queue: tuple[QueuedMessage, ...],
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
            goes_on=self.goes_on,
            tools=self._tools,
            all_tools=self.tool_definitions,
        )
        if self._store is not None:
            permissions = self._store.permissions
            services = dataclasses.replace(
                services, painting=self._painting, rules=permissions.rules_for, rule_used=permissions.note_use
            )
        session = (
            AgentSession(row.model_ref, services=services, recorder=recorder)
            if stored is None
            else AgentSession(
                row.model_ref,
                services=services,
                recorder=recorder,
                messages=stored.messages,
                tree=stored.tree,
                is_whole=stored.is_whole,
            )
        )
        session.parameters, session.system_prompt, session.tools = setup.parameters, setup.system_prompt, setup.tools
        session.queue.restore(queue)
        if self._store is not None:
            session.queue.changed.subscribe(lambda _: self.store.queues.set(session.id, session.queue.unsent))
            session.parameters_changed.subscribe(lambda _: self._keep_setup(session))
            self._unfollow[session.id] = self._store.follow(recorder, row)
        self.sessions[session.id] = session
        return session

    async def _count_cost(self, cost: CostTracker, usages: Sequence[tuple[str, Usage]]) -> None:
        costs_usd = await asyncio.to_thread(self.costs_usd, usages)
        for (_, usage), cost_usd in zip(usages, costs_usd, strict=True):
            cost.add(usage, cost_usd)

    def _keep_setup(self, session: AgentSession) -> None:
        self.store.setups.set(session.id, Setup(session.parameters, session.system_prompt, session.tools))

    async def _connect(self, provider_id: str) -> LlmProvider:
        return await asyncio.to_thread(self.registry.get, provider_id)

    async def _price(self, model_ref: str, usage: Usage) -> float | None:
        return (await asyncio.to_thread(self.costs_usd, ((model_ref, usage),)))[0]
