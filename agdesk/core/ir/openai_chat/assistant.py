"""The content of an assistant message ⇄ blocks; OpenAI's order is thinking, text, other members, calls."""

from __future__ import annotations

from typing import Any, cast

from agdesk.core.ir.blocks import ContentBlock, Extension, Text, Thinking, ToolResult, ToolUse
from agdesk.core.ir.ledger import Ledger
from agdesk.core.ir.notes import note_left_out, note_text
from agdesk.core.ir.openai_chat.calls import call_of, tool_use_of
from agdesk.core.ir.openai_chat.parts import block_of, part_of
from agdesk.core.ir.openai_chat.thinking import DETAILS, REASONING_MEMBERS, thinking_members, thinking_of
from agdesk.core.ir.openai_chat.types import CONTENT_PART, NOT_SENT_BACK, WIRE, OpenAiMessage

_OWN_MEMBERS = frozenset(
    {"role", "content", "refusal", "tool_calls", "function_call", "name", DETAILS, *REASONING_MEMBERS}
)


def assistant_message(content: tuple[ContentBlock, ...], ledger: Ledger, position: int) -> OpenAiMessage:
    """The message of one answer; its tool results, if there are any, are left to the caller."""
    thoughts: list[Thinking] = []
    spoken: list[Text | Extension] = []
    members: dict[str, Any] = {}
    calls: list[dict[str, Any]] = []
    places: list[int] = []
    for block in content:
        match block:
            case Thinking():
                thoughts.append(block)
                places.append(0)
            case Text():
                spoken.append(block)
                places.append(1)
            case Extension(provider=provider, kind=kind) if provider == WIRE and kind == CONTENT_PART:
                spoken.append(block)
                places.append(1)
            case Extension(provider=provider, kind=kind) if provider == WIRE and kind not in _OWN_MEMBERS:
                _add_member(members, block, ledger, position)
                places.append(2)
            case ToolUse():
                calls.append(call_of(block, ledger, position))
                places.append(3)
            case ToolResult():
                pass
            case _:
                note_left_out(block, ledger, position)
    if places != sorted(places):
        ledger.note("the order of thinking, text and calls is not kept", position)
    message: dict[str, Any] = {"role": "assistant"}
    message |= _spoken_members(spoken, ledger, position)
    message |= thinking_members(thoughts, ledger, position)
    message |= members
    if calls:
        message["tool_calls"] = calls
    return cast(OpenAiMessage, message)


def assistant_content(message: dict[str, Any], ledger: Ledger, position: int) -> tuple[ContentBlock, ...]:
    """The blocks of an assistant message; members without a type in the IR are kept raw."""
    blocks: list[ContentBlock] = []
    thought = thinking_of(message)
    if thought is not None:
        blocks.append(thought)
    content = message.get("content")
    if isinstance(content, str):
        blocks.append(Text(content))
    for part in content if isinstance(content, list) else ():
        block = block_of(part, ledger, position)
        if block is not None:
            blocks.append(block)
    if isinstance(refusal := message.get("refusal"), str) and refusal:
        blocks.append(Text(refusal, is_refusal=True))
    for member in message:
        value = message[member]
        if member not in _OWN_MEMBERS and value not in (None, [], {}):
            blocks.append(Extension(WIRE, member, value))
    if message.get("name") is not None:
        ledger.note("the name of the speaker was left out", position)
    calls = message.get("tool_calls")
    legacy = message.get("function_call")
    entries = calls if isinstance(calls, list) else []
    for entry in [*entries, *([{"function": legacy}] if isinstance(legacy, dict) else [])]:
        call = tool_use_of(entry, ledger, position) if isinstance(entry, dict) else None
        if call is not None:
            blocks.append(call)
    return tuple(blocks)


def _spoken_members(spoken: list[Text | Extension], ledger: Ledger, position: int) -> dict[str, Any]:
    """``content`` and ``refusal``: strings where there is one of them, else parts, which keep borders and order."""
    for block in spoken:
        if isinstance(block, Text):
            note_text(block, ledger, position)
    match spoken:
        case []:
            return {"content": None}
        case [Text(text=text, is_refusal=True)] if text:
            return {"content": None, "refusal": text}
        case [Text(text=text, is_refusal=False)]:
            return {"content": text}
        case [Text(text=text, is_refusal=False), Text(text=refusal, is_refusal=True)] if refusal:
            return {"content": text, "refusal": refusal}
    parts = []
    for block in spoken:
        if isinstance(block, Text) and block.is_refusal:
            parts.append({"type": "refusal", "refusal": block.text})
        elif (part := part_of(block, ledger, position)) is not None:
            parts.append(part)
    return {"content": parts}


def _add_member(members: dict[str, Any], block: Extension, ledger: Ledger, position: int) -> None:
    if block.kind in NOT_SENT_BACK:
        ledger.note(f"{block.kind} came beside the answer and is not sent back", position)
    elif block.kind in members:
        ledger.note(f"of several {block.kind} blocks only the first is sent", position)
    elif block.kind == "audio" and isinstance(block.raw, dict) and "id" in block.raw:
        members["audio"] = {"id": block.raw["id"]}
        if len(block.raw) > 1:
            ledger.note("of an audio answer only the id is sent back", position)
    else:
        members[block.kind] = block.raw
