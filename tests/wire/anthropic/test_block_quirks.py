"""Blocks of an answer: text, thinking, calls, and what is kept raw."""

from __future__ import annotations

import pytest

from agdesk.core.ir.blocks import Extension, ProviderData, Text, Thinking
from agdesk.core.ir.stream import ContentBlockStart, ExtensionType, MessageStart
from tests.wire.anthropic.streams import (
    answer,
    call,
    delta,
    ended,
    opened,
    start,
    stopped,
    stream,
    text,
    thought,
)


def test_text_arrives_in_pieces():
    found = answer(opened(0, "text", text="a"), delta(0, "text_delta", text="b"), stopped(0))
    assert (found.text, found.kinds, found.stop) == ("ab", ["Text"], "end_turn")
    assert (found.response.id, found.response.model) == ("m1", "claude")


def test_A02_every_thought_keeps_its_own_signature_its_place_and_its_text():
    found = answer(
        *thought(" hm\n", "S0"),
        *call('{"a": 1}', call_id="A", index=1),
        *thought("so ", "S2", index=2),
        *call("{}", call_id="B", index=3),
        *text("done", 4),
        reason="tool_use",
    )
    assert found.kinds == ["Thinking", "ToolUse", "Thinking", "ToolUse", "Text"]
    blocks = found.response.message.content
    assert (blocks[0], blocks[2]) == (Thinking(" hm\n", "S0"), Thinking("so ", "S2"))


@pytest.mark.parametrize("at_start", [True, False])
def test_A04_R09_R10_an_empty_thought_with_a_signature_is_kept(at_start):
    units = [opened(0, "thinking", thinking="", signature="S"), stopped(0)] if at_start else thought("", "S")
    assert answer(*units, *text("ok", 1)).response.message.content == (Thinking("", "S"), Text("ok"))


def test_R09_an_empty_signature_takes_none_back():
    found = answer(
        opened(0, "thinking", thinking="a", signature="S"),
        delta(0, "signature_delta", signature=""),
        delta(0, "thinking_delta", thinking="b"),
        stopped(0),
    )
    assert found.response.message.content == (Thinking("ab", "S"),)


def test_A03_redacted_thinking_is_an_extension_in_its_place():
    found = answer(opened(0, "redacted_thinking", data="OPAQUE"), stopped(0), *text("ok", 1))
    raw = {"type": "redacted_thinking", "data": "OPAQUE"}
    assert found.response.message.content == (Extension("anthropic", "redacted_thinking", raw), Text("ok"))


@pytest.mark.parametrize("units", [text(""), [opened(0, "text", text=None), stopped(0)]])
def test_A06_C20_an_empty_text_is_no_block(units):
    assert answer(*units).response.message.content == ()


def test_A11_citations_stay_with_their_text():
    first, second = {"cited_text": "x", "encrypted_index": "E"}, {"cited_text": "y"}
    found = answer(
        opened(0, "text", text="", citations=[]),
        delta(0, "citations_delta", citation=first),
        delta(0, "text_delta", text="a"),
        delta(0, "citations_delta", citation=second),
        stopped(0),
        *text("b", 1),
    )
    assert found.response.message.content == (Text("a", citations=(first, second)), Text("b"))


def test_A11_citations_in_the_start_of_a_text_count_too():
    found = answer(opened(0, "text", text="a", citations=[{"u": 1}]), stopped(0))
    assert found.response.message.content == (Text("a", citations=({"u": 1},)),)


def test_A12_compaction_grows_by_its_deltas():
    found = answer(
        opened(0, "compaction", content=None),
        delta(0, "compaction_delta", content="The story "),
        delta(0, "compaction_delta", content="so far", encrypted_content="E"),
        stopped(0),
        *text("on", 1),
    )
    raw = {"type": "compaction", "content": "The story so far", "encrypted_content": "E"}
    assert found.response.message.content == (Extension("anthropic", "compaction", raw), Text("on"))


