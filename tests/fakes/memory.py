"""``HttpProvider`` on a transport in memory, speaking the wire format of a few words."""

import asyncio
import json
from contextlib import aclosing

import httpx
from typing_extensions import override

from agdesk.core.ir.messages import user
from agdesk.core.ir.request import MessageRequest
from agdesk.core.providers.base import Endpoint, WireRequest
from agdesk.core.providers.http import Access, HttpProvider
from agdesk.core.trace.events import StreamEventReceived
from agdesk.core.trace.recorder import Recorder, RequestTrace
from agdesk.core.trace.redact import Secrets
from agdesk.core.trace.transport import HttpPool
from agdesk.core.trace.wire import ResponseClosed
from tests.fakes.wire import FakeWire

END, DONE = b'data: {"end": true}\n\n', b"data: [DONE]\n\n"
REQUEST = MessageRequest("model-1", (user("Hi"),))
SSE = {"content-type": "text/event-stream"}


class Body(httpx.AsyncByteStream):
    """Pieces that arrive one by one; a number is a pause, an exception is raised. Tells whether it was closed."""

    def __init__(self, *pieces: bytes | float | Exception) -> None:
        self.pieces = pieces
        self.given = 0
        self.is_closed = False

    @override
    async def __aiter__(self):
        for piece in self.pieces:
            if self.is_closed:
                raise httpx.ReadError("closed")
            if isinstance(piece, Exception):
                raise piece
            if isinstance(piece, bytes):
                self.given += 1
                yield piece
            else:
                await asyncio.sleep(piece)

    @override
    async def aclose(self) -> None:
        self.is_closed = True


class KeyWire(FakeWire):
    """Sends the key as most formats do."""

    @override
    def render_request(self, request, *, endpoint, api_key, is_streaming):
        rendered = super().render_request(request, endpoint=endpoint, api_key=api_key, is_streaming=is_streaming)
        return WireRequest(rendered.path, rendered.body, {"Authorization": f"Bearer {api_key}"})


def endpoint(**changes) -> Endpoint:
    row = {"needs_key": False, **changes}
    return Endpoint("fake", "Fake", "fake", row.pop("base_url", "https://fake.example/v1"), **row)


class Asked:
    """A provider, and all that its requests left behind."""

    def __init__(self, handler, *, row=None, key=None, wire=None) -> None:
        self.endpoint = row or endpoint()
        self.requests: list[httpx.Request] = []
        self.payloads: list = []
        self.body = b""
        recorder = Recorder("session")
        recorder.records.subscribe(lambda record: self.payloads.append(record.payload))
        recorder.bodies.subscribe(self._add)
        self.trace = RequestTrace(recorder, "req-1")

        def answer(request):
            self.requests.append(request)
            response = handler(request) if callable(handler) else handler
            if isinstance(response, Exception):
                raise response
            return response

        self.pool = HttpPool(Secrets(), transport=httpx.MockTransport(answer))

        async def resolve() -> Access:
            return Access(self.endpoint, key)

        self.provider = HttpProvider(self.endpoint, wire=wire or FakeWire(), pool=self.pool, resolve=resolve)

    def _add(self, piece) -> None:
        self.body += piece[1]

    async def stream(self):
        events = []
        async with aclosing(self.provider.chat_stream(REQUEST, trace=self.trace)) as stream:
            async for event in stream:
                self.trace.emit(StreamEventReceived(self.trace.frame_seq, event))
                events.append(event)
        return events

    def closed(self) -> ResponseClosed:
        (closed,) = [payload for payload in self.payloads if isinstance(payload, ResponseClosed)]
        return closed


def answer_of(*pieces, status=200, headers=SSE) -> httpx.Response:
    return httpx.Response(status, headers=headers, stream=Body(*pieces))


def text(value: str) -> bytes:
    return f'data: {{"text": {json.dumps(value)}}}\n\n'.encode()
