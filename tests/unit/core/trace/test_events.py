"""Payloads of the trace as JSON: what is unknown is kept."""

import json

import pytest

from agdesk.core.ir.codec import from_json, to_json
from agdesk.core.ir.messages import Assistant, user
from agdesk.core.ir.response import EndCause, MessageResponse, StopReason, Usage
from agdesk.core.ir.stream import TextDelta
from agdesk.core.trace.events import (
    EventIgnored,
    ResponseReceived,
    StreamEventReceived,
    TraceRecord,
    TurnStarted,
    Unknown,
    payload_from_json,
    payload_to_json,
)
from agdesk.core.trace.wire import CloseReason, FrameKind, FrameReceived, ResponseClosed


@pytest.mark.parametrize(
    "payload",
    [
        TurnStarted(user("hello"), "groq/llama"),
        StreamEventReceived(3, TextDelta("a", 0)),
        StreamEventReceived(None, TextDelta("a")),
        EventIgnored(9, "a delta for block 1 that is not open"),
        ResponseReceived(MessageResponse("i", "m", Assistant(()), Usage(), StopReason.END_TURN), EndCause.SERVER),
        FrameReceived(0, 17, "", FrameKind.COMMENT),
        ResponseClosed(CloseReason.TERMINAL, 17),
    ],
)
def test_a_known_payload_reads_back_equal(payload):
    assert payload_from_json(json.loads(json.dumps(payload_to_json(payload)))) == payload


def test_a_payload_of_the_future_is_kept_and_written_back_byte_for_byte():
    text = '{"type": "mood_sensed", "at": {"type": "place", "b": [1, 1.5, "é", null]}, "a": 1}'
    payload = payload_from_json(json.loads(text))

    assert payload == Unknown("mood_sensed", json.loads(text))
    assert json.dumps(payload_to_json(payload), ensure_ascii=False) == text


def test_a_known_payload_with_an_event_of_the_future_is_kept_as_it_was():
    document = {"type": "stream_event_received", "frame_seq": 3, "event": {"type": "smell_delta", "smell": "rain"}}
    payload = payload_from_json(document)

    assert payload == Unknown("stream_event_received", document)
    assert payload_to_json(payload) is document


@pytest.mark.parametrize("document", [None, 7, "text", [], {}, {"type": None}, {"type": []}, {"type": {"a": 1}}])
def test_a_payload_without_a_kind_is_kept_as_it_was(document):
    assert payload_from_json(document) == Unknown("", document)


def test_a_record_keeps_a_payload_of_the_future():
    raw = {"type": "mood_sensed", "value": 3}
    record = TraceRecord(1, 2, "s", "t", "r", Unknown("mood_sensed", raw))
    document = to_json(record)

    assert document["payload"] == raw
    assert from_json(TraceRecord, json.loads(json.dumps(document))) == record
