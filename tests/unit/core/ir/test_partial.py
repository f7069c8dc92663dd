"""How the code departs from the documents where their form does not fit the real wire (docs/adr)."""

import pytest

from agdesk.core.errors import ErrorCategory, ErrorRecord
from agdesk.core.ir import stream as ev
from agdesk.core.ir.blocks import Extension, ProviderData, Text, Thinking, ToolUse
from agdesk.core.ir.messages import Origin
from agdesk.core.ir.partial import PartialMessageResponse
from agdesk.core.ir.response import PartialUsage, StopReason, Usage

START = ev.MessageStart("msg_1", "m")
RESET = ErrorRecord("transport_error", "the connection was reset", category=ErrorCategory.TRANSPORT)


def partial_after(*events: ev.StreamEvent) -> PartialMessageResponse:
    partial = PartialMessageResponse()
    for event in events:
        partial.apply(event)
    return partial


def content_of(*events: ev.StreamEvent):
    partial = partial_after(*events)
    assert partial.ignored_count == 0, partial.last_warning
    return partial.finalize().message.content


def complete(stop_reason: StopReason) -> ev.MessageComplete:
    return ev.MessageComplete(stop_reason)


# --- blocks ---


def test_overlapping_blocks_grow_each_by_its_own_index():
    assert content_of(
        START,
        ev.ContentBlockStart(0, ev.TextType()),
        ev.ContentBlockStart(2, ev.TextType()),
        ev.TextDelta("c", 2),
        ev.TextDelta("a", 0),
        ev.ContentBlockStart(1, ev.ThinkingType()),
        ev.TextDelta("a", 0),
        ev.ThinkingDelta("b", 1),
        ev.ContentBlockEnd(0),
        ev.TextDelta("c", 2),
        complete(StopReason.END_TURN),
    ) == (Text("aa"), Thinking("b"), Text("cc"))


def test_a_delta_without_an_index_belongs_to_the_block_opened_last():
    assert content_of(
        START,
        ev.ContentBlockStart(5, ev.TextType()),
        ev.ContentBlockStart(3, ev.RefusalType()),
        ev.RefusalDelta("no"),
        complete(StopReason.REFUSAL),
    ) == (Text("no", is_refusal=True), Text(""))


def test_text_after_a_call_is_a_block_of_its_own():
    assert content_of(
        START,
        ev.ContentBlockStart(0, ev.TextType()),
        ev.TextDelta("before"),
        ev.ContentBlockStart(1, ev.ToolUseType("c", "f")),
        ev.ToolCallEnd(1),
        ev.ContentBlockStart(2, ev.TextType()),
        ev.TextDelta("after"),
        complete(StopReason.TOOL_USE),
    ) == (Text("before"), ToolUse("c", "f", {}, ""), Text("after"))


def test_every_thinking_block_keeps_its_own_signature_and_opaque_data():
    opaque = ProviderData("anthropic", {"encrypted": "xyz"})
    assert content_of(
        START,
        ev.ContentBlockStart(0, ev.ThinkingType()),
        ev.ThinkingDelta("one"),
        ev.ContentBlockEnd(0, signature="S0"),
        ev.ContentBlockStart(1, ev.ThinkingType()),
        ev.ContentBlockEnd(1, signature="S1", provider_data=opaque),
        complete(StopReason.END_TURN),
    ) == (Thinking("one", "S0"), Thinking("", "S1", opaque))


def test_the_signature_of_the_message_fills_the_last_unsigned_thinking_block_only():
    assert content_of(
        START,
        ev.ContentBlockStart(0, ev.ThinkingType()),
        ev.ContentBlockStart(1, ev.ThinkingType()),
        ev.ContentBlockStart(2, ev.ThinkingType()),
        ev.ContentBlockEnd(2, signature="own"),
        ev.MessageComplete(StopReason.END_TURN, thinking_signature="message's"),
    ) == (Thinking(""), Thinking("", "message's"), Thinking("", "own"))


def test_text_keeps_its_citations_and_a_call_its_opaque_data():
    cited = ({"url": "https://example.com"},)
    thought = ProviderData("gemini", {"thoughtSignature": "T"})
    assert content_of(
        START,
        ev.ContentBlockStart(0, ev.TextType()),
        ev.ContentBlockEnd(0, citations=cited),
        ev.ContentBlockStart(1, ev.ToolUseType("c", "f")),
        ev.ToolCallEnd(1),
        ev.ContentBlockEnd(1, provider_data=thought),
        complete(StopReason.TOOL_USE),
    ) == (Text("", citations=cited), ToolUse("c", "f", {}, "", provider_data=thought))


def test_a_block_the_ir_does_not_know_passes_through_the_stream_whole():
    raw = {"type": "redacted_thinking", "data": "OPAQUE"}
    assert content_of(
        START,
        ev.ContentBlockStart(0, ev.ExtensionType("anthropic", "redacted_thinking", raw)),
        ev.ContentBlockEnd(0),
        complete(StopReason.END_TURN),
    ) == (Extension("anthropic", "redacted_thinking", raw),)


def test_a_refusal_is_text_that_says_so():
    assert content_of(
        START, ev.ContentBlockStart(0, ev.RefusalType()), ev.RefusalDelta("I cannot"), complete(StopReason.REFUSAL)
    ) == (Text("I cannot", is_refusal=True),)


