"""Providers of a registry, whose settings can be changed between requests."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from pathlib import Path

from agdesk.core.providers.http import HttpProvider
from agdesk.core.providers.registry import ProviderRegistry
from agdesk.core.settings.file import changed
from agdesk.core.trace.events import payload_to_json
from tests.contract.conversation import Conversation


class Network:
    """A registry and everything that its conversations recorded."""

    def __init__(self, data_folder: Path) -> None:
        self.registry = ProviderRegistry(data_folder=data_folder)
        self._conversations: list[Conversation] = []

    def set(self, **values: object) -> None:
        """Changes settings by their key, ``network__proxy="none"`` for ``network.proxy``."""
        settings = self.registry.settings_file.current()
        for key, value in values.items():
            settings = changed(settings, key.replace("__", "."), value)
        self.registry.settings_file.save(settings)

    async def to(self, provider_id: str) -> Conversation:
        """A new conversation with a provider as it is set now."""
        provider = await asyncio.to_thread(self.registry.get, provider_id)
        assert isinstance(provider, HttpProvider)
        self._conversations.append(Conversation(provider))
        return self._conversations[-1]

    def recorded(self) -> str:
        """All records, bodies and blobs of all conversations as one text."""
        parts = [
            json.dumps(payload_to_json(p), ensure_ascii=False) for one in self._conversations for p in one.payloads
        ]
        parts += [content.decode() for one in self._conversations for content in (one.body, *one.blobs)]
        return "\n".join(parts)


@asynccontextmanager
async def network(data_folder: Path) -> AsyncGenerator[Network, None]:
    """A network whose settings file is in ``data_folder``."""
    made = Network(data_folder)
    try:
        yield made
    finally:
        await made.registry.aclose()
