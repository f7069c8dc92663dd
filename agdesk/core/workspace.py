"""``Workspace``: the one object the window and the command line are given."""

from __future__ import annotations

import asyncio
import contextlib
import functools
import logging
from pathlib import Path
from typing import TYPE_CHECKING

from typing_extensions import override

from agdesk.core.conversation_services import ConversationServices
from agdesk.core.cycle import AgentSession
from agdesk.core.emitter import Emitter
from agdesk.core.errors import ConfigurationError, ErrorRecord
from agdesk.core.ir.blocks import ContentBlock
from agdesk.core.ir.messages import User
from agdesk.core.providers.entries import ProviderEntry as ProviderEntry
from agdesk.core.providers.entries import provider_entries
from agdesk.core.providers.registry import split_model_ref
from agdesk.core.store.values import Conversation as Conversation
from agdesk.core.store.values import StoreState as StoreState
from agdesk.core.store.values import UnfinishedEdit as UnfinishedEdit

if TYPE_CHECKING:
    from agdesk.core.providers.accounts import Accounts
    from agdesk.core.providers.registry import ProviderRegistry
    from agdesk.core.providers.rendering import Rendering
    from agdesk.core.providers.untaken import Untaken
    from agdesk.core.settings.model import Settings
    from agdesk.core.settings.presets import Presets
    from agdesk.core.settings.secrets import SecretStore
    from agdesk.core.store.conversations import Conversations as Conversations
    from agdesk.core.store.store import Store

log = logging.getLogger(__name__)


class Workspace(ConversationServices):
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
        super().__init__(registry, store=store)
        self.data_dir = data_dir
        self.settings_changed: Emitter[Settings] = Emitter()
        self._changing_settings = asyncio.Lock()

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

    async def untaken(self, model_ref: str, blocks: tuple[ContentBlock, ...]) -> tuple[Untaken, ...]:
        """What of a message a model would not get (CHAT7). Raises ``ConfigurationError``."""
        from agdesk.core.providers.router import needs_of
        from agdesk.core.providers.untaken import untaken_by

        model_ref = await self.resolve_model(model_ref, needs_of((User(blocks),)))
        return await asyncio.to_thread(untaken_by, self.registry, model_ref, blocks)

    async def rendered(
        self, session: AgentSession, model_ref: str, draft: str | tuple[ContentBlock, ...] = ""
    ) -> Rendering:
        """The conversation as it would be sent with the draft to a model (PROV8). Raises ``ConfigurationError``."""
        session.check_whole()
        await session.learn_tools()
        from agdesk.core.providers.rendering import rendering_of
        from agdesk.core.providers.router import needs_of

        messages = session.next_request("", draft).messages
        needs = needs_of(messages, session.parameters, has_tools=bool(session.tools.names))
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

    @functools.cached_property
    def presets(self) -> Presets:
        """Parameters and system prompts under names."""
        from agdesk.core.settings.presets import Presets

        return Presets(self.data_dir, redact=self.registry.secrets.redact_text)

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
