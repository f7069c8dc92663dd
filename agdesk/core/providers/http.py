"""``HttpProvider``: one wire format over HTTP, for any endpoint that speaks it.

This module loads httpx; import it when the first request is near, not on the way to the first paint.
"""

from __future__ import annotations

import asyncio
import contextlib
import dataclasses
import functools
import json
import time
import uuid
from collections.abc import AsyncGenerator, Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import httpx
from typing_extensions import override

from agdesk.core.errors import ConfigurationError, ErrorRecord, LlmError, ProviderRejection
from agdesk.core.ir.media import ReadBlob, with_bytes
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
    WireRequest,
)
from agdesk.core.providers.echo import without_echo
from agdesk.core.providers.error_param import refuses_parameter
from agdesk.core.providers.errors import error_from_record, with_header_facts
from agdesk.core.providers.exchange import Exchange
from agdesk.core.providers.model_list import read_list
from agdesk.core.providers.model_questions import described
from agdesk.core.providers.rendering import request_headers, url_of, wire_request
from agdesk.core.providers.repair import removable
from agdesk.core.providers.response import ResponseReader
from agdesk.core.providers.tool_schema import is_schema_needed, read_answer
from agdesk.core.trace.recorder import RequestTrace
from agdesk.core.trace.transport import HttpPool
from agdesk.core.trace.wire import CloseReason, FrameReceived

LIST_WAIT_S = 30.0
LIST_MAX_BYTES = 50_000_000
_new_tuple = tuple.__new__  # the constructor of a NamedTuple costs as much again


@dataclass(frozen=True, slots=True)
class Access:
    """Where a request goes and with which key, as known when it is made."""

    endpoint: Endpoint
    api_key: str | None = field(default=None, repr=False)


Resolve = Callable[[], Awaitable[Access]]
"""Gives the access for one request: looks the key up, or starts the server that the endpoint is about."""

Describe = Callable[[str], ModelInfo]
"""Gives what is known of a model by its id."""