@pytest.mark.parametrize("kind", ["container_upload", "advisor_tool_result", "tool_search_tool_result", "invented"])
def test_A12_PROV4_unknown_blocks_and_their_deltas_are_kept_raw(kind):
    found = answer(
        opened(0, kind, a=[1], s="x"), delta(0, "invented_delta", s="y", n=None, b={"c": 2}), stopped(0), *text("t", 1)
    )
    raw = {"type": kind, "a": [1], "s": "xy", "b": {"c": 2}}
    assert found.response.message.content == (Extension("anthropic", kind, raw), Text("t"))


def test_A12_a_fallback_names_the_model_that_answers():
    found = answer(opened(0, "fallback", **{"from": {"model": "claude"}, "to": {"model": "other"}}), stopped(0))
    assert [event for event in found.events if isinstance(event, MessageStart)] == [
        MessageStart("m1", "claude"),
        MessageStart("m1", "other"),
    ]
    assert found.response.model == "other"
    assert found.extensions[0].raw["from"] == {"model": "claude"}


def test_PROV4_an_unknown_block_keeps_its_place_and_goes_out_when_it_is_whole():
    found = answer(opened(5, "invented", x=1), *text("a", 7), stopped(5))
    assert found.kinds == ["Extension", "Text"]
    order = [event.block_type for event in found.events if isinstance(event, ContentBlockStart)]
    assert isinstance(order[-1], ExtensionType)


def test_PROV4_members_with_structure_and_unknown_deltas_stay_with_a_known_block():
    found = answer(
        opened(0, "tool_use", id="A", name="f", input={}, caller={"type": "direct"}, odd=1),
        delta(0, "invented_delta", x="a"),
        delta(0, "invented_delta", x="b"),
        stopped(0),
        opened(1, "text", text="t", meta=[1]),
        stopped(1),
        opened(2, "thinking", thinking="h", meta=[2]),
        delta(2, "invented_delta", y=1),
        stopped(2),
        reason="tool_use",
    )
    assert [block.provider_data for block in found.response.message.content] == [
        ProviderData("anthropic", {"caller": {"type": "direct"}, "x": "ab"}),
        ProviderData("anthropic", {"meta": [1]}),
        ProviderData("anthropic", {"meta": [2], "y": 1}),
    ]


def test_P02_blocks_may_overlap():
    found = answer(
        opened(0, "text", text=""),
        opened(1, "tool_use", id="A", name="f", input={}),
        delta(1, "input_json_delta", partial_json='{"a"'),
        delta(0, "text_delta", text="x"),
        delta(1, "input_json_delta", partial_json=": 1}"),
        stopped(0),
        stopped(1),
        reason="tool_use",
    )
    assert (found.text, found.tools[0].input) == ("x", {"a": 1})


def test_a_delta_and_a_stop_without_an_index_belong_to_the_latest_block():
    found = answer(
        opened(0, "text", text=""), delta(None, "text_delta", text="x"), stopped(None), delta(0, "text_delta", text="y")
    )
    assert found.kinds == ["Text", "Text"]
    assert found.text == "xy"


def test_text_and_thinking_that_nobody_announced_are_not_lost():
    found = answer(
        delta(0, "text_delta", text="a"),
        delta(0, "thinking_delta", thinking="b"),
        delta(0, "signature_delta", signature="S"),
        delta(1, "input_json_delta", partial_json="{}"),
    )
    assert found.response.message.content == (Text("a"), Thinking("b", "S"))


def test_a_delta_without_a_type_says_what_it_is_by_its_member():
    untyped = {"type": "content_block_delta", "index": 0, "delta": {"text": "a"}}
    assert answer(opened(0, "text", text=""), untyped, stopped(0)).text == "a"


def test_R14_a_budget_spent_on_thinking_keeps_the_thought():
    found = stream(start(), *thought("long")[:-2], ended("max_tokens", {"output_tokens": 9}), {"type": "message_stop"})
    assert (found.thinking, found.stop, found.response.usage.completion_tokens) == ("long", "max_tokens", 9)
