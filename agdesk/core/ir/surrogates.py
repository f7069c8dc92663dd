"""Halves of UTF-16 pairs that JSON escapes may leave alone (T27).

Python strings can hold them, but UTF-8, SQLite and Qt cannot. Only streams whose JSON needed the forgiving parser pay
for this.
"""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Sequence
from typing import Any, TypeVar

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

    Looks into dicts, lists, tuples (named ones too) and dataclasses. What needs no mending is given back as it is.
    """
    result: Any = value
    if isinstance(value, str):
        if not value.isascii() and _HALF.search(value):
            result = _HALF.sub(_REPLACEMENT, _PAIR.sub(_join, value))
    elif isinstance(value, dict):
        pairs = list(value.items())
        mended_pairs = [(mend(key), mend(item)) for key, item in pairs]
        if any(new[0] is not old[0] or new[1] is not old[1] for new, old in zip(mended_pairs, pairs, strict=True)):
            result = dict(mended_pairs)
    elif isinstance(value, list | tuple):
        items = list(value)
        mended = [mend(item) for item in items]
        if any(new is not old for new, old in zip(mended, items, strict=True)):
            result = mended if isinstance(value, list) else getattr(value, "_make", tuple)(mended)
    elif dataclasses.is_dataclass(value) and not isinstance(value, type):
        fields = {field.name: getattr(value, field.name) for field in dataclasses.fields(value)}
        changed = {name: new for name, old in fields.items() if (new := mend(old)) is not old}
        if changed:
            result = dataclasses.replace(value, **changed)
    return result  # type: ignore[no-any-return]


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


def _join(pair: re.Match[str]) -> str:
    return pair.group().encode("utf-16", "surrogatepass").decode("utf-16")
