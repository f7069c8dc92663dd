"""Beginnings and ends of an answer, usage, and whole answers."""

from __future__ import annotations

import json

import pytest

from agdesk.core.ir.response import CompletionTokensDetails, PromptTokensDetails, StopReason, Usage
from agdesk.core.ir.stream import CostUpdate, MessageComplete, MessageStart, StreamError
from tests.wire.anthropic.streams import READING, STOP, answer, call, ended, opened, start, stopped, stream, text


@pytest.mark.parametrize(
    ("word", "reason"),
    [
        ("end_turn", "end_turn"),
        ("max_tokens", "max_tokens"),
        ("stop_sequence", "stop_sequence"),
        ("pause_turn", "pause_turn"),
        ("compaction", "pause_turn"),
        ("refusal", "refusal"),
        ("model_context_window_exceeded", "context_overflow"),
        ("invented", "other"),
        (7, "other"),
    ],
)
def test_A15_every_stop_reason_is_told_and_the_servers_word_is_kept(word, reason):
    found = answer(*text("a"), reason=word)
    assert (found.stop, found.response.raw_stop_reason) == (reason, str(word))


def test_A15_a_refusal_without_blocks_is_an_answer_with_its_details():
    details = {"type": "refusal", "category": "cyber", "explanation": "no"}
    found = stream(start(), {"type": "ping"}, ended("refusal", stop_details=details), STOP)
    assert (found.stop, found.response.message.content, found.error) == ("refusal", (), None)
    assert found.response.extra == {"stop_details": details}


def test_A15_what_stands_beside_the_end_is_passed_on():
    end = ended("stop_sequence", stop_sequence="###", container={"id": "c"}) | {"context_management": {"edits": [1]}}
    found = stream(start(), *text("a"), end, STOP)
    assert found.response.extra == {
        "stop_sequence": "###",
        "container": {"id": "c"},
        "context_management": {"edits": [1]},
    }


def test_C07_calls_and_a_normal_end_are_a_tool_use():
    assert answer(*call("{}"), reason="end_turn").stop == "tool_use"


def test_C08_a_tool_word_without_calls_is_an_ordinary_end():
    found = answer(*text("a"), reason="tool_use")
    assert (found.stop, found.response.raw_stop_reason) == ("end_turn", "tool_use")


def test_C20_an_answer_without_blocks_is_an_answer():
    found = answer()
    assert (found.stop, found.response.message.content) == ("end_turn", ())


def test_T13_a_stop_reason_makes_an_answer_whole():
    found = stream(start(), *text("a"), ended())
    assert (found.stop, found.is_complete) == ("end_turn", True)


def test_T13_the_marker_alone_makes_an_answer_whole():
    assert stream(start(), *call("{}"), STOP).stop == "tool_use"


def test_T13_a_stop_reason_may_come_before_the_usage():
    found = stream(start(), *text("a"), ended("max_tokens"), ended(None, {"output_tokens": 4}), STOP)
    assert (found.stop, found.response.usage.completion_tokens) == ("max_tokens", 4)


@pytest.mark.parametrize("units", [[start()], [start(), *text("a")[:2]], [start(), *text("a"), ended(None)]])
def test_T16_an_end_without_marker_and_stop_reason_is_incomplete(units):
    found = stream(*units)
    assert (found.stop, found.is_complete) == ("incomplete", False)


def test_A14_the_same_message_start_again_is_nothing():
    found = stream(start(), start(), *text("a"), start(), ended(), STOP)
    assert (found.text, found.error) == ("a", None)
    assert len([event for event in found.events if isinstance(event, MessageStart)]) == 1


def test_A14_another_message_in_the_middle_is_an_error_and_runs_nothing():
    found = stream(start(), *call("{}")[:2], start("m2"), *call("{}"), ended("tool_use"), STOP)
    last = found.events[-1]
    assert isinstance(last, StreamError)
    assert last.error.kind == "protocol_error" and "m2" in last.message
    assert [tool.input for tool in found.tools] == [None]


def test_C21_C22_nothing_of_the_envelope_is_required():
    found = stream({"type": "message_start", "message": None}, *text("a"), {"type": "message_delta"}, STOP)
    assert (found.response.id, found.response.model, found.text) == ("message_s", "asked", "a")


def test_C21_a_stream_without_its_beginning_has_a_made_up_id_and_takes_the_model_later():
    found = stream(*text("a"), start("m9", "real"), ended(), STOP)
    assert isinstance(found.events[0], MessageStart)
    assert (found.response.id, found.response.model) == ("message_s", "real")


def usage(*reports, first=None):
    beginning = start(usage=first) if first else start()
    found = stream(beginning, *text("a"), *(ended("end_turn", report) for report in reports), STOP)
    return found.response.usage, found


