"""Tool calls in pieces: to which call a piece belongs, ids and names (class K)."""

from __future__ import annotations

import pytest

from agdesk.core.ir.stream import (
    ContentBlockStart,
)
from tests.wire.openai_chat.streams import CALLS_END, answer, call, calls, chunk, made, of, text


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


def test_K02_an_id_of_every_piece_s_own_does_not_take_a_call_apart():
    pieces = ['{"a', '": ', '"x"', "}"]
    named = made(*(calls(call(piece, "f", index=0, id=f"id{n}")) for n, piece in enumerate(pieces)))
    unnamed = [calls(call(piece, index=0, id=f"id{n}")) for n, piece in enumerate(pieces)]
    assert of(*named) == of(*made(calls(call("", "f", index=0, id="A")), *unnamed)) == [("f", {"a": "x"})]


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
    found = answer(text("x"), calls(call("{}", "f", index=0), call("{}", "g", index=1)), CALLS_END)
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
    body = [calls(call("{}", "f", index=0, id="functions.f:0")), CALLS_END]
    first, second = answer(*body), answer(*body)
    assert first.tools[0].id == second.tools[0].id == "functions.f:0"


def test_K18_calls_of_other_names_that_share_an_id_within_an_answer_are_several():
    heads = call("", "f", index=0, id="call_0"), call("", "g", index=1, id="call_0")
    tails = call('{"a": 1}', index=0, id="call_0"), call('{"b": 2}', index=1, id="call_0")
    for units in ([calls(*heads), calls(*tails)], [calls(*heads), calls(tails[1]), calls(tails[0])]):
        tools = made(*units)
        assert of(*tools) == [("f", {"a": 1}), ("g", {"b": 2})]
        assert len({tool.id for tool in tools}) == 2
    whole = call('{"a": 1}', "f", index=0, id="call_0"), call('{"b": 2}', "g", index=1, id="call_0")
    assert of(*made(calls(*whole))) == of(*made(*map(calls, whole))) == [("f", {"a": 1}), ("g", {"b": 2})]


def test_K18_calls_of_one_name_that_share_an_id_have_ids_of_their_own_however_often_they_are_sent():
    whole = call('{"a": 1}', "f", index=0, id="call_0"), call('{"a": 2}', "f", index=1, id="call_0")
    tools = made(calls(*whole), calls(*whole))
    assert of(*tools) == [("f", {"a": 1}), ("f", {"a": 2})]
    assert len({tool.id for tool in tools}) == 2


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


def test_K06_a_call_starts_at_the_latest_when_the_next_one_comes():
    found = answer(
        calls(call("", "f", index=0, id="A")), calls(call('{"b": 2}', "g", index=1, id="B")), text("x"), CALLS_END
    )
    starts = [event for event in found.events if isinstance(event, ContentBlockStart)]
    assert [start.index for start in starts] == [0, 1, 2]


def test_K07_arguments_may_come_before_the_name():
    (tool,) = made(calls(call('{"a"', index=0, id="A")), calls(call(":1}", "f", index=0)))
    assert (tool.name, tool.input) == ("f", {"a": 1})


def test_K07_the_place_of_a_call_is_taken_at_first_sight():
    found = answer(
        calls(call('{"a"', index=0, id="A")), text("between"), calls(call(":1}", "f", index=0)), text("!"), CALLS_END
    )
    assert found.kinds == ["ToolUse", "Text"]
    assert found.text == "between!"


def test_K07_a_name_that_never_comes_leaves_a_call_that_keeps_its_arguments():
    found = answer(calls(call('{"a": 1}', index=0, id="A")), CALLS_END)
    assert [(tool.name, tool.raw_arguments) for tool in found.tools] == [("", '{"a": 1}')]


def test_K07_nothing_at_all_is_no_call():
    assert answer(calls({"index": 0}, {}, {"index": 1, "function": {}}), chunk(finish="stop")).stop == "end_turn"
