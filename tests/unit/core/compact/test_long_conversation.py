"""The conversation that tests, screenshots and benchmarks share has everything in it that compaction tells apart."""

import pytest

from agdesk.core.compact import CompactConfig, plan_compaction, size_class
from agdesk.core.compact.history import look_through, results_of
from agdesk.core.compact.matrix import ScoreClass, SizeClass, score_class
from agdesk.core.ir.blocks import Thinking, ToolUse
from agdesk.core.ir.compaction import Finding, Replace, Skip, Source, Truncate, TruncateStructured
from agdesk.core.ir.messages import Assistant
from tests.fakes.long_conversation import long_conversation

MADE = long_conversation()
PLAN = plan_compaction(
    MADE.messages, config=CompactConfig(context_window=100_000, compact_thinking=True), tools=MADE.tools
)


@pytest.mark.parametrize("count", [1, 2, 3, 7, 100, 2000])
def test_it_has_as_many_messages_as_asked_and_every_call_is_answered(count):
    made = long_conversation(count)
    assert len(made.messages) == count
    called = [
        block.id
        for message in made.messages
        if isinstance(message, Assistant)
        for block in message.content
        if isinstance(block, ToolUse)
    ]
    assert called == [result.tool_use_id for message in made.messages for _, result in results_of(message)]
    assert len(set(called)) == len(called)


def test_a_seed_always_gives_the_same_and_another_one_another():
    assert long_conversation() == MADE
    assert long_conversation(seed=9) != MADE


def test_it_has_results_of_every_kind():
    found = {part.finding for item in PLAN.items for part in item.contributions}
    assert found == set(Finding)
    assert {part.source for item in PLAN.items for part in item.contributions} == set(Source)
    text = "".join(item.replacement or "" for item in PLAN.items)
    assert "港口" in text


def test_it_fills_every_cell_of_the_board_and_needs_both_stages():
    cells = {(size_class(item.size), score_class(item.score)) for item in PLAN.items if item.score is not None}
    assert cells == {(size, score) for size in SizeClass for score in ScoreClass}
    assert {type(item.action) for item in PLAN.items} == {Skip, Truncate, TruncateStructured, Replace}
    assert {item.stage for item in PLAN.items} == {1, 2}


def test_it_has_thoughts_signed_and_not_in_turns_with_calls_and_without():
    history = look_through(MADE.messages, keep_recent=0)
    kinds = {
        (block.signature is not None, history.turns[position] in history.turns_with_calls)
        for position, message in enumerate(MADE.messages)
        if isinstance(message, Assistant)
        for block in message.content
        if isinstance(block, Thinking)
    }
    assert kinds == {(signed, called) for signed in (True, False) for called in (True, False)}
    assert {item.replacement for item in PLAN.items if item.is_thinking} == {None, "", "[pruned thinking]"}
