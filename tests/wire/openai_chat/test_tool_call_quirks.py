"""Tool calls in pieces: how they are addressed, named, numbered and repeated (class K)."""

from __future__ import annotations

import json

import pytest

from agdesk.core.ir.blocks import ProviderData
from agdesk.core.ir.stream import (
    ContentBlockStart,
    MessageComplete,
    ToolCallArgumentsDelta,
    ToolCallEnd,
)
from tests.wire.openai_chat.streams import answer, call, calls, chunk, inputs, names, read, text

END = chunk(finish="tool_calls")


def made(*units, finish=END):
    """The calls of a stream that ends as it should."""
    found = answer(*units, finish)
    assert found.stop == "tool_use"
    return found.tools


def of(*tools):
    """Names and inputs, for comparing."""
    return [(tool.name, tool.input) for tool in tools]


# --- K01, K02, K03: which call a piece belongs to ---


@pytest.mark.parametrize("empty_id", [{}, {"id": ""}, {"id": None}])
def test_K01_several_entries_without_index_and_id_are_several_calls(empty_id):
    tools = made(calls(call("{}", "f", **empty_id), call('{"a": 1}', "g", **empty_id), finish="stop"))
    assert of(*tools) == [("f", {}), ("g", {"a": 1})]
    assert len({tool.id for tool in tools}) == 2


def test_K01_the_same_tool_twice_in_one_delta_is_two_calls():
    assert of(*made(calls(call('{"a": 1}', "f"), call('{"a": 1}', "f")))) == [("f", {"a": 1}), ("f", {"a": 1})]


def test_K01_several_entries_without_index_go_on_by_their_place():
    tools = made(calls(call('{"a"', "f"), call('{"b"', "g")), calls(call(": 1}"), call(": 2}")))
    assert of(*tools) == [("f", {"a": 1}), ("g", {"b": 2})]


def test_K01_whole_calls_in_deltas_of_their_own_are_several():
    tools = made(calls(call('{"a": 1}', "f", id="")), calls(call('{"b": 2}', "g", id="")))
    assert of(*tools) == [("f", {"a": 1}), ("g", {"b": 2})]


def test_K01_one_call_in_pieces_without_index_and_id_is_one():
    tools = made(calls(call('{"a"', "f")), calls(call(": ")), calls(call("1}", "f")))
    assert of(*tools) == [("f", {"a": 1})]


def test_K01_ids_without_index_route_by_id():
    tools = made(
        calls(call('{"a"', "f", id="A"), call('{"b"', "g", id="B")),
        calls(call(": 1}", id="A")),
        calls(call(": 2}", id="B")),
    )
    assert [(tool.id, tool.name, tool.input) for tool in tools] == [("A", "f", {"a": 1}), ("B", "g", {"b": 2})]


def test_K02_a_new_id_starts_a_new_call_whatever_its_index():
    tools = made(calls(call('{"a": 1}', "f", index=0, id="A")), calls(call('{"b": 2}', "g", index=0, id="B")))
    assert [(tool.id, tool.name, tool.input) for tool in tools] == [("A", "f", {"a": 1}), ("B", "g", {"b": 2})]


def test_K02_a_new_id_takes_the_index_over():
    tools = made(
        calls(call('{"a"', "f", index=0, id="A")),
        calls(call(": 1}", index=0)),
        calls(call('{"b"', "g", index=0, id="B")),
        calls(call(": 2}", index=0)),
    )
    assert of(*tools) == [("f", {"a": 1}), ("g", {"b": 2})]


def test_K02_the_tail_of_a_call_may_have_an_index_of_its_own():
    tools = made(
        calls(call('{"a": 1}', "f", index=0, id="A")),
        calls(call("", "g", index=0, id="B")),
        calls(call('{"b"', index=1)),
        calls(call(": 2}", index=1)),
    )
    assert of(*tools) == [("f", {"a": 1}), ("g", {"b": 2})]


