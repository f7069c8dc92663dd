"""Errors inside a stream: beside choices, in a choice, alone, by the name of the event (T22, T23, T24)."""

from __future__ import annotations

import json

import pytest

from agdesk.core.ir.stream import MessageComplete, StreamError
from agdesk.core.providers.base import Frame
from agdesk.core.trace.wire import FrameKind
from tests.wire.openai_chat.streams import ENDPOINT, WIRE, answer, call, calls, chunk, text


def decoder():
    return WIRE.decoder(endpoint=ENDPOINT, model="asked", seed="s")


def frame(data: bytes, name: str = "", kind: FrameKind = FrameKind.DATA) -> Frame:
    return Frame(0, len(data), name, data, kind)


def test_T22_an_error_without_a_field_name_is_an_error():
    reader = decoder()
    (event,) = reader.decode(frame(b'{"error": {"message": "ctx exceeded"}}', kind=FrameKind.MALFORMED))
    assert isinstance(event, StreamError)
    assert "ctx exceeded" in event.message
    assert reader.is_terminal


def test_T22_other_lines_without_a_field_name_are_nothing():
    reader = decoder()
    assert reader.decode(frame(json.dumps(text("x")).encode(), kind=FrameKind.MALFORMED)) == ()
    assert reader.decode(frame(b"half a li", kind=FrameKind.MALFORMED)) == ()
    assert reader.decode(frame(b"", kind=FrameKind.COMMENT)) == ()


def test_T23_an_error_beside_choices_comes_first_and_keeps_what_came_before():
    broken = chunk({"content": ""}, error={"code": 400, "message": "Token limit reached"})
    found = answer(text("par"), chunk({"content": ""}, "length"), broken)
    assert found.text == "par"
    assert found.response.error is not None
    assert "Token limit reached" in found.response.error.message
    assert isinstance(found.events[-1], StreamError)
    assert not any(isinstance(event, MessageComplete) for event in found.events)


@pytest.mark.parametrize("error", ["model crashed", {"message": "model crashed"}, [{"message": "model crashed"}]])
def test_T23_an_error_may_be_a_string_an_object_or_a_list(error):
    found = answer(text("a"), {"error": error})
    assert found.response.error is not None
    assert "model crashed" in found.response.error.message


def test_T23_an_error_in_the_first_frame_comes_before_any_event():
    found = answer(chunk(error={"message": "boom"}, usage={"prompt_tokens": 1}))
    assert found.error is not None
    assert len(found.events) == 1


def test_T23_the_usage_of_an_error_counts():
    assert answer(text("a"), chunk(error="boom", usage={"prompt_tokens": 1})).response.usage.prompt_tokens == 1


@pytest.mark.parametrize("error", [None, "", {}])
def test_T23_an_empty_error_is_none(error):
    assert answer(text("a", error=error), chunk(finish="stop")).stop == "end_turn"


@pytest.mark.parametrize(
    "document",
    [
        {"object": "error", "message": "boom", "code": 400},
        {"detail": "boom"},
        {"code": "invalid", "message": "boom", "request_id": "r"},
        [{"error": {"message": "boom"}}],
        {"x_groq": {"id": "r", "error": "boom"}, "choices": []},
    ],
)
def test_T23_an_error_without_choices_is_known_in_any_spelling(document):
    found = answer(text("a"), document)
    assert found.text == "a"
    assert found.response.error is not None
    assert "boom" in found.response.error.message


def test_T23_an_error_inside_the_choice_comes_after_its_text():
    found = answer(text("a"), chunk({"content": "b"}, "error", choice={"error": {"code": 502, "message": "boom"}}))
    assert found.text == "ab"
    assert found.response.error is not None
    assert "boom" in found.response.error.message


def test_T23_an_error_ends_calls_so_that_none_can_run():
    found = answer(calls(call('{"a": 1}', "f", index=0, id="A")), {"error": "x"})
    assert found.tools[0].input_error
    assert found.stop == "error"


def test_T24_the_name_of_an_event_makes_it_an_error():
    failed = {"error": {"message": "Failed to call a function", "code": "tool_use_failed", "status_code": 400}}
    found = answer(text("a"), b"event: error\ndata: " + json.dumps(failed).encode())
    assert found.text == "a"
    assert found.response.error is not None
    assert found.response.error.details["code"] == "tool_use_failed"


def test_T24_an_error_event_needs_no_member_named_error():
    found = answer(text("a"), b'event: error\ndata: {"message": "out of memory"}')
    assert found.response.error is not None
    assert "out of memory" in found.response.error.message


def test_T24_an_error_event_may_be_plain_text():
    found = answer(text("a"), b"event: error\ndata: out of memory")
    assert found.response.error is not None
    assert "out of memory" in found.response.error.message


def test_T24_an_error_event_after_the_end_is_nothing():
    reader = decoder()
    reader.decode(frame(b"[DONE]"))
    assert reader.decode(frame(b'{"message": "late"}', name="error")) == ()


def test_T24_other_event_names_change_nothing():
    found = answer(b"event: message\ndata: " + json.dumps(text("a")).encode(), chunk(finish="stop"))
    assert found.text == "a"
