"""Lines, whatever cuts, wraps or interrupts them (QUIRKS L01, L14, C02, P17, T01 to T08, T12, T16 to T29)."""

from __future__ import annotations

import json

import pytest

from agdesk.core.errors import ErrorCategory, ProtocolError, ProviderRejection
from tests.wire.ollama.lines import READING, answer, call, calls, end, line, ndjson, sse, text, thinking

WHOLE = ndjson(thinking("hm"), text("caf\u00e9 \U0001f600"), calls(call("f", {"a": 1})), end())


def test_L01_an_error_on_any_line_ends_the_answer_and_keeps_what_came():
    found = answer(text("half"), {"error": "an error was encountered while running the model"})
    assert (found.text, found.stop) == ("half", "error")
    assert "while running the model" in found.response.error.message


def test_L01_an_error_beside_a_message_counts_first():
    found = answer(text("half"), text("late", error={"message": "slow down", "code": 429}))
    assert (found.text, found.response.error.category) == ("half", ErrorCategory.RATE_LIMIT)


def test_L01_an_error_before_anything_else_is_raised():
    found = answer({"error": "model requires more system memory (8 GiB) than is available (4 GiB)"})
    assert isinstance(found.error, ProviderRejection) and "8 GiB" in found.error.message


def test_L14_T22_an_unknown_route_with_status_200_is_an_error():
    found = answer({"error": "Unexpected endpoint or method. (POST /api/chat)"})
    assert found.error.category is ErrorCategory.NOT_FOUND


def test_T01_no_character_but_the_line_s_end_ends_a_line():
    words = "a\u2028b\u2029c\u0085d\u000be\u000cf\u001cg"
    assert answer(text(words), end()).text == words


@pytest.mark.parametrize("size", [1, 2, 3, 5])
def test_T02_characters_may_be_cut_anywhere(size):
    assert READING.read(WHOLE, size=size).events == READING.read(WHOLE).events
    assert READING.read(WHOLE).text == "caf\u00e9 \U0001f600"


def test_T04_lines_may_end_in_any_way():
    for line_end in (b"\r\n", b"\r", b"\n\n"):
        assert READING.answer(WHOLE.replace(b"\n", line_end)).text == "caf\u00e9 \U0001f600"


def test_T05_a_byte_order_mark_before_the_first_line_is_nothing():
    assert READING.answer(b"\xef\xbb\xbf" + WHOLE).events == READING.answer(WHOLE).events


def test_T06_the_last_line_needs_no_end():
    found = READING.answer(WHOLE.rstrip(b"\n"))
    assert (found.stop, found.response.usage.total_tokens) == ("tool_use", 7)


def test_T08_T10_comments_between_lines_and_empty_data_are_nothing():
    assert answer(text("a"), ": keepalive", "", " ", text("b"), end()).text == "ab"
    assert READING.answer(sse(text("a"), ": ping", "", text("b"), end())).text == "ab"


@pytest.mark.parametrize("place", [0, 1])
def test_T12_bytes_inside_a_line_are_a_protocol_error_that_shows_them(place):
    units: list[object] = [text("a"), end()]
    units.insert(place, '{"message": fal: keepalive')
    found = answer(*units)
    assert found.response.error.kind == "protocol_error"
    assert "fal: keepalive" in found.response.error.message


def test_T16_a_body_that_ends_before_the_end_is_incomplete():
    found = answer(text("half of the ans"))
    assert (found.text, found.stop, found.response.error) == ("half of the ans", "incomplete", None)


def test_T16_T17_a_cut_at_any_byte_keeps_what_came_and_runs_nothing():
    ends_at = WHOLE.index(b'{"model": "m1"', WHOLE.index(b"tool_calls"))
    for cut in range(1, len(WHOLE) - 1):
        found = READING.read(WHOLE[:cut])
        assert found.ignored_count == 0
        assert (found.stop, found.response.error) == ("incomplete", None), cut
        assert all(tool.input is None for tool in found.tools)
        assert bool(found.tools) == (cut >= ends_at - 1)


