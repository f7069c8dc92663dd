"""Small streams of our own, and what the reader of live responses makes of them."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

from agdesk.core.providers.base import Dialect, Endpoint
from agdesk.core.providers.wire.ollama import Ollama
from tests.wire.reading import Answer as Answer
from tests.wire.reading import Reading
from tests.wire.reading import sse as sse

WIRE = Ollama()
ENDPOINT = Endpoint("ollama", "Ollama", "ollama", "http://127.0.0.1:11434/api")
TAGGED = replace(ENDPOINT, dialect=Dialect(parses_think_tags=True))
READING = Reading(WIRE, ENDPOINT)
TIMES = {"total_duration": 9, "load_duration": 1, "prompt_eval_duration": 2, "eval_duration": 3}
COUNTS = {"prompt_eval_count": 5, "eval_count": 2}


def line(message: dict[str, Any] | None = None, **members: Any) -> dict[str, Any]:
    """One line that goes on; ``members`` stand beside the message."""
    whole = {"role": "assistant", "content": "", **(message or {})}
    return {"model": "m1", "created_at": "2026-01-01T00:00:00Z", "message": whole, "done": False, **members}


def text(words: str, **members: Any) -> dict[str, Any]:
    return line({"content": words}, **members)


def thinking(words: str, **members: Any) -> dict[str, Any]:
    return line({"thinking": words}, **members)


def call(name: str = "f", arguments: Any = None, *, index: Any = None, **members: Any) -> dict[str, Any]:
    """One entry of ``tool_calls``; ``members`` stand beside the function."""
    function = {"name": name, "arguments": {} if arguments is None else arguments}
    return {**members, "function": function if index is None else {"index": index, **function}}


def calls(*entries: dict[str, Any], **members: Any) -> dict[str, Any]:
    return line({"tool_calls": list(entries)}, **members)


def end(reason: str | None = "stop", message: dict[str, Any] | None = None, **members: Any) -> dict[str, Any]:
    word = {} if reason is None else {"done_reason": reason}
    return line(message, done=True, **word, **COUNTS, **TIMES) | members


def ndjson(*units: Any) -> bytes:
    """Lines: documents as JSON, strings and bytes as they are."""
    made = [unit if isinstance(unit, str | bytes) else json.dumps(unit, ensure_ascii=False) for unit in units]
    return b"".join((unit.encode() if isinstance(unit, str) else unit) + b"\n" for unit in made)


def answer(*units: Any, at: Endpoint = ENDPOINT) -> Answer:
    """The answer of lines: the same for reads of 1, 7 and all bytes, every event legal, every block closed."""
    return READING.answer(ndjson(*units), at=at)
