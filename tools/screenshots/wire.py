"""Answers as they come over the wire, without a network: for what shows bytes."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator, Sequence
from dataclasses import dataclass
from typing import Any

import httpx
from typing_extensions import override

from agdesk.core.providers.http import Access, HttpProvider
from agdesk.core.providers.registry import ProviderRegistry, wire_format
from agdesk.core.trace.transport import HttpPool
from tools.screenshots import clock

_KEY = "sk-of-the-pictures-0123456789"


@dataclass(frozen=True, slots=True)
class WireAnswer:
    """A response.

    Attributes:
        chunks: of the body, each with the seconds that pass before it arrives.
        wait_s: until its head is there.
    """

    chunks: tuple[tuple[float, bytes], ...]
    status: int = 200
    wait_s: float = 0.4


class _Body(httpx.AsyncByteStream):
    def __init__(self, chunks: Sequence[tuple[float, bytes]]) -> None:
        self._chunks = chunks

    @override
    async def __aiter__(self) -> AsyncIterator[bytes]:
        for seconds, chunk in self._chunks:
            clock.advance(seconds)
            yield chunk


class _StagedTransport(httpx.AsyncBaseTransport):
    def __init__(self, answers: Sequence[WireAnswer]) -> None:
        self._answers = iter(answers)

    @override
    async def handle_async_request(self, request: httpx.Request) -> httpx.Response:
        answer = next(self._answers)
        clock.advance(answer.wait_s)
        is_stream = answer.status == 200
        headers = {
            "content-type": "text/event-stream; charset=utf-8" if is_stream else "application/json",
            "x-request-id": "req_8f2c41d09a7e4b5f",
            "x-ratelimit-remaining-tokens": "179204",
        }
        return httpx.Response(
            answer.status, headers=headers, stream=_Body(answer.chunks), extensions={"http_version": b"HTTP/1.1"}
        )


def wire_provider(registry: ProviderRegistry, provider_id: str, *answers: WireAnswer) -> HttpProvider:
    """The real provider of a row; its n-th request is answered by the n-th answer."""
    endpoint = registry.endpoint(provider_id)

    async def access() -> Access:
        registry.secrets.add(_KEY)
        return Access(endpoint, _KEY)

    pool = HttpPool(registry.secrets, transport=_StagedTransport(answers))
    return HttpProvider(endpoint, wire=wire_format(endpoint.wire), pool=pool, resolve=access)


def frame(delay_s: float, delta: dict[str, Any], *, finish_reason: str | None = None) -> tuple[float, bytes]:
    """One chunk with a choice, ``delay_s`` after the one before."""
    choice = {"index": 0, "delta": delta, "finish_reason": finish_reason}
    return delay_s, chunk(choices=[choice])


def chunk(**members: object) -> bytes:
    """The bytes of a chunk with these members."""
    document = {"id": "chatcmpl-7", "object": "chat.completion.chunk", "model": "gpt-5-mini", **members}
    return f"data: {json.dumps(document, ensure_ascii=False)}\n\n".encode()
