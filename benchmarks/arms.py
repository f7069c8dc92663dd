"""What the arms of several figures share."""

from __future__ import annotations

from collections.abc import Callable

import httpx
from typing_extensions import override

from agdesk.core.providers.base import Endpoint
from agdesk.core.providers.http import Access, HttpProvider
from agdesk.core.providers.registry import wire_format
from agdesk.core.trace.redact import Secrets
from agdesk.core.trace.transport import HttpPool

_HEADERS = {"content-type": "text/event-stream"}


class _InMemory(httpx.AsyncBaseTransport):
    def __init__(self, body: Callable[[], httpx.AsyncByteStream]) -> None:
        self._body = body

    @override
    async def handle_async_request(self, request: httpx.Request) -> httpx.Response:
        return httpx.Response(200, headers=_HEADERS, stream=self._body())


def in_memory_provider(body: Callable[[], httpx.AsyncByteStream], *, wire: str) -> HttpProvider:
    """The provider of the program over a transport that has the answer already; a known key is looked for, as ever."""
    endpoint = Endpoint("bench", "Benchmark", wire, "http://127.0.0.1/v1", needs_key=False, is_local=True)

    async def resolve() -> Access:
        return Access(endpoint, "sk-bench-4Qm7Zx0LtV9uYc2RkJ8e")

    pool = HttpPool(Secrets(["sk-bench-4Qm7Zx0LtV9uYc2RkJ8e"]), transport=_InMemory(body))
    return HttpProvider(endpoint, wire=wire_format(wire), pool=pool, resolve=resolve)
