"""Small streams of our own, with Google's line ends, and what the reader of live responses makes of them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from agdesk.core.ir.blocks import ToolUse
from agdesk.core.ir.messages import Assistant, Message, Origin, user
from agdesk.core.ir.request import MessageRequest
from agdesk.core.providers.base import Endpoint, WireRequest
from agdesk.core.providers.wire.gemini import Gemini
from tests.wire.reading import Answer, Reading, sse

WIRE = Gemini()
ENDPOINT = Endpoint("gemini", "Google", "gemini", "http://127.0.0.1/v1beta")
READING = Reading(WIRE, ENDPOINT)
ORIGIN = Origin("gemini", "g", "gemini")


def chunk(*parts: Any, finish: Any = None, candidate: Any = None, **members: Any) -> dict[str, Any]:
    """One chunk of one candidate; ``candidate`` adds members beside the content, ``members`` beside the candidates."""
    one: dict[str, Any] = {"content": {"role": "model", "parts": list(parts)}, "index": 0}
    if finish is not None:
        one["finishReason"] = finish
    return {"candidates": [one | (candidate or {})], "modelVersion": "g1", "responseId": "r1"} | members


def text(words: str, **members: Any) -> dict[str, Any]:
    return {"text": words} | members


def thought(words: str, **members: Any) -> dict[str, Any]:
    return {"text": words, "thought": True} | members


def call(name: str | None = None, args: Any = None, *, signature: str = "", **members: Any) -> dict[str, Any]:
    """A part with a call; what is None is not in it."""
    function = {key: value for key, value in (("name", name), ("args", args)) if value is not None}
    return {"functionCall": function | members} | ({"thoughtSignature": signature} if signature else {})


def body_of(*units: Any) -> bytes:
    return sse(*units).replace(b"\n", b"\r\n")


def answer(*units: Any) -> Answer:
    """The answer of a stream: the same for reads of 1, 7 and all bytes, every event legal, every block closed."""
    return READING.answer(body_of(*units))


def inputs(tools: Sequence[ToolUse]) -> list[Any]:
    return [tool.input for tool in tools]


def rendered(*messages: Message, model: str = "g", is_streaming: bool = True, **members: Any) -> WireRequest:
    """The request of a history, by default one question."""
    request = MessageRequest(model, messages or (user("Hi"),), **members)
    return WIRE.render_request(request, endpoint=ENDPOINT, api_key="k", is_streaming=is_streaming)


def contents(*messages: Message, model: str = "g") -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = rendered(*messages, model=model).body["contents"]
    return found


def own(found: Answer) -> Assistant:
    """The answer as it stands in the history of the model that gave it."""
    return Assistant(found.response.message.content, ORIGIN)
