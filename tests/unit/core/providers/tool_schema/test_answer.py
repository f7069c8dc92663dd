"""Constrained answers, however their text is cut, become the calls and texts they stand for."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agdesk.core.errors import ErrorRecord
from agdesk.core.ir.blocks import Thinking, ToolUse
from agdesk.core.ir.partial import PartialMessageResponse
from agdesk.core.ir.response import StopReason
from agdesk.core.ir.stream import (
    ContentBlockEnd,
    ContentBlockStart,
    MessageComplete,
    MessageStart,
    StreamError,
    TextDelta,
    TextType,
    ThinkingDelta,
    ThinkingType,
)
from agdesk.core.providers.tool_schema.answer import AnswerReader, read_answer

CALL = '{"tool": "weather", "arguments": {"city": "Paris"}}'


def events(pieces, *, reason=StopReason.END_TURN, index=0):
    block = [ContentBlockStart(index, TextType()), *(TextDelta(piece, index) for piece in pieces)]
    return [MessageStart("m-1", "m"), *block, ContentBlockEnd(index), MessageComplete(reason)]


def response(given_events):
    reader, partial = AnswerReader("s"), PartialMessageResponse()
    for event in given_events:
        for found in reader.read(event):
            partial.apply(found)
    assert partial.ignored_count == 0, partial.last_warning
    return partial.finalize()


def read(*pieces, reason=StopReason.END_TURN):
    return response(events(pieces, reason=reason))


def cut(text, size):
    return [text[i : i + size] for i in range(0, len(text), size)]


@pytest.mark.parametrize("size", [1, 3, 1000])
def test_a_call_is_a_call_and_ends_the_answer_as_one(size):
    found = read(*cut(CALL, size))
    (call,) = found.message.content
    assert call == ToolUse("call_s_0", "weather", {"city": "Paris"}, '{"city": "Paris"}')
    assert found.stop_reason is StopReason.TOOL_USE


@given(st.text(), st.integers(1, 9), st.booleans())
def test_an_answer_is_the_text_that_it_holds(text, size, is_ascii):
    document = json.dumps({"answer": text}, ensure_ascii=is_ascii)
    found = read(*cut(document, size))
    assert found.text() == text
    assert found.stop_reason is StopReason.END_TURN


def test_an_answer_streams_while_it_is_written():
    reader = AnswerReader("s")
    given_events = events(['{"answer"', ': "Hel', "lo\\", 'n"}'])
    found = [[event.text for event in reader.read(event) if isinstance(event, TextDelta)] for event in given_events]
    assert [texts for texts in found if texts] == [["Hel"], ["lo"], ["\n"]]


def test_an_answer_that_is_no_string_is_said_as_json():
    found = read('{"answer": {"is_raining"', ": true}}")
    assert json.loads(found.text()) == {"is_raining": True}


@pytest.mark.parametrize("text", ["Hello.", '{"other": 1}', "[1]", "", '"answer"'])
def test_what_is_not_of_the_schema_stays_text(text):
    assert read(*cut(text, 2)).text() == text


def test_a_cut_call_is_shown_and_never_runs():
    found = read('{"tool": "weather", "arguments": {"city": "Pa', reason=StopReason.MAX_TOKENS)
    (call,) = found.message.content
    assert (call.name, call.input, call.raw_arguments) == ("weather", None, '{"city": "Pa')
    assert call.input_error and found.stop_reason is StopReason.MAX_TOKENS


def test_a_call_that_never_ended_does_not_run_whatever_the_end_says():
    (call,) = read('{"tool": "weather", "arguments": {"city": "Pa').message.content
    assert call.input is None and call.input_error


@pytest.mark.parametrize("text", ['{"tool"', '{"tool": ', '{"tool": 7}', '{"tool": "a"', "  {", '{"answer"'])
def test_nothing_of_a_cut_beginning_is_lost(text):
    assert read(*cut(text, 1), reason=StopReason.MAX_TOKENS).text() == text


def test_an_answer_cut_in_an_escape_keeps_what_came():
    assert read('{"answer": "caf\\u00', reason=StopReason.MAX_TOKENS).text() == "caf\\u00"


def test_an_error_in_the_middle_keeps_what_came():
    started = events(['{"answer": "Hel'])[:3]
    found = response([*started, StreamError(ErrorRecord("transport_error", "gone", ""))])
    assert found.text() == "Hel" and found.error is not None


def test_thinking_beside_the_answer_stays():
    thinking = [ContentBlockStart(0, ThinkingType()), ThinkingDelta("hm", 0), ContentBlockEnd(0)]
    first, *rest = events([CALL], index=1)
    found = response([first, *thinking, *rest])
    assert found.message.content[0] == Thinking("hm")
    assert isinstance(found.message.content[1], ToolUse)


async def test_closing_the_answer_closes_what_it_is_read_from():
    closed = []

    async def endless():
        try:
            while True:
                yield TextDelta("a", 0)
        finally:
            closed.append(True)

    answer = read_answer(endless(), seed="s")
    await anext(answer)
    await answer.aclose()
    assert closed == [True]
