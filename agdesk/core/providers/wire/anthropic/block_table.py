"""Which block of the answer an index of the wire means, and what its deltas do."""

from __future__ import annotations

from typing import Any, TypeAlias

from agdesk.core.providers.block_writer import BlockWriter
from agdesk.core.providers.lenient import text_in
from agdesk.core.providers.wire.anthropic.open_blocks import (
    CallBlock,
    OpenBlock,
    Plain,
    RawBlock,
    TextBlock,
    ThinkingBlock,
)

_Key: TypeAlias = int | float | str | None

# what a delta without a type says of itself
_KINDS = {
    "text": "text_delta",
    "thinking": "thinking_delta",
    "signature": "signature_delta",
    "partial_json": "input_json_delta",
    "citation": "citations_delta",
}
_OPENED_BY: dict[str, type[TextBlock] | type[ThinkingBlock]] = {
    "text_delta": TextBlock,
    "thinking_delta": ThinkingBlock,
}


class BlockTable:
    """The open blocks of one answer.

    The wire's indexes are keys, nothing more: they may begin anywhere, have gaps, and be used again after a stop (K03).

    Attributes:
        has_calls: whether one of our tools was called.
        plain: what the last delta did, if it only added text.
    """

    __slots__ = ("_ids", "_latest", "_open", "_seed", "_starts", "_writer", "has_calls", "plain")

    def __init__(self, writer: BlockWriter, seed: str) -> None:
        self._writer = writer
        self._seed = seed
        self._open: dict[_Key, OpenBlock] = {}
        self._starts: dict[_Key, Any] = {}  # of blocks that got no delta yet
        self._latest: _Key = None
        self._ids: set[str] = set()
        self.has_calls = False
        self.plain: Plain | None = None

    def start(self, index: Any, start: Any) -> None:
        """Opens a block. The same start once more is nothing; another one at an open index ends the block there."""
        if not isinstance(start, dict):
            return
        key = _key(index)
        if key in self._open:
            if key in self._starts and self._starts[key] == start:
                return
            self._open.pop(key).close(is_whole=False)
        self._put(key, self._block(start))
        self._starts[key] = start

    def take_delta(self, index: Any, delta: Any) -> None:
        """Gives a delta to its block: the one at its index, or the latest if it names none."""
        if not isinstance(delta, dict):
            return
        key = self._latest if index is None else _key(index)
        kind = text_in(delta.get("type")) or next((_KINDS[member] for member in delta if member in _KINDS), "")
        block = self._open.get(key)
        wanted = _OPENED_BY.get(kind)
        is_prose = block is None or isinstance(block, TextBlock | ThinkingBlock)
        if wanted is not None and is_prose and block.__class__ is not wanted:
            # text that nobody announced, or of the other sort: not to be lost
            if block is not None:
                block.close(is_whole=False)
            block = wanted(self._writer, {})
            self._put(key, block)
        if block is not None:
            self._starts.pop(key, None)
            self.plain = block.take(delta, kind)

    def stop(self, index: Any) -> None:
        """Ends a block: it is whole."""
        block = self._open.pop(self._latest if index is None else _key(index), None)
        if block is not None:
            block.close(is_whole=True)

    def close(self, *, is_whole: bool) -> None:
        """Ends every block that is still open, in order; calls of a cut answer are not whole (PROV3)."""
        for block in sorted(self._open.values(), key=lambda block: block.index):
            block.close(is_whole=is_whole)
        self._open.clear()

    def _put(self, key: _Key, block: OpenBlock) -> None:
        self._open[key] = block
        self._latest = key

    def _block(self, start: dict[str, Any]) -> OpenBlock:
        match start.get("type"):
            case "text":
                return TextBlock(self._writer, start)
            case "thinking":
                return ThinkingBlock(self._writer, start)
            case "tool_use":
                self.has_calls = True
                call_id = text_in(start.get("id"))
                is_new = call_id not in self._ids  # one that another call has already is none
                self._ids.add(call_id)
                return CallBlock(self._writer, start, call_id=call_id if is_new else "", seed=self._seed)
            case _:
                return RawBlock(self._writer, start)


def _key(index: Any) -> _Key:
    return index if isinstance(index, int | float | str) else None
