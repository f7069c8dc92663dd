"""What the reader of a response makes of bodies in a format of a few words."""

from __future__ import annotations

import json
from collections.abc import Mapping

import pytest

from agdesk.core.errors import ErrorRecord, LlmError
from agdesk.core.ir.partial import PartialMessageResponse
from agdesk.core.ir.response import MessageResponse
from agdesk.core.ir.stream import StreamError, StreamEvent
from agdesk.core.providers.base import Frame
from agdesk.core.providers.response import ResponseReader
from tests.fakes.wire import ENDPOINT, FakeWire

NOON_S = 1796040000.0  # 2026-11-30T12:00:00Z
HELLO = b'data: {"text": "hel"}\n\ndata: {"text": "lo"}\n\n'
WHOLE = HELLO + b'data: {"end": true}\n\ndata: [DONE]\n\n'


def reader(*, status: int = 200, headers: Mapping[str, str] | None = None, is_ndjson: bool = False) -> ResponseReader:
    return ResponseReader(
        FakeWire(is_ndjson=is_ndjson),
        endpoint=ENDPOINT,
        model="m",
        seed="seed",
        status=status,
        headers=headers or {"content-type": "text/event-stream"},
        now_s=NOON_S,
    )


def read(body: bytes, *, read_bytes: int = 1 << 20, **response_start) -> tuple[list[Frame], list[StreamEvent]]:
    subject = reader(**response_start)
    steps = [step for i in range(0, len(body), read_bytes) for step in subject.feed(body[i : i + read_bytes])]
    steps += subject.flush()
    events = [event for _, found in steps for event in found]
    return [frame for frame, _ in steps], [*events, *subject.finish()]


def answer(body: bytes, **response_start) -> MessageResponse:
    partial = PartialMessageResponse()
    for event in read(body, **response_start)[1]:
        partial.apply(event)
    assert partial.ignored_count == 0
    return partial.finalize()


def failure(body: bytes, **response_start) -> LlmError:
    """The error that is raised; the same for every way to cut the body."""
    errors = []
    for read_bytes in (1 << 20, 1, 7):
        with pytest.raises(LlmError) as raised:
            read(body, read_bytes=read_bytes, **response_start)
        errors.append(raised.value)
    assert len({json.dumps([str(type(e)), str(e.to_record())]) for e in errors}) == 1
    return errors[0]


def stream_error(body: bytes, **response_start) -> ErrorRecord:
    """The record of the ``StreamError`` that ends the stream; the same for every way to cut the body."""
    ends = [read(body, read_bytes=n, **response_start)[1] for n in (1 << 20, 1, 7)]
    assert ends[0] == ends[1] == ends[2]
    last = ends[0][-1]
    assert isinstance(last, StreamError)
    assert not any(isinstance(event, StreamError) for event in ends[0][:-1])
    return last.error
