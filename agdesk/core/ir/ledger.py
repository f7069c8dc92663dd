"""The loss ledger: what a conversion left out or changed, in words (PROV7)."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import NamedTuple

_THINKING_LEFT_OUT = "thinking was left out"
_LINE = re.compile(r"message (\d+(?:, \d+)*): ")


class Ledger:
    """Collects notes; the same note about several messages becomes one line."""

    __slots__ = ("_notes",)

    def __init__(self) -> None:
        self._notes: dict[str, list[int]] = {}

    def note(self, what: str, position: int | None = None) -> None:
        """Adds a note, about the message at ``position`` (from 0) or about the whole."""
        positions = self._notes.setdefault(what, [])
        if position is not None and position not in positions:
            positions.append(position)

    def lines(self) -> tuple[str, ...]:
        """The notes in the order they came: ``message 1, 3: an image was left out``; messages count from 1."""
        return tuple(_prefix(positions) + what for what, positions in self._notes.items())


def _prefix(positions: list[int]) -> str:
    return f"message {', '.join(str(position + 1) for position in positions)}: " if positions else ""


class LedgerLine(NamedTuple):
    """A line that was read back: the messages it is about, counted from 1 (none: the whole), and what it says."""

    messages: tuple[int, ...]
    what: str


def read_line(line: str) -> LedgerLine:
    """A line of ``Ledger.lines``."""
    match = _LINE.match(line)
    if match is None:
        return LedgerLine((), line)
    return LedgerLine(tuple(map(int, match[1].split(", "))), line[match.end() :])


def beyond(lines: Iterable[str], known: Iterable[str]) -> tuple[LedgerLine, ...]:
    """What ``lines`` say that ``known`` do not, message by message.

    Thinking that is left out in both is the same change, whatever the reasons: every format has its own.
    """
    notes = {(message, _effect(read.what)) for read in map(read_line, known) for message in read.messages or (0,)}
    found = []
    for read in map(read_line, lines):
        new = tuple(message for message in read.messages or (0,) if (message, _effect(read.what)) not in notes)
        if new:
            found.append(read._replace(messages=() if new == (0,) else new))
    return tuple(found)


def _effect(what: str) -> str:
    """What makes two notes about a message the same change."""
    return _THINKING_LEFT_OUT if what.startswith(f"{_THINKING_LEFT_OUT}:") else what
