"""Frames that are not simply one event, and streams without their frame (P04, P15, T11 to T27)."""

from __future__ import annotations

import json

from agdesk.core.errors import ErrorCategory
from agdesk.core.ir.stream import MessageStart
from tests.wire.openai_responses.streams import (
    CREATED,
    READING,
    added,
    answer,
    arguments,
    done,
    ended,
    event,
    spoken,
    sse,
    text,
)

CALL = {"type": "function_call", "call_id": "c", "name": "f", "arguments": "{}"}


def test_P04_the_type_stands_in_the_data_or_in_the_event_line():
    units = [CREATED, text("a"), ended()]
    named = b"".join(
        b"event: " + unit["type"].encode() + b"\ndata: " + json.dumps(unit | {"type": None}).encode() + b"\n\n"
        for unit in units
    )
    assert READING.answer(named).events == READING.answer(sse(*units)).events
    odd = b"event: message\ndata: " + json.dumps(text("b")).encode() + b"\n\n"
    assert READING.answer(sse(CREATED) + odd + sse(ended())).text == "b"


def test_P15_nothing_of_the_frame_is_needed():
    found = answer(text("a"), created=False)
    assert (found.response.id, found.response.model, found.text) == ("message_s", "m1", "a")
    queued = event("queued", response={"id": "r0", "model": "m0"})
    found = answer(queued, event("in_progress", response={"id": "r9"}), text("a"), created=False)
    assert (found.response.id, found.response.model) == ("r0", "m1")
    starts = [e for e in found.events if isinstance(e, MessageStart)]
    assert [start.model for start in starts] == ["m0", "m1"]


def test_T11_keep_alives_are_nothing():
    units = [{"type": "keepalive", "sequence_number": 2}, b"event: keepalive", b": ping", "", ": ping", "null"]
    assert answer(*units, text("a"), *units).text == "a"


def test_T13_T16_an_answer_without_its_end_is_incomplete():
    found = answer(text("a"), done(1, "function_call", **CALL), end=None)
    assert (found.text, found.stop, found.is_complete) == ("a", "incomplete", False)
    assert found.tools[0].input_error


def test_T14_the_marker_is_known_and_after_the_end_nothing_is_looked_at():
    found = answer(text("a"), ended(), "[DONE]", text("b"), end=None)
    assert (found.text, found.stop, found.is_complete) == ("a", "end_turn", True)


def test_T14_the_marker_alone_ends_an_answer_but_only_whole_calls_run():
    found = answer(text("a"), done(1, "function_call", **CALL), "[DONE]", end=None)
    assert (found.text, found.stop, found.response.raw_stop_reason) == ("a", "tool_use", None)
    open_call = [added(0, "function_call", call_id="c", name="f"), arguments("{}")]
    assert answer(*open_call, "[DONE]", end=None).tools[0].input is None
    assert answer("[DONE]", end=None).stop == "incomplete"


def test_T12_T25_what_is_no_json_is_a_protocol_error_that_says_it():
    for broken in ('{"type": "response.outp: keepalive', "error: model crashed", "5", '"text"'):
        found = answer(text("a"), broken, end=None)
        assert (found.text, found.response.error.category) == ("a", ErrorCategory.PROTOCOL)


def test_T26_a_whole_answer_may_come_as_one_event():
    response = {"id": "r1", "object": "response", "model": "m1", "status": "completed", "output": [CALL]}
    assert READING.answer(sse(response)).tools[0].id == "c"
    assert READING.answer(json.dumps([CREATED, text("a"), ended()]).encode()).text == "a"
    assert READING.answer(json.dumps({"response": response}).encode()).stop == "tool_use"


def test_T27_halves_of_a_pair_join_over_deltas_of_one_block():
    frame = r'{"type":"response.output_text.delta","output_index":0,"delta":"\uHALF"}'
    high, low = frame.replace("HALF", "d83d"), frame.replace("HALF", "de00")
    other = text("x", 1)
    found = answer(high, other, low, text("!"), done(0, "message", content=[spoken("😀!")]), text("y", 1))
    assert [block.text for block in found.response.message.content] == ["😀!", "xy"]
    assert answer(high).text == "\ufffd"
