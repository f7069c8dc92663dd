"""Thinking as members of an assistant message: ``reasoning_content`` and ``reasoning_details`` (R01, R08)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from agdesk.core.ir.blocks import ProviderData, Thinking
from agdesk.core.ir.ledger import Ledger
from agdesk.core.ir.openai_chat.types import WIRE

REASONING_MEMBERS = ("reasoning_content", "reasoning", "reasoning_text")
DETAILS = "reasoning_details"


def text_of(value: Any) -> str:
    """The text of a string, of a part, or of a list of parts; a part's text is its ``text`` or ``summary``."""
    if isinstance(value, str):
        return value
    if isinstance(value, dict):
        value = [value]
    if not isinstance(value, list):
        return ""
    pieces = []
    for part in value:
        if isinstance(part, str):
            pieces.append(part)
        elif isinstance(part, dict):
            piece = part.get("text") or part.get("summary")
            pieces.append(piece if isinstance(piece, str) else "")
    return "".join(pieces)


def thinking_members(thoughts: Sequence[Thinking], ledger: Ledger, position: int) -> dict[str, Any]:
    """The members that say these thoughts: opaque details verbatim and in order, and text that is not in them."""
    members: dict[str, Any] = {}
    details: list[Any] = []
    texts: list[str] = []
    for thought in thoughts:
        own = details_of(thought)
        details.extend(own)
        if thought.text != text_of(own):
            texts.append(thought.text)
        _note_rest(thought, own, ledger, position)
    if len(thoughts) > 1:
        ledger.note("several pieces of thinking are sent as one", position)
    if any(texts):
        members["reasoning_content"] = "".join(texts)
    if details:
        members[DETAILS] = details
    return members


def thinking_of(message: dict[str, Any]) -> Thinking | None:
    """The thinking an assistant message carries, in whichever member; the same text in several counts once."""
    details = message.get(DETAILS)
    details = [item for item in details if isinstance(item, dict)] if isinstance(details, list) else []
    text = next(filter(None, (text_of(message.get(member)) for member in REASONING_MEMBERS)), "")
    if not text and not details:
        return None
    data = ProviderData(WIRE, {DETAILS: details}) if details else None
    return Thinking(text or text_of(details), _signature(details), data)


def details_of(thought: Thinking) -> list[dict[str, Any]]:
    """The ``reasoning_details`` a thought came with; empty if it came without."""
    data = thought.provider_data
    if data is None or data.origin != WIRE:
        return []
    details = data.raw.get(DETAILS)
    return details if isinstance(details, list) else []


def _note_rest(thought: Thinking, details: list[dict[str, Any]], ledger: Ledger, position: int) -> None:
    if not details and not thought.text:
        ledger.note("an empty piece of thinking was left out", position)
    if thought.signature != _signature(details):
        ledger.note("the signature of thinking was left out", position)
    if thought.provider_data is not None and dict(thought.provider_data.raw) != {DETAILS: details}:
        ledger.note("opaque data of thinking was left out", position)


def _signature(details: list[dict[str, Any]]) -> str | None:
    found = [item["signature"] for item in details if isinstance(item.get("signature"), str) and item["signature"]]
    return found[-1] if found else None
