"""What the reader of live responses makes of a body, in whatever wire format."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Any

from agdesk.core.errors import LlmError
from agdesk.core.ir.blocks import Extension, Text, Thinking, ToolUse
from agdesk.core.ir.partial import PartialMessageResponse
from agdesk.core.ir.response import MessageResponse
from agdesk.core.ir.stream import ContentBlockEnd, ContentBlockStart, StreamError, StreamEvent
from agdesk.core.providers.base import Endpoint, WireFormat
from agdesk.core.providers.response import ResponseReader


@dataclass(frozen=True)
class Answer:
    """What came of a body."""

    events: tuple[StreamEvent, ...]
    response: MessageResponse
    error: LlmError | None
    ignored_count: int
    is_complete: bool

    @property
    def text(self) -> str:
        return "".join(b.text for b in self.response.message.content if isinstance(b, Text) and not b.is_refusal)

    @property
    def thinking(self) -> str:
        return "".join(b.text for b in self.response.message.content if isinstance(b, Thinking))

    @property
    def tools(self) -> list[ToolUse]:
        return [b for b in self.response.message.content if isinstance(b, ToolUse)]

    @property
    def extensions(self) -> list[Extension]:
        return [b for b in self.response.message.content if isinstance(b, Extension)]

    @property
    def kinds(self) -> list[str]:
        return [type(block).__name__ for block in self.response.message.content]

    @property
    def stop(self) -> str:
        return self.response.stop_reason.value


@dataclass(frozen=True)
class Reading:
    """Plays bodies of one format through the reader of live responses."""

    wire: WireFormat
    endpoint: Endpoint

    def read(
        self, body: bytes, *, at: Endpoint | None = None, size: int | None = None, ends: bool = True, status: int = 200
    ) -> Answer:
        """A body in reads of ``size`` bytes (None: one); an error before the first event is in ``error`` too."""
        reader = ResponseReader(
            self.wire,
            endpoint=at or self.endpoint,
            model="asked",
            seed="s",
            status=status,
            headers={},
            now_s=0.0,
        )
        step = size or max(len(body), 1)
        events: list[StreamEvent] = []
        for start in range(0, len(body), step):
            for _, found in reader.feed(body[start : start + step]):
                events.extend(found)
        error: LlmError | None = None
        is_complete = reader.is_complete
        try:
            events.extend(reader.finish() if ends else ())
        except LlmError as failure:
            error = failure
            events.append(StreamError(failure.to_record()))
        partial = PartialMessageResponse()
        for event in events:
            partial.apply(event)
        return Answer(tuple(events), partial.finalize(), error, partial.ignored_count, is_complete)

    def answer(self, body: bytes, *, at: Endpoint | None = None) -> Answer:
        """The answer of a body: the same for reads of 1, 7 and all bytes, every event legal, every block closed."""
        found, *others = (self.read(body, at=at, size=size) for size in (None, 1, 7))
        for other in others:
            assert other.events == found.events
        assert found.ignored_count == 0
        opened = [event.index for event in found.events if isinstance(event, ContentBlockStart)]
        closed = [event.index for event in found.events if isinstance(event, ContentBlockEnd)]
        assert sorted(opened) == sorted(closed) == sorted(set(opened))
        return found


def sse(*units: Any) -> bytes:
    """Server-sent events: documents as JSON, strings as they are, bytes as whole lines without ``data:``."""
    lines = []
    for unit in units:
        if isinstance(unit, bytes):
            lines.append(unit)
        else:
            payload = unit if isinstance(unit, str) else json.dumps(unit, ensure_ascii=False)
            lines.append(b"data: " + payload.encode())
    return b"".join(line + b"\n\n" for line in lines)
