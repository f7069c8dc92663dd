"""Plans: what stays and why, stages, limits, the user's choices."""

import json

import pytest

from agdesk.core.compact import CompactConfig, plan_compaction, plan_survey, survey_history
from agdesk.core.errors import CompactError
from agdesk.core.ir.blocks import Image, ProviderData, Text, ToolResult, ToolUse, Url
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
from agdesk.core.ir.messages import Assistant, System, Tool, User, user
from agdesk.core.ir.tokens import estimate_messages_tokens, estimate_tools_tokens
from tests.unit.core.compact.histories import EVERYTHING, TOOLS, answer, asked, round_of

ROWS = json.dumps([{"id": n, "name": f"row {n}"} for n in range(200)])


def plan(messages, **members):
    members = {"config": EVERYTHING, "tools": TOOLS, **members}
    return plan_compaction(messages, **members)


def only(found):
    (item,) = found.items
    return item


@pytest.mark.parametrize(
    ("tool", "text", "action", "score"),
    [
        ("search", "x" * 200, Skip(), 1),
        ("search", "x" * 201, Skip(), 1),
        ("search", "x" * 2001, Truncate(200), 1),
        ("search", ROWS, TruncateStructured(500), 2),
        ("shell", ROWS, Truncate(200), 1),
        ("shell", "x" * 300, Truncate(200), 0),
        ("shell", "x" * 2001, Replace(), 0),
        ("send", "x" * 300, Truncate(200), -1),
        ("send", "x" * 2001, Replace(), -1),
        ("nowhere declared", "x" * 2001, Replace(), 0),
    ],
)
def test_stage_1_is_the_documents_table_for_the_tool_by_its_name(tool, text, action, score):
    item = only(plan(asked(round_of((tool, text)))))
    assert (item.decided, item.action, item.score, item.stage) == (action, action, score, 1)
    assert (item.replacement is None) == (action == Skip())


def test_results_inside_messages_of_the_model_and_of_the_user_count_too():
    result = ToolResult("call_0", "shell", (Text("x" * 3000),))
    call = ToolUse("call_0", "shell", {}, "{}")
    for messages in (
        [user("q"), Assistant((call, result)), answer(), user("q")],
        [user("q"), Assistant((call,)), User((result,)), answer(), user("q")],
        [user("q"), Assistant((call,)), Tool((result,)), answer(), user("q")],
    ):
        assert only(plan(messages)).action == Replace()


def test_calls_texts_and_what_the_system_holds_are_never_looked_at():
    result = ToolResult("x", "shell", (Text("x" * 3000),))
    call = ToolUse("c", "shell", {"text": "x" * 9000}, "")
    assert plan([System((result,)), user("x" * 9000), answer(Text("x" * 9000), call)]).items == ()


@pytest.mark.parametrize(
    ("text", "is_error"),
    [("x" * 201, True), ("x" * 9000, True), (json.dumps({"error": "x" * 9000}), False)],
)
def test_errors_are_skipped_in_both_stages(text, is_error):
    config = CompactConfig(context_window=1, reserved_tokens=0, keep_recent=0)
    item = only(plan(asked(round_of(("search", text), is_error=is_error)), config=config))
    assert (item.action, item.skip_reason, item.stage) == (Skip(), SkipReason.ERROR, 1)


def test_characters_decide_and_bytes_are_counted():
    item = only(plan(asked(round_of(("shell", "灯" * 200)))))
    assert (item.skip_reason, item.estimate_before_tokens) == (SkipReason.SMALL, 800)
    assert only(plan(asked(round_of(("shell", "灯" * 2000))))).action == Truncate(200)


@pytest.mark.parametrize("size", [201, 222])
def test_a_replacement_that_is_not_shorter_is_none(size):
    item = only(plan(asked(round_of(("shell", "x" * size)))))
    assert (item.decided, item.action, item.replacement) == (Truncate(200), Skip(), None)
    assert (item.skip_reason, item.freed_tokens) == (SkipReason.NOT_SHORTER, 0)


def test_a_replacement_of_more_bytes_is_none_although_it_has_fewer_characters():
    messages = asked(round_of(("shell", "x" * 200)))
    messages[1] = Assistant((ToolUse("call_0", "shell", {"path": "灯" * 40}, ""),))
    item = only(plan(messages, state=CompactState().with_action(BlockPath(2, 0), Replace())))
    assert (item.action, item.skip_reason) == (Skip(), SkipReason.NOT_SHORTER)


def test_the_first_size_whose_replacement_is_shorter_gets_one():
    item = only(plan(asked(round_of(("shell", "x" * 225)))))
    assert len(item.replacement) == 222


def test_what_was_compacted_before_is_left_alone_even_if_the_user_wants_more():
    text = "[pruned]\n" + "x" * 3000
    state = CompactState().with_action(BlockPath(2, 0), Truncate(10))
    item = only(plan(asked(round_of(("shell", text))), state=state))
    assert (item.action, item.skip_reason, item.is_chosen) == (Skip(), SkipReason.MARKED, False)


