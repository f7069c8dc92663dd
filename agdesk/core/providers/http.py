"""``HttpProvider``: one wire format over HTTP, for any endpoint that speaks it.

This module loads httpx; import it when the first request is near, not on the way to the first paint.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import time
import uuid
from collections.abc import AsyncGenerator, Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import httpx
from typing_extensions import override

from agdesk import __version__
from agdesk.core.errors import ConfigurationError, ErrorRecord, LlmError, ProtocolError
from agdesk.core.ir.messages import Origin
from agdesk.core.ir.partial import PartialMessageResponse
from agdesk.core.ir.request import MessageRequest
from agdesk.core.ir.response import MessageResponse
from agdesk.core.ir.stream import StreamError, StreamEvent
from agdesk.core.providers.base import (
    Endpoint,
    LlmProvider,
    ModelInfo,
    ProviderCapabilities,
    ProviderFeatures,
    WireFormat,
)
from agdesk.core.providers.errors import error_from_record, with_header_facts
from agdesk.core.providers.exchange import Exchange
from agdesk.core.providers.response import ResponseReader
from agdesk.core.trace.recorder import RequestTrace
from agdesk.core.trace.transport import HttpPool
from agdesk.core.trace.wire import CloseReason, FrameReceived

LIST_WAIT_S = 30.0


@dataclass(frozen=True, slots=True)
class Access:
    """Where a request goes and with which key, as known when it is made."""

    endpoint: Endpoint
    api_key: str | None = field(default=None, repr=False)


Resolve = Callable[[], Awaitable[Access]]
"""Gives the access for one request: looks the key up, or starts the server that the endpoint is about."""


class HttpProvider(LlmProvider):
    """A provider behind an HTTP endpoint.

    Args:
        endpoint: the endpoint as configured; answers ``capabilities``.
        wire: the format that the endpoint speaks.
        pool: the connections, shared by all providers, and the secrets to keep out of every record.
        resolve: called for each request.
    """

    def __init__(self, endpoint: Endpoint, *, wire: WireFormat, pool: HttpPool, resolve: Resolve) -> None:
        self._endpoint = endpoint
        self._wire = wire
        self._pool = pool
        self._resolve = resolve

    @override
    async def chat(self, request: MessageRequest) -> MessageResponse:
        # asked for as a stream: only then does every server notice that nobody listens any more
        partial = PartialMessageResponse()
        async with contextlib.aclosing(self.chat_stream(request)) as events:
            async for event in events:
                partial.apply(event)
        if partial.error is not None:
            raise error_from_record(partial.error)
        return partial.finalize(Origin(self._endpoint.id, request.model, self._wire.name))

    @override
    async def chat_stream(
        self, request: MessageRequest, *, trace: RequestTrace | None = None
    ) -> AsyncGenerator[StreamEvent, None]:
        access = await self._access()
        post = await asyncio.to_thread(self._render, request, access)
        exchange = Exchange(access.endpoint, host=post.url.netloc.decode(), trace=trace)
        failure: LlmError | None = None
        reason = CloseReason.END
        last: StreamEvent | None = None
        tail: Sequence[StreamEvent] = ()
        headers: Mapping[str, str] = {}
        try:
            try:
                response = await exchange.open(self._pool.send(post, trace=trace))
                headers = response.headers
                reader = ResponseReader(
                    self._wire,
                    endpoint=access.endpoint,
                    model=request.model,
                    seed=trace.request_id if trace is not None else uuid.uuid4().hex[:12],
                    status=response.status,
                    headers=headers,
                    now_s=time.time(),
                )
                chunk: bytes | None = b""
                while chunk is not None and not reader.is_terminal:
                    if reader.is_complete:
                        exchange.expect_end()
                    chunk = await exchange.read()
                    for frame, events in reader.flush() if chunk is None else reader.feed(chunk):
                        if trace is not None:
                            trace.frame_seq = trace.emit(
                                FrameReceived(frame.start, frame.end, frame.event_name, frame.kind)
                            )
                        for last in events:
                            yield last
                if chunk is not None:
                    reason = CloseReason.TERMINAL
                tail = reader.finish()
            except LlmError as error:
                failure = error
            record = _error_in(tail[-1] if tail else last)
            if failure is not None:
                record = with_header_facts(failure.to_record(), headers=headers, now_s=time.time())
            # the connection is free and its end on record before the consumer sees the last events
            await exchange.close(reason, record)
            if trace is not None:
                trace.frame_seq = None
            for last in tail:
                yield last
            if failure is not None:
                if last is None:
                    raise failure
                assert record is not None, "a failure has a record"
                yield StreamError(record)
        finally:
            await exchange.close(CloseReason.CANCELLED)

    @override
    def capabilities(self, model: str | None = None) -> ProviderCapabilities:
        features = next((info.features for info in self._endpoint.models if info.id == model), ProviderFeatures())
        return ProviderCapabilities(self._endpoint.id, None, features)  # the models of an endpoint are no closed list

    async def list_models(self) -> tuple[ModelInfo, ...]:
        """The models that the endpoint itself lists. Raises ``LlmError``."""
        access = await self._access()
        # a request without a message has the headers, the key among them, that every request needs
        rendered = self._wire.render_request(
            MessageRequest("", ()), endpoint=access.endpoint, api_key=access.api_key, is_streaming=False
        )
        get = _request("GET", access.endpoint, self._wire.models_path, headers=rendered.headers)
        await asyncio.to_thread(self._prepare, get, access.endpoint)
        exchange = Exchange(access.endpoint, host=get.url.netloc.decode(), trace=None)
        exchange.limit(LIST_WAIT_S)
        try:
            response = await exchange.open(self._pool.send(get))
            parts = []
            while (chunk := await exchange.read()) is not None:
                parts.append(chunk)
        finally:
            await exchange.close(CloseReason.END)
        body = b"".join(parts)
        if not 200 <= response.status < 300:
            raise self._wire.classify_error(response.status, headers=response.headers, body=body, now_s=time.time())
        try:
            document = json.loads(body)
        except ValueError as error:
            raise ProtocolError(
                f"The list of models of {self._endpoint.name} is not JSON",
                "Check the base URL of this provider.",
                frame=body.decode("utf-8", "replace"),
                expected="a JSON document",
            ) from error
        return self._wire.parse_models(document)

    async def _access(self) -> Access:
        access = await self._resolve()
        endpoint, key = access.endpoint, (access.api_key or "").strip()
        if endpoint.needs_key and not key:
            place = f"Set the environment variable {endpoint.key_env}" if endpoint.key_env else "Give it a key"
            raise ConfigurationError(f"There is no key for {endpoint.name}", f"{place}, then send again.")
        if not (key.isascii() and key.isprintable()):
            raise ConfigurationError(
                f"The key for {endpoint.name} has a character that no key can have", "Copy the key once more."
            )
        self._pool.secrets.add(key)
        self._pool.secrets.add_credentials(endpoint.headers)
        return Access(endpoint, key or None)

    def _render(self, request: MessageRequest, access: Access) -> httpx.Request:
        rendered = self._wire.render_request(
            request, endpoint=access.endpoint, api_key=access.api_key, is_streaming=True
        )
        headers = {"content-type": "application/json", **rendered.headers}
        post = _request("POST", access.endpoint, rendered.path, headers=headers, body=_encode(rendered.body))
        self._prepare(post, access.endpoint)
        return post

    def _prepare(self, request: httpx.Request, endpoint: Endpoint) -> None:
        self._pool.prepare(request, ca_file=endpoint.ca_file, owner=endpoint.name)


def _request(
    method: str, endpoint: Endpoint, path: str, *, headers: Mapping[str, str], body: bytes = b""
) -> httpx.Request:
    """A request to ``path`` below the base URL. Compression is not asked for: proxies hold compressed streams (T20).

    Reading has no timeout of httpx's: its timers, one per read, make every callback of qasync slower.
    """
    own_headers = {"accept-encoding": "identity", "user-agent": f"agdesk/{__version__}"}
    timeout = httpx.Timeout(None, connect=endpoint.connect_timeout_s)
    try:
        url = httpx.URL(endpoint.base_url.rstrip("/") + path)
        if url.scheme not in ("http", "https") or not url.host:
            raise httpx.InvalidURL("no address of a server")
        all_headers = httpx.Headers(own_headers)
        all_headers.update(headers)
        all_headers.update(endpoint.headers)
        return httpx.Request(method, url, headers=all_headers, content=body, extensions={"timeout": timeout.as_dict()})
    except (httpx.InvalidURL, UnicodeEncodeError):
        # no chain: a header's value would be quoted
        raise ConfigurationError(
            f"The base URL or a header of {endpoint.name} cannot be sent",
            "Correct the base URL or the row of this provider.",
        ) from None


def _encode(document: Mapping[str, Any]) -> bytes:
    text = json.dumps(document, ensure_ascii=False, separators=(",", ":"))
    try:
        return text.encode()
    except UnicodeEncodeError:  # half a surrogate pair, in an imported history or a tool's output (T27)
        return text.encode("utf-16", "surrogatepass").decode("utf-16", "replace").encode()


def _error_in(event: StreamEvent | None) -> ErrorRecord | None:
    return event.error if isinstance(event, StreamError) else None
