"""Calls: what may run, what must not, and why (C18, K11 to K14)."""

import json

import pytest

from agdesk.core.ir import stream as ev
from agdesk.core.ir.arguments import parse_arguments
from agdesk.core.ir.blocks import ToolUse
from agdesk.core.ir.partial import PartialMessageResponse
from agdesk.core.ir.response import StopReason

START = ev.MessageStart("msg_1", "m")


def call_of(arguments: str, *end: ev.StreamEvent) -> ToolUse:
    partial = PartialMessageResponse()
    block = ev.ContentBlockStart(0, ev.ToolUseType("call_1", "write"))
    for event in (START, block, ev.ToolCallArgumentsDelta(arguments), *end):
        partial.apply(event)
    assert partial.ignored_count == 0, partial.last_warning
    (call,) = partial.finalize().message.content
    assert isinstance(call, ToolUse)
    return call


def complete(stop_reason: StopReason) -> ev.MessageComplete:
    return ev.MessageComplete(stop_reason)


@pytest.mark.parametrize(
    "raw", ['{"path": ', '["a"]', "7", '"text"', "{'a': 1}", '{"a": NaN}', '{"a": 1e999}', "[" * 5000, '{"a":1}{"a":2}']
)
def test_arguments_that_are_no_json_object_leave_a_reason_and_the_raw_text(raw):
    call = call_of(raw, ev.ToolCallEnd(0), complete(StopReason.TOOL_USE))

    assert call.input is None
    assert call.input_error
    assert call.raw_arguments == raw


def test_arguments_too_deep_to_be_written_out_again_are_refused():
    deep = '{"a":' * 400 + "1" + "}" * 400

    assert parse_arguments(deep) == (None, "the arguments are nested deeper than 100 levels")
    assert parse_arguments('{"a":' * 99 + "[1]" + "}" * 99)[1] is None


@pytest.mark.parametrize("raw", ["", "  \n", "null", "{}"])
def test_no_arguments_are_an_empty_object_k13(raw):
    assert call_of(raw, ev.ToolCallEnd(0), complete(StopReason.TOOL_USE)).input == {}


def test_arguments_encoded_twice_are_decoded_once_more_k14():
    raw = json.dumps(json.dumps({"a": 1}))
    call = call_of(raw, ev.ToolCallEnd(0), complete(StopReason.TOOL_USE))

    assert call == ToolUse("call_1", "write", {"a": 1}, raw)


def test_half_a_character_in_the_arguments_becomes_a_replacement_character_t27():
    assert parse_arguments(r'{"a": "x\ud83d", "b": "\ud83d\ude00"}') == ({"a": "x\ufffd", "b": "😀"}, None)


@pytest.mark.parametrize(
    "stop_reason",
    [
        StopReason.MAX_TOKENS,
        StopReason.CONTENT_FILTER,
        StopReason.REFUSAL,
        StopReason.CONTEXT_OVERFLOW,
        StopReason.INCOMPLETE,
        StopReason.ERROR,
        StopReason.OTHER,
    ],
)
def test_no_call_of_a_cut_answer_can_run_even_if_its_arguments_are_whole_c18(stop_reason):
    call = call_of('{"path": "a"}', ev.ToolCallEnd(0), ev.ContentBlockEnd(0), complete(stop_reason))

    assert call.input is None
    assert stop_reason.value in (call.input_error or "")
    assert call.raw_arguments == '{"path": "a"}'


def test_a_call_whose_end_never_came_cannot_run_k11():
    call = call_of('{"n": 1}', complete(StopReason.TOOL_USE))

    assert call == ToolUse("call_1", "write", None, '{"n": 1}', "the call never ended; it was not run")


def test_the_end_of_its_block_alone_does_not_make_a_call_whole():
    call = call_of('{"n": 1}', ev.ContentBlockEnd(0), complete(StopReason.TOOL_USE))

    assert call.input is None


def test_nothing_is_added_to_a_call_after_its_end():
    partial = PartialMessageResponse()
    for event in (
        START,
        ev.ContentBlockStart(0, ev.ToolUseType("c", "f")),
        ev.ToolCallArgumentsDelta("{}"),
        ev.ToolCallEnd(0),
        ev.ToolCallArgumentsDelta('{"rm": "-rf"}'),
        ev.ToolCallEnd(0),
        complete(StopReason.TOOL_USE),
    ):
        partial.apply(event)

    assert partial.ignored_count == 2
    assert partial.finalize().message.content == (ToolUse("c", "f", {}, "{}"),)
