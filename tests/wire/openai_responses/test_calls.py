"""Calls of functions and of custom tools (P09, P12, K05, K07, K09, K13, K15, C18)."""

from __future__ import annotations

import json

import pytest

from agdesk.core.ir.stream import ToolCallArgumentsDelta, ToolCallEnd
from tests.wire.openai_responses.streams import added, answer, arguments, done, ended, event, text, whole

CUT = ended("incomplete", incomplete_details={"reason": "max_output_tokens"})


def call(index=0, raw='{"a": 1}', **members):
    return done(index, "function_call", **{"id": "fc", "call_id": "c", "name": "f", "arguments": raw} | members)


def test_P09_a_call_is_named_by_its_call_id():
    found = answer(
        added(0, "function_call", id="fc", call_id="c", name="f", arguments=""), arguments('{"a"'), arguments(": 1}")
    )
    (tool,) = found.tools
    assert (tool.id, tool.name, tool.input, found.stop) == ("c", "f", {"a": 1}, "tool_use")
    assert [e.arguments for e in found.events if isinstance(e, ToolCallArgumentsDelta)] == ['{"a"', ": 1}"]


def test_P11_the_end_of_the_arguments_repeats_them():
    ends = event("function_call_arguments.done", output_index=0, name="f", arguments='{"a": 1}')
    for units in ([arguments('{"a": 1}'), ends, call()], [arguments('{"a"'), ends], [ends, call()], [call()]):
        (tool,) = answer(added(0, "function_call", id="fc", call_id="c"), *units[:-1], units[-1]).tools
        assert (tool.raw_arguments, tool.input) == ('{"a": 1}', {"a": 1})


def test_arguments_that_came_with_the_item_count_if_nothing_else_comes():
    head = added(0, "function_call", call_id="c", name="f", arguments='{"a": 1}')
    assert answer(head).tools[0].input == answer(head, arguments('{"a": 1}')).tools[0].input == {"a": 1}


def test_K07_a_name_may_come_last():
    found = answer(arguments('{"a": 1}'), call())
    assert (found.tools[0].name, found.tools[0].input) == ("f", {"a": 1})


def test_K05_a_call_without_an_id_gets_one_and_no_two_share_one():
    found = answer(
        added(0, "function_call", name="f", arguments=""),
        added(1, "function_call", id="fc", name="f"),
        added(2, "function_call", call_id="c", name="f"),
        added(3, "function_call", call_id="c", name="f"),
    )
    assert [tool.id for tool in found.tools] == ["call_s_0", "fc", "c", "c_3"]
    assert found.stop == "tool_use"


@pytest.mark.parametrize("raw", [{"a": 1}, '{"a": 1}'])
def test_K09_arguments_may_be_an_object(raw):
    assert answer(call(raw=raw)).tools[0].input == {"a": 1}
    assert whole({"type": "function_call", "call_id": "c", "name": "f", "arguments": raw}).tools[0].input == {"a": 1}


@pytest.mark.parametrize("raw", ["", None, {}])
def test_K13_no_arguments_are_an_empty_object(raw):
    found = answer(call(raw=raw))
    assert (found.tools[0].input, found.stop) == ({}, "tool_use")


def test_P06_C18_a_call_of_an_answer_that_was_cut_never_runs():
    head = added(0, "function_call", call_id="c", name="f")
    for units, end in (
        ([head, arguments('{"note": "The')], CUT),
        ([head, arguments('{"a": 1}'), call()], CUT),
        ([head, arguments('{"a": 1}'), call()], None),
        ([call(raw="", status="incomplete")], CUT),
    ):
        found = answer(*units, end=end)
        assert found.tools[0].input is None
        assert found.tools[0].input_error
        assert not any(isinstance(e, ToolCallEnd) for e in found.events)
        assert found.stop == ("max_tokens" if end else "incomplete")


