"""Carrying a plan out: only what it names changes, and only in the history that it was made for."""

import dataclasses

import pytest

from agdesk.core.compact import CompactConfig, apply_plan, microcompact, plan_compaction
from agdesk.core.errors import CompactError
from agdesk.core.ir.blocks import Image, Text, Thinking, ToolResult, Url
from agdesk.core.ir.messages import Message, Tool, user
from agdesk.core.ir.tokens import estimate_messages_tokens
from tests.unit.core.compact.histories import EVERYTHING, TOOLS, answer, asked, round_of

MESSAGES = asked(round_of(("shell", "x" * 3000), ("shell", "short")), round_of(("search", "y" * 300)))
PLAN = plan_compaction(MESSAGES, config=EVERYTHING, tools=TOOLS)


def test_what_the_plan_does_not_name_is_the_same_object():
    sent = apply_plan(MESSAGES, PLAN)
    assert [new is old for new, old in zip(sent, MESSAGES, strict=True)] == [True, True, False, True, True, True, True]
    assert sent[2].results[1] is MESSAGES[2].results[1]
    pruned = sent[2].results[0]
    assert pruned == dataclasses.replace(MESSAGES[2].results[0], content=(Text(PLAN.items[0].replacement or ""),))


def test_COMP1_the_stored_messages_do_not_change():
    before = list(MESSAGES)
    apply_plan(MESSAGES, PLAN)
    assert before == MESSAGES


def test_images_of_a_result_stay_in_their_order_and_its_texts_become_one():
    image = Image(Url("https://x/i.png"), "image/png")
    messages = asked(round_of(("shell", "")))
    messages[2] = Tool((ToolResult("call_0", "shell", (image, Text("x" * 2000), image, Text("y")), False),))
    plan = plan_compaction(messages, config=EVERYTHING)
    content = apply_plan(messages, plan)[2].results[0].content
    assert content == (image, Text(plan.items[0].replacement or ""), image)


def test_messages_that_came_since_stay():
    later = answer(Text("z"))
    assert apply_plan([*MESSAGES, later], PLAN) == (*apply_plan(MESSAGES, PLAN), later)


def test_a_history_that_it_was_carried_out_on_comes_back_as_it_is():
    sent = apply_plan(MESSAGES, PLAN)
    assert all(new is old for new, old in zip(apply_plan(sent, PLAN), sent, strict=True))


def test_thoughts_that_were_left_out_do_not_shift_what_else_the_plan_names():
    config = CompactConfig(keep_recent=0, compact_thinking=True)
    messages: list[Message] = [
        user("q"),
        answer(Thinking("x" * 300, "s"), Thinking("y" * 300), Text("Done.")),
        user("q"),
    ]
    plan = plan_compaction(messages, config=config)
    sent = apply_plan(messages, plan)
    assert sent[1] == answer(Thinking("[pruned thinking]"), Text("Done."))
    assert apply_plan(sent, plan) == sent


@pytest.mark.parametrize(
    "other",
    [
        MESSAGES[:2],
        [user("q")] * 7,
        [*MESSAGES[:2], Tool(MESSAGES[2].results[::-1]), *MESSAGES[3:]],
        [*MESSAGES[:2], Tool(()), *MESSAGES[3:]],
        asked(round_of(("shell", "x" * 3001), ("shell", "short")), round_of(("search", "y" * 300))),
    ],
)
def test_another_history_is_refused(other):
    with pytest.raises(CompactError, match="another history: message 3"):
        apply_plan(other, PLAN)


def test_another_thought_is_refused():
    config = CompactConfig(keep_recent=0, compact_thinking=True)
    for signature in (None, "s"):
        messages: list[Message] = [user("q"), answer(Thinking("x" * 300, signature), Text("Done.")), user("q")]
        plan = plan_compaction(messages, config=config)
        other: list[Message] = [user("q"), answer(Thinking("x" * 301, "other"), Text("Done.")), user("q")]
        with pytest.raises(CompactError, match="message 2"):
            apply_plan(other, plan)


def test_microcompact_plans_and_carries_out_and_its_keep_recent_counts_before_the_setting():
    config = CompactConfig(keep_recent=100)
    assert microcompact(MESSAGES, config=config, tools=TOOLS)[0] == tuple(MESSAGES)
    sent, report = microcompact(MESSAGES, config=config, keep_recent=0, tools=TOOLS)
    assert sent == apply_plan(MESSAGES, PLAN)
    assert report == PLAN.report
    assert report.freed_tokens == estimate_messages_tokens(MESSAGES) - estimate_messages_tokens(sent)


def test_an_empty_history_stays_empty():
    sent, report = microcompact([], config=CompactConfig())
    assert (sent, report.freed_tokens, report.changed_count) == ((), 0, 0)
