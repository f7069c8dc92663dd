"""What happens to a frame before its JSON means anything: markers, keep-alives, broken and odd payloads (class T)."""

from __future__ import annotations

import json

import pytest

from agdesk.core.errors import ErrorCategory
from agdesk.core.providers.base import Frame
from agdesk.core.trace.wire import FrameKind
from tests.wire.openai_chat.streams import ENDPOINT, WIRE, answer, call, calls, chunk, inputs, read, sse, text


def decoder():
    return WIRE.decoder(endpoint=ENDPOINT, model="asked", seed="s")


def frame(data: bytes, name: str = "", kind: FrameKind = FrameKind.DATA) -> Frame:
    return Frame(0, len(data), name, data, kind)


@pytest.mark.parametrize("data", [b"", b"  ", b": keepalive", b" : ping\n"])
def test_T10_a_keep_alive_framed_as_data_is_nothing(data):
    assert decoder().decode(frame(data)) == ()


def test_T10_the_answer_goes_on_after_a_keep_alive_framed_as_data():
    found = answer(": keepalive", text("a"), "", text("b"), chunk(finish="stop"))
    assert (found.text, found.stop) == ("ab", "end_turn")


@pytest.mark.parametrize(
    "unit", [b"event: keepalive", b'event: ping\ndata: {"type": "ping"}', b'data: {"type":"keepalive"}']
)
def test_T11_a_typed_keep_alive_is_nothing(unit):
    found = answer(text("a"), unit, text("b"), chunk(finish="stop"))
    assert found.text == "ab"


def test_T12_bytes_spliced_into_a_payload_are_an_error_with_the_raw_text():
    found = answer(text("a"), '{"choices":[{"index":0,"delta":{"content":"x"},"fin: keepalive', b'ish_reason":null}]}')
    assert found.text == "a"
    assert found.response.error is not None
    assert found.response.error.category is ErrorCategory.PROTOCOL
    assert "fin: keepalive" in str(found.response.error.details["frame"])


def test_T12_a_spliced_literal_is_an_error_too():
    found = answer(text("a"), '{"choices":fal: keepalive', b"se}")
    assert (found.text, found.stop) == ("a", "error")


@pytest.mark.parametrize("marker", ["[DONE]", " [DONE] ", "[DONE]\t"])
def test_T14_the_marker_may_have_spaces(marker):
    found = answer(text("a"), marker, done=False)
    assert (found.text, found.stop) == ("a", "end_turn")


def test_T14_the_marker_may_be_an_event():
    found = answer(text("a"), b"event: done\ndata: [DONE]", done=False)
    assert (found.text, found.stop) == ("a", "end_turn")


def test_T13_a_finish_reason_without_the_marker_is_a_whole_answer():
    found = answer(text("a"), chunk(finish="stop"), done=False)
    assert (found.text, found.stop, found.is_complete) == ("a", "end_turn", True)


def test_T15_nothing_is_read_after_the_marker():
    reader = decoder()
    reader.decode(frame(json.dumps(text("a")).encode()))
    reader.decode(frame(b"[DONE]"))
    assert reader.is_terminal
    assert reader.decode(frame(json.dumps(text("b")).encode())) == ()
    assert reader.finish() == ()


def test_T16_an_end_without_finish_reason_and_marker_is_incomplete():
    found = answer(text("half of the ans"), done=False)
    assert (found.text, found.stop, found.is_complete) == ("half of the ans", "incomplete", False)
    assert found.response.is_incomplete


def test_T16_the_marker_without_a_finish_reason_is_a_whole_answer():
    found = answer(text("full"))
    assert (found.text, found.stop) == ("full", "end_turn")


def test_T16_a_call_of_a_cut_stream_never_runs_even_if_it_parses():
    found = answer(calls(call('{"a": 1}', "f", index=0, id="A")), done=False)
    assert found.stop == "incomplete"
    assert found.tools[0].input is None
    assert found.tools[0].input_error
    assert found.tools[0].raw_arguments == '{"a": 1}'


@pytest.mark.parametrize("words", ["error: model crashed", "model crashed", '"model crashed"'])
def test_T25_plain_text_is_a_protocol_error_that_carries_it(words):
    found = answer(text("a"), words)
    assert found.text == "a"
    assert found.response.error is not None
    assert found.response.error.category is ErrorCategory.PROTOCOL
    assert "model crashed" in found.response.error.message


@pytest.mark.parametrize("nested", ["[" * 100_000, '{"a":' * 500 + '"\\ud83d"' + "}" * 500, "[" * 250 + "]" * 250])
def test_T25_json_nested_too_deep_is_a_protocol_error(nested):
    found = answer(text("a"), nested)
    assert found.response.error is not None
    assert found.response.error.category is ErrorCategory.PROTOCOL


