"""Tool calls in pieces: arguments in every form, repeated, replaced or broken (class K)."""

from __future__ import annotations

import json

import pytest

from agdesk.core.ir.blocks import ProviderData
from agdesk.core.ir.stream import (
    MessageComplete,
    ToolCallArgumentsDelta,
    ToolCallEnd,
)
from tests.wire.openai_chat.streams import CALLS_END, answer, call, calls, chunk, inputs, made, names, of, read, text


def test_K08_whole_calls_and_the_finish_reason_in_one_delta():
    found = answer(
        calls(call('{"v": "red"}', "a", index=0, id="A"), call('{"v": 2}', "b", index=1, id="B"), finish="tool_calls")
    )
    assert of(*found.tools) == [("a", {"v": "red"}), ("b", {"v": 2})]


@pytest.mark.parametrize("arguments", [{"a": 1, "b": [{"c": "é"}]}, {}])
def test_K09_arguments_may_be_an_object(arguments):
    assert made(calls(call(arguments, "f", index=0, id="A")))[0].input == arguments


@pytest.mark.parametrize("function", [{"name": "f"}, {"name": "f", "arguments": None}, {"name": "f", "arguments": ""}])
def test_K09_no_arguments_are_an_empty_object(function):
    assert made(calls({"index": 0, "id": "A", "function": function}))[0].input == {}


@pytest.mark.parametrize("arguments", [[1], 7, True])
def test_K09_arguments_that_are_no_object_never_run(arguments):
    (tool,) = made(calls(call(arguments, "f", index=0, id="A")))
    assert tool.input is None
    assert tool.input_error


def test_K09_members_may_stand_without_a_function():
    flat = {"index": 0, "id": "A", "name": "f", "arguments": '{"a": 1}'}
    assert of(*made(calls(flat))) == [("f", {"a": 1})]


@pytest.mark.parametrize("again", ['{"a": 1}', '{ "a":1 }', ' {"a": 1}\n'])
def test_K10_arguments_sent_again_in_full_count_once(again):
    (tool,) = made(calls(call('{"a"', "f", index=0, id="A")), calls(call(": 1}", index=0)), calls(call(again, index=0)))
    assert (tool.input, tool.raw_arguments) == ({"a": 1}, '{"a": 1}')


def test_K10_arguments_sent_again_in_pieces_count_once():
    pieces = ['{"a": 1}', '{"a"', ": 1", "}"]
    (tool,) = made(*(calls(call(piece, "f", index=0, id="A")) for piece in pieces))
    assert tool.input == {"a": 1}


def test_K10_pieces_without_index_and_id_go_on_with_the_repetition():
    (tool,) = made(calls(call('{"a": 1}', "f")), calls(call('{"a"')), calls(call(": 1}")))
    assert (tool.input, tool.raw_arguments) == ({"a": 1}, '{"a": 1}')


def test_K10_another_whole_object_is_another_call_with_a_made_id():
    tools = made(calls(call('{"a":1}', "f", index=0, id="A")), calls(call('{"a":2}', index=0, id="A")))
    assert [(tool.id, tool.name, tool.input) for tool in tools] == [
        ("A", "f", {"a": 1}),
        ("call_s_1", "f", {"a": 2}),
    ]


def test_K10_three_objects_under_one_index_of_which_one_is_said_twice():
    pieces = ['{"a":1}', '{"a":2}', '{"a":1}']
    tools = made(*(calls(call(piece, "f", index=0, id="A")) for piece in pieces))
    assert inputs(tools) == [{"a": 1}, {"a": 2}]


def test_K10_an_empty_object_after_the_arguments_is_nothing():
    (tool,) = made(calls(call('{"a":1}', "f", index=0, id="A")), calls(call("{}", index=0)))
    assert tool.input == {"a": 1}


def test_K10_what_follows_whole_arguments_and_is_none_spoils_them():
    found = answer(calls(call('{"a":1}', "f", index=0, id="A")), calls(call('{"a": oops', index=0)), CALLS_END)
    (tool,) = found.tools
    assert tool.input is None
    assert tool.raw_arguments == '{"a":1}{"a": oops'


@pytest.mark.parametrize(
    "pieces", [["{", "}", " "], ['{"a": [{}', ",{}]}"], ['{"a": "x}', "{", 'y"}'], ['{"aa', "aa", 'a": 1}']]
)
def test_K10_pieces_that_look_alike_are_not_dropped(pieces):
    (tool,) = made(*(calls(call(piece, "f", index=0, id="A")) for piece in pieces))
    assert tool.input == json.loads("".join(pieces))
    assert tool.raw_arguments == "".join(pieces)


def test_K10_a_whole_message_at_the_end_repeats_no_call():
    entry = call('{"a": 1}', "f", id="A")
    last = {
        "choices": [{"index": 0, "message": {"content": None, "tool_calls": [entry]}, "finish_reason": "tool_calls"}]
    }
    assert of(*answer(calls(call('{"a": 1}', "f", index=0, id="A")), last).tools) == [("f", {"a": 1})]


