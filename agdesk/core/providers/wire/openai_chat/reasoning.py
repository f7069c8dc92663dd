"""Reasoning in its many spellings, and the opaque data that belongs to it (R01, R02, R08, R09, R10)."""

from __future__ import annotations

from typing import Any

from agdesk.core.ir.blocks import ProviderData
from agdesk.core.ir.openai_chat.thinking import DETAILS, REASONING_MEMBERS, text_of
from agdesk.core.ir.openai_chat.types import WIRE
from agdesk.core.ir.stream import ThinkingDelta, ThinkingType
from agdesk.core.providers.block_writer import BlockWriter

_JOINED_MEMBERS = frozenset({"text", "summary", "data"})  # what comes in pieces under one index


class ReasoningReader:
    """Writes thinking text and keeps ``reasoning_details`` verbatim, in order, for sending them back (R08).

    The end of a block that has details waits for the end of the answer: its signature may come after the text.

    Attributes:
        plain_member: the member that the last thinking came in; empty if details came with it.
    """

    __slots__ = ("_details", "_entries", "_last_block", "_signatures", "_writer", "plain_member")

    def __init__(self, writer: BlockWriter) -> None:
        self._writer = writer
        self._details: dict[int, list[dict[str, Any]]] = {}
        self._signatures: dict[int, str] = {}
        self._entries: dict[tuple[Any, Any], dict[str, Any]] = {}
        self._last_block: int | None = None
        self.plain_member = ""

    def take(self, delta: Any) -> None:
        """Takes the reasoning of a delta or message. The same text in several members counts once (R01)."""
        text = ""
        for member in REASONING_MEMBERS:
            if (value := delta.get(member)) and not text:
                text = text_of(value)
                self.plain_member = member
        details = delta.get(DETAILS)
        if details is None:
            self._writer.write(ThinkingDelta, text)
            return
        self.plain_member = ""
        if isinstance(details, dict):
            details = [details]
        if not isinstance(details, list):
            details = []
        self._writer.write(ThinkingDelta, text or text_of(details))
        for detail in details:
            if isinstance(detail, dict):
                self._keep(detail)

    def sign(self, signature: Any) -> None:
        """Takes a signature that stands beside the thinking of a content part."""
        if isinstance(signature, str) and signature:
            self._signatures[self._block()] = signature

    def close(self) -> None:
        """Closes every block that has details or a signature, with them."""
        for block in sorted({*self._details, *self._signatures}):
            details = self._details.get(block)
            data = ProviderData(WIRE, {DETAILS: details}) if details else None
            self._writer.close(block, signature=self._signatures.get(block), provider_data=data)

    def _keep(self, detail: dict[str, Any]) -> None:
        key = (str(detail.get("index")), str(detail.get("type")))
        entry = self._entries.get(key)
        if entry is None or _is_another(entry, detail):
            entry = {}
            self._entries[key] = entry
            block = self._block()
            self._details.setdefault(block, []).append(entry)
        for member in detail:
            value = detail[member]
            if member in _JOINED_MEMBERS and isinstance(value, str) and isinstance(entry.get(member), str):
                entry[member] += value
            elif value is not None or member not in entry:
                entry[member] = value
        signature = entry.get("signature")
        if isinstance(signature, str) and signature:
            owner = next(block for block, entries in self._details.items() if any(e is entry for e in entries))
            self._signatures[owner] = signature

    def _block(self) -> int:
        """The thinking block that opaque data belongs to: the running one, else the last one, else a new empty one."""
        writer = self._writer
        if writer.kind is ThinkingDelta:
            block = writer.running_index
        elif self._last_block is not None:
            block = self._last_block
        elif writer.kind is None:
            block = writer.run(ThinkingDelta)
        else:
            block = writer.open(ThinkingType())
        writer.defer_end(block)
        self._last_block = block
        return block


def _is_another(entry: dict[str, Any], detail: dict[str, Any]) -> bool:
    """Whether ``detail`` is no continuation of ``entry`` although index and type are the same."""
    old, new = entry.get("id"), detail.get("id")
    if old is not None and new is not None and old != new:
        return True
    if entry.get("signature") and detail.get("text"):
        return True  # a signature ends the text it signs
    # without an index only text goes on; two opaque values are two
    return detail.get("index") is None and "data" in detail and "data" in entry
