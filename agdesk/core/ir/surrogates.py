"""Halves of UTF-16 pairs that JSON escapes may leave alone (T27).

Python strings can hold them, but UTF-8, SQLite and Qt cannot. Only streams whose JSON needed the forgiving parser pay
for this.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any, TypeVar

from agdesk.core.ir.rewriting import rewritten
from agdesk.core.ir.stream import (
    ContentBlockEnd,
    RefusalDelta,
    StreamEvent,
    TextDelta,
    ThinkingDelta,
    ToolCallArgumentsDelta,
    ToolCallEnd,
)

_PAIR = re.compile("[\ud800-\udbff][\udc00-\udfff]")
_HALF = re.compile("[\ud800-\udfff]")
_REPLACEMENT = "\ufffd"

Value = TypeVar("Value")
Delta = TextDelta | ThinkingDelta | RefusalDelta | ToolCallArgumentsDelta


def mend(value: Value) -> Value:
    """``value`` with every pair joined and every half without its other half replaced by U+FFFD.

    Looks wherever ``rewritten`` looks. What needs no mending is given back as it is.
    """
    return rewritten(value, _mended)


class SurrogateMender:
    """Mends the events of a stream: a high half at the end of a delta waits for the next delta of the same block."""

    __slots__ = ("_held",)

    def __init__(self) -> None:
        self._held: dict[int | None, tuple[type[Delta], str]] = {}

    def mend(self, events: Sequence[StreamEvent]) -> list[StreamEvent]:
        """The events with nothing in them that is not Unicode."""
        mended: list[StreamEvent] = []
        for event in events:
            if isinstance(event, Delta):
                if (delta := self._delta(event)) is not None:
                    mended.append(delta)
                continue
            if isinstance(event, ContentBlockEnd | ToolCallEnd) and (held := self._held.pop(event.index, None)):
                kind, _half = held
                mended.append(kind(_REPLACEMENT, event.index))
            mended.append(mend(event))
        return mended

    def _delta(self, event: Delta) -> Delta | None:
        index = event.index
        text = event.arguments if isinstance(event, ToolCallArgumentsDelta) else event.text
        if index in self._held:
            text = self._held.pop(index)[1] + text
        if "\ud800" <= text[-1:] <= "\udbff":
            self._held[index] = (type(event), text[-1])
            text = text[:-1]
        return type(event)(mend(text), index) if text else None


def _mended(leaf: Any) -> Any:
    if not isinstance(leaf, str) or leaf.isascii() or not _HALF.search(leaf):
        return leaf
    return _HALF.sub(_REPLACEMENT, _PAIR.sub(_join, leaf))


def _join(pair: re.Match[str]) -> str:
    return pair.group().encode("utf-16", "surrogatepass").decode("utf-16")
