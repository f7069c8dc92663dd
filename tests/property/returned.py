"""What goes back to the provider that made it: its own blocks, as they were given and as a body holds them.

Of both sides a list is made in which equal things look equal. Calls are only told to be there, for their ids, names and
arguments may be mended; what else differs by design is taken out: ids that a server without memory cannot find (P08),
how far an item had come, where a text was cut, and what plain members of a message say.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any

Block = Any
CALL = "a call"
_CHAT_MEMBERS = {"role", "content", "refusal", "tool_calls", "reasoning", "reasoning_content"}


def returned(wire: str, body: Mapping[str, Any]) -> list[Block]:
    """The blocks of the model in a body, in order."""
    match wire:
        case "anthropic":
            turns = [turn["content"] for turn in body["messages"] if turn["role"] == "assistant"]
            return given(wire, itertools.chain.from_iterable(turns))
        case "openai_responses":
            items = [item for item in body["input"] if "role" not in item or item["role"] == "assistant"]
            return given(wire, [item for item in items if "output" not in item])
        case "gemini":
            turns = [content["parts"] for content in body["contents"] if content["role"] == "model"]
            return given(wire, itertools.chain.from_iterable(turns))
    answers = [message for message in body["messages"] if message["role"] == "assistant"]
    return [block for message in answers for block in given(wire, [message])]


def given(wire: str, blocks: Iterable[Block]) -> list[Block]:
    """Blocks as they are compared."""
    return list(_COMPARED[wire](blocks))


def _anthropic(blocks: Iterable[Block]) -> Iterator[Block]:
    for block in blocks:
        if block["type"] == "tool_use":
            yield CALL
        elif block["type"] != "text":
            yield {key: block[key] for key in block if key != "cache_control"}
        elif text := block["text"].rstrip():  # (A07)
            yield {**block, "text": text}


def _responses(items: Iterable[Block]) -> Iterator[Block]:
    for item in items:
        match item["type"]:
            case "function_call" | "custom_tool_call":
                yield CALL
            case "message":
                said = [part for part in item["content"] if part.get("text", "x").strip()]
                if said:
                    yield {**_without(item, "id", "status"), "content": said}
            case "reasoning":
                yield _without(item, "id")
            case _:
                yield item


def _gemini(parts: Iterable[Block]) -> Iterator[Block]:
    for part in parts:
        if "functionCall" in part:
            yield CALL, part.get("thoughtSignature")
        elif part.keys() <= {"text", "thought"}:  # may be cut anywhere
            yield from (("thought" in part, character) for character in part["text"] if not character.isspace())
        else:
            yield part


def _chat(messages: Iterable[Block]) -> Iterator[Block]:
    """What an answer holds beside what is said."""
    messages = list(messages)
    found = [(name, message[name]) for message in messages for name in message.keys() - _CHAT_MEMBERS]
    for name, value in sorted(found, key=lambda member: member[0]):
        yield from ((name, entry) for entry in (value if isinstance(value, list) else [value]))
    yield from _calls(messages, "extra_content")


def _ollama(messages: Iterable[Block]) -> Iterator[Block]:
    messages = list(messages)
    found = [(name, message[name]) for message in messages for name in message if name.startswith("dream")]
    yield from sorted(found, key=lambda member: member[0])
    yield from _calls(messages, "dream")


def _calls(messages: Iterable[Block], member: str) -> Iterator[Block]:
    """What calls hold in a member of their own."""
    calls = [call for message in messages for call in message.get("tool_calls", [])]
    yield from ((CALL, call[member]) for call in calls if member in call)


_COMPARED: Mapping[str, Callable[[Iterable[Block]], Iterator[Block]]] = {
    "openai_chat": _chat,
    "openai_responses": _responses,
    "anthropic": _anthropic,
    "gemini": _gemini,
    "ollama": _ollama,
}


def _without(block: Block, *members: str) -> Block:
    return {key: block[key] for key in block if key not in members}
