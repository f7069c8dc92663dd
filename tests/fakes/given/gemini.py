"""Answers of Gemini, by part."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from tests.fakes.strict.refusing import Issued

Block = dict[str, Any]


def call(number: int, *, name: str = "look_up", args: Any = None, call_id: str = "", seal: str = "") -> Block:
    arguments = {"city": f"where{number}.", "days": 3} if args is None else args
    function = {**({"id": call_id} if call_id else {}), "name": name, "args": arguments}
    return {"functionCall": function, **({"thoughtSignature": seal} if seal else {})}


def ran(number: int, **members: Any) -> list[Block]:
    code = {"language": "PYTHON", "code": f"code{number}"}
    result = {"outcome": "OUTCOME_OK", "output": f"output{number}"}
    return [{"executableCode": code, **members}, {"codeExecutionResult": result}]


ANSWERS: Mapping[str, Callable[[int], list[Block]]] = {
    "text": lambda n: [{"text": f"text{n}."}],
    "text with white space": lambda n: [{"text": f" text{n}. \n"}],
    "text in two parts": lambda n: [{"text": f"text{n}."}, {"text": f" and text{n + 1}."}],
    "signed text": lambda n: [{"text": f"text{n}.", "thoughtSignature": f"signed{n}=="}],
    "signed end of a text": lambda n: [{"text": f"text{n}."}, {"text": "", "thoughtSignature": f"signed{n}=="}],
    "blank text": lambda n: [{"text": " \n"}],
    "thinking": lambda n: [{"text": f"thought{n}.", "thought": True}],
    "signed thinking": lambda n: [{"text": f"thought{n}.", "thought": True, "thoughtSignature": f"signed{n}=="}],
    "hidden thinking": lambda n: [{"text": "", "thoughtSignature": f"signed{n}=="}],
    "signed call": lambda n: [call(n, seal=f"signed{n}==")],
    "call with an id": lambda n: [call(n, call_id=f"id{n}", seal=f"signed{n}==")],
    "call without a signature": lambda n: [call(n)],
    "two calls": lambda n: [call(n, seal=f"signed{n}=="), call(n + 1, args={})],
    "call with an odd name": lambda n: [call(n, name="places.look-up:x", seal=f"signed{n}==")],
    "call with a list": lambda n: [call(n, args=[f"where{n}."])],
    "server tool": ran,
    "signed server tool": lambda n: ran(n, thoughtSignature=f"signed{n}=="),
    "image": lambda n: [{"inlineData": {"mimeType": "image/png", "data": "QUJD"}, "thoughtSignature": f"signed{n}=="}],
    "unknown": lambda n: [{"dream": {"scene": {"number": n}}}],
}


def stream(blocks: Sequence[Block], *, is_cut: bool = False) -> bytes:
    """The events of an answer; a cut one ends without saying why."""
    chunks = [{"candidates": [{"content": {"role": "model", "parts": [block]}, "index": 0}]} for block in blocks]
    end = {"candidates": [{"finishReason": "STOP", "index": 0}]}
    head = {"modelVersion": "model-1", "responseId": "r1"}
    events = [*chunks, *([] if is_cut else [end])]
    return "".join(f"data: {json.dumps(event | head, ensure_ascii=False)}\r\n\r\n" for event in events).encode()


def issue(blocks: Sequence[Block], issued: Issued) -> None:
    """Remembers what was given out."""
    for block in blocks:
        issued.add(block, block.get("thoughtSignature"))