# --- ends ---


def test_a_stream_without_a_terminal_event_is_incomplete_and_keeps_what_came():
    response = partial_after(START, ev.ContentBlockStart(0, ev.TextType()), ev.TextDelta("half")).finalize()

    assert response.stop_reason is StopReason.INCOMPLETE
    assert response.is_incomplete
    assert response.text() == "half"


def test_an_error_after_the_end_still_marks_the_answer():
    partial = partial_after(START, complete(StopReason.TOOL_USE))

    assert partial.apply(ev.StreamError(RESET)) is False
    assert partial.finalize().stop_reason is StopReason.ERROR


def test_an_unknown_reason_is_other_and_the_provider_s_word_is_kept():
    response = partial_after(START, ev.MessageComplete(StopReason.OTHER, raw_stop_reason="eos")).finalize()

    assert (response.stop_reason, response.raw_stop_reason) == (StopReason.OTHER, "eos")


def test_fields_of_the_answer_without_a_place_are_kept_raw():
    response = partial_after(START, ev.MessageComplete(StopReason.END_TURN, extra={"service_tier": "flex"})).finalize()

    assert response.extra == {"service_tier": "flex"}


def test_nothing_but_usage_or_an_error_counts_after_the_end():
    opened = (START, ev.ContentBlockStart(0, ev.TextType()), complete(StopReason.END_TURN))
    partial = partial_after(*opened)
    late: list[ev.StreamEvent] = [
        START,
        ev.ContentBlockStart(1, ev.TextType()),
        ev.TextDelta("late", 0),
        ev.ContentBlockEnd(0, signature="late"),
        ev.ToolCallEnd(0),
        complete(StopReason.MAX_TOKENS),
    ]

    assert all(partial.apply(event) for event in late)

    assert partial.ignored_count == len(late)
    assert partial.last_warning == "MessageComplete after the end"
    assert partial.finalize() == partial_after(*opened).finalize()


# --- names, usage, meaning ---


def test_an_answer_that_never_named_itself_gets_the_documents_names_and_keeps_its_content():
    partial = partial_after(
        ev.MessageStart("", ""),
        ev.ContentBlockStart(0, ev.TextType()),
        ev.TextDelta("x"),
        complete(StopReason.END_TURN),
    )
    response = partial.finalize()

    assert (response.id, response.model, response.text()) == ("stream-unknown", "unknown", "x")
    assert not partial.is_meaningful()


def test_the_first_id_stays_and_a_later_model_wins_c21():
    response = partial_after(
        ev.MessageStart("", "router"), ev.MessageStart("a", ""), ev.MessageStart("b", "gpt-4.1")
    ).finalize()

    assert (response.id, response.model) == ("a", "gpt-4.1")


def test_a_second_message_start_that_says_nothing_new_is_ignored():
    partial = partial_after(START, START, ev.MessageStart("other", ""))

    assert partial.ignored_count == 2
    assert partial.id == "msg_1"


def test_usage_that_never_came_is_unknown_and_not_zero_u08():
    usage = partial_after(START, complete(StopReason.END_TURN)).finalize().usage

    assert usage == Usage(None, None, None, None, None, None)


def test_a_total_is_filled_in_only_if_both_parts_are_known_u07():
    def total_after(usage: PartialUsage) -> int | None:
        return partial_after(START, ev.CostUpdate(usage)).finalize().usage.total_tokens

    assert total_after(PartialUsage(prompt_tokens=2, completion_tokens=3)) == 5
    assert total_after(PartialUsage(prompt_tokens=2)) is None
    assert total_after(PartialUsage(prompt_tokens=2, completion_tokens=3, total_tokens=9)) == 9


def test_an_answer_is_meaningful_with_an_id_and_an_end():
    assert not PartialMessageResponse().is_meaningful()
    assert not partial_after(START).is_meaningful()
    assert partial_after(START, complete(StopReason.END_TURN)).is_meaningful()
    assert partial_after(START, ev.StreamError(RESET)).is_meaningful()


def test_the_response_says_who_wrote_it():
    origin = Origin("groq", "llama", "openai_chat")

    assert partial_after(START).finalize(origin).message.origin == origin


def test_an_object_that_is_no_event_is_ignored_and_named():
    partial = partial_after(START)

    assert partial.apply(object())  # type: ignore[arg-type]
    assert partial.last_warning == "unknown event object"


@pytest.mark.parametrize(
    ("delta", "block_type"),
    [
        (ev.TextDelta("x"), ev.ThinkingType()),
        (ev.ThinkingDelta("x"), ev.TextType()),
        (ev.RefusalDelta("x"), ev.TextType()),
        (ev.TextDelta("x"), ev.RefusalType()),
        (ev.ToolCallArgumentsDelta("x"), ev.TextType()),
        (ev.TextDelta("x"), ev.ToolUseType("c", "f")),
        (ev.TextDelta("x"), ev.ExtensionType("p", "k", None)),
        (ev.ToolCallEnd(0), ev.TextType()),
    ],
)
def test_an_event_of_the_wrong_kind_for_its_block_is_ignored(delta, block_type):
    opened = (START, ev.ContentBlockStart(0, block_type))
    partial = partial_after(*opened, delta)

    assert partial.ignored_count == 1
    assert partial.finalize() == partial_after(*opened).finalize()
