"""A provider on a scripted server, and the chunks of Chat Completions to script it with."""

from __future__ import annotations

import dataclasses
import json
from collections.abc import AsyncGenerator
from contextlib import aclosing, asynccontextmanager
from typing import Any

from agdesk.core.ir.messages import user
from agdesk.core.ir.partial import PartialMessageResponse
from agdesk.core.ir.request import MessageRequest
from agdesk.core.ir.response import MessageResponse
from agdesk.core.ir.stream import StreamEvent
from agdesk.core.providers.base import Endpoint
from agdesk.core.providers.http import Access, HttpProvider
from agdesk.core.providers.registry import wire_format
from agdesk.core.trace.events import StreamEventReceived, TraceRecord
from agdesk.core.trace.recorder import Recorder, RequestTrace
from agdesk.core.trace.redact import Secrets
from agdesk.core.trace.transport import HttpPool
from agdesk.core.trace.wire import ResponseClosed

KEY = "sk-canary-0123456789abcdef"
REQUEST = MessageRequest("model-1", (user("Hi"),))
ENDPOINT = Endpoint("fake", "Fake", "openai_chat", "", first_byte_timeout_s=5.0, idle_timeout_s=5.0)


def chunk(*, finish: str | None = None, **delta: Any) -> str:
    """One frame of a Chat Completions stream."""
    choice = {"index": 0, "delta": delta, "finish_reason": finish}
    return frame({"id": "c-1", "object": "chat.completion.chunk", "model": "model-1-real", "choices": [choice]})


def frame(document: Any) -> str:
    return f"data: {json.dumps(document, ensure_ascii=False)}\n\n"


def usage(prompt: int, completion: int) -> str:
    counts = {"prompt_tokens": prompt, "completion_tokens": completion, "total_tokens": prompt + completion}
    return frame({"id": "c-1", "object": "chat.completion.chunk", "choices": [], "usage": counts})


DONE = "data: [DONE]\n\n"


class Conversation:
    """One provider; each ``ask`` is a recorded request whose records, body and blobs are added to the others'."""

    def __init__(self, provider: HttpProvider) -> None:
        self.provider = provider
        self.recorder = Recorder("session")
        self.records: list[TraceRecord] = []
        self.body = b""
        self.blobs: list[bytes] = []
        self.recorder.records.subscribe(self.records.append)
        self.recorder.bodies.subscribe(lambda piece: self._add(piece[1]))
        self.recorder.blobs.subscribe(lambda blob: self.blobs.append(blob[1]))
        self._request_count = 0

    def _add(self, piece: bytes) -> None:
        self.body += piece

    @property
    def payloads(self) -> list[Any]:
        return [record.payload for record in self.records]

    def closed(self) -> ResponseClosed:
        """The only end on record."""
        (closed,) = [payload for payload in self.payloads if isinstance(payload, ResponseClosed)]
        return closed

    async def stream(self, request: MessageRequest = REQUEST) -> AsyncGenerator[StreamEvent, None]:
        self._request_count += 1
        trace = RequestTrace(self.recorder, f"req-{self._request_count}")
        async with aclosing(self.provider.chat_stream(request, trace=trace)) as events:
            async for event in events:
                trace.emit(StreamEventReceived(trace.frame_seq, event))
                yield event

    async def ask(self, request: MessageRequest = REQUEST) -> MessageResponse:
        """The answer as far as it came; raises what the stream raises."""
        partial = PartialMessageResponse()
        async with aclosing(self.stream(request)) as events:
            async for event in events:
                partial.apply(event)
        assert partial.ignored_count == 0, partial.last_warning
        return partial.finalize()


@asynccontextmanager
async def conversation(base_url: str, *, key: str = KEY, **changes: Any) -> AsyncGenerator[Conversation, None]:
    """A conversation with the server at ``base_url``; ``changes`` are fields of its endpoint."""
    endpoint = dataclasses.replace(ENDPOINT, base_url=base_url, **changes)
    pool = HttpPool(Secrets())

    async def resolve() -> Access:
        return Access(endpoint, key)

    try:
        yield Conversation(HttpProvider(endpoint, wire=wire_format(endpoint.wire), pool=pool, resolve=resolve))
    finally:
        await pool.aclose()