def test_K02_two_ids_under_one_index_in_one_delta_are_two_calls():
    tools = made(calls(call('{"a": 1}', "f", index=0, id="A"), call('{"b": 2}', "g", index=0, id="B")))
    assert of(*tools) == [("f", {"a": 1}), ("g", {"b": 2})]


def test_K02_the_same_index_without_an_id_goes_on_in_one_delta():
    assert of(*made(calls(call('{"x"', "f", index=0, id="A"), call(":1}", index=0)))) == [("f", {"x": 1})]


def test_K02_ids_keep_calls_apart_whose_pieces_interleave_under_one_index():
    pieces = [("A", '{"a"', "f"), ("B", '{"b"', "g"), ("A", ": 1}", None), ("B", ": 2}", None)]
    tools = made(*(calls(call(arguments, name, index=0, id=i)) for i, arguments, name in pieces))
    assert of(*tools) == [("f", {"a": 1}), ("g", {"b": 2})]


@pytest.mark.parametrize("indexes", [(1, 2), (7, 3), (0, 100), ("0", "1"), (1.0, 2.0)])
def test_K03_indexes_may_start_anywhere_and_have_gaps(indexes):
    first, second = indexes
    tools = made(
        text("Reading."),
        calls(call("", "f", index=first, id="A"), call("", "g", index=second, id="B")),
        calls(call('{"b": 2}', index=second)),
        calls(call('{"a": 1}', index=first)),
    )
    assert of(*tools) == [("f", {"a": 1}), ("g", {"b": 2})]


@pytest.mark.parametrize("index", [None, [], {}])
def test_K03_an_index_that_is_none_is_as_if_it_were_missing(index):
    assert of(*made(calls(call('{"a"', "f", index=index, id="A")), calls(call(": 1}", index=index)))) == [
        ("f", {"a": 1})
    ]


# --- K04, K05, K18: ids ---


@pytest.mark.parametrize("later", [{}, {"id": ""}, {"id": None}, {"id": "A"}])
def test_K04_the_id_is_set_once(later):
    pieces = [call("", "f", index=0, id="A"), *(call(p, index=0, **later) for p in ('{"q"', ': "x"', "}"))]
    (tool,) = made(*(calls(piece) for piece in pieces))
    assert (tool.id, tool.name, tool.input) == ("A", "f", {"q": "x"})


def test_K04_null_names_and_arguments_change_nothing():
    nulls = {"index": 0, "id": None, "type": None, "function": {"name": None, "arguments": None}}
    (tool,) = made(calls(call('{"a": 1}', "f", index=0, id="A")), calls(nulls))
    assert (tool.id, tool.name, tool.input) == ("A", "f", {"a": 1})


def test_K05_a_missing_id_is_made_from_the_seed_and_the_block():
    found = answer(text("x"), calls(call("{}", "f", index=0), call("{}", "g", index=1)), END)
    assert [tool.id for tool in found.tools] == ["call_s_1", "call_s_2"]


def test_K05_calls_without_ids_are_told_apart_by_index():
    tools = made(
        calls(call('{"a"', "f", index=0)),
        calls(call('{"b"', "g", index=1)),
        calls(call(": 1}", index=0)),
        calls(call(": 2}", index=1)),
    )
    assert of(*tools) == [("f", {"a": 1}), ("g", {"b": 2})]


def test_K05_an_id_that_comes_late_is_the_call_s_own():
    (tool,) = made(calls(call("", "f", index=0)), calls(call('{"a": 1}', index=0, id="A")))
    assert (tool.id, tool.input) == ("A", {"a": 1})


def test_K05_a_late_id_with_the_same_name_is_the_call_s_own_and_with_another_name_a_new_call():
    (tool,) = made(calls(call("", "f", index=0)), calls(call("{}", "f", index=0, id="A")))
    assert (tool.id, tool.name) == ("A", "f")
    tools = made(calls(call("", "f", index=0)), calls(call("{}", "g", index=0, id="A")))
    assert [(tool.id, tool.name) for tool in tools] == [("call_s_0", "f"), ("A", "g")]


