"""Whatever a history holds: compaction never makes it longer, parts no pair, keeps what it must, does what it said."""

from __future__ import annotations

import json
from collections import Counter
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from agdesk.core.compact import (
    CompactConfig,
    apply_plan,
    estimate_message_tokens,
    microcompact,
    plan_compaction,
    plan_ledger,
)
from agdesk.core.compact.markers import has_mark
from agdesk.core.compact.receipt import receipt
from agdesk.core.ir.blocks import ContentBlock, ProviderData, Text, Thinking, ToolResult, ToolUse
from agdesk.core.ir.codec import from_json, to_json
from agdesk.core.ir.compaction import (
    BlockPath,
    CompactPlan,
    CompactState,
    Replace,
    Skip,
    SkipReason,
    Truncate,
    TruncateStructured,
)
from agdesk.core.ir.messages import Assistant, Message, Tool, User, user
from agdesk.core.ir.request import ResultSemantic, ToolDefinition
from agdesk.core.ir.tokens import estimate_messages_tokens, estimate_tools_tokens
from tests.fakes.given.formats import GIVERS
from tests.fakes.long_conversation import long_conversation
from tests.fakes.strict.formats import CHECKS
from tests.fakes.strict.refusing import NOTHING, Issued
from tests.property.openai_chat_values import any_message
from tests.property.travelling import histories, rendered

EXAMPLES = settings(max_examples=150, suppress_health_check=[HealthCheck.too_slow])
TOOLS = tuple(ToolDefinition(semantic.value, "", {}, semantic) for semantic in ResultSemantic)
NAMES = [*(tool.name for tool in TOOLS), "undeclared", ""]

sizes = st.sampled_from([0, 1, 199, 200, 201, 222, 223, 499, 500, 501, 2000, 2001, 5000])
words = st.lists(st.sampled_from(["anchor", "bridge", "canal", "depot", "灯塔", "港口"]), max_size=6).map(" ".join)
rows = st.builds(
    lambda count, text: json.dumps([{"id": n, "text": text} for n in range(count)]), st.integers(0, 90), words
)
objects = st.builds(
    lambda count, text: json.dumps({f"key {n}": text for n in range(count)}, ensure_ascii=False),
    st.integers(0, 90),
    words,
)
statuses = st.builds(lambda text: json.dumps({"ok": True, "message": text * 20}), words)
marked = st.sampled_from(
    [
        receipt("x" * 3000, tool="t", call=None, is_error=False, document=None),
        "x" * 5000 + "\n[… 7 characters cut]",
        json.dumps(["x" * 3000, "[… 7 items and 9 characters cut]"], ensure_ascii=False),
    ]
)
texts = st.one_of(
    st.builds(lambda size, sign: sign * size, sizes, st.sampled_from(["x", "灯", "😀", "\n", "\ud83d", " "])),
    st.text(max_size=300),
    words,
    rows,
    objects,
    statuses,
    marked,
    st.builds(lambda text: f"Error: {text}", words),
    st.sampled_from(["[" * 3000, '{"a": ' * 400, "[1e999]" + " " * 2100]),
)
opaque = st.none() | st.just(ProviderData("gemini", {"s": 1}))
thoughts = st.builds(Thinking, texts, st.none() | st.just("signature"), opaque)
contents = st.lists(st.builds(Text, texts) | st.builds(Text, texts, provider_data=opaque), max_size=2).map(tuple)
ids = st.sampled_from(["a", "b", "c"])


@st.composite
def answers(draw: Any) -> list[Message]:
    """An answer with thoughts, texts and calls, and results of most of them, in any kind of message."""
    uses = [
        ToolUse(call_id, draw(st.sampled_from(NAMES)), {"path": draw(words)}, "")
        for call_id in draw(st.lists(ids, max_size=2, unique=True))
    ]
    spoken = [Text(text) for text in draw(st.lists(words, max_size=1))]
    content: list[ContentBlock] = [*draw(st.lists(thoughts, max_size=2)), *spoken, *uses]
    results = [
        ToolResult(use.id, use.name, draw(contents), draw(st.booleans()) and draw(st.booleans()))
        for use in uses
        if draw(st.integers(0, 5))
    ]
    match draw(st.integers(0, 4)):
        case 0:
            return [Assistant((*content, *results))]
        case 1:
            return [Assistant(tuple(content)), User(tuple(results))]
        case 2:
            return [Assistant(tuple(content)), *(Tool((result,)) for result in results)]
        case _:
            return [Assistant(tuple(content)), Tool(tuple(results))] if results else [Assistant(tuple(content))]


