"""Finds the servers of models that run on this machine, by asking the usual addresses for their models.

No key is sent: whoever listens there has not shown yet that the key is meant for it.
"""

from __future__ import annotations

import asyncio
import contextlib
from dataclasses import dataclass
from typing import TYPE_CHECKING

from agdesk.core.errors import ConfigurationError, ErrorCategory, LlmError, ProviderRejection
from agdesk.core.providers.base import Endpoint, ModelInfo
from agdesk.core.providers.registry import BUILTIN, ProviderRegistry
from agdesk.core.trace.transport import load_network

if TYPE_CHECKING:
    from agdesk.core.providers.http import HttpProvider

PROBE_S = 1.0
"""A server on this machine that takes longer to list its models is not found."""


@dataclass(frozen=True, slots=True)
class LocalServer:
    """A server that answers.

    Attributes:
        models: what it lists; None if it wants a key before it tells.
        left_out: how many more it lists, which cannot be used: see ``believable``.
    """

    provider_id: str
    base_url: str
    models: tuple[ModelInfo, ...] | None
    left_out: int = 0


async def find_local_servers(registry: ProviderRegistry, *, limit_s: float = PROBE_S) -> tuple[LocalServer, ...]:
    """Those that answer at the local addresses of rows and accounts; all are asked at once, and each may take so long.

    Cancelling ends all questions.
    """
    providers = await asyncio.to_thread(_local_providers, registry)
    found = await asyncio.gather(*(_probe(endpoint, provider, limit_s) for endpoint, provider in providers))
    return tuple(server for server in found if server is not None)


def _local_providers(registry: ProviderRegistry) -> list[tuple[Endpoint, HttpProvider]]:
    load_network()
    endpoints = []
    for provider_id in registry.provider_ids():
        with contextlib.suppress(ConfigurationError):  # its page in the settings tells
            endpoints.append(registry.endpoint(provider_id))
    asked = [endpoint for endpoint in endpoints if endpoint.is_local and endpoint.id != BUILTIN]
    return [(endpoint, registry.without_key(endpoint)) for endpoint in asked]


async def _probe(endpoint: Endpoint, provider: HttpProvider, limit_s: float) -> LocalServer | None:
    try:
        async with asyncio.timeout(limit_s):
            models = await provider.list_models()
    except ProviderRejection as error:
        if error.category not in (ErrorCategory.AUTH, ErrorCategory.PERMISSION):
            return None  # some other program
        return LocalServer(endpoint.id, endpoint.base_url, None)
    except (LlmError, TimeoutError):
        return None
    from agdesk.core.providers.model_lists import believable, listing

    kept = believable(models)
    return LocalServer(endpoint.id, endpoint.base_url, kept, listing(models, kept).left_out)
