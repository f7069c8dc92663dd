"""A string that comes in deltas and is said again, as a whole, by what ends it (P11)."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

from agdesk.core.ir.stream import RefusalDelta, TextDelta, ThinkingDelta, ToolCallArgumentsDelta
from agdesk.core.ir.surrogates import mend

DeltaKind = type[TextDelta] | type[ThinkingDelta] | type[RefusalDelta] | type[ToolCallArgumentsDelta]


class RunningString:
    """Gives each delta to ``write`` and remembers it.

    Attributes:
        pieces: the deltas so far; the decoder's short way adds to it.
        kind: the event that a further delta stands for as it is; None if it must go through ``add``.
        block: the index of that event.
    """

    __slots__ = ("_write", "block", "kind", "pieces")

    def __init__(self, write: Callable[[RunningString, str], None]) -> None:
        self._write = write
        self.pieces: list[str] = []
        self.kind: DeltaKind | None = None
        self.block = -1

    @property
    def text(self) -> str:
        return "".join(self.pieces)

    def add(self, value: Any) -> None:
        """Takes a delta; an object counts as its JSON (K09)."""
        if text := text_of(value):
            self.pieces.append(text)
            self._write(self, text)

    def settle(self, value: Any) -> None:
        """Takes the whole string: only what is missing at its end is new."""
        whole = text_of(value)
        so_far = mend(self.text)
        if len(whole) > len(so_far) and whole.startswith(so_far):
            self.add(whole[len(so_far) :])


def text_of(value: Any) -> str:
    """A string, or the JSON of an object or array; anything else is nothing."""
    if isinstance(value, str):
        return value
    return json.dumps(value, ensure_ascii=False) if isinstance(value, dict | list) and value else ""
