"""Why answers end, errors in streams, and what the transport may do to a stream."""

from __future__ import annotations

import json

import pytest

from agdesk.core.errors import ErrorCategory, ProtocolError, ProviderRejection
from agdesk.core.ir.stream import MessageComplete, StreamError
from tests.wire.gemini.streams import READING, answer, body_of, call, chunk, text, thought

FILTERED = ["SAFETY", "RECITATION", "BLOCKLIST", "PROHIBITED_CONTENT", "SPII", "IMAGE_SAFETY", "MODEL_ARMOR"]
FAILED = ["MALFORMED_FUNCTION_CALL", "UNEXPECTED_TOOL_CALL", "TOO_MANY_TOOL_CALLS", "OTHER", "LANGUAGE", "NO_IMAGE"]


@pytest.mark.parametrize("word", FILTERED)
def test_G09_C17_a_filtered_answer_keeps_its_text_and_says_so(word):
    found = answer(chunk(text("half")), chunk(finish=word, candidate={"finishMessage": "why"}))
    assert (found.text, found.stop, found.response.raw_stop_reason) == ("half", "content_filter", word)
    assert found.response.extra["finishMessage"] == "why"
    assert found.response.error is None


@pytest.mark.parametrize("word", FAILED)
def test_G09_a_spoilt_answer_is_an_error_with_its_message_below_what_came(word):
    found = answer(chunk(text("half"), call("f", {})), chunk(finish=word, candidate={"finishMessage": "bad args: f("}))
    error = found.response.error
    assert error is not None
    assert (found.text, found.stop, error.category) == ("half", "error", ErrorCategory.SERVER)
    assert word in error.message
    assert "bad args: f(" in error.message
    assert error.details["code"] == word
    assert found.tools[0].input_error


def test_G09_a_spoilt_answer_without_content_is_no_empty_success():
    found = answer({"candidates": [{"finishReason": "MALFORMED_FUNCTION_CALL", "index": 0}]})
    assert found.error is not None
    assert found.stop == "error"


def test_G10_a_blocked_prompt_is_a_refusal_error():
    blocked = {"promptFeedback": {"blockReason": "PROHIBITED_CONTENT"}, "usageMetadata": {"promptTokenCount": 4}}
    found = answer(blocked)
    error = found.response.error
    assert error is not None
    assert (error.category, error.details["code"]) == (ErrorCategory.CONTENT_FILTER, "PROHIBITED_CONTENT")
    assert found.response.usage.prompt_tokens == 4
    assert not error.is_retryable


def test_G10_a_block_that_is_not_one_is_none():
    found = answer(chunk(text("a"), finish="STOP", promptFeedback={"blockReason": "BLOCK_REASON_UNSPECIFIED"}))
    assert (found.stop, found.response.error) == ("end_turn", None)


@pytest.mark.parametrize(
    ("number", "stop"), [(1, "end_turn"), (2, "max_tokens"), (3, "content_filter"), (4, "content_filter"), (5, "error")]
)
def test_C09_numbers_stand_for_names(number, stop):
    assert answer(chunk(text("a"), finish=number)).stop == stop


@pytest.mark.parametrize("word", ["BRAND_NEW", 17, 2.5])
def test_C09_an_unknown_word_is_other_and_kept(word):
    found = answer(chunk(text("a"), finish=word))
    assert (found.stop, found.response.raw_stop_reason) == ("other", str(word))


@pytest.mark.parametrize("nothing", ["FINISH_REASON_UNSPECIFIED", 0, "", {}, [], False])
def test_C09_a_word_that_says_nothing_ends_nothing(nothing):
    assert answer(chunk(text("a"), finish=nothing)).stop == "incomplete"


def test_T13_the_end_of_the_body_is_the_marker_and_a_finish_reason_makes_it_whole():
    body = body_of(chunk(text("a")), chunk(finish="STOP"))
    assert READING.read(body).is_complete
    assert not READING.read(body_of(chunk(text("a")))).is_complete


def test_T14_T16_the_marker_of_other_formats_ends_the_answer():
    found = answer(chunk(text("a")), "[DONE]", chunk(text("b")))
    assert (found.text, found.stop) == ("a", "end_turn")


def test_T16_the_end_of_the_body_without_a_finish_reason_is_incomplete():
    found = answer(chunk(thought("t"), text("a")), chunk(text("b")))
    assert (found.text, found.stop) == ("ab", "incomplete")


