"""The parts of the candidate that counts: text, thoughts, calls, what is kept as it came (G07, G08, G15, G18)."""

from __future__ import annotations

from typing import Any

from agdesk.core.ir.blocks import ProviderData
from agdesk.core.ir.stream import TextDelta, ThinkingDelta
from agdesk.core.providers.block_writer import BlockWriter
from agdesk.core.providers.lenient import text_in
from agdesk.core.providers.wire.gemini.calls import CALL, CallReader
from agdesk.core.providers.wire.gemini.fields import WIRE

SIGNATURE = "thoughtSignature"
_READ_MEMBERS = frozenset({"text", "thought", SIGNATURE})
# Beside what says of which kind a part is.
_SIDE_MEMBERS = _READ_MEMBERS | {CALL, "videoMetadata", "partMetadata", "mediaResolution"}
_EMPTY: tuple[Any, ...] = (None, "", [], {})


class PartReader:
    """Reads parts into blocks, so that ``history`` can make the same parts of the blocks.

    Plain texts of one kind run together, as Google cuts them anywhere. A part with a signature ends its block, and the
    whole part is the block's opaque data: its text is what the block's text ends with.

    Attributes:
        calls: of this answer.
    """

    __slots__ = ("_marks", "_writer", "calls")

    def __init__(self, writer: BlockWriter, seed: str) -> None:
        self._writer = writer
        self._marks: dict[int, dict[str, Any]] = {}  # by block: unknown structures of its parts, to go out at its end
        self.calls = CallReader(writer, seed)

    def take(self, part: Any) -> None:
        """Takes one part."""
        if not isinstance(part, dict):
            self._writer.write(TextDelta, text_in(part))
            return
        if isinstance(part.get(CALL), dict):
            self.calls.take(part)
            return
        text, signature = text_in(part.get("text")), part.get(SIGNATURE)
        is_thought = bool(part.get("thought"))
        if not text and (kind := _kind(part)):
            self._writer.end_running()
            self._writer.extension(kind, part)
            return
        self._writer.write(ThinkingDelta if is_thought else TextDelta, text)
        if not part.keys() <= _READ_MEMBERS:
            self._mark(part)
        if signature:
            self._sign(part, text_in(signature))

    def close(self, *, is_cut: bool) -> None:
        """Closes every block; a call that was cut is not marked as whole."""
        self._writer.end_running()
        self.calls.close(is_cut=is_cut)
        for index, mark in self._marks.items():
            self._writer.close(index, provider_data=ProviderData(WIRE, mark))

    def _mark(self, part: dict[str, Any]) -> None:
        """Keeps structures that nobody knows with the block that runs; unknown numbers and words are metadata."""
        if self._writer.kind is None:
            return
        for member in part.keys() - _READ_MEMBERS:
            value = dict.get(part, member)  # a glance past ``explain``: only what is kept counts as read
            if isinstance(value, dict | list) and value:
                self._writer.defer_end(self._writer.running_index)
                self._marks.setdefault(self._writer.running_index, {})[member] = value

    def _sign(self, part: dict[str, Any], signature: str) -> None:
        """Ends the block that the part belongs to; one that follows none is hidden thinking (R09, R10)."""
        writer = self._writer
        index = writer.running_index if writer.kind is not None else writer.run(ThinkingDelta)
        is_thinking = writer.kind is ThinkingDelta
        mark = self._marks.pop(index, None)
        writer.defer_end(index)
        writer.end_running()
        data = ProviderData(WIRE, part if mark is None else {**mark, **part})
        writer.close(index, signature=signature or None if is_thinking else None, provider_data=data)


def _kind(part: dict[str, Any]) -> str:
    """The member that says what a part is, if the IR has no type for it."""
    return next((member for member in part if member not in _SIDE_MEMBERS and dict.get(part, member) not in _EMPTY), "")