@pytest.mark.parametrize("placeholder", ["{}", "{ }", {}])
def test_K11_a_placeholder_gives_way_to_the_arguments(placeholder):
    tools = made(
        calls(call(placeholder, "f", index=0, id="A")), calls(call('{"a"', index=0)), calls(call(": 1}", index=0))
    )
    assert [(tool.input, tool.raw_arguments) for tool in tools] == [({"a": 1}, '{"a": 1}')]


def test_K11_a_placeholder_alone_is_an_empty_object():
    (tool,) = made(calls(call("{}", "f", index=0, id="A")), calls(call("", index=0)))
    assert (tool.input, tool.raw_arguments) == ({}, "{}")


def test_K11_no_call_ends_before_the_answer_does():
    found = answer(calls(call('{"n": 1}', "f", index=0, id="A")), text("x"), calls(call(" ", index=0)), CALLS_END)
    kinds = [type(event) for event in found.events]
    assert kinds.index(ToolCallEnd) > max(i for i, kind in enumerate(kinds) if kind is ToolCallArgumentsDelta)
    assert kinds[-1] is MessageComplete


def test_K11_what_parsed_so_far_is_not_final():
    (tool,) = made(calls(call('{"n":1}', "f", index=0, id="A")), calls(call("2}", index=0)))
    assert tool.input is None
    assert tool.raw_arguments == '{"n":1}2}'


def test_K12_malformed_arguments_are_kept_as_they_came():
    (tool,) = made(calls(call('{"a": tru', "f", index=0, id="A")))
    assert (tool.input, tool.raw_arguments) == (None, '{"a": tru')


def test_K13_null_as_text_is_an_empty_object():
    assert made(calls(call("null", "f", index=0, id="A")))[0].input == {}


def test_K14_arguments_encoded_twice_are_read_once_more():
    assert made(calls(call(json.dumps('{"a": 1}'), "f", index=0, id="A")))[0].input == {"a": 1}


def test_K16_calls_that_leak_as_text_stay_text():
    leaked = '<tool_call>{"name": "f"}</tool_call>'
    found = answer(text(leaked), chunk(finish="stop"))
    assert (found.text, found.tools) == (leaked, [])


@pytest.mark.parametrize("kind", [{}, {"type": None}, {"type": ""}, {"type": "function"}, {"invented": "x"}])
def test_K19_a_missing_type_is_a_function(kind):
    (tool,) = made(calls(call('{"a": 1}', "f", index=0, id="A", **kind)))
    assert (tool.input, tool.provider_data) == ({"a": 1}, None)


def test_K19_the_text_of_a_custom_tool_is_wrapped_and_nothing_of_it_lost():
    head = {"index": 0, "id": "A", "type": "custom", "custom": {"name": "sql", "input": ""}}
    pieces = ['SELECT "a"\n', "FROM {}", "\\ é"]
    rest = [{"index": 0, "custom": {"input": piece}} for piece in pieces]
    (tool,) = made(calls(head), *(calls(entry) for entry in rest))
    assert (tool.name, tool.input) == ("sql", {"input": "".join(pieces)})
    assert tool.provider_data == ProviderData("openai_chat", {"type": "custom"})


def test_K19_a_custom_tool_without_text_and_a_cut_one():
    head = calls({"index": 0, "id": "A", "type": "custom", "custom": {"name": "sql"}})
    assert made(head)[0].input == {"input": ""}
    cut = answer(head, calls({"index": 0, "custom": {"input": "SEL"}}), done=False)
    assert cut.tools[0].input is None
    assert "SEL" in cut.tools[0].raw_arguments


def test_the_function_call_of_before_2024_is_a_call():
    old = [{"name": "f", "arguments": ""}, {"arguments": '{"a"'}, {"arguments": ": 1}"}]
    found = answer(*(chunk({"function_call": piece}) for piece in old), chunk(finish="function_call"))
    assert (of(*found.tools), found.stop) == ([("f", {"a": 1})], "tool_use")
    assert found.tools[0].id == "call_s_0"


def test_G01_a_signature_of_google_stays_with_its_call():
    signature = {"google": {"thought_signature": "SIG"}}
    tools = made(calls(call("{}", "f", index=0, id="A", extra_content=signature), call("{}", "g", index=1, id="B")))
    assert tools[0].provider_data == ProviderData("openai_chat", {"extra_content": signature})
    assert tools[1].provider_data is None


def test_calls_of_a_whole_answer_are_read_the_same_way():
    message = {"content": None, "tool_calls": [call('{"a": 1}', "f", id="A"), call({"b": 2}, "g")]}
    whole = {"choices": [{"message": message, "finish_reason": "stop"}]}
    found = read(json.dumps(whole).encode())
    assert (names(found.tools), inputs(found.tools), found.stop) == (["f", "g"], [{"a": 1}, {"b": 2}], "tool_use")


@pytest.mark.parametrize("entries", ["x", [None], [7], [[]], {"function": "f"}, [{"function": 7, "custom": 7}]])
def test_entries_of_any_form_never_raise(entries):
    answer(chunk({"tool_calls": entries, "function_call": entries}), chunk(finish="stop"))