def test_A13_usage_is_cumulative_and_comes_in_two_halves():
    told, found = usage(
        {"output_tokens": 7},
        first={
            "input_tokens": 9,
            "cache_read_input_tokens": 100,
            "cache_creation_input_tokens": 20,
            "output_tokens": 1,
        },
    )
    assert told == Usage(129, 7, 136, PromptTokensDetails(100, 20))
    assert [event.usage.completion_tokens for event in found.events if isinstance(event, CostUpdate)] == [1, 7]


def test_A13_the_end_may_correct_the_input_and_a_null_takes_nothing_back():
    told, _ = usage(
        {"input_tokens": 61, "output_tokens": 5},
        {"input_tokens": None, "output_tokens": None},
        first={"input_tokens": 43},
    )
    assert (told.prompt_tokens, told.completion_tokens) == (61, 5)


def test_U01_tokens_written_to_the_cache_may_be_told_by_age_alone():
    told, _ = usage(first={"input_tokens": 1, "cache_creation": {"ephemeral_5m_input_tokens": 2, "x": 3}})
    assert told == Usage(6, None, None, PromptTokensDetails(None, 5))


def test_D12_thinking_is_part_of_the_completion():
    told, _ = usage({"output_tokens": 9, "output_tokens_details": {"thinking_tokens": 4}})
    assert (told.completion_tokens, told.completion_tokens_details) == (9, CompletionTokensDetails(4))


@pytest.mark.parametrize("odd", ["many", -1, 1.5, 2**64, float("inf"), [], {}, True])
def test_U03_figures_that_cannot_be_are_unknown(odd):
    told, _ = usage({"output_tokens": odd, "cache_creation": odd, "output_tokens_details": odd})
    assert told == Usage()


def test_U04_the_cost_that_a_gateway_tells():
    told, _ = usage({"output_tokens": 1, "cost": 0.25})
    assert told.cost_usd == 0.25


def test_U06_iterations_are_kept_raw_and_not_added_up():
    parts = [{"input_tokens": 4}, {"input_tokens": 5}]
    told, found = usage({"input_tokens": 5, "output_tokens": 1, "iterations": parts}, first={"service_tier": "s"})
    assert told.prompt_tokens == 5
    assert found.response.extra["usage"] == {
        "service_tier": "s",
        "input_tokens": 5,
        "output_tokens": 1,
        "iterations": parts,
    }


def whole(**members):
    content = [
        {"type": "thinking", "thinking": "h", "signature": "S"},
        {"type": "text", "text": "a", "citations": [{"u": 1}]},
        {"type": "server_tool_use", "id": "W", "name": "s", "input": {"q": 1}},
        {"type": "tool_use", "id": "A", "name": "f", "input": {"a": 1}},
        {"type": "tool_use", "id": "B", "name": "g", "input": {}},
    ]
    usage = {"input_tokens": 3, "output_tokens": 2}
    answered = {"id": "m1", "type": "message", "role": "assistant", "model": "claude", "content": content}
    return answered | {"stop_reason": "tool_use", "usage": usage} | members


@pytest.mark.parametrize("is_framed", [False, True])
def test_T26_a_whole_answer_gives_the_same_blocks_as_a_stream(is_framed):
    document = json.dumps(whole()).encode()
    found = READING.answer(b"event: message\ndata: " + document + b"\n\n" if is_framed else b"\n " + document)
    assert found.kinds == ["Thinking", "Text", "Extension", "ToolUse", "ToolUse"]
    assert [tool.input for tool in found.tools] == [{"a": 1}, {}]
    assert (found.stop, found.response.usage.total_tokens, found.response.id) == ("tool_use", 5, "m1")
    assert found.response.message.content[0].signature == "S"


def test_T26_a_whole_refusal_may_have_no_content():
    found = READING.answer(json.dumps(whole(content=None, stop_reason="refusal")).encode())
    assert (found.stop, found.error) == ("refusal", None)


def test_C02_a_whole_answer_without_content_is_an_error_worth_a_retry():
    found = READING.answer(json.dumps(whole(content=None, stop_reason=None)).encode())
    assert found.error is not None and found.error.to_record().is_retryable


def test_a_message_is_complete_only_once():
    found = stream(start(), *text("a"), ended(), STOP, *text("b"), ended("max_tokens"), STOP)
    assert [event.stop_reason for event in found.events if isinstance(event, MessageComplete)] == [StopReason.END_TURN]
    assert found.text == "a"


def test_A15_calls_of_a_paused_turn_belong_to_the_server():
    found = answer(opened(0, "server_tool_use", id="W", name="s", input={}), stopped(0), reason="pause_turn")
    assert (found.stop, found.tools, found.kinds) == ("pause_turn", [], ["Extension"])
