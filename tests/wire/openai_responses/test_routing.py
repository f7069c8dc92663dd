"""Which block an event belongs to: items overlap, ids rotate, indexes are missing (P02, P03, P15)."""

from __future__ import annotations

import pytest

from agdesk.core.ir.blocks import Text, Thinking
from tests.wire.openai_responses.streams import added, answer, arguments, done, event, spoken, summary, text, thought


def blocks(found):
    return [(type(b).__name__, b.text) for b in found.response.message.content if isinstance(b, Text | Thinking)]


def test_P01_the_last_event_may_say_that_there_was_no_output():
    found = answer(added(0, "message", id="i"), text("hi"), done(0, "message", id="i", content=[spoken("hi")]))
    assert (found.text, found.stop) == ("hi", "end_turn")


def test_P02_items_that_overlap_keep_their_texts_apart():
    found = answer(
        added(0, "reasoning", id="t"),
        thought("a", 0),
        added(1, "message", id="x"),
        text("1", 1),
        thought("b", 0),
        text("2", 1),
        done(1, "message", id="x", content=[spoken("12")]),
        thought("c", 0),
        done(0, "reasoning", id="t", content=[{"type": "reasoning_text", "text": "abc"}]),
    )
    assert blocks(found) == [("Thinking", "abc"), ("Text", "12")]


def test_P02_items_that_never_end_are_taken_from_the_last_event_and_stand_where_they_began():
    whole = [{"type": "mcp_list_tools", "id": "l", "tools": [1]}, {"type": "message", "content": [spoken("hi")]}]
    end = event("completed", response={"status": "completed", "output": whole})
    found = answer(added(0, "mcp_list_tools", id="l", tools=[]), added(1, "message", id="x"), text("h", 1), end=end)
    assert (found.kinds, found.text) == (["Extension", "Text"], "hi")
    assert found.extensions[0].raw == whole[0]


def test_P02_items_that_never_end_are_kept_as_far_as_they_came():
    found = answer(
        added(0, "code_interpreter_call", id="c", code=""),
        event("code_interpreter_call_code.delta", output_index=0, delta="1 +"),
        event("code_interpreter_call_code.delta", output_index=0, delta=" 1"),
        text("hi", 1),
        end=None,
    )
    assert found.extensions[0].raw == {"type": "code_interpreter_call", "id": "c", "code": "", "delta": "1 + 1"}
    assert (found.text, found.stop) == ("hi", "incomplete")


def test_P03_ids_that_change_with_every_event_do_not_matter():
    found = answer(
        added(0, "message", id="1"),
        text("a", item_id="2"),
        text("b", item_id="3"),
        event("output_text.done", output_index=0, content_index=0, item_id="4", text="ab"),
        done(0, "message", id="5", content=[spoken("ab")]),
    )
    assert blocks(found) == [("Text", "ab")]


def test_P03_without_an_index_the_id_tells():
    found = answer(
        added(None, "reasoning", id="t"),
        added(None, "message", id="x"),
        added(None, "message", id="y"),
        text("x", None, item_id="x"),
        text("y", None, item_id="y"),
        thought("t", None, item_id="t"),
        text("x", None, item_id="x"),
        done(None, "message", id="y", content=[spoken("yy")]),
    )
    assert blocks(found) == [("Thinking", "t"), ("Text", "xx"), ("Text", "yy")]


def test_P03_without_index_and_id_the_block_opened_last_goes_on():
    found = answer(
        added(None, "reasoning"),
        event("reasoning_text.delta", delta="t"),
        added(None, "message"),
        event("output_text.delta", delta="a"),
        event("output_text.delta", delta="b"),
        done(None, "message", content=[spoken("ab!")]),
        added(None, "function_call", call_id="c", name="f"),
        event("function_call_arguments.delta", delta='{"a": 1}'),
    )
    assert blocks(found) == [("Thinking", "t"), ("Text", "ab!")]
    assert (found.tools[0].id, found.tools[0].input) == ("c", {"a": 1})


