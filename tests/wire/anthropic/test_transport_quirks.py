"""Frames: keep-alives, errors, markers, and what is no JSON."""

from __future__ import annotations

import json

import pytest

from agdesk.core.errors import ErrorCategory
from agdesk.core.ir.stream import ContentBlockEnd, StreamError
from tests.wire.anthropic.streams import (
    READING,
    STOP,
    WIRE,
    answer,
    body,
    call,
    delta,
    ended,
    opened,
    start,
    stopped,
    stream,
    text,
)

OVERLOADED = {"type": "error", "error": {"type": "overloaded_error", "message": "Overloaded"}, "request_id": "req_1"}
HALF = [start(), *text("par")[:2]]


def test_A01_an_error_in_the_middle_keeps_what_came_and_says_what_it_is():
    found = stream(*HALF, OVERLOADED)
    last = found.events[-1]
    assert isinstance(last, StreamError)
    assert (last.error.category, last.error.is_retryable) == (ErrorCategory.OVERLOADED, True)
    assert last.error.details["request_id"] == "req_1"
    assert last.error.details["code"] == "overloaded_error"
    assert (found.text, found.stop, type(found.events[-2])) == ("par", "error", ContentBlockEnd)


def test_A01_an_error_before_the_first_event_is_raised():
    found = READING.read(body(OVERLOADED))
    assert found.error is not None
    assert found.error.category is ErrorCategory.OVERLOADED


def test_A01_a_call_before_an_error_never_runs():
    found = stream(start(), *call("{}"), OVERLOADED)
    assert [tool.input for tool in found.tools] == [None]


@pytest.mark.parametrize(
    ("kind", "status", "category"),
    [
        ("invalid_request_error", 400, ErrorCategory.INVALID_REQUEST),
        ("authentication_error", 401, ErrorCategory.AUTH),
        ("billing_error", 402, ErrorCategory.QUOTA),
        ("permission_error", 403, ErrorCategory.PERMISSION),
        ("not_found_error", 404, ErrorCategory.NOT_FOUND),
        ("request_too_large", 413, ErrorCategory.CONTEXT_OVERFLOW),
        ("rate_limit_error", 429, ErrorCategory.RATE_LIMIT),
        ("api_error", 500, ErrorCategory.SERVER),
        ("timeout_error", 504, ErrorCategory.SERVER),
        ("overloaded_error", 529, ErrorCategory.OVERLOADED),
    ],
)
def test_E05_every_kind_of_error_means_the_same_as_a_status_and_inside_a_stream(kind, status, category):
    document = {"type": "error", "error": {"type": kind, "message": "It went wrong"}}
    rejected = WIRE.classify_error(status, headers={}, body=json.dumps(document).encode(), now_s=0.0)
    assert rejected.category is category
    assert stream(*HALF, document).events[-1].error.category is category


@pytest.mark.parametrize(
    "words",
    [
        "prompt is too long: 210000 tokens > 200000 maximum",
        "input length and `max_tokens` exceed context limit: 190000 + 20000 > 200000",
    ],
)
def test_E03_a_prompt_that_does_not_fit_is_known_by_its_words(words):
    document = {"type": "error", "error": {"type": "invalid_request_error", "message": words}}
    rejected = WIRE.classify_error(400, headers={}, body=json.dumps(document).encode(), now_s=0.0)
    assert rejected.category is ErrorCategory.CONTEXT_OVERFLOW


def test_E05_a_spent_credit_is_no_bad_request():
    words = "Your credit balance is too low to access the API"
    document = {"type": "error", "error": {"type": "invalid_request_error", "message": words}}
    rejected = WIRE.classify_error(400, headers={}, body=json.dumps(document).encode(), now_s=0.0)
    assert (rejected.category, rejected.to_record().is_retryable) == (ErrorCategory.QUOTA, False)


def test_E10_a_web_page_is_told_by_its_title():
    found = READING.read(b"<html><title>502 Bad Gateway</title>" + b"x" * 9999, status=502)
    assert "502 Bad Gateway" in found.error.message and len(found.error.message) < 200


def test_T22_an_error_as_a_whole_body_is_raised():
    found = READING.read(json.dumps(OVERLOADED).encode())
    assert found.error.category is ErrorCategory.OVERLOADED


@pytest.mark.parametrize("error", ["boom", {"message": "boom"}, [{"message": "boom"}]])
def test_T23_an_error_in_any_event_ends_the_answer(error):
    found = stream(*HALF, {"type": "ping", "error": error}, *text("never"))
    assert "boom" in found.events[-1].error.message
    assert found.text == "par"


@pytest.mark.parametrize("unit", [{"detail": "boom"}, {"message": "boom", "code": 500}])
def test_E02_an_error_without_a_type_is_one(unit):
    assert "boom" in stream(*HALF, unit).events[-1].error.message


