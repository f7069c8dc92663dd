"""Invariant 5: every legal order of events gives exactly its answer; no order raises or lets a cut call run."""

from __future__ import annotations

import dataclasses
from dataclasses import dataclass, field
from typing import Any

from hypothesis import example, given, settings
from hypothesis import strategies as st

from agdesk.core.errors import ErrorRecord
from agdesk.core.ir import stream as ev
from agdesk.core.ir.blocks import ToolUse
from agdesk.core.ir.messages import Assistant
from agdesk.core.ir.partial import PartialMessageResponse
from agdesk.core.ir.response import MessageResponse, StopReason
from tests.property.event_orders import (
    DELTAS,
    RUNS_CALLS,
    Stream,
    block_types,
    citations,
    completes,
    errors,
    legal_streams,
    provider_data,
    signatures,
    texts,
    usages,
)


def with_errors_unnamed(response: MessageResponse) -> MessageResponse:
    content = tuple(
        dataclasses.replace(block, input_error="set") if isinstance(block, ToolUse) and block.input_error else block
        for block in response.message.content
    )
    return dataclasses.replace(response, message=Assistant(content, response.message.origin))


@settings(max_examples=150)
@given(legal_streams())
def test_every_legal_order_gives_exactly_its_answer(stream: Stream) -> None:
    partial = PartialMessageResponse()
    for event in stream.events:
        assert partial.apply(event) is not isinstance(event, ev.StreamError)

    assert partial.ignored_count == 0, partial.last_warning
    assert with_errors_unnamed(partial.finalize()) == stream.response


@settings(max_examples=50)
@given(legal_streams(), st.data())
def test_looking_at_an_answer_while_it_grows_changes_nothing(stream: Stream, data: Any) -> None:
    partial = PartialMessageResponse()
    for event in stream.events:
        if data.draw(st.booleans()):
            partial.finalize()
        partial.apply(event)

    assert with_errors_unnamed(partial.finalize()) == stream.response


# --- any order at all ---

small_indices = st.integers(-1, 2)
any_events = st.one_of(
    st.builds(ev.MessageStart, st.sampled_from(["", "a", "b"]), st.sampled_from(["", "m", "n"])),
    st.builds(ev.ContentBlockStart, small_indices, block_types),
    st.builds(ev.ContentBlockEnd, small_indices, signatures, provider_data, citations),
    st.builds(ev.TextDelta, texts, st.none() | small_indices),
    st.builds(ev.ThinkingDelta, texts, st.none() | small_indices),
    st.builds(ev.RefusalDelta, texts, st.none() | small_indices),
    st.builds(ev.ToolCallArgumentsDelta, st.sampled_from(["{", "}", '{"a": 1}', ""]), st.none() | small_indices),
    st.builds(ev.ToolCallEnd, small_indices),
    st.builds(ev.CostUpdate, usages),
    completes,
    st.builds(ev.StreamError, errors),
    st.sampled_from([None, "text", 7, object(), ev.TextDelta]),
)


@dataclass
class Grammar:
    """The legal orders written down a second time, as a reference: which events of a stream count."""

    state: str = "before"
    names: tuple[str, str] = ("", "")
    stop_reason: StopReason | None = None
    open_kinds: dict[int, type] = field(default_factory=dict)
    used: set[int] = field(default_factory=set)
    ended_calls: set[int] = field(default_factory=set)
    last_opened: int | None = None

    def accepts(self, event: Any) -> bool:
        if self.state == "failed":
            return False
        match event:
            case ev.StreamError():
                self.state = "failed"
                return True
            case ev.CostUpdate():
                return True
            case ev.MessageStart() if self.state != "complete":
                named = (self.names[0] or event.id, event.model or self.names[1])
                is_new = self.state == "before" or named != self.names
                self.state, self.names = "open", named
                return is_new
            case ev.MessageComplete(stop_reason=stop_reason) if self.state == "open":
                self.state, self.stop_reason = "complete", stop_reason
                return True
        return self.state == "open" and self._accepts_inside(event)

    def can_run(self, index: int) -> bool:
        return self.state == "complete" and self.stop_reason in RUNS_CALLS and index in self.ended_calls

    def _accepts_inside(self, event: Any) -> bool:
        match event:
            case ev.ContentBlockStart(index=index, block_type=block_type) if index not in self.used:
                self.used.add(index)
                self.open_kinds[index] = type(block_type)
                self.last_opened = index
                return True
            case ev.ContentBlockEnd(index=index):
                return self.open_kinds.pop(index, None) is not None
            case ev.ToolCallEnd(index=index):
                if self.open_kinds.get(index) is not ev.ToolUseType or index in self.ended_calls:
                    return False
                self.ended_calls.add(index)
                return True
            case ev.TextDelta() | ev.ThinkingDelta() | ev.RefusalDelta() | ev.ToolCallArgumentsDelta():
                place = self.last_opened if event.index is None else event.index
                if place is None or place not in self.open_kinds or place in self.ended_calls:
                    return False
                return DELTAS.get(self.open_kinds[place]) is type(event)
        return False


@st.composite
def spoiled_streams(draw: Any) -> list[Any]:
    """A legal stream with events shuffled, dropped, doubled and foreign ones put in."""
    events = draw(legal_streams()).events
    if draw(st.booleans()):
        events = draw(st.permutations(events))
    events = [event for event in events for _ in range(draw(st.sampled_from([0, 1, 1, 1, 1, 2])))]
    for extra in draw(st.lists(any_events, max_size=3)):
        events.insert(draw(st.integers(0, len(events))), extra)
    return events


opened = [ev.MessageStart("a", "m"), ev.ContentBlockStart(0, ev.ToolUseType("c", "f"))]


@settings(max_examples=250)
@given(st.lists(any_events, max_size=12).map(lambda events: [*opened, *events]) | spoiled_streams())
@example([*opened, ev.ToolCallEnd(0), ev.MessageComplete(StopReason.TOOL_USE), ev.StreamError(ErrorRecord("e", "m"))])
@example([*opened, ev.ToolCallArgumentsDelta('{"a": 1}'), ev.MessageComplete(StopReason.TOOL_USE)])
@example([*opened, ev.MessageComplete(StopReason.TOOL_USE), ev.ToolCallEnd(0), ev.ContentBlockEnd(0)])
def test_an_event_that_is_not_legal_is_counted_and_changes_nothing(events: list[Any]) -> None:
    grammar, partial, clean = Grammar(), PartialMessageResponse(), PartialMessageResponse()
    ignored = 0
    for event in events:
        is_legal = grammar.accepts(event)
        goes_on = partial.apply(event)

        assert goes_on is (grammar.state != "failed")
        ignored += not is_legal
        assert partial.ignored_count == ignored, (event, partial.last_warning)
        if is_legal:
            clean.apply(event)

    assert partial.finalize() == clean.finalize()
    for index, block in zip(sorted(grammar.used), partial.finalize().message.content, strict=True):
        if isinstance(block, ToolUse):
            assert (block.input is None) is bool(block.input_error)
            assert block.input is None or grammar.can_run(index)