def test_P15_deltas_before_their_item_open_it():
    found = answer(
        text("a", 1),
        added(1, "message", id="x", phase="commentary"),
        text("b", 1),
        summary("t", 0),
        added(0, "reasoning", id="t"),
        arguments('{"a"', 2),
        added(2, "function_call", call_id="c", name="f"),
        arguments(": 1}", 2),
    )
    assert blocks(found) == [("Text", "ab"), ("Thinking", "t")]
    assert found.tools[0].input == {"a": 1}
    assert found.response.message.content[0].provider_data.raw == {"phase": "commentary"}


def test_P15_the_end_of_a_string_after_the_end_of_its_item_says_nothing_new():
    found = answer(
        text("ab"),
        done(0, "message", content=[spoken("ab")]),
        event("output_text.done", output_index=0, content_index=0, text="ab"),
        event("content_part.done", output_index=0, content_index=0, part=spoken("ab")),
        done(0, "message", content=[spoken("ab")]),
    )
    assert blocks(found) == [("Text", "ab")]


def test_text_after_the_end_of_its_item_opens_a_new_block():
    found = answer(text("a"), done(0, "message", content=[spoken("a")]), text("b"), text("c"))
    assert blocks(found) == [("Text", "a"), ("Text", "bc")]


def test_an_index_that_is_used_again_is_another_item():
    found = answer(
        added(0, "message", id="x"),
        text("a"),
        done(0, "message", id="x", content=[spoken("a")]),
        added(0, "function_call", id="f", call_id="c", name="f"),
        arguments("{}"),
        done(0, "function_call", id="f", call_id="c", name="f", arguments="{}"),
        done(0, "message", id="y", content=[spoken("b")]),
    )
    assert found.kinds == ["Text", "ToolUse", "Text"]
    assert blocks(found) == [("Text", "a"), ("Text", "b")]


def test_an_event_for_an_item_of_another_type_opens_an_item_of_its_own():
    found = answer(added(0, "web_search_call", id="w"), text("a", 0), text("b", 0), done(0, "web_search_call", id="w"))
    assert blocks(found) == [("Text", "ab")]
    assert found.extensions[0].raw == {"type": "web_search_call", "id": "w"}


def test_parts_of_one_message_are_blocks_whatever_their_indexes_count():
    parts = [spoken("a"), spoken("b"), {"type": "refusal", "refusal": "no"}]
    found = answer(text("a", 0, 1), text("b", 0, 2), done(0, "message", content=parts))
    assert blocks(found) == [("Text", "a"), ("Text", "b"), ("Text", "no")]


@pytest.mark.parametrize("place", [{"output_index": []}, {"output_index": {"a": 1}, "content_index": "x"}, {}])
def test_odd_places_are_none(place):
    found = answer({"type": "response.output_text.delta", "delta": "a", **place}, created=False)
    assert (found.text, found.response.id) == ("a", "message_s")


def test_P01_items_that_were_never_seen_are_taken_from_the_last_event():
    output = [
        {"type": "reasoning", "id": "t", "summary": [{"type": "summary_text", "text": "why"}]},
        {"type": "message", "id": "x", "content": [spoken("a")]},
        {"type": "message", "id": "y", "content": [spoken("b")]},
        {"type": "function_call", "id": "f", "call_id": "c", "name": "f", "arguments": "{}"},
    ]
    end = event("completed", response={"status": "completed", "output": output})
    found = answer(text("a", 1), done(1, "message", id="x", content=[spoken("a")]), end=end)
    assert blocks(found) == [("Text", "a"), ("Thinking", "why"), ("Text", "b")]
    assert (found.stop, found.tools[0].id) == ("tool_use", "c")


def test_P01_the_last_event_names_no_item_twice_though_ids_and_places_are_others():
    output = [{"type": "message", "id": "other", "content": [spoken("a")]}]
    end = event("completed", response={"status": "completed", "output": output})
    found = answer(
        added(0, "reasoning", id="t"),
        done(0, "reasoning", id="t", summary=[]),
        text("a", 1, item_id="x"),
        done(1, "message", id="x", content=[spoken("a")]),
        end=end,
    )
    assert found.kinds == ["Thinking", "Text"]
    assert found.text == "a"