def test_K05_an_id_that_comes_after_the_start_still_routes():
    (tool,) = made(calls(call('{"a"', "f", index=0)), calls(call(": 1", index=0, id="A")), calls(call("}", id="A")))
    assert (tool.id, tool.input) == ("call_s_0", {"a": 1})


def test_K05_a_number_as_id_is_an_id():
    (tool,) = made(calls(call('{"a"', "f", id=7)), calls(call(": 1}", id=7)))
    assert (tool.id, tool.input) == ("7", {"a": 1})


def test_K18_an_id_means_something_within_one_answer_only():
    body = [calls(call("{}", "f", index=0, id="functions.f:0")), END]
    first, second = answer(*body), answer(*body)
    assert first.tools[0].id == second.tools[0].id == "functions.f:0"


# --- K06, K07: names ---


def test_K06_a_repeated_name_is_no_second_piece():
    (tool,) = made(*(calls(call(piece, "search", index=0, id="A")) for piece in ("", '{"q"', ":1}")))
    assert (tool.name, tool.input) == ("search", {"q": 1})


@pytest.mark.parametrize("later", ["", None])
def test_K06_an_empty_name_changes_nothing(later):
    (tool,) = made(calls(call("", "f", index=0, id="A")), calls(call("{}", later, index=0, id="A")))
    assert tool.name == "f"


def test_K06_a_name_in_pieces_is_joined_while_no_arguments_came():
    (tool,) = made(
        calls(call("", "get_", index=0, id="A")),
        calls(call(None, "weather", index=0)),
        calls(call('{"a": 1}', index=0)),
    )
    assert (tool.name, tool.input) == ("get_weather", {"a": 1})


def test_K06_a_name_after_arguments_is_no_piece():
    (tool,) = made(calls(call('{"a"', "f", index=0, id="A")), calls(call(": 1}", "foo", index=0, id="A")))
    assert (tool.name, tool.input) == ("f", {"a": 1})


def test_K06_the_start_waits_for_the_whole_name():
    found = answer(
        calls(call("", "get_", index=0, id="A")), calls(call("", "x", index=0)), calls(call("{", index=0)), done=False
    )
    starts = [event for event in found.events if isinstance(event, ContentBlockStart)]
    assert [start.block_type.name for start in starts] == ["get_x"]


def test_K07_arguments_may_come_before_the_name():
    (tool,) = made(calls(call('{"a"', index=0, id="A")), calls(call(":1}", "f", index=0)))
    assert (tool.name, tool.input) == ("f", {"a": 1})


def test_K07_the_place_of_a_call_is_taken_at_first_sight():
    found = answer(
        calls(call('{"a"', index=0, id="A")), text("between"), calls(call(":1}", "f", index=0)), text("!"), END
    )
    assert found.kinds == ["ToolUse", "Text"]
    assert found.text == "between!"


def test_K07_a_name_that_never_comes_leaves_a_call_that_keeps_its_arguments():
    found = answer(calls(call('{"a": 1}', index=0, id="A")), END)
    assert [(tool.name, tool.raw_arguments) for tool in found.tools] == [("", '{"a": 1}')]


def test_K07_nothing_at_all_is_no_call():
    assert answer(calls({"index": 0}, {}, {"index": 1, "function": {}}), chunk(finish="stop")).stop == "end_turn"


# --- K08, K09, K10, K11: arguments ---


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
    found = answer(calls(call('{"a":1}', "f", index=0, id="A")), calls(call('{"a": oops', index=0)), END)
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
    found = answer(calls(call('{"n": 1}', "f", index=0, id="A")), text("x"), calls(call(" ", index=0)), END)
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


# --- K19 and the form of before 2024 ---


@pytest.mark.parametrize("kind", [{}, {"type": None}, {"type": ""}, {"type": "function"}])
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