def test_opaque_data_go_back_unchanged():
    messages = asked(round_of(("shell", "x")))
    text = Text("x" * 3000, provider_data=ProviderData("gemini", {"s": 1}))
    messages[2] = Tool((ToolResult("call_0", "shell", (text,)),))
    assert only(plan(messages)).skip_reason is SkipReason.OPAQUE


def test_several_texts_count_as_one_with_lines_and_images_do_not():
    messages = asked(round_of(("shell", "")))
    image = Image(Url("https://x/i.png"), "image/png")
    messages[2] = Tool((ToolResult("call_0", "shell", (Text("x" * 1000), image, Text("y" * 1000))),))
    item = only(plan(messages))
    assert (item.size, item.action) == (2001, Replace())


@pytest.mark.parametrize(("keep_recent", "reason"), [(4, SkipReason.RECENT), (3, SkipReason.RECENT), (2, None)])
def test_COMP2_the_newest_messages_stay(keep_recent, reason):
    messages = asked(round_of(("shell", "x" * 3000)))
    assert only(plan(messages, config=CompactConfig(keep_recent=keep_recent))).skip_reason is reason


def test_COMP5_the_newest_message_of_the_user_stays_with_all_in_it():
    result = ToolResult("call_0", "shell", (Text("x" * 3000),))
    messages = [user("q"), Assistant((ToolUse("call_0", "shell", {}, ""),)), User((Text("and"), result)), answer()]
    assert only(plan(messages)).skip_reason is SkipReason.NEWEST


def test_COMP5_results_of_a_round_with_an_open_call_stay():
    first, results = round_of(("shell", "x" * 3000), ("shell", "y"))
    messages = [user("q"), first, Tool(results.results[:1])]
    assert only(plan(messages)).skip_reason is SkipReason.PENDING


# --- stage 2 ---


def tight(limit, **members):
    return {"config": CompactConfig(context_window=limit, reserved_tokens=0, keep_recent=0, **members), "ratio": 1.0}


def test_stage_2_begins_only_if_stage_1_is_not_enough_and_ends_when_the_request_fits():
    messages = asked(*(round_of(("search", f"{n}" * 1000)) for n in range(3)))
    whole = plan(messages)
    before = whole.report.estimate_before_tokens
    assert [item.action for item in whole.items] == [Skip()] * 3
    assert [item.stage for item in plan(messages, **tight(before)).items] == [1, 1, 1]
    one = plan(messages, **tight(before - 1))
    assert [item.stage for item in one.items] == [2, 1, 1], "the oldest first"
    assert one.items[0].decided == TruncateStructured(500)
    assert one.items[0].action == Truncate(200), "no JSON"
    assert not one.report.still_over
    freed = one.report.freed_tokens
    assert [item.stage for item in plan(messages, **tight(before - freed)).items] == [2, 1, 1]
    assert [item.stage for item in plan(messages, **tight(before - freed - 1)).items] == [2, 2, 1]


def test_stage_2_goes_round_once_more_while_the_request_is_too_large():
    messages = asked(*(round_of(("search", ROWS)) for _ in range(2)))
    seen = []
    limit = plan(messages).report.estimate_after_tokens
    while True:
        found = plan(messages, **tight(limit))
        actions = tuple(type(item.action).__name__ for item in found.items)
        if actions not in seen:
            seen.append(actions)
        if found.report.still_over:
            break
        limit = found.report.tokens_after - 1
    assert seen[0] == ("TruncateStructured", "TruncateStructured")
    assert seen[-1] == ("Replace", "Replace")
    steps = ["TruncateStructured", "Truncate", "Replace"]
    for found in seen:
        first, second = map(steps.index, found)
        assert first >= second, "an older one is never kept longer than a newer one"


def test_stage_2_passes_over_a_step_that_frees_nothing():
    """Its skeleton is shorter than 200 characters would be."""
    text = json.dumps([{"id": n} for n in range(900)])
    messages = asked(round_of(("search", text)))
    first = plan(messages)
    assert len(only(first).replacement) < 200
    item = only(plan(messages, **tight(first.report.estimate_after_tokens - 1)))
    assert (item.decided, item.action, item.stage) == (Replace(), Replace(), 2)


def test_stage_2_leaves_what_it_cannot_shorten_as_stage_1_had_it():
    item = only(plan(asked(round_of(("search", "x" * 210))), **tight(1)))
    assert (item.decided, item.action, item.stage, item.replacement) == (Skip(), Skip(), 1, None)
    assert (item.skip_reason, item.freed_tokens) == (SkipReason.IMPORTANT, 0)


def test_below_a_score_of_1_stage_2_has_nothing_to_do():
    messages = asked(round_of(("shell", "x" * 300)))
    item = only(plan(messages, **tight(1)))
    assert (item.action, item.stage) == (Truncate(200), 1)


def test_with_an_unknown_window_there_is_no_stage_2_and_nothing_is_over():
    report = plan(asked(round_of(("search", "x" * 1000)))).report
    assert (report.limit_tokens, report.is_over, report.still_over) == (None, False, False)


