"""What is written in place of an older message and not sent: it comes back with the draft beside it (CHAT4)."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable
from contextlib import AbstractContextManager

from agdesk.core.store.feed import Operation
from agdesk.core.store.values import UnfinishedEdit


class Edits:
    """The unfinished edits of a store, at most one for a conversation.

    Args:
        enqueue: has an operation written.
        reading: gives a connection; may be called from any thread.
    """

    def __init__(
        self,
        *,
        enqueue: Callable[[Operation], None],
        reading: Callable[[], AbstractContextManager[sqlite3.Connection]],
    ) -> None:
        self._enqueue = enqueue
        self._reading = reading
        self._known: dict[str, UnfinishedEdit | None] = {}

    def load(self, conversation_id: str) -> UnfinishedEdit | None:
        """That of a conversation. Blocks.

        Raises:
            StoreError: the database cannot be read.
        """
        if conversation_id in self._known:
            return self._known[conversation_id]
        with self._reading() as connection:
            row = connection.execute(
                "SELECT message_id, text FROM edit WHERE conversation_id = ?", (conversation_id,)
            ).fetchone()
        return None if row is None else UnfinishedEdit(row[0], bytes(row[1]).decode("utf-8", "surrogatepass"))

    def set(self, conversation_id: str, edit: UnfinishedEdit | None) -> None:
        """Keeps another one; None: it is finished."""
        self._known[conversation_id] = edit
        self._enqueue(lambda connection: _write(connection, conversation_id, edit))


def _write(connection: sqlite3.Connection, conversation_id: str, edit: UnfinishedEdit | None) -> None:
    if edit is None:
        connection.execute("DELETE FROM edit WHERE conversation_id = ?", (conversation_id,))
        return
    connection.execute(
        "INSERT OR REPLACE INTO edit VALUES (?, ?, ?)",
        (conversation_id, edit.message_id, edit.text.encode("utf-8", "surrogatepass")),
    )
