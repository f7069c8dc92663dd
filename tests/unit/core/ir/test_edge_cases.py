"""The edge-case table of the design documents (section 4.4), a test for every row, named after it (SEED2)."""

from agdesk.core.errors import ErrorCategory, ErrorRecord
from agdesk.core.ir import stream as ev
from agdesk.core.ir.blocks import Text, Thinking, ToolUse
from agdesk.core.ir.messages import Assistant
from agdesk.core.ir.partial import PartialMessageResponse
from agdesk.core.ir.response import (
    CompletionTokensDetails,
    MessageResponse,
    PartialUsage,
    PromptTokensDetails,
    StopReason,
    Usage,
)

START = ev.MessageStart("msg_1", "m")
DONE = ev.MessageComplete(StopReason.END_TURN)
OVERLOADED = ErrorRecord("provider_rejection", "the provider is overloaded", category=ErrorCategory.OVERLOADED)


def assembled(*events: ev.StreamEvent) -> MessageResponse:
    partial = PartialMessageResponse()
    for event in events:
        assert partial.apply(event)
    return partial.finalize()


def test_text_delta_before_message_start_is_ignored_with_a_warning():
    partial = PartialMessageResponse()

    assert partial.apply(ev.TextDelta("lost"))

    assert partial.ignored_count == 1
    assert partial.last_warning == "TextDelta before MessageStart"
    assert partial.finalize().message == Assistant(())


def test_tool_call_arguments_deltas_out_of_order_reach_their_own_call_by_index():
    response = assembled(
        START,
        ev.ContentBlockStart(1, ev.ToolUseType("b", "read")),
        ev.ContentBlockStart(0, ev.ToolUseType("a", "write")),
        ev.ToolCallArgumentsDelta('{"p": ', 1),
        ev.ToolCallArgumentsDelta('{"q"', 0),
        ev.ToolCallArgumentsDelta("1}", 1),
        ev.ToolCallArgumentsDelta(": 2}", 0),
        ev.ToolCallEnd(0),
        ev.ToolCallEnd(1),
        ev.MessageComplete(StopReason.TOOL_USE),
    )

    assert response.message.content == (
        ToolUse("a", "write", {"q": 2}, '{"q": 2}'),
        ToolUse("b", "read", {"p": 1}, '{"p": 1}'),
    )


def test_several_cost_updates_are_merged_field_by_field():
    response = assembled(
        START,
        ev.CostUpdate(PartialUsage(prompt_tokens=100, total_tokens=100)),
        ev.CostUpdate(PartialUsage(prompt_tokens_details=PromptTokensDetails(cached_tokens=40))),
        ev.CostUpdate(PartialUsage(completion_tokens=50, total_tokens=150)),
        ev.CostUpdate(
            PartialUsage(
                prompt_tokens_details=PromptTokensDetails(cache_write_tokens=7),
                completion_tokens_details=CompletionTokensDetails(reasoning_tokens=30),
            )
        ),
        DONE,
    )

    assert response.usage == Usage(
        100, 50, 150, PromptTokensDetails(40, 7), CompletionTokensDetails(reasoning_tokens=30)
    )


def test_several_content_block_starts_for_one_index_keep_the_first_block_and_its_content():
    partial = PartialMessageResponse()
    for event in (START, ev.ContentBlockStart(0, ev.TextType()), ev.TextDelta("kept")):
        partial.apply(event)

    assert partial.apply(ev.ContentBlockStart(0, ev.ToolUseType("a", "f")))
    partial.apply(ev.TextDelta(" and grown"))
    partial.apply(DONE)

    assert partial.ignored_count == 1
    assert partial.finalize().message.content == (Text("kept and grown"),)


def test_cost_update_after_message_complete_still_counts():
    response = assembled(START, DONE, ev.CostUpdate(PartialUsage(prompt_tokens=3, completion_tokens=4)))

    assert response.usage == Usage(prompt_tokens=3, completion_tokens=4, total_tokens=7)
    assert response.stop_reason is StopReason.END_TURN


def test_a_missing_content_block_end_loses_no_content():
    response = assembled(
        START,
        ev.ContentBlockStart(0, ev.ThinkingType()),
        ev.ThinkingDelta("hm"),
        ev.ContentBlockStart(1, ev.TextType()),
        ev.TextDelta("half an ans"),
        DONE,
    )

    assert response.message.content == (Thinking("hm"), Text("half an ans"))


def test_no_content_block_start_at_all_gives_an_empty_assistant_message():
    assert assembled(START, DONE) == MessageResponse("msg_1", "m", Assistant(()), Usage(), StopReason.END_TURN)


def test_events_after_the_error_are_not_applied():
    partial = PartialMessageResponse()
    for event in (START, ev.ContentBlockStart(0, ev.TextType()), ev.TextDelta("arrived")):
        assert partial.apply(event)

    assert partial.apply(ev.StreamError(OVERLOADED)) is False
    before = partial.finalize()
    later: list[ev.StreamEvent] = [
        ev.TextDelta(" too late"),
        ev.CostUpdate(PartialUsage(1, 1, 2)),
        DONE,
        ev.StreamError(OVERLOADED),
    ]
    assert not any(partial.apply(event) for event in later)

    assert partial.ignored_count == len(later)
    assert partial.finalize() == before
    assert before.message.content == (Text("arrived"),)
    assert before.error == OVERLOADED
    assert before.stop_reason is StopReason.ERROR


def test_a_thinking_signature_that_was_never_sent_stays_none():
    response = assembled(
        START, ev.ContentBlockStart(0, ev.ThinkingType()), ev.ThinkingDelta("hm"), ev.ContentBlockEnd(0), DONE
    )

    assert response.message.content == (Thinking("hm", signature=None),)