# --- figures ---


def test_COMP8_both_numbers_are_in_the_report():
    messages = asked(round_of(("shell", "x" * 3000)))
    report = plan(messages).report
    assert report.estimate_before_tokens == estimate_messages_tokens(messages) + estimate_tools_tokens(TOOLS)
    assert (report.ratio, report.tokens_before) == (0.25, round(0.25 * report.estimate_before_tokens))
    assert report.tokens_after == round(0.25 * report.estimate_after_tokens)
    assert report.freed_tokens == sum(item.freed_tokens for item in plan(messages).items) > 3000


def test_COMP8_a_number_that_was_reported_counts_and_what_is_freed_is_taken_from_it():
    messages = asked(round_of(("shell", "x" * 3000)))
    report = plan(messages, request_tokens=5000, ratio=0.5).report
    assert (report.tokens_before, report.tokens_after) == (5000, 5000 - round(0.5 * report.freed_tokens))


@pytest.mark.parametrize(("request_tokens", "is_over"), [(900, False), (901, True)])
def test_COMP2_over_is_more_than_the_window_less_what_is_reserved(request_tokens, is_over):
    config = CompactConfig(context_window=1000, reserved_tokens=100)
    assert plan(asked(), config=config, request_tokens=request_tokens).report.is_over is is_over


# --- the user's choices ---

PATH = BlockPath(2, 0)


def test_COMP3_a_pinned_block_stays_and_is_compacted_again_without_the_pin():
    messages = asked(round_of(("shell", "x" * 3000)))
    pinned = CompactState().with_pin(PATH, is_pinned=True)
    item = only(plan(messages, state=pinned))
    assert (item.action, item.skip_reason) == (Skip(), SkipReason.PINNED)
    assert only(plan(messages, state=pinned.with_pin(PATH, is_pinned=False))).action == Replace()


@pytest.mark.parametrize("action", [Skip(), Truncate(10), TruncateStructured(50), Replace()])
def test_COMP3_another_action_for_one_block_is_carried_out(action):
    messages = asked(round_of(("search", ROWS), ("search", ROWS)))
    state = CompactState().with_action(PATH, action)
    chosen, other = plan(messages, state=state).items
    assert (chosen.decided, chosen.is_chosen) == (action, True)
    assert (other.action, other.is_chosen) == (TruncateStructured(500), False)


def test_COMP3_a_choice_can_be_changed_and_taken_back():
    state = CompactState().with_action(PATH, Skip()).with_action(PATH, Replace())
    assert [choice.action for choice in state.choices] == [Replace()]
    assert state.with_action(PATH, None) == CompactState()


@pytest.mark.parametrize("is_error", [True, False])
def test_COMP3_the_user_may_choose_for_errors_and_recent_blocks_too(is_error):
    messages = asked(round_of(("shell", "x" * 3000), is_error=is_error))
    state = CompactState().with_action(PATH, Replace())
    item = only(plan(messages, state=state, config=CompactConfig(keep_recent=100)))
    assert item.action == Replace()
    assert ("failed" in item.replacement) is is_error


def test_COMP3_a_chosen_block_is_not_driven_further_by_stage_2():
    messages = asked(round_of(("search", "x" * 3000)))
    state = CompactState().with_action(PATH, Skip())
    item = only(plan(messages, state=state, **tight(1)))
    assert (item.action, item.skip_reason) == (Skip(), SkipReason.CHOSEN)


def test_a_choice_that_keeps_less_than_nothing_is_refused():
    with pytest.raises(CompactError, match="-1 characters"):
        plan(asked(round_of(("shell", "x"))), state=CompactState().with_action(PATH, Truncate(-1)))


def test_COMP3_another_choice_is_planned_from_the_same_survey():
    messages = asked(round_of(("search", ROWS), ("shell", "x" * 3000)))
    survey = survey_history(messages, config=EVERYTHING, tools=TOOLS)
    for state in (CompactState(), CompactState().with_action(PATH, Replace())):
        assert plan_survey(survey, state=state) == plan(messages, state=state)


def test_references_that_were_found_count_where_the_words_are_gone():
    text = "anchor bridge canal " * 20
    later = [answer(Text("anchor bridge canal")), *(user("q") for _ in range(2))]
    messages = [*asked(round_of(("shell", text))), *later]
    first = plan(messages)
    assert only(first).contributions[3].words == ("anchor", "bridge", "canal")
    gone = list(messages)
    gone[2] = Tool((ToolResult("call_0", "shell", (Text("[pruned]"),)),))
    assert only(plan(gone)).contributions[3].words == ()
    assert only(plan(gone, state=first.state)).contributions == only(first).contributions


def test_COMP1_a_plan_is_a_value_that_can_be_kept():
    messages = asked(round_of(("search", ROWS), ("shell", "x" * 3000)))
    state = CompactState().with_pin(BlockPath(2, 1), is_pinned=True).with_action(PATH, Truncate(9))
    found = plan(messages, state=state)
    assert from_json(CompactPlan, json.loads(json.dumps(to_json(found)))) == found
