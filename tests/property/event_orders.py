"""Every legal order of stream events (docs/ARCHITECTURE.md), each with the answer that it stands for."""

from __future__ import annotations

import dataclasses
import json
from dataclasses import dataclass, field
from typing import Any

from hypothesis import strategies as st

from agdesk.core.errors import ErrorCategory, ErrorRecord
from agdesk.core.ir import stream as ev
from agdesk.core.ir.blocks import Extension, ProviderData, Text, Thinking, ToolUse
from agdesk.core.ir.messages import Assistant
from agdesk.core.ir.response import (
    CompletionTokensDetails,
    MessageResponse,
    PromptTokensDetails,
    StopReason,
    Usage,
)

RUNS_CALLS = {StopReason.END_TURN, StopReason.TOOL_USE, StopReason.STOP_SEQUENCE, StopReason.PAUSE_TURN}

texts = st.text(max_size=6)
names = st.text(min_size=1, max_size=6)
json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | texts,
    lambda inner: st.lists(inner, max_size=2) | st.dictionaries(texts, inner, max_size=2),
    max_leaves=3,
)
json_objects = st.dictionaries(texts, json_values, max_size=2)
provider_data = st.none() | st.builds(ProviderData, names, json_objects)
signatures = st.none() | names
citations = st.lists(json_objects, max_size=2).map(tuple)
counts = st.none() | st.integers(0, 2**70)
errors = st.builds(ErrorRecord, names, texts, texts, st.sampled_from(ErrorCategory), json_objects, st.booleans())
usages = st.builds(
    Usage,
    counts,
    counts,
    counts,
    st.none() | st.builds(PromptTokensDetails, counts, counts),
    st.none() | st.builds(CompletionTokensDetails, counts),
    st.none() | st.floats(0, 9),
)
completes = st.builds(
    ev.MessageComplete, st.sampled_from(StopReason), signatures, st.none() | names, st.none() | json_objects
)
block_types = (
    st.builds(ev.TextType)
    | st.builds(ev.ThinkingType)
    | st.builds(ev.RefusalType)
    | st.builds(ev.ToolUseType, names, names)
    | st.builds(ev.ToolUseType, names, names)  # twice: most of what can go wrong is in calls
    | st.builds(ev.ExtensionType, names, names, json_values)
)
DELTAS: dict[type, type] = {
    ev.TextType: ev.TextDelta,
    ev.ThinkingType: ev.ThinkingDelta,
    ev.RefusalType: ev.RefusalDelta,
    ev.ToolUseType: ev.ToolCallArgumentsDelta,
}


@dataclass
class Lane:
    """One block: its events, and how many of them the stream has sent so far."""

    index: int
    events: list[Any]
    sent: int = 0

    def sent_events(self, kind: type) -> list[Any]:
        return [event for event in self.events[: self.sent] if isinstance(event, kind)]


@dataclass
class Stream:
    """A legal stream and what it must assemble to. A call that must not run has ``input_error`` "set"."""

    events: list[Any] = field(default_factory=list)
    response: MessageResponse | None = None


@st.composite
def lanes(draw: Any, index: int) -> Lane:
    block_type = draw(block_types)
    events: list[Any] = [ev.ContentBlockStart(index, block_type)]
    if (delta := DELTAS.get(type(block_type))) is not None:
        events += [delta(piece, index) for piece in draw(pieces(is_call=delta is ev.ToolCallArgumentsDelta))]
    if isinstance(block_type, ev.ToolUseType):
        events.append(ev.ToolCallEnd(index))
    is_extension = isinstance(block_type, ev.ExtensionType)
    end = (None, None, ()) if is_extension else (draw(signatures), draw(provider_data), draw(citations))
    return Lane(index, [*events, ev.ContentBlockEnd(index, *end)])


@st.composite
def pieces(draw: Any, *, is_call: bool) -> list[str]:
    if not is_call:
        return list(draw(st.lists(texts, max_size=4)))
    whole: str = draw(st.just("") | json_objects.map(json.dumps) | json_values.map(json.dumps) | texts)
    cuts = sorted(draw(st.lists(st.integers(0, len(whole)), max_size=4)))
    return [whole[start:end] for start, end in zip([0, *cuts], [*cuts, len(whole)], strict=True)]


@st.composite
def legal_streams(draw: Any) -> Stream:
    indices = draw(st.lists(st.integers(0, 9), unique=True, max_size=4))
    plan = [draw(lanes(index)) for index in indices]
    start = draw(st.builds(ev.MessageStart, names, names))
    events: list[Any] = [*draw(st.lists(usages.map(ev.CostUpdate), max_size=1)), start]
    ending = draw(st.sampled_from(["complete", "error", "cut"]))
    events += interleaved(draw, plan, is_cut=ending != "complete")
    complete = error = None
    if ending == "complete":
        complete = draw(completes)
        events += [complete, *draw(st.lists(usages.map(ev.CostUpdate), max_size=2))]
    elif ending == "error":
        error = draw(errors)
        events.append(ev.StreamError(error))
    return Stream(events, expected_response(start, plan, events, complete=complete, error=error))