turns = st.lists(
    st.one_of(words.map(lambda text: [user(text)]), answers(), any_message.map(lambda one: [one])), max_size=8
)
messages_of = turns.map(lambda groups: [message for group in groups for message in group])
paths = st.builds(BlockPath, st.integers(0, 9), st.integers(0, 3))
actions = st.one_of(
    st.just(Skip()),
    st.builds(Truncate, st.integers(0, 400)),
    st.builds(TruncateStructured, st.integers(0, 600)),
    st.just(Replace()),
)
configs = st.builds(
    CompactConfig,
    context_window=st.none() | st.integers(1, 5000),
    reserved_tokens=st.sampled_from([0, 100]),
    keep_recent=st.integers(0, 8),
    compact_thinking=st.booleans(),
    fading_turns=st.integers(1, 3),
)


@st.composite
def states(draw: Any) -> CompactState:
    state = CompactState()
    for path in draw(st.lists(paths, max_size=2)):
        state = state.with_pin(path, is_pinned=True)
    for path in draw(st.lists(paths, max_size=3)):
        state = state.with_action(path, draw(actions))
    return state


def planned(messages: list[Message], config: CompactConfig, state: CompactState | None = None) -> CompactPlan:
    return plan_compaction(messages, config=config, tools=TOOLS, state=state)


def blocks_of(message: Message) -> tuple[ContentBlock, ...]:
    return message.results if isinstance(message, Tool) else message.content


def at(messages: Any, path: BlockPath) -> ContentBlock:
    return blocks_of(messages[path.message])[path.block]


def text_of_result(block: ContentBlock) -> str:
    return "\n".join(inner.text for inner in block.content if isinstance(inner, Text))


@EXAMPLES
@given(messages_of, configs, states())
def test_ADR15_plan_and_application_are_the_report_and_nothing_grows(messages, config, state):
    plan = planned(messages, config, state)
    sent = apply_plan(messages, plan)
    assert len(sent) == len(messages)
    for new, old in zip(sent, messages, strict=True):
        assert estimate_message_tokens(new) <= estimate_message_tokens(old)
    tools = estimate_tools_tokens(TOOLS)
    assert plan.report.estimate_before_tokens == estimate_messages_tokens(messages) + tools
    assert plan.report.estimate_after_tokens == estimate_messages_tokens(sent) + tools
    assert plan.report.freed_tokens == sum(item.freed_tokens for item in plan.items)
    assert plan.report.tokens_after == round(plan.report.ratio * plan.report.estimate_after_tokens)
    assert plan.report.changed_count == len(plan.changes)


@EXAMPLES
@given(messages_of, configs, states())
def test_COMP3_the_preview_is_the_result_byte_for_byte_and_shorter_than_the_original(messages, config, state):
    plan = planned(messages, config, state)
    sent = apply_plan(messages, plan)
    gone = Counter(item.path.message for item in plan.changes if item.replacement == "")
    for item in plan.items:
        old = at(messages, item.path)
        if item.replacement is None:
            assert item.action == Skip() and item.skip_reason is not None
            assert old in blocks_of(sent[item.path.message])
            continue
        assert item.action != Skip() and item.skip_reason is None
        assert len(item.replacement) < item.size
        if gone[item.path.message]:
            continue
        new = at(sent, item.path)
        assert (new.text if isinstance(new, Thinking) else text_of_result(new)) == item.replacement
        others = [inner for inner in getattr(old, "content", ()) if not isinstance(inner, Text)]
        assert [inner for inner in getattr(new, "content", ()) if not isinstance(inner, Text)] == others


@EXAMPLES
@given(messages_of, configs, states())
def test_COMP5_calls_and_results_stay_paired_in_their_places(messages, config, state):
    def pairs(history):
        found: list[Any] = []
        for message in history:
            for block in blocks_of(message):
                if isinstance(block, ToolUse):
                    found.append(block)
                elif isinstance(block, ToolResult):
                    found.append((block.tool_use_id, block.name, block.is_error))
        return found

    assert pairs(apply_plan(messages, planned(messages, config, state))) == pairs(messages)


@EXAMPLES
@given(messages_of, configs, states())
def test_COMP5_the_newest_user_message_pinned_and_pending_blocks_are_identical(messages, config, state):
    sent = apply_plan(messages, planned(messages, config, state))
    said = [
        position
        for position, message in enumerate(messages)
        if isinstance(message, User) and any(not isinstance(block, ToolResult) for block in message.content)
    ]
    if said:
        assert sent[said[-1]] is messages[said[-1]]
    for path in state.pinned:
        if path.message < len(messages) and path.block < len(blocks_of(messages[path.message])):
            assert at(messages, path) in blocks_of(sent[path.message])


@EXAMPLES
@given(messages_of, texts, configs, states())
def test_COMP5_a_round_with_an_open_call_is_identical(messages, text, config, state):
    round_of_two = Assistant((ToolUse("a", "action", {}, ""), ToolUse("b", "action", {}, "")))
    waiting = [*messages, user("q"), round_of_two, Tool((ToolResult("a", "action", (Text(text),)),))]
    sent = apply_plan(waiting, planned(waiting, config, state))
    assert all(new is old for new, old in zip(sent[-3:], waiting[-3:], strict=True))


