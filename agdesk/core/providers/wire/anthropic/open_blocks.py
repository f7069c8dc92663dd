"""The blocks of an answer while they arrive: text, thinking, calls, and everything kept raw (A02 to A12)."""

from __future__ import annotations

import json
from typing import Any, NamedTuple, TypeAlias

from agdesk.core.ir.arguments import parse_arguments
from agdesk.core.ir.blocks import ProviderData
from agdesk.core.ir.stream import (
    ContentBlockEnd,
    ContentBlockStart,
    TextDelta,
    TextType,
    ThinkingDelta,
    ThinkingType,
    ToolCallArgumentsDelta,
    ToolCallEnd,
    ToolUseType,
)
from agdesk.core.providers.block_writer import BlockWriter
from agdesk.core.providers.lenient import objects_of, text_in
from agdesk.core.providers.wire.anthropic.fields import WIRE

PlainDelta: TypeAlias = type[TextDelta] | type[ThinkingDelta] | type[ToolCallArgumentsDelta]


class Plain(NamedTuple):
    """What one delta said, if it said nothing but text: frames like it may be taken on the short way."""

    kind: PlainDelta
    member: str
    text: str
    block: int


class TextBlock:
    """A text. It opens with its first character or citation: servers send empty ones that they do not take back."""

    __slots__ = ("_citations", "_is_open", "_members", "_writer", "index")

    def __init__(self, writer: BlockWriter, start: dict[str, Any]) -> None:
        self._writer = writer
        self.index = writer.reserve()
        self._is_open = False
        self._members = _structures(start, {"type", "text", "citations"})
        self._citations = objects_of(start.get("citations"))
        self._write(text_in(start.get("text")))

    def take(self, delta: dict[str, Any], kind: str) -> Plain | None:
        """Takes a delta; one of another kind is kept with the block's opaque data."""
        if kind == "text_delta":
            text = text_in(delta.get("text"))
            self._write(text)
            return Plain(TextDelta, "text", text, self.index) if text else None
        if kind == "citations_delta" and isinstance(citation := delta.get("citation"), dict):
            self._citations.append(citation)
        else:
            _merge(self._members, delta)
        return None

    def close(self, *, is_whole: bool) -> None:
        """Ends the block."""
        if self._citations or self._members:
            self._open()
        if self._is_open:
            end = ContentBlockEnd(self.index, None, _data(self._members), tuple(self._citations))
            self._writer.events.append(end)

    def _write(self, text: str) -> None:
        if text:
            self._open()
            self._writer.events.append(TextDelta(text, self.index))

    def _open(self) -> None:
        if not self._is_open:
            self._is_open = True
            self._writer.events.append(ContentBlockStart(self.index, TextType()))


class ThinkingBlock:
    """A thought with its own signature; it may stay empty and still counts (A02, A04, R09, R10)."""

    __slots__ = ("_members", "_signature", "_writer", "index")

    def __init__(self, writer: BlockWriter, start: dict[str, Any]) -> None:
        self._writer = writer
        self.index = writer.open(ThinkingType())
        self._members = _structures(start, {"type", "thinking", "signature"})
        self._signature = text_in(start.get("signature"))
        self._write(text_in(start.get("thinking")))

    def take(self, delta: dict[str, Any], kind: str) -> Plain | None:
        """Takes a delta; one of another kind is kept with the block's opaque data."""
        if kind == "thinking_delta":
            text = text_in(delta.get("thinking"))
            self._write(text)
            return Plain(ThinkingDelta, "thinking", text, self.index) if text else None
        if kind == "signature_delta":
            self._signature = text_in(delta.get("signature")) or self._signature
        else:
            _merge(self._members, delta)
        return None

    def close(self, *, is_whole: bool) -> None:
        """Ends the block."""
        self._writer.close(self.index, signature=self._signature or None, provider_data=_data(self._members))

    def _write(self, text: str) -> None:
        if text:
            self._writer.events.append(ThinkingDelta(text, self.index))


