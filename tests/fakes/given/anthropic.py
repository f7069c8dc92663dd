"""Answers of Anthropic Messages, by content block."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from tests.fakes.strict.refusing import Issued

Block = dict[str, Any]


def call(number: int, *, name: str = "look_up", arguments: str | None = None) -> Block:
    """A call; ``arguments``: the text that is streamed for them."""
    text = json.dumps({"city": f"where{number}.", "days": 3}) if arguments is None else arguments
    return {"type": "tool_use", "id": f"toolu_{number}", "name": name, "input": text}


def searched(number: int) -> list[Block]:
    """A search that the provider ran, and what it found."""
    found = {"type": "web_search_result", "url": "https://x/", "title": "X", "encrypted_content": f"found{number}=="}
    return [
        {"type": "server_tool_use", "id": f"srvtoolu_{number}", "name": "web_search", "input": {"query": f"q{number}"}},
        {"type": "web_search_tool_result", "tool_use_id": f"srvtoolu_{number}", "content": [found]},
    ]


def text(words: str, **members: Any) -> Block:
    return {"type": "text", "text": words, **members}


def thinking(words: str, signature: str) -> Block:
    return {"type": "thinking", "thinking": words, "signature": signature}


ANSWERS: Mapping[str, Callable[[int], list[Block]]] = {
    "text": lambda n: [text(f"text{n}.")],
    "text with white space": lambda n: [text(f" text{n}. \n")],
    "empty text": lambda n: [text("")],
    "blank text": lambda n: [text(" \n")],
    "cited text": lambda n: [text(f"text{n}.", citations=[{"type": "char_location", "cited_text": f"cited{n}."}])],
    "thinking": lambda n: [thinking(f"thought{n}.", f"signed{n}==")],
    "hidden thinking": lambda n: [thinking("", f"signed{n}==")],
    "unsigned thinking": lambda n: [thinking(f"thought{n}.", "")],
    "redacted thinking": lambda n: [{"type": "redacted_thinking", "data": f"sealed{n}=="}],
    "call": lambda n: [call(n)],
    "two calls": lambda n: [call(n), call(n + 1, arguments="")],
    "call with an odd name": lambda n: [call(n, name="functions.look_up")],
    "call with bad arguments": lambda n: [call(n, arguments=f'{{"city": "where{n}')],
    "call with a list": lambda n: [call(n, arguments=f'["where{n}."]')],
    "server tool": searched,
    "server tool without result": lambda n: searched(n)[:1],
    "unknown": lambda n: [{"type": "dream", "scene": {"number": n}}],
}


def stream(blocks: Sequence[Block], *, is_cut: bool = False) -> bytes:
    """The events of an answer; a cut one ends before its last block does."""
    start = {"id": "msg_1", "type": "message", "role": "assistant", "model": "model-1", "content": []}
    events: list[Block] = [{"type": "message_start", "message": {**start, "usage": {"input_tokens": 1}}}]
    for index, block in enumerate(blocks):
        opened, deltas = _opened(block)
        events.append({"type": "content_block_start", "index": index, "content_block": opened})
        events += [{"type": "content_block_delta", "index": index, "delta": delta} for delta in deltas]
        events.append({"type": "content_block_stop", "index": index})
    if is_cut:
        return _written(events[:-1])
    has_calls = any(block["type"] == "tool_use" for block in blocks)
    end = {"stop_reason": "tool_use" if has_calls else "end_turn", "stop_sequence": None}
    events += [{"type": "message_delta", "delta": end, "usage": {"output_tokens": 1}}, {"type": "message_stop"}]
    return _written(events)


def issue(blocks: Sequence[Block], issued: Issued) -> None:
    """Remembers what was given out."""
    for block in blocks:
        issued.add(block, block.get("signature") or block.get("data"))


def _opened(block: Block) -> tuple[Block, list[Block]]:
    """A block at its start, and the deltas that make it whole."""
    match block["type"]:
        case "text":
            deltas = [{"type": "text_delta", "text": block["text"]}] if block["text"] else []
            deltas += [{"type": "citations_delta", "citation": found} for found in block.get("citations", [])]
            return {"type": "text", "text": ""}, deltas
        case "thinking":
            spoken = [{"type": "thinking_delta", "thinking": block["thinking"]}] if block["thinking"] else []
            return thinking("", ""), [*spoken, {"type": "signature_delta", "signature": block["signature"]}]
        case "tool_use":
            return {**block, "input": {}}, [{"type": "input_json_delta", "partial_json": block["input"]}]
        case "server_tool_use":
            arguments = json.dumps(block["input"])
            return {**block, "input": {}}, [{"type": "input_json_delta", "partial_json": arguments}]
    return block, []


def _written(events: Sequence[Block]) -> bytes:
    lines = (f"event: {event['type']}\ndata: {json.dumps(event, ensure_ascii=False)}\n\n" for event in events)
    return "".join(lines).encode()
