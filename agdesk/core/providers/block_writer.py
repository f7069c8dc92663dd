"""Opens, fills and closes the blocks of one answer (C19, C20, R02)."""

from __future__ import annotations

from typing import Any, TypeAlias

from agdesk.core.ir.blocks import ProviderData
from agdesk.core.ir.stream import (
    ContentBlockEnd,
    ContentBlockStart,
    ContentBlockType,
    ExtensionType,
    RefusalDelta,
    RefusalType,
    StreamEvent,
    TextDelta,
    TextType,
    ThinkingDelta,
    ThinkingType,
)

RunningKind: TypeAlias = type[TextDelta] | type[ThinkingDelta] | type[RefusalDelta]

_BLOCK_TYPES: dict[RunningKind, ContentBlockType] = {
    TextDelta: TextType(),
    ThinkingDelta: ThinkingType(),
    RefusalDelta: RefusalType(),
}


class BlockWriter:
    """Numbers the blocks and writes their events into ``events``, which the decoder empties frame by frame.

    At most one block of text, thinking or refusal is *running*: it takes the deltas of its kind until another kind or
    a call comes. Other blocks open and close beside it without ending it.

    Args:
        wire: the format, which the Extensions name as their origin.
    """

    __slots__ = ("_deferred", "_next_index", "_wire", "events", "kind", "running_index")

    def __init__(self, wire: str) -> None:
        self._wire = wire
        self.events: list[StreamEvent] = []
        self.kind: RunningKind | None = None
        self.running_index = -1
        self._next_index = 0
        self._deferred: set[int] = set()

    @property
    def has_blocks(self) -> bool:
        """Whether there was anything that takes a place in the answer."""
        return self._next_index > 0

    def reserve(self) -> int:
        """The next block index."""
        index = self._next_index
        self._next_index += 1
        return index

    def write(self, kind: RunningKind, text: str) -> None:
        """Adds text to the running block; another kind ends it and opens a new one. Empty text changes nothing."""
        if not text:
            return
        if kind is not self.kind:
            self.run(kind)
        self.events.append(kind(text, self.running_index))

    def run(self, kind: RunningKind) -> int:
        """Opens a block of ``kind`` as the running one and returns its index."""
        self.end_running()
        self.kind = kind
        self.running_index = self.open(_BLOCK_TYPES[kind])
        return self.running_index

    def end_running(self) -> None:
        """Closes the running block, if there is one."""
        if self.kind is not None and self.running_index not in self._deferred:
            self.events.append(ContentBlockEnd(self.running_index))
        self.kind = None

    def defer_end(self, index: int) -> None:
        """Leaves the closing of this block to ``close``, whatever runs after it: its opaque data may come late."""
        self._deferred.add(index)

    def open(self, block_type: ContentBlockType) -> int:
        """Opens a block beside the running one and returns its index."""
        index = self.reserve()
        self.events.append(ContentBlockStart(index, block_type))
        return index

    def close(self, index: int, *, signature: str | None = None, provider_data: ProviderData | None = None) -> None:
        """Closes a block that is not running or was deferred."""
        self.events.append(ContentBlockEnd(index, signature, provider_data))

    def extension(self, kind: str, raw: Any, index: int | None = None) -> None:
        """A whole ``Extension`` beside the running block, at a reserved index or the next one."""
        if index is None:
            index = self.reserve()
        self.events.append(ContentBlockStart(index, ExtensionType(self._wire, kind, raw)))
        self.events.append(ContentBlockEnd(index))