def interleaved(draw: Any, plan: list[Lane], *, is_cut: bool) -> list[Any]:
    """The lanes merged at random, an index left out here and there where it may be, usage in between."""
    events: list[Any] = []
    last_opened: int | None = None
    while unfinished := [lane for lane in plan if lane.sent < len(lane.events)]:
        if is_cut and draw(st.integers(0, 9)) == 0:
            break
        lane = draw(st.sampled_from(unfinished))
        event = lane.events[lane.sent]
        lane.sent += 1
        if isinstance(event, ev.ContentBlockStart):
            last_opened = lane.index
        elif type(event) in DELTAS.values() and last_opened == lane.index and draw(st.booleans()):
            event = dataclasses.replace(event, index=None)
        events.append(event)
        if draw(st.integers(0, 5)) == 0:
            events.append(ev.CostUpdate(draw(usages)))
    return events


def expected_response(
    start: ev.MessageStart,
    plan: list[Lane],
    events: list[Any],
    *,
    complete: ev.MessageComplete | None,
    error: ErrorRecord | None,
) -> MessageResponse:
    stop_reason = complete.stop_reason if complete else StopReason.INCOMPLETE
    if error is not None:
        is_filter = error.category is ErrorCategory.CONTENT_FILTER
        stop_reason = StopReason.CONTENT_FILTER if is_filter else StopReason.ERROR
    content = [expected_block(lane, stop_reason) for lane in sorted(plan, key=lambda lane: lane.index) if lane.sent]
    unsigned = [i for i, block in enumerate(content) if isinstance(block, Thinking) and block.signature is None]
    if complete and unsigned:
        content[unsigned[-1]] = dataclasses.replace(content[unsigned[-1]], signature=complete.thinking_signature)
    return MessageResponse(
        start.id,
        start.model,
        Assistant(tuple(content)),
        expected_usage([event.usage for event in events if isinstance(event, ev.CostUpdate)]),
        stop_reason,
        complete.raw_stop_reason if complete else None,
        error,
        (complete.extra if complete else None) or {},
    )


def expected_block(lane: Lane, stop_reason: StopReason) -> Any:
    block_type = lane.events[0].block_type
    if isinstance(block_type, ev.ExtensionType):
        return Extension(block_type.provider, block_type.kind, block_type.raw)
    deltas = lane.sent_events(tuple(DELTAS.values()))  # type: ignore[arg-type]
    text = "".join(delta.arguments if isinstance(delta, ev.ToolCallArgumentsDelta) else delta.text for delta in deltas)
    (end,) = lane.sent_events(ev.ContentBlockEnd) or [ev.ContentBlockEnd(lane.index)]
    if isinstance(block_type, ev.ThinkingType):
        return Thinking(text, end.signature, end.provider_data)
    if isinstance(block_type, ev.ToolUseType):
        arguments = expected_arguments(text) if stop_reason in RUNS_CALLS else None
        error = "set" if arguments is None else None
        return ToolUse(block_type.id, block_type.name, arguments, text, error, end.provider_data)
    is_refusal = isinstance(block_type, ev.RefusalType)
    return Text(text, is_refusal=is_refusal, citations=end.citations, provider_data=end.provider_data)


def expected_arguments(text: str) -> dict[str, Any] | None:
    if text.strip() in ("", "null"):
        return {}
    try:
        value = json.loads(text)
        value = json.loads(value) if isinstance(value, str) else value
    except ValueError:
        return None
    return value if isinstance(value, dict) else None


def expected_usage(updates: list[Usage]) -> Usage:
    def latest(*values: Any) -> Any:
        return next((value for value in reversed(values) if value is not None), None)

    prompts = [update.prompt_tokens_details for update in updates if update.prompt_tokens_details]
    completions = [update.completion_tokens_details for update in updates if update.completion_tokens_details]
    prompt = latest(*[update.prompt_tokens for update in updates])
    completion = latest(*[update.completion_tokens for update in updates])
    total = latest(*[update.total_tokens for update in updates])
    if total is None and prompt is not None and completion is not None:
        total = prompt + completion
    return Usage(
        prompt,
        completion,
        total,
        PromptTokensDetails(
            latest(*[details.cached_tokens for details in prompts]),
            latest(*[details.cache_write_tokens for details in prompts]),
        )
        if prompts
        else None,
        CompletionTokensDetails(latest(*[d.reasoning_tokens for d in completions])) if completions else None,
        latest(*[update.cost_usd for update in updates]),
    )
