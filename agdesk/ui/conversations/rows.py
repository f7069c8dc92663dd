"""What the list consists of: headings and entries, ordered by their places."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeAlias

from agdesk.ui.conversations.sections import Order, Section

if TYPE_CHECKING:
    from agdesk.core.workspace import Conversation

Place: TypeAlias = tuple[Order, int, int, str]


@dataclass(frozen=True, slots=True)
class Heading:
    """A row that begins a section."""

    section: Section

    @property
    def place(self) -> Place:
        """Before all entries of its section."""
        return (self.section.order, 0, 0, "")


@dataclass(frozen=True, slots=True)
class Entry:
    """A row of a conversation. ``title`` is what is drawn, ``folded_title`` what a search looks at."""

    place: Place
    section: Section
    conversation: Conversation
    title: str
    folded_title: str


Row: TypeAlias = Heading | Entry


def entry_place(section: Section, conversation: Conversation) -> Place:
    """The newest first, in its section."""
    return (section.order, 1, -conversation.updated_ms, conversation.id)


def place_of(row: Row) -> Place:
    """What rows are sorted by."""
    return row.place


def find_slot(rows: Sequence[Row], row: Row) -> int:
    """Where a row is or belongs in sorted rows."""
    return bisect_left(rows, row.place, key=place_of)


def find_row(rows: Sequence[Row], row: Row) -> int | None:
    """Where a row, or another in its place, is in sorted rows."""
    at = find_slot(rows, row)
    return at if at < len(rows) and rows[at].place == row.place else None


def with_headings(entries: Iterable[Entry], is_folded: Callable[[Section], bool]) -> Iterator[Row]:
    """Sorted entries with their headings; of a folded section the heading alone."""
    key = None
    is_hidden = False
    for entry in entries:
        if entry.section.key != key:
            key = entry.section.key
            is_hidden = is_folded(entry.section)
            yield Heading(entry.section)
        if not is_hidden:
            yield entry
