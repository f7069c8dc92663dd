"""What the properties of all formats' streams have in common: bodies are played, and things hold of their events."""

from __future__ import annotations

import itertools
import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from agdesk.core.errors import LlmError
from agdesk.core.ir.blocks import ToolUse
from agdesk.core.ir.codec import to_json
from agdesk.core.ir.partial import PartialMessageResponse
from agdesk.core.ir.response import MessageResponse
from agdesk.core.ir.stream import MessageComplete, MessageStart, StreamError, StreamEvent
from agdesk.core.providers.base import Endpoint, Frame, WireFormat
from agdesk.core.providers.explain import explain
from agdesk.core.providers.response import ResponseReader


@dataclass(frozen=True)
class Played:
    """What came of a body; ``is_complete`` and ``is_terminal`` as they were before its end was told."""

    events: list[StreamEvent]
    is_complete: bool
    is_terminal: bool


@dataclass(frozen=True)
class Player:
    """Plays bodies and documents of one format."""

    wire: WireFormat
    endpoint: Endpoint

    def play(self, body: bytes, *, at: Endpoint | None = None, cuts: Iterable[int] = ()) -> Played:
        """A body in reads that end at ``cuts``; an error before the first event is an event too."""
        reader = ResponseReader(
            self.wire, endpoint=at or self.endpoint, model="asked", seed="s", status=200, headers={}, now_s=0.0
        )
        edges = [0, *sorted(cut for cut in cuts if cut < len(body)), len(body)]
        steps = [step for start, stop in itertools.pairwise(edges) for step in reader.feed(body[start:stop])]
        events = [event for _, found in [*steps, *reader.flush()] for event in found]
        is_complete, is_terminal = reader.is_complete, reader.is_terminal
        try:
            events.extend(reader.finish())
        except LlmError as error:
            events.append(StreamError(error.to_record()))
        return Played(events, is_complete, is_terminal)

    def events(self, body: bytes, *, at: Endpoint | None = None, cuts: Iterable[int] = ()) -> list[StreamEvent]:
        """The events of ``play``."""
        return self.play(body, at=at, cuts=cuts).events

    def assert_reads_do_not_matter(self, body: bytes, cuts: Sequence[int], *, at: Endpoint | None = None) -> None:
        """In reads that end at ``cuts``, and byte by byte, the events are those of one read."""
        events = self.events(body, at=at)
        assert self.events(body, at=at, cuts=cuts) == events
        assert self.events(body, at=at, cuts=range(len(body))) == events

    def assert_ways_agree(self, frames: Iterable[Frame], *, at: Endpoint | None = None) -> None:
        """The short way of a live stream gives the events of the long one, which ``explain`` takes."""
        short, long = (self.wire.decoder(endpoint=at or self.endpoint, model="asked", seed="s") for _ in range(2))
        long.wrap_document = lambda document: document
        for frame in frames:
            assert list(short.decode(frame)) == list(long.decode(frame))
        assert list(short.finish()) == list(long.finish())

    def assert_readable(self, documents: Sequence[Any]) -> None:
        """Any JSON, as frames, is read and explained without an exception, and gives legal events."""
        frames = frames_of(documents)
        decoder = self.wire.decoder(endpoint=self.endpoint, model="asked", seed="s")
        events = [event for frame in frames for event in decoder.decode(frame)]
        assembled([*events, *decoder.finish()])
        explanations = explain(frames, wire=self.wire, endpoint=self.endpoint, model="asked")
        assert sum(len(explanation.event_indexes) for explanation in explanations) == len(events)

    def assert_readable_whole(self, document: Any) -> None:
        """Any JSON, as a whole answer, is read without an exception and gives legal events."""
        decoder = self.wire.decoder(endpoint=self.endpoint, model="asked", seed="s")
        assembled([*decoder.decode_document(document), *decoder.finish()])

    def assert_explained(self, frames: Sequence[Frame]) -> None:
        """Explaining changes no event and names every leaf once."""
        decoder = self.wire.decoder(endpoint=self.endpoint, model="asked", seed="s")
        counts = [len(decoder.decode(frame)) for frame in frames]
        explanations = explain(frames, wire=self.wire, endpoint=self.endpoint, model="asked")
        assert [len(explanation.event_indexes) for explanation in explanations] == counts
        for explanation in explanations:
            groups = (explanation.read, explanation.raw, explanation.unread)
            assert sum(map(len, groups)) == len(set().union(*groups))
            assert set(explanation.ignored) <= set(explanation.unread)


def frames_of(documents: Iterable[Any], *, name: str = "") -> list[Frame]:
    """A frame for each document."""
    return [Frame(0, 1, name, json.dumps(document).encode()) for document in documents]


def assembled(events: Iterable[StreamEvent]) -> PartialMessageResponse:
    """What the events make; every one of them is legal where it stands."""
    partial = PartialMessageResponse()
    for event in events:
        partial.apply(event)
    assert partial.ignored_count == 0, partial.last_warning
    return partial


def assert_stored(events: Iterable[StreamEvent]) -> None:
    """Every event can be written as JSON in UTF-8."""
    for event in events:
        json.dumps(to_json(event), ensure_ascii=False).encode("utf-8")


def assert_fit(events: Sequence[StreamEvent]) -> MessageResponse:
    """The events begin and end as they must, can be stored, and their calls have ids, each its own."""
    response = assembled(events).finalize()
    assert isinstance(events[0], MessageStart | StreamError)
    assert isinstance(events[-1], StreamError | MessageComplete)
    assert_stored(events)
    tools = [block for block in response.message.content if isinstance(block, ToolUse)]
    assert all(tool.id for tool in tools)
    assert len({tool.id for tool in tools}) == len(tools)
    return response
