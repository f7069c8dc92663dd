"""The loss ledger: what a conversion left out or changed, in words (PROV7)."""

from __future__ import annotations


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
