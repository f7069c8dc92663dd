"""Small streams of our own, and what the reader of live responses makes of them."""

from __future__ import annotations

import json
from typing import Any

from agdesk.core.providers.base import Endpoint
from agdesk.core.providers.wire.openai_responses import OpenAiResponses
from tests.wire.reading import Answer as Answer
from tests.wire.reading import Reading
from tests.wire.reading import sse as sse

WIRE = OpenAiResponses()
ENDPOINT = Endpoint("acme", "Acme", "openai_responses", "http://127.0.0.1/v1")
READING = Reading(WIRE, ENDPOINT)

CREATED = {"type": "response.created", "response": {"id": "r1", "model": "m1", "status": "in_progress"}}


def event(name: str, /, **members: Any) -> dict[str, Any]:
    """An event with the prefix all of them have; a place that is None is not in it."""
    return {"type": f"response.{name}"} | {key: value for key, value in members.items() if value is not None}


def added(index: Any, kind: str, /, **members: Any) -> dict[str, Any]:
    return event("output_item.added", output_index=index, item={"type": kind} | members)


def done(index: Any, kind: str, /, **members: Any) -> dict[str, Any]:
    return event("output_item.done", output_index=index, item={"type": kind} | members)


def text(delta: str, index: Any = 0, part: Any = 0, **members: Any) -> dict[str, Any]:
    return event("output_text.delta", output_index=index, content_index=part, delta=delta, **members)


def summary(delta: str, index: Any = 0, part: Any = 0, **members: Any) -> dict[str, Any]:
    return event("reasoning_summary_text.delta", output_index=index, summary_index=part, delta=delta, **members)


def thought(delta: str, index: Any = 0, part: Any = 0, **members: Any) -> dict[str, Any]:
    return event("reasoning_text.delta", output_index=index, content_index=part, delta=delta, **members)


def arguments(delta: Any, index: Any = 0, **members: Any) -> dict[str, Any]:
    return event("function_call_arguments.delta", output_index=index, delta=delta, **members)


def ended(status: str = "completed", /, **members: Any) -> dict[str, Any]:
    """The last event, named after the status."""
    response = {"id": "r1", "model": "m1", "status": status, "output": []} | members
    return event(status, response=response)


def spoken(words: str, **members: Any) -> dict[str, Any]:
    """The content part of a message."""
    return {"type": "output_text", "text": words} | members


def read(body: bytes, **options: Any) -> Answer:
    return READING.read(body, **options)


def answer(*units: Any, created: bool = True, end: Any = "completed") -> Answer:
    """The answer of a stream: the same for reads of 1, 7 and all bytes, every event legal, every block closed."""
    last = [ended(end)] if isinstance(end, str) else [end] if end else []
    return READING.answer(sse(*([CREATED] if created else []), *units, *last))


def whole(*output: Any, status: str = "completed", **members: Any) -> Answer:
    """The answer of a response that was not streamed."""
    response = {"id": "r1", "object": "response", "model": "m1", "status": status, "output": list(output)} | members
    return READING.answer(json.dumps(response).encode())
