"""Calls of our tools and of the server's, as they arrive."""

from __future__ import annotations

import pytest

from agdesk.core.ir.blocks import Extension
from agdesk.core.ir.stream import ContentBlockEnd, ToolCallEnd
from tests.wire.anthropic.streams import (
    answer,
    call,
    delta,
    opened,
    start,
    stopped,
    stream,
    text,
)


@pytest.mark.parametrize("pieces", [(), ("",), ("", "{}"), ("null",)])
def test_A08_K13_a_call_without_arguments_has_an_empty_object(pieces):
    (tool,) = answer(*call(*pieces), reason="tool_use").tools
    assert (tool.input, tool.input_error) == ({}, None)


@pytest.mark.parametrize(
    ("given", "pieces", "wanted"),
    [({"a": 1}, (), {"a": 1}), ('{"a": 1}', (), {"a": 1}), ({"a": 1}, ('{"b"', ": 2}"), {"b": 2}), (None, (), {})],
)
def test_A08_arguments_in_the_start_count_if_no_others_come(given, pieces, wanted):
    deltas = [delta(0, "input_json_delta", partial_json=piece) for piece in pieces]
    found = answer(opened(0, "tool_use", id="A", name="f", input=given), *deltas, stopped(0), reason="tool_use")
    assert [tool.input for tool in found.tools] == [wanted]


def test_K09_arguments_may_come_as_an_object():
    (tool,) = answer(*call({"a": 1}), reason="tool_use").tools
    assert tool.input == {"a": 1}


def test_K12_invalid_arguments_are_kept_and_never_run():
    (tool,) = answer(*call('{"a": tru'), reason="tool_use").tools
    assert (tool.input, tool.raw_arguments) == (None, '{"a": tru')
    assert tool.input_error


def test_K14_arguments_that_were_encoded_twice_are_decoded_once_more():
    (tool,) = answer(*call('"{\\"a\\": 1}"'), reason="tool_use").tools
    assert tool.input == {"a": 1}


def test_K05_an_id_that_is_missing_or_anothers_is_made():
    found = answer(
        *call("{}", call_id=None),
        *call("{}", call_id="A", index=1),
        *call("{}", call_id="A", index=2),
        reason="tool_use",
    )
    assert [tool.id for tool in found.tools] == ["call_s_0", "A", "call_s_2"]


def test_K17_the_servers_id_is_kept_whatever_it_looks_like():
    (tool,) = answer(*call("{}", call_id="a:b|c" * 30), reason="tool_use").tools
    assert tool.id == "a:b|c" * 30


@pytest.mark.parametrize("kind", ["server_tool_use", "mcp_tool_use"])
def test_A09_calls_of_the_servers_own_tools_are_never_ours(kind):
    found = answer(*call('{"query": ', '"x"}', name="web_search", kind=kind))
    (block,) = found.extensions
    assert (found.tools, found.stop) == ([], "end_turn")
    assert block == Extension(
        "anthropic", kind, {"type": kind, "id": "A", "name": "web_search", "input": {"query": "x"}}
    )


def test_A09_the_input_of_a_server_tool_that_is_no_object_stays_text():
    (block,) = answer(*call('{"q', kind="server_tool_use")).extensions
    assert block.raw["input"] == '{"q'


def test_A09_a_server_tool_that_is_cut_is_written_at_the_end_of_the_stream():
    found = stream(start(), *call('{"q', kind="server_tool_use")[:-1])
    assert (found.extensions[0].raw["input"], found.stop) == ('{"q', "incomplete")


def test_A10_a_result_that_comes_whole_is_kept_whole():
    content = [{"type": "web_search_result", "url": "u", "encrypted_content": "E"}]
    found = answer(opened(0, "web_search_tool_result", tool_use_id="A", content=content), stopped(0))
    assert found.extensions[0].raw == {"type": "web_search_tool_result", "tool_use_id": "A", "content": content}


def test_K03_indexes_are_keys_and_may_be_used_again():
    found = answer(*text("a", 7), *text("b", 3), *text("c", 7), *call("{}", index=2), reason="tool_use")
    assert (found.text, found.kinds) == ("abc", ["Text", "Text", "Text", "ToolUse"])


def test_a_start_that_is_sent_twice_counts_once():
    head = opened(0, "tool_use", id="A", name="f", input={})
    found = answer(head, head, delta(0, "input_json_delta", partial_json="{}"), stopped(0), reason="tool_use")
    assert [(tool.id, tool.input) for tool in found.tools] == [("A", {})]


def test_another_start_at_an_open_index_ends_the_block_there_and_a_call_is_not_whole():
    found = answer(
        opened(0, "tool_use", id="A", name="f", input={}),
        delta(0, "input_json_delta", partial_json="{}"),
        *call("{}", call_id="B"),
        reason="tool_use",
    )
    assert [tool.id for tool in found.tools if tool.input_error] == ["A"]
    assert [event.index for event in found.events if isinstance(event, ToolCallEnd)] == [1]


def test_a_call_that_is_only_ended_by_a_normal_end_is_whole():
    found = answer(*call('{"a": 1}')[:-1], reason="tool_use")
    assert (found.tools[0].input, found.stop) == ({"a": 1}, "tool_use")


def test_K11_a_call_ends_with_its_block_and_not_before():
    found = stream(start(), *call('{"a": 1}')[:-1])
    assert not any(isinstance(event, ToolCallEnd) for event in found.events)
    assert found.tools[0].input_error


@pytest.mark.parametrize("reason", ["max_tokens", "refusal", "model_context_window_exceeded", "invented"])
def test_C18_no_call_of_an_answer_that_was_cut_can_run(reason):
    found = answer(*call('{"a": 1}'), *call('{"b": ', call_id="B", index=1)[:-1], reason=reason)
    assert all(tool.input is None and tool.input_error for tool in found.tools)
    assert len([event for event in found.events if isinstance(event, ContentBlockEnd)]) == 2


def test_C19_text_after_a_call_is_a_block_of_its_own():
    found = answer(*text("a"), *call("{}", index=1), *text("b", 2), reason="tool_use")
    assert found.kinds == ["Text", "ToolUse", "Text"]