def test_T23_T24_errors_inside_server_sent_events():
    body = sse(text("half")) + b'event: error\ndata: {"message": "died"}\n\n'
    assert READING.answer(body).response.error.message.endswith("died")
    body = sse(text("half")) + b"event: error\ndata: it died\n\n"
    assert "it died" in READING.answer(body).response.error.message


def test_T25_text_that_is_no_json_is_a_protocol_error_with_the_text():
    assert "model crashed" in READING.read(ndjson(text("a"), "error: model crashed")).response.error.message
    assert "model crashed" in READING.answer(sse(text("a"), "error: model crashed")).response.error.message


def test_T26_lines_that_come_as_server_sent_events_are_the_same_answer():
    units = (thinking("hm"), text("a"), calls(call("f", {"a": 1})), end())
    for body in (
        sse(*units),
        sse(*units, "[DONE]"),
        b": hello\n\n" + sse(*units),
        sse(*units).replace(b"data: ", b"data:"),
    ):
        assert READING.answer(body).events == answer(*units).events


@pytest.mark.parametrize("indent", [None, 2])
def test_T26_a_whole_answer_is_the_same_as_a_stream_of_one_line(indent):
    message = {"thinking": "hm", "content": "caf\u00e9", "tool_calls": [call("f", {"a": 1})]}
    whole = end(message=message)
    body = json.dumps(whole, indent=indent).encode()
    assert READING.answer(body).events == READING.answer(b"\n " + body + b"\n").events == answer(whole).events
    assert answer(whole).kinds == ["Thinking", "Text", "ToolUse"]


def test_T26_an_error_over_several_lines_is_that_error():
    body = json.dumps({"error": "model 'm' not found"}, indent=2).encode()
    found = READING.answer(body)
    assert found.error.category is ErrorCategory.NOT_FOUND


def test_T27_halves_of_a_pair_join_over_lines_and_single_ones_are_replaced():
    halves = ['{"message": {"content": "a\\ud83d"}}', '{"message": {"content": "\\ude00b\\ud83d"}}']
    assert answer(*halves, end()).text == "a\U0001f600b\ufffd"
    broken = '{"message": {"tool_calls": [{"function": {"name": "f", "arguments": {"k\\ud83d": "\\ude00"}}}]}}'
    assert answer(broken, end()).tools[0].input == {"k\ufffd": "\ufffd"}


def test_T29_a_line_of_megabytes_is_a_line():
    body = ndjson(text("x" * 3_000_000), end())
    assert len(READING.read(body, size=1024).text) == 3_000_000


@pytest.mark.parametrize(
    ("document", "name"),
    [
        ({"id": "c", "choices": [{"delta": {"content": "a"}}]}, "Chat Completions"),
        ({"type": "response.created", "response": {}}, "Responses"),
        ({"type": "message_start", "message": {"id": "x", "content": []}}, "Anthropic"),
        ({"candidates": []}, "Gemini"),
    ],
)
def test_P17_an_answer_in_another_format_is_named(document, name):
    for body in (ndjson(document), sse(document)):
        found = READING.answer(body)
        assert isinstance(found.error, ProtocolError) and name in found.error.message


@pytest.mark.parametrize(
    "body",
    [
        b'{"models": []}',
        b'{\n"status": "ok"\n}',
        b'{"status": "a"}\n{"status": "b"}\n',
        b"[{}]",
        b'{"model": "m", "response": "a", "done": false}\n{"model": "m", "response": "", "done": true}\n',
    ],
)
def test_C02_json_without_any_message_is_no_answer(body):
    found = READING.answer(body)
    assert isinstance(found.error, ProtocolError) and "no message" in found.error.message


def test_a_line_of_another_kind_between_those_of_the_answer_changes_nothing():
    assert answer({"status": "pulling"}, text("a"), {"status": "done"}, line(), end()).text == "a"


@pytest.mark.parametrize("value", ["7", '"x"', "true"])
def test_T25_json_that_is_no_object_ends_the_answer(value):
    found = READING.answer(sse(text("a"), value, text("b")))
    assert (found.text, found.response.error.kind) == ("a", "protocol_error")
