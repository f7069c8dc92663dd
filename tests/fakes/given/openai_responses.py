"""Answers of OpenAI Responses, by output item."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from tests.fakes.strict.refusing import Issued

Block = dict[str, Any]


def message(number: int, *parts: Block, **members: Any) -> Block:
    head = {"type": "message", "id": f"msg_{number}", "role": "assistant", "status": "completed"}
    return {**head, "content": list(parts), **members}


def spoken(words: str, *annotations: Block) -> Block:
    return {"type": "output_text", "text": words, "annotations": list(annotations)}


def reasoning(number: int, *summaries: str, seal: str | None = None, thought: str | None = None) -> Block:
    summary = [{"type": "summary_text", "text": text} for text in summaries]
    content = {} if thought is None else {"content": [{"type": "reasoning_text", "text": thought}]}
    sealed = {} if seal is None else {"encrypted_content": seal}
    return {"type": "reasoning", "id": f"rs_{number}", "summary": summary, **content, **sealed}


def call(number: int, *, name: str = "look_up", arguments: str | None = None, call_id: str | None = None) -> Block:
    text = json.dumps({"city": f"where{number}.", "days": 3}) if arguments is None else arguments
    ids = {"id": f"fc_{number}", "call_id": call_id or f"call_{number}"}
    return {"type": "function_call", **ids, "name": name, "arguments": text, "status": "completed"}


def custom(number: int) -> Block:
    ids = {"id": f"ctc_{number}", "call_id": f"call_{number}"}
    return {"type": "custom_tool_call", **ids, "name": "run", "input": f"input{number}."}


def searched(number: int) -> Block:
    action = {"type": "search", "query": f"q{number}"}
    return {"type": "web_search_call", "id": f"ws_{number}", "status": "completed", "action": action}


ANSWERS: Mapping[str, Callable[[int], list[Block]]] = {
    "text": lambda n: [message(n, spoken(f"text{n}."))],
    "text with white space": lambda n: [message(n, spoken(f" text{n}. \n"))],
    "two texts in one message": lambda n: [message(n, spoken(f"text{n}."), spoken(f"text{n + 1}."))],
    "text with a phase": lambda n: [message(n, spoken(f"text{n}."), phase="commentary")],
    "empty text": lambda n: [message(n, spoken(""))],
    "cited text": lambda n: [message(n, spoken(f"text{n}.", {"type": "url_citation", "title": f"cited{n}."}))],
    "refusal": lambda n: [message(n, {"type": "refusal", "refusal": f"text{n}."})],
    "unknown part": lambda n: [message(n, {"type": "output_dream", "scene": {"number": n}})],
    "thinking": lambda n: [reasoning(n, f"thought{n}.", seal=f"sealed{n}==")],
    "thinking in two parts": lambda n: [reasoning(n, f"thought{n}.", f"thought{n + 1}.", seal=f"sealed{n}==")],
    "hidden thinking": lambda n: [reasoning(n, seal=f"sealed{n}==")],
    "thinking without a seal": lambda n: [reasoning(n, f"thought{n}.")],
    "raw thinking": lambda n: [reasoning(n, thought=f"thought{n}.")],
    "call": lambda n: [call(n)],
    "two calls": lambda n: [call(n), call(n + 1, arguments="")],
    "call with an old id": lambda n: [call(n, call_id="call_0")],
    "call with an odd id": lambda n: [call(n, call_id=f"call_{n}|fc_{n}" + "x" * 70)],
    "call with an odd name": lambda n: [call(n, name="multi_tool_use.parallel")],
    "call with bad arguments": lambda n: [call(n, arguments=f'{{"city": "where{n}')],
    "call of a custom tool": lambda n: [custom(n)],
    "server tool": lambda n: [searched(n)],
    "unknown": lambda n: [{"type": "dream", "id": f"dr_{n}", "scene": {"number": n}}],
}

_STRINGS = {"function_call": "arguments", "custom_tool_call": "input"}
_DELTAS = {"function_call": "function_call_arguments", "custom_tool_call": "custom_tool_call_input"}


def stream(blocks: Sequence[Block], *, is_cut: bool = False) -> bytes:
    """The events of an answer; a cut one ends before its last item does."""
    response = {"id": "resp_1", "object": "response", "model": "model-1", "status": "in_progress", "output": []}
    events: list[Block] = [{"type": "response.created", "response": response}]
    for index, block in enumerate(blocks):
        place = {"output_index": index, "item_id": block["id"]}
        events.append({"type": "response.output_item.added", "output_index": index, "item": _opened(block)})
        if (string := _STRINGS.get(block["type"])) is not None:
            name = _DELTAS[block["type"]]
            events.append({"type": f"response.{name}.delta", **place, "delta": block[string]})
        for number, part in enumerate(block["content"] if block["type"] == "message" else ()):
            if part["type"] == "output_text" and part["text"]:
                delta = {"content_index": number, "delta": part["text"]}
                events.append({"type": "response.output_text.delta", **place, **delta})
        events.append({"type": "response.output_item.done", "output_index": index, "item": block})
    if is_cut:
        return _written(events[:-1])
    return _written([*events, {"type": "response.completed", "response": {**response, "status": "completed"}}])


def issue(blocks: Sequence[Block], issued: Issued) -> None:
    """Remembers what was given out, as it must come back."""
    for block in blocks:
        if block["type"] == "reasoning":
            issued.add({key: block[key] for key in block if key != "id"}, block.get("encrypted_content"))
        elif block["type"] == "message":
            for part in block["content"]:
                issued.add(part)
        else:
            issued.add(block)


def _opened(block: Block) -> Block:
    """An item before anything of it came."""
    match block["type"]:
        case "message":
            return {**block, "status": "in_progress", "content": []}
        case "reasoning":
            return {**block, "summary": []}
        case kind if kind in _STRINGS:
            return {**block, "status": "in_progress", _STRINGS[kind]: ""}
    return block


def _written(events: Sequence[Block]) -> bytes:
    lines = (f"event: {event['type']}\ndata: {json.dumps(event, ensure_ascii=False)}\n\n" for event in events)
    return "".join(lines).encode()
