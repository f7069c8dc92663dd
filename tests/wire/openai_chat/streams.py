"""Small streams of our own, and what the reader of live responses makes of them."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Any

from agdesk.core.errors import LlmError
from agdesk.core.ir.blocks import Extension, Text, Thinking, ToolUse
from agdesk.core.ir.partial import PartialMessageResponse
from agdesk.core.ir.response import MessageResponse
from agdesk.core.ir.stream import ContentBlockEnd, ContentBlockStart, StreamError, StreamEvent
from agdesk.core.providers.base import Dialect, Endpoint
from agdesk.core.providers.response import ResponseReader
from agdesk.core.providers.wire.openai_chat import OpenAiChat

WIRE = OpenAiChat()
ENDPOINT = Endpoint("acme", "Acme", "openai_chat", "http://127.0.0.1/v1")
DONE = "[DONE]"


def endpoint(**dialect: Any) -> Endpoint:
    return replace(ENDPOINT, dialect=Dialect(**dialect))


def chunk(delta: Any = None, finish: Any = None, *, choice: Any = None, **members: Any) -> dict[str, Any]:
    """One chunk with one choice; ``choice`` adds members beside the delta, ``members`` beside the choices."""
    one = {"index": 0, "delta": {} if delta is None else delta, "finish_reason": finish} | (choice or {})
    return {"id": "c1", "object": "chat.completion.chunk", "model": "m1", "choices": [one]} | members


def text(words: str, **members: Any) -> dict[str, Any]:
    return chunk({"content": words}, **members)


def calls(*entries: dict[str, Any], finish: Any = None, **delta: Any) -> dict[str, Any]:
    return chunk({"tool_calls": list(entries), **delta}, finish)


def call(arguments: Any = None, name: Any = None, **members: Any) -> dict[str, Any]:
    """One entry of ``tool_calls``; what is None is not in it."""
    function = {key: value for key, value in (("name", name), ("arguments", arguments)) if value is not None}
    return members | {"function": function}


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


def read(
    body: bytes, *, at: Endpoint = ENDPOINT, size: int | None = None, ends: bool = True, status: int = 200
) -> Answer:
    """Plays a body in reads of ``size`` bytes (None: one); an error before the first event is in ``error`` too."""
    reader = ResponseReader(WIRE, endpoint=at, model="asked", seed="s", status=status, headers={}, now_s=0.0)
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


def answer(*units: Any, at: Endpoint = ENDPOINT, done: bool = True) -> Answer:
    """The answer of a stream: the same for reads of 1, 7 and all bytes, every event legal, every block closed."""
    body = sse(*units, *([DONE] if done else []))
    found, *others = (read(body, at=at, size=size) for size in (None, 1, 7))
    for other in others:
        assert other.events == found.events
    assert found.ignored_count == 0
    opened = [event.index for event in found.events if isinstance(event, ContentBlockStart)]
    closed = [event.index for event in found.events if isinstance(event, ContentBlockEnd)]
    assert sorted(opened) == sorted(closed) == sorted(set(opened))
    return found


def inputs(tools: Sequence[ToolUse]) -> list[Any]:
    return [tool.input for tool in tools]


def names(blocks: Iterable[Any]) -> list[str]:
    return [block.name for block in blocks]


CALLS_END = chunk(finish="tool_calls")


def made(*units: Any, finish: Any = CALLS_END) -> list[ToolUse]:
    """The calls of a stream that ends as it should."""
    found = answer(*units, finish)
    assert found.stop == "tool_use"
    return found.tools


def of(*tools: ToolUse) -> list[tuple[str, Any]]:
    """Names and inputs, for comparing."""
    return [(tool.name, tool.input) for tool in tools]