class HttpProvider(LlmProvider):
    """A provider behind an HTTP endpoint.

    Args:
        endpoint: the endpoint as configured.
        wire: the format that the endpoint speaks.
        pool: the connections, shared by all providers, and the secrets to keep out of every record.
        resolve: called for each request.
        describe: answers ``capabilities`` and says what a model takes; None leaves it to the endpoint's own models.
        read_blob: gives the bytes of what is attached to messages.
    """

    def __init__(
        self,
        endpoint: Endpoint,
        *,
        wire: WireFormat,
        pool: HttpPool,
        resolve: Resolve,
        describe: Describe | None = None,
        read_blob: ReadBlob = lambda _: None,
    ) -> None:
        self._endpoint = endpoint
        self._wire = wire
        self._pool = pool
        self._resolve = resolve
        self._describe = describe or self._from_endpoint
        self._read_blob = read_blob

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
    def chat_stream(
        self, request: MessageRequest, *, trace: RequestTrace | None = None
    ) -> AsyncGenerator[StreamEvent, None]:
        seed = trace.request_id if trace is not None else uuid.uuid4().hex[:12]
        events = self._stream(request, trace=trace, seed=seed)
        if request.is_continuation and self._endpoint.dialect.echoes_prefill:
            events = without_echo(events, request.messages[-1])
        if is_schema_needed(request, self._describe(request.model)):
            return read_answer(events, seed=seed)
        return events

    async def _stream(
        self, request: MessageRequest, *, trace: RequestTrace | None, seed: str
    ) -> AsyncGenerator[StreamEvent, None]:
        access = await self._access()
        post, ledger = await asyncio.to_thread(self._render, request, access)
        if trace is not None:
            trace.rendered(ledger)
        exchange = Exchange(access.endpoint, host=post.url.netloc.decode(), trace=trace)
        failure: LlmError | None = None
        reason = CloseReason.END
        last: StreamEvent | None = None
        tail: Sequence[StreamEvent] = ()
        reader: ResponseReader | None = None
        headers: Mapping[str, str] = {}
        try:
            try:
                response = await exchange.open(self._pool.send(post, trace=trace))
                headers = response.headers
                reader = ResponseReader(
                    self._wire,
                    endpoint=access.endpoint,
                    model=request.model,
                    seed=seed,
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
                            start, end, event_name, _data, kind = frame
                            received = _new_tuple(FrameReceived, (start, end, event_name, kind))
                            trace.frame_seq = trace.emit(received)
                        for last in events:
                            yield last
                if chunk is not None:
                    reason = CloseReason.TERMINAL
                tail = reader.finish()
            except LlmError as error:
                failure = error
                if isinstance(error, ProviderRejection) and error.param is not None and refuses_parameter(error):
                    body = json.loads(post.content)
                    error.removable = removable(body, error.param, demanded=self._wire.demanded)
                tail = reader.fail(error) if reader is not None else ()
            record = _error_in(tail[-1] if tail else last)
            if failure is not None and not tail:
                record = with_header_facts(failure.to_record(), headers=headers, now_s=time.time())
            # the connection is free and its end on record before the consumer sees the last events
            await exchange.close(reason, record)
            if trace is not None:
                trace.frame_seq = None
            for last in tail:
                yield last
            if failure is not None and not tail:
                raise failure
        finally:
            await exchange.close(CloseReason.CANCELLED)

    @override
    def capabilities(self, model: str | None = None) -> ProviderCapabilities:
        features = ProviderFeatures()
        if model is not None:
            known = self._describe(model)
            features = known.features
            if features.tool_use is False and known.tool_mode in ("auto", "schema"):
                features = dataclasses.replace(features, tool_use=True)  # as a schema of its answers
        return ProviderCapabilities(self._endpoint.id, None, features)  # the models of an endpoint are no closed list

    async def list_models(self) -> tuple[ModelInfo, ...]:
        """The models that the endpoint itself lists. Raises ``LlmError``."""
        document = await self._document("GET", WireRequest(self._wire.models_path, {}))
        return await asyncio.to_thread(self._wire.parse_models, document)

    async def describe_models(self, models: Sequence[ModelInfo]) -> tuple[ModelInfo, ...]:
        """The models with what the endpoint tells of each when it is asked, if its format has a question for that."""
        return await described(models, wire=self._wire, ask=functools.partial(self._document, "POST"))

    async def _document(self, method: str, question: WireRequest) -> Any:
        """The JSON that answers a request beside the chat; its body is sent with POST."""
        access = await self._access()
        # a request without a message has the headers, the key among them, that every request needs
        rendered = self._wire.render_request(
            MessageRequest("", ()), endpoint=access.endpoint, api_key=access.api_key, is_streaming=False
        )
        headers = rendered.headers if method == "GET" else {"content-type": "application/json", **rendered.headers}
        body = b"" if method == "GET" else _encode(question.body)
        request = _request(method, access.endpoint, question.path, headers=headers, body=body)
        await asyncio.to_thread(self._prepare, request, access.endpoint)
        exchange = Exchange(access.endpoint, host=request.url.netloc.decode(), trace=None)
        exchange.limit(LIST_WAIT_S)
        parts: list[bytes] = []
        try:
            response = await exchange.open(self._pool.send(request))
            while (chunk := await exchange.read()) is not None and sum(map(len, parts)) <= LIST_MAX_BYTES:
                parts.append(chunk)
        finally:
            await exchange.close(CloseReason.END)
        content = b"".join(parts)
        if not 200 <= response.status < 300:
            raise self._wire.classify_error(response.status, headers=response.headers, body=content, now_s=time.time())
        return await asyncio.to_thread(read_list, content, name=self._endpoint.name, max_bytes=LIST_MAX_BYTES)

    def _from_endpoint(self, model: str) -> ModelInfo:
        return next((info for info in self._endpoint.models if info.id == model), ModelInfo(model, model))

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

    def _render(self, request: MessageRequest, access: Access) -> tuple[httpx.Request, tuple[str, ...]]:
        """The request as it goes out, and its ledger."""
        sent = wire_request(
            dataclasses.replace(request, messages=with_bytes(request.messages, self._read_blob)),
            wire=self._wire,
            endpoint=access.endpoint,
            model=self._describe(request.model),
            api_key=access.api_key,
        )
        post = _request("POST", access.endpoint, sent.path, headers=sent.headers, body=_encode(sent.body))
        self._prepare(post, access.endpoint)
        return post, sent.ledger

    def _prepare(self, request: httpx.Request, endpoint: Endpoint) -> None:
        self._pool.prepare(request, ca_file=endpoint.ca_file, owner=endpoint.name)


def _request(
    method: str, endpoint: Endpoint, path: str, *, headers: Mapping[str, str], body: bytes = b""
) -> httpx.Request:
    """A request to ``path`` below the base URL.

    Reading has no timeout of httpx's: its timers, one per read, make every callback of qasync slower.
    """
    timeout = httpx.Timeout(None, connect=endpoint.connect_timeout_s)
    try:
        url = httpx.URL(url_of(endpoint, path))
        if url.scheme not in ("http", "https") or not url.host:
            raise httpx.InvalidURL("no address of a server")
        sent = request_headers(headers, endpoint.headers)
        return httpx.Request(method, url, headers=sent, content=body, extensions={"timeout": timeout.as_dict()})
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
