"""Small streams of our own, and what the reader of live responses makes of them."""

from __future__ import annotations

from typing import Any

from agdesk.core.providers.base import Endpoint
from agdesk.core.providers.wire.anthropic import Anthropic
from tests.wire.reading import Answer as Answer
from tests.wire.reading import Reading
from tests.wire.reading import sse as sse

WIRE = Anthropic()
ENDPOINT = Endpoint("acme", "Acme", "anthropic", "http://127.0.0.1/v1")
READING = Reading(WIRE, ENDPOINT)
read = READING.read
STOP = {"type": "message_stop"}


def start(message_id: Any = "m1", model: Any = "claude", **members: Any) -> dict[str, Any]:
    message = {"id": message_id, "type": "message", "role": "assistant", "model": model, "content": []}
    return {"type": "message_start", "message": message | {"stop_reason": None} | members}


def opened(index: Any, kind: str, **members: Any) -> dict[str, Any]:
    return {"type": "content_block_start", "index": index, "content_block": {"type": kind, **members}}


def delta(index: Any, kind: str, **members: Any) -> dict[str, Any]:
    return {"type": "content_block_delta", "index": index, "delta": {"type": kind, **members}}


def stopped(index: Any) -> dict[str, Any]:
    return {"type": "content_block_stop", "index": index}


def ended(reason: Any = "end_turn", usage: Any = None, **members: Any) -> dict[str, Any]:
    return {"type": "message_delta", "delta": {"stop_reason": reason, **members}, "usage": usage or {}}


def text(words: str, index: int = 0) -> list[dict[str, Any]]:
    """A whole block of text."""
    return [opened(index, "text", text=""), delta(index, "text_delta", text=words), stopped(index)]


def thought(words: str, signature: str = "SIG", index: int = 0) -> list[dict[str, Any]]:
    """A whole block of thinking."""
    said = [delta(index, "thinking_delta", thinking=words)] if words else []
    return [
        opened(index, "thinking", thinking="", signature=""),
        *said,
        delta(index, "signature_delta", signature=signature),
        stopped(index),
    ]


def call(*pieces: Any, call_id: Any = "A", name: str = "f", index: int = 0, kind: str = "tool_use") -> list[Any]:
    """A whole call."""
    arguments = [delta(index, "input_json_delta", partial_json=piece) for piece in pieces]
    return [opened(index, kind, id=call_id, name=name, input={}), *arguments, stopped(index)]


def body(*units: Any) -> bytes:
    """A stream as the server frames it: an event's name before its data."""
    named = []
    for unit in units:
        if isinstance(unit, dict) and isinstance(unit.get("type"), str):
            named.append(b"event: " + unit["type"].encode() + b"\n" + sse(unit).rstrip(b"\n"))
        else:
            named.append(unit)
    return sse(*named)


def stream(*units: Any) -> Answer:
    """The answer of a stream as it is: the same for reads of 1, 7 and all bytes, every event legal."""
    return READING.answer(body(*units))


def answer(*units: Any, reason: Any = "end_turn", **members: Any) -> Answer:
    """The answer of a stream with an ordinary beginning and end around ``units``."""
    return stream(start(), *units, ended(reason, **members), STOP)
