"""Lines of JSON give back exactly the record they were made from, on the short way and on the codec's."""

import json
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from agdesk.core.errors import ProtocolError
from agdesk.core.ir.blocks import Extension
from agdesk.core.ir.stream import (
    ContentBlockStart,
    ExtensionType,
    RefusalDelta,
    TextDelta,
    ThinkingDelta,
    ToolCallArgumentsDelta,
)
from agdesk.core.trace.events import (
    Payload,
    StreamEventReceived,
    TraceRecord,
    Unknown,
    payload_from_json,
    payload_to_json,
)
from agdesk.core.trace.lines import decode_json, decode_record, encode_json, encode_record
from agdesk.core.trace.wire import FrameKind, FrameReceived
from tests.property.test_codec import texts, values_of

DELTAS = (TextDelta, ThinkingDelta, RefusalDelta)
any_text = st.text(st.characters(exclude_categories=()), max_size=12)


def record_of(payload: Payload, *, turn_id: str = "turn-1", request_id: str = "req-1") -> TraceRecord:
    return TraceRecord(7, 123_456_789, "session", turn_id, request_id, payload)


def deeply_nested(depth: int) -> Any:
    document: Any = []
    for _ in range(depth):
        document = [document]
    return document


@settings(max_examples=200)
@given(payload=values_of(Payload), turn_id=texts, request_id=texts)
def test_every_record_survives(payload, turn_id, request_id):
    record = record_of(payload, turn_id=turn_id, request_id=request_id)
    line = encode_record(record)

    assert decode_record(line, "session") == record
    assert b"\n" not in line


@given(st.sampled_from(DELTAS), any_text, st.none() | st.integers(0, 10**20), st.none() | st.integers(1, 10**20))
def test_a_delta_has_the_line_that_the_codec_would_write(kind, text, index, frame_seq):
    payload = StreamEventReceived(frame_seq, kind(text, index))
    line = encode_record(record_of(payload))

    assert line == encode_json([7, 123_456_789, "turn-1", "req-1", payload_to_json(payload)])
    assert decode_record(line, "session").payload == payload


@given(any_text, st.integers(0, 10**20), st.sampled_from(FrameKind))
def test_a_frame_and_arguments_have_the_line_that_the_codec_would_write(text, start, kind):
    for payload in (
        FrameReceived(start, start + 1, text, kind),
        StreamEventReceived(None, ToolCallArgumentsDelta(text, 2)),
    ):
        line = encode_record(record_of(payload))
        assert line == encode_json([7, 123_456_789, "turn-1", "req-1", payload_to_json(payload)])
        assert decode_record(line, "session").payload == payload


@given(any_text)
def test_any_string_that_python_can_hold_survives(text):
    assert decode_json(encode_json({text: [text]})) == {text: [text]}


ALMOST = [
    {"type": "frame_received", "start": "0", "end": 1, "event_name": "", "kind": "data"},
    {"type": "frame_received", "start": 0, "end": 1, "event_name": "", "kind": "colour"},
    {"type": "frame_received", "start": 0, "end": 1, "event_name": "", "kind": ["data"]},
    {"type": "frame_received", "start": True, "end": 1, "event_name": "", "kind": "data"},
    {"type": "frame_received", "start": 0, "end": 1, "event_name": "", "kind": "data", "more": 1},
    {"type": "stream_event_received", "frame_seq": 1.5, "event": {"type": "text_delta", "text": "a", "index": 0}},
    {"type": "stream_event_received", "frame_seq": 1, "event": {"type": "text_delta", "text": 5, "index": 0}},
    {"type": "stream_event_received", "frame_seq": 1, "event": {"type": "text_delta", "text": "a"}},
    {"type": "stream_event_received", "frame_seq": 1, "event": {"type": ["text_delta"], "text": "a", "index": 0}},
    {"type": "stream_event_received", "frame_seq": 1, "event": {"type": "wink", "text": "a", "index": 0}},
    {"type": "stream_event_received", "frame_seq": 1, "event": None},
    {"type": "from_the_future", "field": [1, None]},
    "a text",
    None,
    [],
]


@pytest.mark.parametrize("document", ALMOST, ids=json.dumps)
def test_what_was_not_written_here_is_read_as_the_codec_reads_it(document):
    line = encode_json([7, 123_456_789, "turn-1", "req-1", document])

    assert decode_record(line, "session").payload == payload_from_json(document)


@pytest.mark.parametrize(
    "line", [b"", b"{}", b"[1,2]", b'[1,2,"a","b",{}', b'["1",2,"a","b",{}]', b"\xff\xfe", b"[" * 100_000, b"null"]
)
def test_what_is_no_record_is_refused(line):
    with pytest.raises(ProtocolError, match="no record"):
        decode_record(line, "session")


@pytest.mark.parametrize("raw", [deeply_nested(100_000), {"an": {1, 2}}], ids=["too deep", "no JSON"])
def test_a_payload_that_json_cannot_hold_leaves_a_record_that_says_so(raw):
    payload = StreamEventReceived(None, ContentBlockStart(0, ExtensionType("p", "k", raw)))
    read = decode_record(encode_record(record_of(payload)), "session")

    assert read[:5] == record_of(payload)[:5]
    assert isinstance(read.payload, Unknown)
    assert read.payload.raw["kind"] == "StreamEventReceived"
    assert read.payload.raw["reason"]


def test_an_unknown_payload_that_json_cannot_hold_keeps_its_kind():
    read = decode_record(encode_record(record_of(Unknown("wink", Extension("a", "b", None)))), "session")

    assert isinstance(read.payload, Unknown)
    assert read.payload.raw["kind"] == "wink"
