"""The list of conversations, in memory."""

from __future__ import annotations

import dataclasses
import time
from collections.abc import Callable, Iterable
from typing import Any

from agdesk.core.emitter import Emitter
from agdesk.core.ir.messages import heading_of
from agdesk.core.ir.surrogates import mend
from agdesk.core.store.values import Conversation
from agdesk.core.trace.events import TurnStarted

TITLE_CHARACTERS = 60


class Conversations:
    """What the list shows. Belongs to the loop's thread; reading is allowed from any.

    Args:
        rows: those that are stored.
        save: has the row of an id written, as ``row_to_save`` gives it then.

    Attributes:
        changed: the id of a row that is new, changed, deleted or restored.
    """

    def __init__(self, rows: Iterable[Conversation], *, save: Callable[[str], None]) -> None:
        self.changed: Emitter[str] = Emitter()
        self._rows = {row.id: row for row in rows}
        self._empty: dict[str, Conversation] = {}  # open, without a turn so far: not in the list
        self._deleted: dict[str, int] = {}
        self._save = save
        self._sorted: tuple[Conversation, ...] | None = None

    def all(self) -> tuple[Conversation, ...]:
        """Those that are not deleted, the newest first."""
        if self._sorted is None:
            rows = (row for row in self._rows.values() if row.id not in self._deleted)
            self._sorted = tuple(sorted(rows, key=lambda row: row.updated_ms, reverse=True))
        return self._sorted

    def get(self, conversation_id: str) -> Conversation | None:
        """One that is not deleted; also one that is open and still empty, which the list does not show."""
        if conversation_id in self._deleted:
            return None
        return self._rows.get(conversation_id) or self._empty.get(conversation_id)

    def rename(self, conversation_id: str, title: str) -> None:
        """Gives a title, cut to its first line; one without a visible character changes nothing."""
        if title := one_line(title):
            self._change(conversation_id, title=title)

    def set_pinned(self, conversation_id: str, is_pinned: bool) -> None:
        """Pins it, or no longer."""
        self._change(conversation_id, is_pinned=is_pinned)

    def set_group(self, conversation_id: str, group: str) -> None:
        """Puts it into the user's group of that name; empty for none."""
        self._change(conversation_id, group=one_line(group))

    def set_traced(self, conversation_id: str, is_traced: bool) -> None:
        """Says whether more than messages is kept of what happens from now on."""
        self._change(conversation_id, is_traced=is_traced)

    def delete(self, conversation_id: str) -> None:
        """Hides it; it goes for good when the program ends or starts next."""
        if conversation_id in self._rows and conversation_id not in self._deleted:
            self._deleted[conversation_id] = _now_ms()
            self._store(conversation_id)

    def restore(self, conversation_id: str) -> None:
        """Takes ``delete`` back."""
        if self._deleted.pop(conversation_id, None) is not None:
            self._store(conversation_id)

    def is_stored(self, conversation_id: str) -> bool:
        """Whether it has had a turn."""
        return conversation_id in self._rows

    def add_empty(self, row: Conversation) -> None:
        """Makes one known that is open and may have no turn yet."""
        if row.id not in self._rows:
            self._empty[row.id] = row

    def drop_empty(self, conversation_id: str) -> None:
        """Forgets one that was closed before its first turn."""
        self._empty.pop(conversation_id, None)

    def begin_turn(self, conversation_id: str, turn: TurnStarted) -> None:
        """A turn starts in it: it is in the list, on top. One that was deleted meanwhile is restored."""
        row = self._rows.get(conversation_id) or self._empty.pop(conversation_id)
        self._deleted.pop(conversation_id, None)
        self._rows[conversation_id] = dataclasses.replace(
            row,
            title=row.title or one_line(heading_of(turn.message.content)),
            model_ref=mend(turn.model_ref),
            updated_ms=max(_now_ms(), row.updated_ms + 1),  # whatever the clock did meanwhile
        )
        self._tell(conversation_id)

    def row_to_save(self, conversation_id: str) -> tuple[Conversation, int | None]:
        """The row as it is now and when it was deleted; from any thread."""
        return self._rows[conversation_id], self._deleted.get(conversation_id)

    def _change(self, conversation_id: str, **values: Any) -> None:
        rows = self._empty if conversation_id in self._empty else self._rows
        row = rows.get(conversation_id)
        if row is None or (changed := dataclasses.replace(row, **values)) == row:
            return
        rows[conversation_id] = changed
        if rows is self._rows:
            self._store(conversation_id)
        else:
            self._tell(conversation_id)

    def _store(self, conversation_id: str) -> None:
        self._save(conversation_id)
        self._tell(conversation_id)

    def _tell(self, conversation_id: str) -> None:
        self._sorted = None
        self.changed.emit(conversation_id)


def one_line(text: str) -> str:
    """The first line with something visible in it, cut to ``TITLE_CHARACTERS`` (D15)."""
    for line in text.splitlines():
        visible = " ".join("".join(c if c.isprintable() else " " for c in mend(line)).split())
        if visible:
            return visible[:TITLE_CHARACTERS].rstrip()
    return ""


def fork_title(title: str) -> str:
    """What a conversation is called that was made of one with a title; fits as it is."""
    addition = " (fork)"
    return title[: TITLE_CHARACTERS - len(addition)].rstrip() + addition


def _now_ms() -> int:
    return time.time_ns() // 1_000_000
