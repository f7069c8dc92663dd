"""``Workspace``: the one object the window and the command line are given."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import TYPE_CHECKING

from agdesk.core.cycle import AgentSession
from agdesk.core.errors import ErrorRecord
from agdesk.core.ir.response import Usage
from agdesk.core.providers.base import LlmProvider

if TYPE_CHECKING:
    from agdesk.core.providers.registry import ProviderRegistry
    from agdesk.core.settings.model import Settings


class Workspace:
    """Everything that outlives a conversation: the providers and the open sessions.

    Cheap to make: nothing here loads a network library until the first turn (PERF5).
    """

    def __init__(self, registry: ProviderRegistry, *, data_dir: Path) -> None:
        self.registry = registry
        self.data_dir = data_dir
        self.sessions: dict[str, AgentSession] = {}
        self._model_refs: tuple[str, ...] | None = None

    def open_session(self, model_ref: str | None = None) -> AgentSession:
        """A new conversation with ``model_ref`` (``provider/model``) or the default model."""
        session = AgentSession(
            model_ref or self.registry.default_model_ref,
            connect=self._connect,
            price=self._price,
            wire_of=lambda provider_id: self.registry.endpoint(provider_id).wire,
        )
        self.sessions[session.id] = session
        return session

    def warm_up(self) -> None:
        """Loads what the first turn needs: the network library, the rows and the catalogue. Call it on a thread."""
        import agdesk.core.providers.http  # noqa: F401

        self.registry.get(self.registry.default_model_ref.partition("/")[0])
        self._load_model_refs()

    def model_refs(self) -> tuple[str, ...]:
        """Every known ``provider/model``, the default's provider first; empty until ``warm_up`` has loaded them."""
        return self._model_refs or ()

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

    def save_settings(self, **values: object) -> None:
        """Changes settings by their key, ``appearance__theme="dark"`` for ``appearance.theme``, and writes the file.

        Call it on a thread.

        Raises:
            SettingsError: a value cannot be set or the file cannot be written; nothing has changed then.
        """
        from agdesk.core.settings.file import changed

        settings = self.settings
        for key, value in values.items():
            settings = changed(settings, key.replace("__", "."), value)
        self.registry.settings_file.save(settings)

    async def close_session(self, session: AgentSession) -> None:
        """Stops what the session is doing and forgets it."""
        self.sessions.pop(session.id, None)
        await session.aclose()

    async def aclose(self) -> None:
        """Stops every conversation, then the providers and the built-in model."""
        await asyncio.gather(*(self.close_session(session) for session in list(self.sessions.values())))
        await self.registry.aclose()

    def _load_model_refs(self) -> None:
        default_provider = self.registry.default_model_ref.partition("/")[0]
        rows = sorted(self.registry.models(), key=lambda row: row.provider_id != default_provider)
        self._model_refs = tuple(f"{row.provider_id}/{row.model.id}" for row in rows)

    async def _connect(self, provider_id: str) -> LlmProvider:
        return await asyncio.to_thread(self.registry.get, provider_id)

    async def _price(self, model_ref: str, usage: Usage) -> float | None:
        from agdesk.core.providers.catalogue import cost_usd

        provider_id, _, model = model_ref.partition("/")
        return await asyncio.to_thread(cost_usd, provider_id, model, usage)
