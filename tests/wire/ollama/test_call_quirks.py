"""Calls of tools (QUIRKS L02, L03, K05, K09, K12, K13, K19, C18, C19)."""

from __future__ import annotations

import pytest

from agdesk.core.ir.blocks import ProviderData
from tests.wire.ollama.lines import answer, call, calls, end, line, text


def named(found):
    return [(tool.name, tool.input) for tool in found.tools]


def test_L02_a_call_may_stand_in_any_line():
    for units in (
        [calls(call("f", {"a": 1})), end()],
        [text("I look."), end(message={"tool_calls": [call("f", {"a": 1})]})],
    ):
        found = answer(*units)
        assert named(found) == [("f", {"a": 1})]
        assert found.tools[0].input_error is None


def test_L03_calls_of_one_line_and_of_several_lines_are_all_there():
    found = answer(calls(call("f", {"a": 1}), call("g")), calls(call("f", {"a": 1})), end())
    assert named(found) == [("f", {"a": 1}), ("g", {}), ("f", {"a": 1})]
    assert len({tool.id for tool in found.tools}) == 3


def test_K05_a_missing_id_is_made_of_the_seed_and_the_block():
    found = answer(text("a"), calls(call(), call(id=""), call(id="call_x"), call(id=None)), end())
    assert [tool.id for tool in found.tools] == ["call_s_1", "call_s_2", "call_x", "call_s_4"]


def test_K10_the_same_id_once_more_is_the_same_call_unless_it_says_something_else():
    again = [calls(call("f", {"a": 1}, id="A")), end(message={"tool_calls": [call("f", {"a": 1}, id="A")]})]
    assert named(answer(*again)) == [("f", {"a": 1})]
    other = answer(calls(call("f", {"a": 1}, id="A")), calls(call("f", {"a": 2}, id="A")), end())
    assert [tool.id for tool in other.tools] == ["A", "call_s_1"]
    assert named(other) == [("f", {"a": 1}), ("f", {"a": 2})]


@pytest.mark.parametrize(
    ("arguments", "found"),
    [
        ({"a": {"b": [1, "ü"]}}, {"a": {"b": [1, "ü"]}}),
        ('{"a": 1}', {"a": 1}),
        ('"{\\"a\\": 1}"', {"a": 1}),
        (None, {}),
        ("", {}),
    ],
)
def test_K09_K13_arguments_are_an_object_or_text_or_nothing(arguments, found):
    entry = {"function": {"name": "f", "arguments": arguments}}
    assert named(answer(calls(entry), end())) == [("f", found)]


def test_K13_arguments_may_be_missing():
    assert named(answer(calls({"function": {"name": "f"}}), end())) == [("f", {})]


@pytest.mark.parametrize("arguments", ['{"a": tru', [1], 7, float("nan")])
def test_K12_arguments_that_are_no_object_never_run(arguments):
    (tool,) = answer(calls({"function": {"name": "f", "arguments": arguments}}), end()).tools
    assert tool.input is None and tool.input_error
    assert tool.raw_arguments == arguments or not isinstance(arguments, str)


def test_K19_a_call_without_a_wrapping_function_and_one_that_is_no_list_are_calls():
    assert named(answer(calls({"name": "f", "arguments": {"a": 1}}), end())) == [("f", {"a": 1})]
    assert named(answer(line({"tool_calls": call("g")}), end())) == [("g", {})]


@pytest.mark.parametrize("entries", [7, "x", [7, None, "x"], [{}], [{"function": {}}], {}])
def test_what_is_no_call_is_none(entries):
    found = answer(line({"tool_calls": entries}), text("a"), end())
    assert (found.kinds, found.stop) == (["Text"], "end_turn")


def test_C18_no_call_of_a_cut_answer_runs():
    for units in ([calls(call()), end("length")], [calls(call())], [calls(call()), {"error": "died"}]):
        found = answer(*units)
        assert found.tools[0].input is None and found.tools[0].input_error
        assert found.stop in ("max_tokens", "incomplete", "error")


def test_C19_text_after_a_call_is_a_block_of_its_own():
    found = answer(text("a"), calls(call()), text("b"), end())
    assert (found.kinds, found.stop) == (["Text", "ToolUse", "Text"], "tool_use")


def test_what_comes_with_a_call_is_kept_with_it_in_the_shape_it_came_in():
    entry = call("f", index=2, id="A", type="function", seal={"k": 1}, note="x")
    entry["function"]["proof"] = ["p"]
    (tool,) = answer(calls(entry), end()).tools
    assert tool.provider_data == ProviderData("ollama", {"seal": {"k": 1}, "function": {"proof": ["p"], "index": 2}})
    assert answer(calls(call()), end()).tools[0].provider_data is None