@pytest.mark.parametrize("odd", [None, 7, "x", [1]])
def test_blocks_and_deltas_that_are_no_objects_are_nothing(odd):
    units = [{"type": "content_block_start", "index": 0, "content_block": odd}]
    units += [{"type": "content_block_delta", "index": 0, "delta": odd}]
    assert answer(*units, *text("a")).text == "a"


@pytest.mark.parametrize("data", ["boom", '{"type": "ping", "message": "boom"}', '{"error": "boom"}'])
def test_T24_an_event_named_error_is_an_error_whatever_its_data_look_like(data):
    found = stream(*HALF, b"event: error\ndata: " + data.encode())
    assert "boom" in found.events[-1].error.message


def test_T25_data_that_are_no_json_are_a_protocol_error_that_says_them():
    found = stream(*HALF, "error: model crashed")
    assert found.events[-1].error.kind == "protocol_error"
    assert "model crashed" in found.events[-1].message


def test_T12_bytes_spliced_into_a_payload_are_told():
    found = stream(*HALF, '{"type":"content_block_delta","ind: keepalive')
    assert "ind: keepalive" in found.events[-1].message


def test_T25_a_number_is_no_event():
    assert stream(*HALF, 7).events[-1].error.kind == "protocol_error"


def test_T10_keep_alives_framed_as_data_are_nothing():
    assert answer(": keepalive", "", "null", *text("a")).text == "a"


def test_T11_pings_and_events_nobody_knows_are_nothing():
    noise = [{"type": "ping"}, {"type": "invented", "message": "hello"}, b"event: keepalive", {"type": ["odd"]}]
    found = answer(*noise, *text("a"), *noise)
    assert (found.text, found.stop) == ("a", "end_turn")


@pytest.mark.parametrize("marker", ["[DONE]", " [DONE] "])
def test_T14_the_marker_of_another_format_ends_the_answer(marker):
    assert stream(start(), *text("a"), ended(), marker, *text("b")).text == "a"
    assert stream(start(), *text("a"), marker).stop == "end_turn"


def test_T15_nothing_is_read_after_the_end():
    assert stream(start(), *text("a"), ended(), STOP, OVERLOADED).error is None


def test_P04_the_type_counts_before_the_name_of_the_event_and_the_name_without_a_type():
    named = b'event: content_block_delta\ndata: {"index": 0, "delta": {"type": "text_delta", "text": "b"}}'
    odd = b"event: ping\ndata: " + json.dumps(delta(0, "text_delta", text="a")).encode()
    assert answer(opened(0, "text", text=""), odd, named, stopped(0)).text == "ab"


@pytest.mark.parametrize(
    ("unit", "name"),
    [
        ({"object": "chat.completion.chunk", "choices": []}, "OpenAI Chat Completions"),
        ({"id": "c", "choices": [{"delta": {"content": "a"}}]}, "OpenAI Chat Completions"),
        ({"type": "response.created", "response": {}}, "OpenAI Responses"),
        ({"candidates": [{"content": {"parts": []}}]}, "Gemini"),
    ],
)
def test_P17_another_format_is_named(unit, name):
    for found in (READING.read(body(unit)), READING.read(json.dumps(unit).encode())):
        assert name in found.error.message


def test_T27_halves_of_a_character_join_within_their_block():
    found = answer(
        opened(0, "text", text=""),
        r'{"type":"content_block_delta","index":0,"delta":{"type":"text_delta","text":"a\ud83d"}}',
        r'{"type":"content_block_delta","index":0,"delta":{"type":"text_delta","text":"\ude00"}}',
        delta(0, "text_delta", text="b"),
        r'{"type":"content_block_delta","index":0,"delta":{"type":"text_delta","text":"\ud83d"}}',
        stopped(0),
        r'{"type":"content_block_start","index":1,"content_block":{"type":"odd","x":"\ud83d"}}',
        stopped(1),
    )
    assert found.text == "a\U0001f600b\ufffd"
    assert found.extensions[0].raw["x"] == "\ufffd"


def test_T28_the_null_character_stays():
    assert answer(*text("a\0b")).text == "a\0b"


def test_T01_line_separators_inside_text_are_text():
    assert answer(*text("a\u2028b\x85c")).text == "a\u2028b\x85c"


def test_T30_a_document_may_span_lines_and_several_may_share_an_event():
    spread = b"data: " + json.dumps(delta(0, "text_delta", text="a"), indent=1).replace("\n", "\ndata: ").encode()
    two = "\ndata: ".join(json.dumps(delta(0, "text_delta", text=word)) for word in "bc")
    assert answer(opened(0, "text", text=""), spread, two, stopped(0)).text == "abc"


def test_a_list_of_events_is_taken_one_by_one():
    assert answer(text("a")).text == "a"


def test_T22_a_line_that_is_no_field_counts_only_if_it_is_an_error():
    assert "boom" in stream(*HALF, b'{"error": {"message": "boom"}}').events[-1].message
