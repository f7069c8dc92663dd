"""Items of type ``message``: texts, refusals, and parts that nobody knows yet (C16, P11, P16)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from typing_extensions import override

from agdesk.core.ir.blocks import ProviderData
from agdesk.core.ir.stream import (
    ContentBlockEnd,
    ContentBlockStart,
    RefusalDelta,
    RefusalType,
    TextDelta,
    TextType,
)
from agdesk.core.providers.block_writer import BlockWriter
from agdesk.core.providers.lenient import objects_of, text_in
from agdesk.core.providers.wire.openai_responses.fields import MESSAGE, PART_LANES, WIRE, structures
from agdesk.core.providers.wire.openai_responses.item import Key, SpokenItem
from agdesk.core.providers.wire.openai_responses.strings import RunningString

_ITEM_MEMBERS = frozenset({"type", "id", "object", "status", "role", "content", "phase"})
_PART_MEMBERS = frozenset({"type", "text", "refusal", "annotations", "logprobs"})
_TEXT, _REFUSAL, _OTHER = "text", "refusal", "other"


class _Part:
    """One part: a block that opens with its first text (C20), or an unknown one that goes out whole."""

    def __init__(self, name: str, index: Key, *, block: int, writer: BlockWriter) -> None:
        self.name = name
        self.index = index
        self.block = block
        self.is_open = False
        self.citations: tuple[Mapping[str, Any], ...] = ()
        self.members: dict[str, Any] = {}
        self.raw: dict[str, Any] = {}
        self.string = RunningString(self._write)
        self._writer = writer

    def _write(self, string: RunningString, text: str) -> None:
        kind = RefusalDelta if self.name == _REFUSAL else TextDelta
        if not self.is_open:
            self.is_open = True
            string.kind, string.block = kind, self.block
            block_type = RefusalType() if self.name == _REFUSAL else TextType()
            self._writer.events.append(ContentBlockStart(self.block, block_type))
        self._writer.events.append(kind(text, self.block))

    def settle(self, part: dict[str, Any]) -> None:
        """Takes the whole part."""
        if self.name == _OTHER:
            self.raw = part
            return
        self.string.settle(part.get(self.name))
        self.citations = tuple(objects_of(part.get("annotations"))) or self.citations
        self.members.update(structures(part, _PART_MEMBERS))


class MessageItem(SpokenItem):
    """A message; each of its parts is a block.

    What must go back with a block is in its ``provider_data``: the phase, members nobody knows, and, if the message
    has several parts, what tells that they belong together.
    """

    def __init__(self, writer: BlockWriter) -> None:
        super().__init__(MESSAGE, writer)
        self._parts: list[_Part] = []
        self._members: dict[str, Any] = {}
        self._is_closed = False

    @property
    def has_refusal(self) -> bool:
        return any(part.is_open and part.name == _REFUSAL for part in self._parts)

    @override
    def string(self, name: str, index: Key) -> RunningString:
        return self._part(name, index).string

    def take_part(self, index: Key, part: dict[str, Any]) -> None:
        """Takes the final JSON of one part."""
        if not self._is_closed:
            self._part(_name_of(part), index).settle(part)

    def cite(self, index: Key, annotation: Any) -> None:
        """Takes one annotation of a text."""
        if isinstance(annotation, dict) and not self._is_closed:
            part = self._part(_TEXT, index)
            part.citations = (*part.citations, annotation)

    @override
    def announce(self, item: dict[str, Any]) -> None:
        super().announce(item)
        self._note_members(item)

    @override
    def finish(self, item: dict[str, Any]) -> None:
        super().finish(item)
        self._note_members(item)
        content = item.get("content")
        waiting = list(self._parts)
        for position, part in enumerate(objects_of([{"text": content}] if isinstance(content, str) else content)):
            name = _name_of(part)
            # by its place; else the first that is left, for indexes may count otherwise
            alike = [known for known in waiting if known.name == name]
            found = next((known for known in alike if known.index == position), alike[0] if alike else None)
            if found is None:
                found = self._new(name, position)
            else:
                waiting.remove(found)
            found.settle(part)
        self.close(may_run=True)

    @override
    def close(self, *, may_run: bool) -> None:
        if self._is_closed:
            return
        self._is_closed = True
        shown = [part for part in self._parts if part.is_open or part.raw]
        for part in shown:
            data = self._members | ({"content": part.members} if part.members else {})
            if len(shown) > 1:
                data["id"] = self.id or f"message_{self.block}"
            if part.raw:
                raw = {"type": MESSAGE, "role": "assistant", "content": [part.raw], **data}
                self._writer.extension(text_in(part.raw.get("type")) or "part", raw, part.block)
                continue
            end = ContentBlockEnd(part.block, None, ProviderData(WIRE, data) if data else None, part.citations)
            self._writer.events.append(end)

    def _part(self, name: str, index: Key) -> _Part:
        alike = [part for part in self._parts if part.name == name]
        if index is None and alike:
            return alike[-1]
        for part in alike:
            if part.index == index or part.index is None:
                part.index = index
                return part
        return self._new(name, index)

    def _new(self, name: str, index: Key) -> _Part:
        block = self._writer.reserve() if self._parts else self.block
        part = _Part(name, index, block=block, writer=self._writer)
        self._parts.append(part)
        return part

    def _note_members(self, item: dict[str, Any]) -> None:
        if phase := item.get("phase"):
            self._members["phase"] = phase
        self._members.update(structures(item, _ITEM_MEMBERS))


def _name_of(part: dict[str, Any]) -> str:
    kind = part.get("type")
    if kind is None and isinstance(part.get("text"), str):
        return _TEXT
    lane = PART_LANES.get(text_in(kind))
    return lane.name if lane is not None and lane.item == MESSAGE else _OTHER
