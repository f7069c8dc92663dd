"""Plays a recorded response body through the path a live one takes: framing, decoder, aggregation, errors."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from agdesk.core.errors import LlmError
from agdesk.core.ir.codec import to_json
from agdesk.core.ir.messages import Origin
from agdesk.core.ir.partial import PartialMessageResponse
from agdesk.core.ir.response import MessageResponse
from agdesk.core.ir.stream import StreamError, StreamEvent
from agdesk.core.providers.answer import answer_document
from agdesk.core.providers.base import Endpoint, Frame, WireFormat
from agdesk.core.providers.explain import explain
from agdesk.core.providers.response import ResponseReader

SEED = "replay"


@dataclass(frozen=True, slots=True)
class Replay:
    """What came of a body.

    Attributes:
        events: in order, each with the frame it came from; None for events of the end. An error that a live stream
            would raise before its first event stands here as a ``StreamError`` too.
        frames: every frame, those without events included.
        response: the final answer, as far as it came.
        ignored_fields: how many fields were never read and are no noise (D5).
    """

    events: tuple[tuple[Frame | None, StreamEvent], ...]
    frames: tuple[Frame, ...]
    response: MessageResponse
    ignored_fields: int


def replay(
    body: bytes,
    *,
    wire: WireFormat,
    endpoint: Endpoint,
    model: str,
    status: int,
    headers: Mapping[str, str],
    chunk_bytes: int | None,
    now_s: float,
) -> Replay:
    """Feeds ``body`` in reads of ``chunk_bytes`` (None: one read) to the reader of live responses.

    Args:
        status, headers: what the response came with.
        now_s: the wall clock, for dates in ``headers``.
    """
    reader = ResponseReader(
        wire, endpoint=endpoint, model=model, seed=SEED, status=status, headers=headers, now_s=now_s
    )
    size = chunk_bytes or max(len(body), 1)
    steps = [step for start in range(0, len(body), size) for step in reader.feed(body[start : start + size])]
    steps.extend(reader.flush())
    events: list[tuple[Frame | None, StreamEvent]] = [(frame, event) for frame, found in steps for event in found]
    try:
        events.extend((None, event) for event in reader.finish())
    except LlmError as error:
        events.append((None, StreamError(error.to_record())))
    partial = PartialMessageResponse()
    for _, event in events:
        partial.apply(event)
    frames = tuple(frame for frame, _ in steps)
    explanations = explain(frames, wire=wire, endpoint=endpoint, model=model)
    return Replay(
        events=tuple(events),
        frames=frames,
        response=partial.finalize(Origin(endpoint.id, model, wire.name)),
        ignored_fields=sum(explanation.ignored_fields for explanation in explanations),
    )


def replay_document(replayed: Replay) -> dict[str, Any]:
    """What ``agdesk replay --json`` prints."""
    return answer_document(replayed.response, ignored_fields=replayed.ignored_fields)


def event_lines(replayed: Replay) -> Iterator[dict[str, Any]]:
    """What ``agdesk replay --events`` prints, one object a line; a body holds no times, so ``t_ms`` is 0."""
    for seq, (frame, event) in enumerate(replayed.events, start=1):
        yield {
            "seq": seq,
            "t_ms": 0,
            "frame": None if frame is None else [frame.start, frame.end],
            "event": to_json(event),
        }
