"""Small streams of our own, and what the reader of live responses makes of them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import Any

from agdesk.core.ir.blocks import ToolUse
from agdesk.core.providers.base import Dialect, Endpoint
from agdesk.core.providers.wire.openai_chat import OpenAiChat
from tests.wire.reading import Answer as Answer
from tests.wire.reading import Reading
from tests.wire.reading import sse as sse

WIRE = OpenAiChat()
ENDPOINT = Endpoint("acme", "Acme", "openai_chat", "http://127.0.0.1/v1")
READING = Reading(WIRE, ENDPOINT)
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


def read(
    body: bytes, *, at: Endpoint = ENDPOINT, size: int | None = None, ends: bool = True, status: int = 200
) -> Answer:
    """A body in reads of ``size`` bytes (None: one); an error before the first event is in ``error`` too."""
    return READING.read(body, at=at, size=size, ends=ends, status=status)


def answer(*units: Any, at: Endpoint = ENDPOINT, done: bool = True) -> Answer:
    """The answer of a stream: the same for reads of 1, 7 and all bytes, every event legal, every block closed."""
    return READING.answer(sse(*units, *([DONE] if done else [])), at=at)


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