def test_T10_T11_keep_alives_are_nothing():
    found = answer(
        b": ping", ": keepalive", chunk(text("a")), b"event: ping\r\ndata: {}", {"type": "ping"}, chunk(finish="STOP")
    )
    assert (found.text, found.stop) == ("a", "end_turn")


def test_T12_T25_data_that_are_no_JSON_are_an_error_that_says_them():
    found = answer(chunk(text("a")), '{"candidates": [{"con: keepalive')
    assert found.text == "a"
    assert found.response.error is not None
    assert "con: keepalive" in found.response.error.message


def test_T23_an_error_in_the_stream_keeps_what_came():
    error = {"error": {"code": 503, "message": "The model is overloaded.", "status": "UNAVAILABLE"}}
    for unit in (error, [error], chunk(text("b")) | error):
        found = answer(chunk(text("a")), unit, chunk(text("c")))
        assert found.text == "a"
        assert found.response.error is not None
        assert found.response.error.category is ErrorCategory.OVERLOADED
        assert sum(isinstance(event, StreamError | MessageComplete) for event in found.events) == 1


def test_T24_an_error_event_is_an_error():
    found = answer(chunk(text("a")), b'event: error\r\ndata: {"message": "gone"}')
    assert found.response.error is not None
    assert "gone" in found.response.error.message


def test_T27_halves_of_a_pair_join_over_parts():
    body = body_of(
        r'{"candidates":[{"content":{"parts":[{"text":"a\ud83d"}]}}]}',
        r'{"candidates":[{"content":{"parts":[{"text":"\ude00b\ud83d"}]},"finishReason":"STOP"}]}',
    )
    assert READING.answer(body).text == "a😀b\ufffd"


def test_T28_the_null_character_stays():
    assert answer(chunk(text("a\u0000b"), finish="STOP")).text == "a\u0000b"


def test_T30_a_document_may_span_several_lines():
    lines = json.dumps(chunk(text("a"), finish="STOP"), indent=1).splitlines()
    body = b"\r\n".join(b"data: " + line.encode() for line in lines) + b"\r\n\r\n"
    assert READING.answer(body).text == "a"


@pytest.mark.parametrize(
    ("document", "name"),
    [
        ({"id": "c", "choices": [{"delta": {"content": "x"}}]}, "Chat Completions"),
        ({"type": "response.created", "response": {}}, "OpenAI Responses"),
        ({"type": "message_start", "message": {}}, "Anthropic"),
        ({"event_type": "interaction.start", "interaction": {}}, "Interactions"),
    ],
)
def test_P17_G19_a_stream_of_another_format_is_named(document, name):
    found = answer(document)
    assert isinstance(found.error, ProtocolError)
    assert name in found.error.message


@pytest.mark.parametrize("odd", [7, "x", True])
def test_a_document_that_is_no_object_is_an_error(odd):
    assert isinstance(answer(json.dumps(odd)).error, ProtocolError)


def test_T26_a_whole_answer_is_read_like_a_stream():
    whole = chunk(thought("t"), text("a", thoughtSignature="S"), call("f", {}), finish="STOP")
    found = READING.answer(json.dumps(whole, indent=1).encode())
    assert found.response == answer(whole).response
    assert found.stop == "tool_use"


def test_G12_the_stream_as_one_array_is_read_like_a_stream():
    units = [chunk(text("a")), chunk(text("b")), chunk(finish="STOP", usageMetadata={"totalTokenCount": 5})]
    assert READING.answer(json.dumps(units, indent=1).encode()).response == answer(*units).response
    assert READING.answer(json.dumps(units[:2]).encode()).stop == "incomplete"


@pytest.mark.parametrize("document", [{}, {"candidates": []}, {"candidates": None, "usageMetadata": {}}])
def test_C02_a_whole_answer_without_candidates_is_an_error(document):
    found = READING.read(json.dumps(document).encode())
    assert isinstance(found.error, ProviderRejection) or found.response.error is not None


def test_a_whole_answer_may_lack_a_finish_reason():
    assert READING.answer(json.dumps(chunk(text("a"))).encode()).stop == "end_turn"


def test_an_answer_of_nothing_is_incomplete():
    assert READING.answer(b": ping\r\n\r\n").stop == "incomplete"
