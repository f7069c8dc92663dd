"""Answers of Chat Completions, by delta, with what OpenRouter and Google add to it."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from tests.fakes.strict.refusing import Issued

Block = dict[str, Any]


def call(
    number: int, *, name: str = "look_up", arguments: str | None = None, call_id: str | None = None, **members: Any
) -> Block:
    text = json.dumps({"city": f"where{number}.", "days": 3}) if arguments is None else arguments
    ids = {"index": number, "id": call_id or f"call_{number}", "type": "function"}
    return {**ids, "function": {"name": name, "arguments": text}, **members}


def calls(*entries: Block) -> list[Block]:
    return [{"tool_calls": list(entries)}]


def signed(number: int) -> Block:
    return call(number, extra_content={"google": {"thought_signature": f"signed{number}=="}})


def detail(number: int, kind: str, **members: Any) -> list[Block]:
    """Reasoning as OpenRouter tells it: once for people, once to be sent back."""
    detail: Block = {"type": f"reasoning.{kind}", "id": f"r{number}", "format": "x-v1", "index": number, **members}
    words = detail.get("text") or detail.get("summary")
    return [{"reasoning_details": [detail], **({"reasoning": words} if words else {})}]


def custom(number: int) -> Block:
    ids = {"index": number, "id": f"call_{number}", "type": "custom"}
    return {**ids, "custom": {"name": "run", "input": f"input{number}."}}


ANSWERS: Mapping[str, Callable[[int], list[Block]]] = {
    "text": lambda n: [{"content": f"text{n}."}],
    "text with white space": lambda n: [{"content": f" text{n}. \n"}],
    "blank text": lambda n: [{"content": " \n"}],
    "refusal": lambda n: [{"refusal": f"text{n}."}],
    "thinking": lambda n: [{"reasoning_content": f"thought{n}."}],
    "signed thinking": lambda n: detail(n, "text", text=f"thought{n}.", signature=f"signed{n}=="),
    "summed up thinking": lambda n: detail(n, "summary", summary=f"thought{n}."),
    "hidden thinking": lambda n: detail(n, "encrypted", data=f"sealed{n}=="),
    "call": lambda n: calls(call(n)),
    "two calls": lambda n: calls(call(n), call(n + 1, arguments="")),
    "signed call": lambda n: calls(signed(n)),
    "call with an old id": lambda n: calls(call(n, call_id="functions.look_up:0")),
    "call with a long id": lambda n: calls(call(n, call_id=f"call_{n}|" + "x" * 70)),
    "call with an odd name": lambda n: calls(call(n, name="functions.look_up")),
    "call with bad arguments": lambda n: calls(call(n, arguments=f'{{"city": "where{n}')),
    "call with a list": lambda n: calls(call(n, arguments=f'["where{n}."]')),
    "call of a custom tool": lambda n: calls(custom(n)),
    "annotations": lambda n: [{"annotations": [{"type": "url_citation", "title": f"cited{n}."}]}],
    "unknown": lambda n: [{f"dream{n}": {"number": n}}],
}


def stream(blocks: Sequence[Block], *, is_cut: bool = False) -> bytes:
    """The events of an answer; a cut one ends without saying why."""
    has_calls = any("tool_calls" in block for block in blocks)
    choices: list[Block] = [{"index": 0, "delta": block, "finish_reason": None} for block in blocks]
    if not is_cut:
        choices.append({"index": 0, "delta": {}, "finish_reason": "tool_calls" if has_calls else "stop"})
    head = {"id": "c1", "object": "chat.completion.chunk", "model": "model-1"}
    events = [json.dumps({**head, "choices": [choice]}, ensure_ascii=False) for choice in choices]
    return "".join(f"data: {event}\n\n" for event in [*events, *([] if is_cut else ["[DONE]"])]).encode()


def issue(blocks: Sequence[Block], issued: Issued) -> None:
    """Remembers what was given out: details, signatures with the name they were for, and members of any other kind."""
    for block in blocks:
        for name, value in block.items():
            for entry in value if name == "tool_calls" else ():
                if "extra_content" in entry:
                    issued.add(entry["function"]["name"], entry["extra_content"]["google"]["thought_signature"])
            for entry in value if name == "reasoning_details" else ():
                issued.add(entry)
            issued.add({name: value})
