"""Conversations in memory, with the methods of the store's list."""

from dataclasses import replace
from datetime import datetime, timedelta

from agdesk.core.emitter import Emitter
from agdesk.core.store.values import Conversation

NOON = datetime(2026, 11, 30, 12, 0)


def conversation(
    conversation_id: str, title: str | None = None, *, ago: timedelta = timedelta(), **fields
) -> Conversation:
    """A conversation that last changed some time before noon."""
    updated_ms = round((NOON - ago).timestamp() * 1000)
    return Conversation(
        id=conversation_id,
        title=conversation_id if title is None else title,
        model_ref="openai/gpt-5",
        created_ms=updated_ms,
        updated_ms=updated_ms,
        wall_start_ns=updated_ms * 1_000_000,
        **fields,
    )


class StoredConversations:
    """The list, newest first; what is deleted can be restored."""

    def __init__(self, *conversations: Conversation) -> None:
        self.changed: Emitter[str] = Emitter()
        self._rows = {row.id: row for row in conversations}
        self.empty: dict[str, Conversation] = {}  # open, without a turn so far
        self._deleted: dict[str, Conversation] = {}

    def all(self) -> tuple[Conversation, ...]:
        return tuple(sorted(self._rows.values(), key=lambda row: -row.updated_ms))

    def get(self, conversation_id: str) -> Conversation | None:
        return self._rows.get(conversation_id) or self.empty.get(conversation_id)

    def is_stored(self, conversation_id: str) -> bool:
        return conversation_id in self._rows

    def put(self, row: Conversation) -> None:
        """What a turn does: the row is new or has changed."""
        self._rows[row.id] = row
        self.changed.emit(row.id)

    def touch(self, conversation_id: str, at: datetime = NOON) -> None:
        """A turn has ended in it."""
        self.put(replace(self._rows[conversation_id], updated_ms=round(at.timestamp() * 1000)))

    def rename(self, conversation_id: str, title: str) -> None:
        self.put(replace(self._rows[conversation_id], title=title))

    def set_pinned(self, conversation_id: str, is_pinned: bool) -> None:
        self.put(replace(self._rows[conversation_id], is_pinned=is_pinned))

    def set_group(self, conversation_id: str, group: str) -> None:
        self.put(replace(self._rows[conversation_id], group=group))

    def set_traced(self, conversation_id: str, is_traced: bool) -> None:
        self.put(replace(self._rows[conversation_id], is_traced=is_traced))

    def delete(self, conversation_id: str) -> None:
        self._deleted[conversation_id] = self._rows.pop(conversation_id)
        self.changed.emit(conversation_id)

    def restore(self, conversation_id: str) -> None:
        self._rows[conversation_id] = self._deleted.pop(conversation_id)
        self.changed.emit(conversation_id)
