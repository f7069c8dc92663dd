"""Answers of Ollama's own API, by message."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from tests.fakes.strict.refusing import Issued

Block = dict[str, Any]


def call(number: int, *, name: str = "look_up", arguments: Any = None, call_id: str = "", **members: Any) -> Block:
    found = {"city": f"where{number}.", "days": 3} if arguments is None else arguments
    ids = {"id": call_id} if call_id else {}
    return {**ids, "function": {"index": number, "name": name, "arguments": found}, **members}


def calls(*entries: Block) -> list[Block]:
    return [{"content": "", "tool_calls": list(entries)}]


ANSWERS: Mapping[str, Callable[[int], list[Block]]] = {
    "text": lambda n: [{"content": f"text{n}."}],
    "text with white space": lambda n: [{"content": f" text{n}. \n"}],
    "blank text": lambda n: [{"content": " \n"}],
    "thinking": lambda n: [{"content": "", "thinking": f"thought{n}."}],
    "call": lambda n: calls(call(n)),
    "call with an id": lambda n: calls(call(n, call_id=f"call_{n}")),
    "two calls": lambda n: calls(call(n), call(n + 1, arguments={})),
    "call with an odd name": lambda n: calls(call(n, name="functions.look_up")),
    "call with bad arguments": lambda n: calls(call(n, arguments=f'{{"city": "where{n}')),
    "call with unknown data": lambda n: calls(call(n, dream={"number": n})),
    "unknown": lambda n: [{"content": "", f"dream{n}": {"number": n}}],
}


def stream(blocks: Sequence[Block], *, is_cut: bool = False) -> bytes:
    """The lines of an answer; a cut one ends without its last."""
    head = {"model": "model-1", "created_at": "2026-01-01T00:00:00Z"}
    lines = [{**head, "message": {"role": "assistant", **block}, "done": False} for block in blocks]
    end = {**head, "message": {"role": "assistant", "content": ""}, "done": True, "done_reason": "stop"}
    return "".join(
        json.dumps(line, ensure_ascii=False) + "\n" for line in [*lines, *([] if is_cut else [end])]
    ).encode()


def issue(blocks: Sequence[Block], issued: Issued) -> None:
    """Remembers members of unknown kinds, of messages and of calls."""
    for block in blocks:
        for name, value in block.items():
            issued.add({name: value})
            for entry in value if name == "tool_calls" else ():
                for inner in entry:
                    issued.add({inner: entry[inner]})
