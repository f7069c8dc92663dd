"""What all items of an answer have in common."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import Any, TypeAlias

from agdesk.core.providers.block_writer import BlockWriter
from agdesk.core.providers.lenient import text_in
from agdesk.core.providers.wire.openai_responses.strings import RunningString

Key: TypeAlias = int | float | str | None


def key_of(value: Any) -> Key:
    """An index of an event, whatever kind of number it is; None for none."""
    return value if isinstance(value, int | float | str) else None


class Item(ABC):
    """One item of ``output`` while it arrives.

    Attributes:
        kind: its type on the wire.
        block: the first block index that is its own, taken when the item was first seen, so that order is kept.
        id, call_id: as the server says them, the last of each.
        is_announced: its ``added`` event came; otherwise something inside it came before.
        is_done: its final JSON came.
    """

    def __init__(self, kind: str, writer: BlockWriter) -> None:
        self.kind = kind
        self.block = writer.reserve()
        self.id = ""
        self.call_id = ""
        self.is_announced = False
        self.is_done = False
        self._writer = writer

    def is_same(self, item: dict[str, Any]) -> bool:
        """Whether ``item`` may be this one: neither of the ids says otherwise."""
        found, call_id = text_in(item.get("id")), text_in(item.get("call_id"))
        return not (self.id and found and self.id != found) and self.fits(call_id)

    def fits(self, call_id: str) -> bool:
        """Whether ``call_id`` is this item's, as far as can be told; it never rotates, as other ids do (P03)."""
        return not self.call_id or not call_id or self.call_id == call_id

    def announce(self, item: dict[str, Any]) -> None:
        """Takes the JSON of the ``added`` event, whose strings are empty or come again in deltas."""
        self.is_announced = True
        self._note_ids(item)

    def finish(self, item: dict[str, Any]) -> None:
        """Takes the final JSON."""
        self.is_done = True
        self._note_ids(item)

    @abstractmethod
    def close(self, *, may_run: bool) -> None:
        """Writes what is still open, now that nothing more comes; ``may_run``: the answer ended as it should."""

    def _note_ids(self, item: dict[str, Any]) -> None:
        self.id = text_in(item.get("id")) or self.id
        self.call_id = text_in(item.get("call_id")) or self.call_id


class SpokenItem(Item):
    """An item that comes as strings."""

    @abstractmethod
    def string(self, name: str, index: Key) -> RunningString:
        """The string that deltas of this name and index go to."""
