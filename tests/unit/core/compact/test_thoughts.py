"""Thinking: untouched unless wanted, replaced if nobody signed it, left out or kept whole if somebody did."""

import pytest

from agdesk.core.compact import CompactConfig, apply_plan, plan_compaction, plan_ledger
from agdesk.core.ir.blocks import ProviderData, Text, Thinking
from agdesk.core.ir.compaction import BlockPath, CompactState, Replace, Skip, SkipReason, Truncate
from agdesk.core.ir.messages import Assistant, user
from tests.unit.core.compact.histories import answer, round_of

LONG, SHORT = "x" * 201, "x" * 200
WANTED = CompactConfig(keep_recent=0, compact_thinking=True)
SIGNED = Thinking(LONG, "signature")
SEALED = Thinking(LONG, None, ProviderData("openai_responses", {"encrypted_content": "e"}))
both_kinds = pytest.mark.parametrize("thought", [SIGNED, SEALED], ids=["signature", "opaque data"])


NEXT = (user("And now?"),)


def said(*blocks, after=NEXT):
    return [user("Go on."), answer(*blocks, Text("Done.")), *after]


def item_of(messages, *, config=WANTED, state=None):
    return next(item for item in plan_compaction(messages, config=config, state=state).items if item.is_thinking)


@pytest.mark.parametrize("thought", [Thinking(LONG), SIGNED, SEALED])
def test_by_default_thinking_stays(thought):
    item = item_of(said(thought), config=CompactConfig(keep_recent=0))
    assert (item.action, item.skip_reason, item.score) == (Skip(), SkipReason.THINKING_KEPT, None)


@pytest.mark.parametrize(("text", "replacement"), [(SHORT, None), (LONG, "[pruned thinking]")])
def test_above_200_characters_it_is_replaced(text, replacement):
    messages = said(Thinking(text))
    plan = plan_compaction(messages, config=WANTED)
    assert plan.items[0].replacement == replacement
    assert apply_plan(messages, plan)[1].content[0] == Thinking(replacement or text)
    assert plan_ledger(plan) == ()


def test_recent_thinking_stays():
    assert item_of(said(Thinking(LONG)), config=CompactConfig(compact_thinking=True)).skip_reason is SkipReason.RECENT


@both_kinds
def test_A02_A04_P07_signed_thinking_is_left_out_whole_in_a_turn_without_calls(thought):
    messages = said(thought)
    plan = plan_compaction(messages, config=WANTED)
    assert (plan.items[0].action, plan.items[0].replacement) == (Replace(), "")
    assert apply_plan(messages, plan)[1] == answer(Text("Done."))
    assert plan.items[0].estimate_after_tokens == 0
    (line,) = plan_ledger(plan)
    assert line.startswith("message 2: thinking was left out: ")


@both_kinds
def test_A02_P07_it_is_kept_in_a_turn_with_calls_also_in_messages_without_one(thought):
    with_calls = [user("Go on."), *round_of(("shell", "r")), answer(thought, Text("Done.")), user("And now?")]
    assert item_of(with_calls).skip_reason is SkipReason.SIGNED
    other_turn = [user("Go on."), *round_of(("shell", "r")), user("And?"), answer(thought, Text("Done.")), user("q")]
    assert item_of(other_turn).action == Replace()


@both_kinds
def test_it_is_never_touched_after_the_newest_message_of_the_user(thought):
    item = item_of(said(thought, after=()))
    assert (item.action, item.skip_reason) == (Skip(), SkipReason.SIGNED)


@both_kinds
def test_it_is_kept_where_nothing_else_would_be_left_of_the_message(thought):
    messages = [user("q"), Assistant((thought, Text(" "))), user("q")]
    assert item_of(messages).skip_reason is SkipReason.SIGNED


def test_A04_thinking_without_text_stays():
    assert item_of(said(Thinking("", "signature"))).skip_reason is SkipReason.SMALL


def test_signed_thoughts_of_a_message_go_together_or_stay_together():
    messages = said(SIGNED, Thinking(LONG), SEALED)
    plan = plan_compaction(messages, config=WANTED)
    assert apply_plan(messages, plan)[1] == answer(Thinking("[pruned thinking]"), Text("Done."))
    pinned = CompactState().with_pin(BlockPath(1, 2), is_pinned=True)
    plan = plan_compaction(messages, config=WANTED, state=pinned)
    assert [item.skip_reason for item in plan.items] == [SkipReason.SIGNED, None, SkipReason.PINNED]
    with_short = plan_compaction(said(SIGNED, Thinking(SHORT, "s")), config=WANTED)
    assert with_short.changes == ()


@both_kinds
def test_the_user_may_leave_it_out_and_cannot_have_it_edited(thought):
    chosen = CompactState().with_action(BlockPath(1, 0), Replace())
    item = item_of(said(thought), config=CompactConfig(), state=chosen)
    assert (item.replacement, item.is_chosen) == ("", True)
    chosen = chosen.with_action(BlockPath(1, 0), Truncate(10))
    item = item_of(said(thought), state=chosen)
    assert (item.action, item.skip_reason, item.replacement) == (Skip(), SkipReason.SIGNED, None)
    held = item_of(said(thought, after=()), state=CompactState().with_action(BlockPath(1, 0), Replace()))
    assert held.replacement is None


def test_the_user_may_cut_thinking_that_nobody_signed():
    state = CompactState().with_action(BlockPath(1, 0), Truncate(10))
    assert item_of(said(Thinking(LONG)), state=state).replacement == "x" * 10 + "\n[… 191 characters cut]"