class CallBlock:
    """A call of one of our tools.

    Args:
        call_id: the server's; empty: one is made for the call (K05).
        seed: of made-up ids (D11).
    """

    __slots__ = ("_has_arguments", "_input", "_members", "_writer", "index")

    def __init__(self, writer: BlockWriter, start: dict[str, Any], *, call_id: str, seed: str) -> None:
        self._writer = writer
        self.index = writer.reserve()
        block_type = ToolUseType(call_id or f"call_{seed}_{self.index}", text_in(start.get("name")))
        writer.events.append(ContentBlockStart(self.index, block_type))
        self._members = _structures(start, {"type", "id", "name", "input"})
        self._input = start.get("input")
        self._has_arguments = False

    def take(self, delta: dict[str, Any], kind: str) -> Plain | None:
        """Takes a delta; one of another kind is kept with the call's opaque data."""
        if kind != "input_json_delta":
            _merge(self._members, delta)
            return None
        text = _fragment(delta.get("partial_json"))
        self._write(text)
        return Plain(ToolCallArgumentsDelta, "partial_json", text, self.index) if text else None

    def close(self, *, is_whole: bool) -> None:
        """Ends the block; arguments that stood in its start count if no others came (A08)."""
        if not self._has_arguments and self._input != {}:
            self._write(_fragment(self._input))
        if is_whole:
            self._writer.events.append(ToolCallEnd(self.index))
        self._writer.close(self.index, provider_data=_data(self._members))

    def _write(self, text: str) -> None:
        if text:
            self._has_arguments = True
            self._writer.events.append(ToolCallArgumentsDelta(text, self.index))


class RawBlock:
    """Any other block: redacted thinking, tools of the server and their results, compaction, a fallback (A03, A09 to
    A12). It goes out as one ``Extension``, in its place, when it is whole or the answer ends.
    """

    __slots__ = ("_input_parts", "_kind", "_writer", "index", "raw")

    def __init__(self, writer: BlockWriter, start: dict[str, Any]) -> None:
        self._writer = writer
        self.index = writer.reserve()
        self.raw = {member: start[member] for member in start}
        self._kind = text_in(self.raw.get("type")) or "unknown"
        self._input_parts: list[str] = []

    def take(self, delta: dict[str, Any], kind: str) -> Plain | None:
        """Takes a delta into the raw block: texts grow, all else is overwritten."""
        if kind == "input_json_delta":
            self._input_parts.append(_fragment(delta.get("partial_json")))
        else:
            _merge(self.raw, delta)
        return None

    def close(self, *, is_whole: bool) -> None:
        """Writes the block; an input that is no object stays the text that came."""
        if text := "".join(self._input_parts):
            found, _ = parse_arguments(text)
            self.raw["input"] = text if found is None else found
        self._writer.extension(self._kind, self.raw, self.index)


OpenBlock: TypeAlias = TextBlock | ThinkingBlock | CallBlock | RawBlock


def _merge(target: dict[str, Any], delta: dict[str, Any]) -> None:
    for member in delta:
        if member == "type" or (value := delta[member]) is None:
            continue
        old = target.get(member)
        target[member] = old + value if isinstance(old, str) and isinstance(value, str) else value


def _structures(start: dict[str, Any], known: set[str]) -> dict[str, Any]:
    """The members of a known block that nobody reads and that have structure: they go back with the block."""
    found: dict[str, Any] = {}
    for member in start:
        value = dict.get(start, member)  # a glance past ``explain``: only what is kept counts as read
        if member not in known and value and isinstance(value, dict | list):
            found[member] = value
    return found


def _data(members: dict[str, Any]) -> ProviderData | None:
    return ProviderData(WIRE, members) if members else None


def _fragment(value: Any) -> str:
    """A piece of arguments as text; gateways also send objects and null (K09)."""
    if isinstance(value, str):
        return value
    return "" if value is None else json.dumps(value, ensure_ascii=False)
