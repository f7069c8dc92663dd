"""``Workspace``: the one object the window and the command line are given."""

from __future__ import annotations

import asyncio
import contextlib
import functools
import logging
import os
from collections.abc import AsyncIterator, Callable
from pathlib import Path
from typing import TYPE_CHECKING

from typing_extensions import override

from agdesk.core.cycle import AgentSession, SessionServices
from agdesk.core.emitter import Emitter
from agdesk.core.errors import ConfigurationError, ErrorRecord, StoreError
from agdesk.core.ir.blocks import BlobRef
from agdesk.core.ir.messages import Message
from agdesk.core.ir.response import Usage
from agdesk.core.providers.entries import ProviderEntry as ProviderEntry
from agdesk.core.providers.entries import provider_entries
from agdesk.core.providers.model_services import ModelServices
from agdesk.core.providers.registry import split_model_ref
from agdesk.core.store.values import Conversation as Conversation
from agdesk.core.store.values import Setup
from agdesk.core.store.values import StoreState as StoreState
from agdesk.core.trace.events import TraceRecord
from agdesk.core.trace.recorder import Recorder

if TYPE_CHECKING:
    from agdesk.core.providers.accounts import Accounts
    from agdesk.core.providers.base import LlmProvider
    from agdesk.core.providers.registry import ProviderRegistry
    from agdesk.core.providers.rendering import Rendering
    from agdesk.core.settings.model import Settings
    from agdesk.core.settings.secrets import SecretStore
    from agdesk.core.store.conversations import Conversations as Conversations
    from agdesk.core.store.store import Store

log = logging.getLogger(__name__)


class Workspace(ModelServices):
    """Everything that outlives a conversation: the providers, the open sessions and the store.

    Cheap to make: nothing here loads a network library until the first turn (PERF5).

    Args:
        store: where conversations are kept; None keeps nothing, and then nothing of the store may be asked for.

    Attributes:
        sessions: the open conversations by their id, which is that of their session.
        settings_changed: the new settings after every change.
        models_changed: something that is known of models has changed.
    """

    def __init__(self, registry: ProviderRegistry, *, data_dir: Path, store: Store | None = None) -> None:
        super().__init__(registry)
        self.data_dir = data_dir
        self.sessions: dict[str, AgentSession] = {}
        self.settings_changed: Emitter[Settings] = Emitter()
        self._store = store
        self._unfollow: dict[str, Callable[[], None]] = {}
        self._changing_settings = asyncio.Lock()

    # --- conversations ---

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
        stored = await asyncio.to_thread(self.store.load, conversation_id)
        setup = await asyncio.to_thread(self.store.setups.load, conversation_id)
        recorder = Recorder(
            conversation_id,
            wall_start_ns=stored.conversation.wall_start_ns,
            last_seq=stored.last_seq,
            last_ts_ns=stored.records[-1].ts_ns if stored.records else 0,
        )
        session = self._start(stored.conversation, recorder, stored.messages, setup=setup)
        costs_usd = await asyncio.to_thread(self.costs_usd, stored.usages)
        for (_, usage), cost_usd in zip(stored.usages, costs_usd, strict=True):
            session.cost.add(usage, cost_usd)
        return session, stored.records

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

    # --- providers and keys ---

    @property
    def secrets(self) -> SecretStore:
        """Where keys come from and go to."""
        return self.registry.keys

    @functools.cached_property
    def accounts(self) -> Accounts:
        """Adds and removes accounts of providers."""
        from agdesk.core.providers.accounts import Accounts

        return Accounts(self.registry, self.change_settings)

    def providers(self) -> tuple[ProviderEntry, ...]:
        """Every provider, as set now, each followed by its accounts. Call it on a thread."""
        return provider_entries(self.registry)

    async def rendered(self, session: AgentSession, model_ref: str, draft: str = "") -> Rendering:
        """The conversation as it would be sent with the draft to a model (PROV8). Raises ``ConfigurationError``."""
        from agdesk.core.providers.rendering import rendering_of
        from agdesk.core.providers.router import needs_of

        needs = needs_of(session.next_request("", draft).messages)
        provider_id, model = split_model_ref(await self.resolve_model(model_ref, needs))
        return await asyncio.to_thread(rendering_of, self.registry, provider_id, session.next_request(model, draft))

    def warm_up(self) -> None:
        """Loads what the first turn needs: cycle, network library, rows and catalogue. Call it on a thread."""
        import agdesk.core.cycle.cycle
        import agdesk.core.providers.http
        import agdesk.core.providers.llama_server  # noqa: F401
        from agdesk.core.heap import give_back_large_blocks
        from agdesk.core.trace.transport import load_network

        load_network()
        give_back_large_blocks()
        with contextlib.suppress(ConfigurationError):  # told of by the first turn that asks it
            self.registry.get(self.registry.default_model_ref.partition("/")[0])
        self.load_models()

    async def learn_keys(self) -> None:
        """Makes the keys that are set known, to be replaced wherever they turn up. May wait for an unlock."""
        await self.registry.learn_keys()

    # --- settings ---

    @property
    def settings(self) -> Settings:
        """The settings in force; the first call reads their file."""
        return self.registry.settings_file.current()

    @property
    def settings_problem(self) -> ErrorRecord | None:
        """Why the settings file cannot be read, so that the defaults are in force; None if it can."""
        _ = self.settings
        problem = self.registry.settings_file.problem
        return problem.to_record() if problem is not None else None

    @override
    async def change_settings(self, changes: dict[str, object]) -> None:
        """Puts settings in force and writes the file; ``{"appearance.theme": "dark"}``. None is back to the default.

        Raises:
            SettingsError: a value cannot be set or the file cannot be written; nothing has changed then.
        """
        from agdesk.core.settings.file import changed

        async with self._changing_settings:
            before = settings = self.settings
            for key, value in changes.items():
                settings = changed(settings, key, value)
            await asyncio.to_thread(self.registry.settings_file.save, settings)
        self.registry.default_model_ref = settings.chat.default_model
        self.settings_changed.emit(settings)
        await self._follow_settings(before, settings)

    async def aclose(self) -> None:
        """Stops every conversation, then the providers and the built-in model, and writes what waits."""
        await asyncio.gather(*(self.close_session(session) for session in list(self.sessions.values())))
        try:
            await self.registry.aclose()
        finally:
            if self._store is not None:
                await self._store.aclose()

    def _start(
        self, row: Conversation, recorder: Recorder, messages: tuple[Message, ...], *, setup: Setup
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
        session = AgentSession(row.model_ref, services=services, recorder=recorder, messages=messages)
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