def test_a_call_that_says_it_is_incomplete_does_not_run_though_the_answer_ended():
    found = answer(call(status="incomplete"), call(1, call_id="d"))
    assert [bool(tool.input_error) for tool in found.tools] == [True, False]
    assert answer(call(status="incomplete")).stop == "end_turn"


def test_what_comes_after_the_end_of_a_call_does_not_spoil_it():
    assert answer(call(), arguments('{"b": 2}')).tools[0].input == {"a": 1}


def test_parallel_calls_may_overlap():
    found = answer(
        added(0, "function_call", call_id="a", name="f"),
        added(1, "function_call", call_id="b", name="g"),
        arguments('{"x"', 0),
        arguments('{"y"', 1),
        arguments(": 1}", 0),
        arguments(": 2}", 1),
        call(1, call_id="b", name="g", raw='{"y": 2}'),
        call(0, call_id="a", raw='{"x": 1}'),
        text("Wait.", 2),
    )
    assert [(tool.id, tool.input) for tool in found.tools] == [("a", {"x": 1}), ("b", {"y": 2})]


def test_other_members_of_a_call_are_kept():
    found = answer(call(namespace="n", caller={"type": "direct"}, status="completed"))
    assert found.tools[0].provider_data.raw == {"namespace": "n", "caller": {"type": "direct"}}
    assert answer(call()).tools[0].provider_data is None


def test_P12_the_input_of_a_custom_tool_is_text():
    words = 'say "hi"\n'
    item = {"id": "ct", "call_id": "c", "name": "patch", "input": words}
    deltas = [event("custom_tool_call_input.delta", output_index=0, delta=piece) for piece in ('say "', 'hi"\n')]
    found = answer(
        added(0, "custom_tool_call", call_id="c", name="patch", input=""),
        *deltas,
        event("custom_tool_call_input.done", output_index=0, input=words),
        done(0, "custom_tool_call", **item),
    )
    for tool in (*found.tools, *answer(done(0, "custom_tool_call", **item)).tools):
        assert (tool.input, tool.provider_data.raw) == ({"input": words}, {"type": "custom"})
    assert found.stop == "tool_use"
    assert answer(added(0, "custom_tool_call", call_id="c", name="patch")).tools[0].input == {"input": ""}
    assert answer(done(0, "custom_tool_call", **item), end=CUT).tools[0].input is None


@pytest.mark.parametrize("name", ["parallel", "multi_tool_use.parallel"])
def test_K15_the_calls_inside_an_invented_wrapper_are_the_calls(name):
    raw = json.dumps(
        {
            "tool_uses": [
                {"recipient_name": "functions.f", "parameters": {"a": 1}},
                {"recipient_name": "functions.g", "parameters": {}},
            ]
        }
    )
    found = answer(added(0, "function_call", call_id="c", name=name), arguments(raw), call(raw=raw, name=name))
    tools = [(tool.id, tool.name, tool.input, tool.input_error) for tool in found.tools]
    assert tools == [("c_0", "f", {"a": 1}, None), ("c_1", "g", {}, None)]
    assert found.stop == "tool_use"


@pytest.mark.parametrize(
    "raw",
    [
        '{"tool_uses": []}',
        '{"tool_uses": [{"recipient_name": "functions.f"}]}',
        '{"tool_uses": [{"recipient_name": "functions.", "parameters": {}}]}',
        '{"tool_uses": 1}',
        '{"tool_uses": [], "other": 1}',
        '{"lanes": 2}',
        "[]",
    ],
)
def test_K15_a_call_that_is_no_such_wrapper_stays_one(raw):
    (tool,) = answer(call(raw=raw, name="parallel")).tools
    assert (tool.id, tool.name, tool.raw_arguments) == ("c", "parallel", raw)


def test_K15_a_wrapper_that_was_cut_stays_one_call_that_does_not_run():
    raw = '{"tool_uses": [{"recipient_name": "functions.f", "parameters": {}}]}'
    (tool,) = answer(call(raw=raw, name="parallel"), end=CUT).tools
    assert (tool.name, tool.input) == ("parallel", None)