@EXAMPLES
@given(messages_of, configs)
def test_applying_twice_changes_nothing_more(messages, config):
    sent, _ = microcompact(messages, config=config, tools=TOOLS)
    assert apply_plan(sent, planned(messages, config)) == sent
    again, report = microcompact(sent, config=config, tools=TOOLS)
    assert again == sent
    assert (report.changed_count, report.freed_tokens) == (0, 0)


@EXAMPLES
@given(messages_of, configs, states())
def test_a_plan_with_choices_can_be_applied_to_what_it_made(messages, config, state):
    plan = planned(messages, config, state)
    sent = apply_plan(messages, plan)
    assert apply_plan(sent, plan) == sent


@EXAMPLES
@given(messages_of, configs, states())
def test_A02_A04_P07_signed_thinking_is_never_edited_and_is_told_when_it_is_left_out(messages, config, state):
    plan = planned(messages, config, state)
    gone = set()
    for position, (new, old) in enumerate(zip(apply_plan(messages, plan), messages, strict=True)):
        signed = [
            [
                block
                for block in blocks_of(one)
                if isinstance(block, Thinking) and (block.signature or block.provider_data)
            ]
            for one in (new, old)
        ]
        assert signed[0] in ([], signed[1])
        if signed[0] != signed[1]:
            gone.add(position + 1)
    assert bool(gone) == bool(plan_ledger(plan))
    for line in plan_ledger(plan):
        assert line.startswith(f"message {', '.join(map(str, sorted(gone)))}: ")


@EXAMPLES
@given(messages_of, configs, states())
def test_texts_that_carry_a_mark_are_left_alone_and_replacements_carry_one(messages, config, state):
    plan = planned(messages, config, state)
    for item in plan.items:
        block = at(messages, item.path)
        before = block.text if isinstance(block, Thinking) else text_of_result(block)
        assert not (has_mark(before) and item.replacement is not None)
        assert not item.replacement or has_mark(item.replacement)


@EXAMPLES
@given(messages_of, configs)
def test_COMP2_the_newest_messages_and_errors_are_untouched_in_both_stages(messages, config):
    plan = planned(messages, config)
    sent = apply_plan(messages, plan)
    for new, old in list(zip(sent, messages, strict=True))[len(messages) - config.keep_recent :]:
        assert new is old
    for item in plan.items:
        block = at(messages, item.path)
        assert not (isinstance(block, ToolResult) and block.is_error) or item.replacement is None


@EXAMPLES
@given(messages_of, configs)
def test_the_sources_of_every_result_sum_to_its_score(messages, config):
    for item in planned(messages, config).items:
        assert item.is_thinking == (item.score is None)
        assert item.is_thinking or (
            sum(part.value for part in item.contributions) == item.score and (item.score * 2).is_integer()
        )
        assert item.skip_reason is not SkipReason.SMALL or item.size <= 200


@EXAMPLES
@given(messages_of, configs, states())
def test_COMP1_plans_survive_being_written_and_read(messages, config, state):
    plan = planned(messages, config, state)
    assert from_json(CompactPlan, json.loads(json.dumps(to_json(plan)))) == plan


@pytest.mark.parametrize("wire", sorted(GIVERS))
@settings(max_examples=50, suppress_health_check=[HealthCheck.too_slow])
@given(st.data())
def test_every_provider_takes_a_compacted_history_of_any_other(wire, data):
    """Long results and thoughts, signed ones among them: each server knows what it gave out itself."""
    history = data.draw(histories(wire, is_long=True))
    keep_recent = data.draw(st.integers(0, 4))
    for is_wanted in (False, True):
        tight = CompactConfig(1, 0, keep_recent, compact_thinking=is_wanted)
        sent, _ = microcompact(history.messages, config=tight)
        for to, check in CHECKS.items():
            body = json.loads(json.dumps(rendered(GIVERS[to].row, sent).body, ensure_ascii=False).encode())
            check(body, headers=None, issued=history.issued if to == wire else NOTHING)


@pytest.mark.parametrize("to", sorted(CHECKS))
def test_every_provider_takes_a_long_conversation_of_tool_results_compacted(to):
    conversation = long_conversation(400)
    config = CompactConfig(context_window=20_000, compact_thinking=True)
    sent, report = microcompact(conversation.messages, config=config, tools=conversation.tools)
    assert report.changed_count > 50
    body = rendered(GIVERS[to].row, sent, tools=conversation.tools).body
    issued = Issued()
    for message in conversation.messages:
        for block in blocks_of(message):
            if isinstance(block, Thinking) and block.signature:
                thought = {"type": "thinking", "thinking": block.text, "signature": block.signature}
                issued.add(thought, block.signature)
    CHECKS[to](json.loads(json.dumps(body, ensure_ascii=False).encode()), headers=None, issued=issued)
