"""A wire format of a few words, to test what stands around wire formats."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from typing import Any

from typing_extensions import override

from agdesk.core.errors import LlmError
from agdesk.core.ir.request import MessageRequest
from agdesk.core.ir.response import StopReason
from agdesk.core.ir.stream import (
    ContentBlockEnd,
    ContentBlockStart,
    MessageComplete,
    MessageStart,
    StreamError,
    StreamEvent,
    TextDelta,
    TextType,
)
from agdesk.core.providers.base import Dialect, Endpoint, Frame, ModelInfo, StreamDecoder, WireFormat, WireRequest
from agdesk.core.providers.errors import error_from_event, malformed
from agdesk.core.providers.parameter_names import PARAMETERS


class FakeDecoder(StreamDecoder):
    """``{"text": T}`` is a text delta, ``{"end": true}`` the end of the content, ``{"error": …}`` an error,
    ``[DONE]`` the terminal marker; all else is ignored."""

    def __init__(self, model: str, seed: str) -> None:
        self.wrap_document: Callable[[Any], Any] | None = None
        self._model = model
        self._seed = seed
        self._has_started = False
        self._is_complete = False
        self.is_terminal = False

    @property
    @override
    def is_complete(self) -> bool:
        return self._is_complete

    @override
    def decode(self, frame: Frame) -> Sequence[StreamEvent]:
        if frame.data == b"[DONE]":
            self.is_terminal = self._is_complete = True
            return ()
        try:
            document = json.loads(frame.data)
        except ValueError:
            return self.fail(malformed(frame.data, expected="JSON"))
        return self.decode_document(self.wrap_document(document) if self.wrap_document is not None else document)

    @override
    def decode_document(self, document: Any) -> Sequence[StreamEvent]:
        if document.get("error"):
            return self.fail(error_from_event(document))
        if document.get("end"):
            self._is_complete = True
        if "text" not in document:
            return ()
        start: list[StreamEvent] = []
        if not self._has_started:
            start = [MessageStart(self._seed, self._model), ContentBlockStart(0, TextType())]
            self._has_started = True
        return [*start, TextDelta(document["text"], 0)]

    @override
    def finish(self) -> Sequence[StreamEvent]:
        if not self._has_started:
            return ()
        reason = StopReason.END_TURN if self._is_complete else StopReason.INCOMPLETE
        return (ContentBlockEnd(0), MessageComplete(reason))

    @override
    def fail(self, error: LlmError) -> Sequence[StreamEvent]:
        self.is_terminal = True
        return (StreamError(error.to_record()),)


class FakeWire(WireFormat):
    """The format of ``FakeDecoder``, as server-sent events or as lines of JSON."""

    name = "fake"
    noise: frozenset[str] = frozenset()
    models_path = "/models"
    takes_system_messages = True

    def __init__(self, *, is_ndjson: bool = False) -> None:
        self._is_ndjson = is_ndjson

    @property
    @override
    def is_ndjson(self) -> bool:
        return self._is_ndjson

    @override
    def parameters(self, dialect: Dialect) -> frozenset[str]:
        return PARAMETERS

    @override
    def render_request(
        self, request: MessageRequest, *, endpoint: Endpoint, api_key: str | None, is_streaming: bool
    ) -> WireRequest:
        return WireRequest("/fake", {"model": request.model, "stream": is_streaming})

    @override
    def decoder(self, *, endpoint: Endpoint, model: str, seed: str) -> StreamDecoder:
        return FakeDecoder(model, seed)

    @override
    def parse_models(self, document: Any) -> tuple[ModelInfo, ...]:
        return ()


ENDPOINT = Endpoint("fake", "Fake", "fake", "http://127.0.0.1:1/v1")