def test_T26_a_json_answer_to_a_streamed_request_is_read_whole():
    message = {"role": "assistant", "content": "hi", "reasoning_content": "hm", "tool_calls": [call("{}", "f", id="A")]}
    whole = {"id": "r", "model": "m", "choices": [{"index": 0, "message": message, "finish_reason": "tool_calls"}]}
    found = read(b"\n\n  " + json.dumps(whole | {"usage": {"prompt_tokens": 3}}).encode())
    assert found.kinds == ["Thinking", "Text", "ToolUse"]
    assert (found.text, found.thinking, found.stop) == ("hi", "hm", "tool_use")
    assert found.response.usage.prompt_tokens == 3


def test_T26_a_json_answer_without_a_finish_reason_is_whole():
    found = read(json.dumps({"choices": [{"message": {"content": "hi"}}]}).encode())
    assert (found.text, found.stop) == ("hi", "end_turn")


def test_T27_a_pair_split_over_two_deltas_is_joined():
    found = answer(r'{"choices":[{"delta":{"content":"a\ud83d"}}]}', r'{"choices":[{"delta":{"content":"\ude00b"}}]}')
    assert found.text == "a😀b"


def test_T27_a_half_is_joined_with_the_next_delta_of_its_own_block():
    found = answer(
        r'{"choices":[{"delta":{"content":"a\ud83d"}}]}',
        r'{"choices":[{"delta":{"tool_calls":[{"id":"A","function":{"name":"f","arguments":"{\"q\":\"\ud83d"}}]}}]}',
        r'{"choices":[{"delta":{"tool_calls":[{"id":"A","function":{"arguments":"\ude00\"}"}}]}}]}',
        chunk(finish="tool_calls"),
    )
    assert found.text == "a\ufffd"
    assert inputs(found.tools) == [{"q": "😀"}]


def test_T27_what_stays_alone_becomes_the_replacement_character_everywhere():
    found = answer(
        r'{"id":"\ud83d","model":"m\ude00","choices":[{"delta":{"content":"\ude00x\ud83dy","annotations":[{"u":"\ud83d"}]}}]}',
        r'{"choices":[{"delta":{"reasoning":"r\ud83d"},"finish_reason":"sto\ud83dp"}]}',
    )
    assert found.text == "\ufffdx\ufffdy"
    assert found.thinking == "r\ufffd"
    assert found.extensions[0].raw == [{"u": "\ufffd"}]
    repr(found.events).encode("utf-8")


def test_T27_a_cut_stream_flushes_the_half():
    found = answer(r'{"choices":[{"delta":{"content":"a\ud83d"}}]}', done=False)
    assert (found.text, found.stop) == ("a\ufffd", "incomplete")


def test_T27_an_odd_document_over_several_lines():
    assert read(b'data: {"choices":[{"delta":\ndata: {"content":"\\ud83d"}}]}\n\ndata: [DONE]\n\n').text == "\ufffd"


def test_T27_odd_utf_8_and_control_characters_are_read_all_the_same():
    body = b'data: {"choices":[{"delta":{"content":"a\xffb\x01"}}]}\n\ndata: [DONE]\n\n'
    assert read(body).text == "a\ufffdb\x01"


def test_T28_the_null_character_stays():
    assert answer(text("a\x00b"), chunk(finish="stop")).text == "a\x00b"


def test_T30_one_document_over_several_lines():
    body = b'data: {"choices":[{"index":0,\ndata: "delta":{"content":"ml"}}]}\nfoo: bar\n\ndata: [DONE]\n\n'
    assert read(body).text == "ml"


def test_T30_several_documents_in_one_event_count_each():
    first, second = (json.dumps(text(word)).encode() for word in "ab")
    body = b"data: " + first + b"\ndata: " + second + b"\ndata: [DONE]\n\n"
    found = read(body)
    assert (found.text, found.stop) == ("ab", "end_turn")


def test_T30_a_broken_line_among_whole_ones_ends_the_answer_after_them():
    body = b"data: " + json.dumps(text("a")).encode() + b"\ndata: oops\n\n" + sse("[DONE]")
    found = read(body)
    assert found.text == "a"
    assert found.response.error is not None
    assert found.response.error.category is ErrorCategory.PROTOCOL


def test_P17_the_other_format_of_the_same_vendor_is_named():
    found = answer({"type": "response.created", "response": {"id": "r"}}, done=False)
    assert found.error is not None
    assert "Responses" in found.error.message


@pytest.mark.parametrize("document", [None, [], [None], True, 12])
def test_documents_that_are_no_chunk_never_raise(document):
    decoder().decode(frame(json.dumps(document).encode()))
    decoder().decode_document(document)


@pytest.mark.parametrize("end", [b"", b"\n", b"\n\n"])
def test_T06_T30_several_documents_in_the_last_event_count_also_without_its_blank_line(end):
    lines = [json.dumps(text("a")), json.dumps(chunk(finish="stop")), "[DONE]"]
    found = read("\n".join(f"data: {line}" for line in lines).encode() + end)
    assert (found.text, found.stop) == ("a", "end_turn")
