"""Messages that wait for their turn: kept when they change, whether their conversation has a message yet or not."""

from __future__ import annotations

import logging
import sqlite3
from collections.abc import Callable
from contextlib import AbstractContextManager

from agdesk.core.errors import ProtocolError
from agdesk.core.ir.blocks import ContentBlock
from agdesk.core.ir.codec import from_json, to_json
from agdesk.core.ir.queued import QueuedMessage
from agdesk.core.store.feed import Operation
from agdesk.core.store.held import hold
from agdesk.core.trace.lines import decode_json, encode_json

log = logging.getLogger(__name__)

# what has its turn was sent, and then came a crash
_FIND = "SELECT conversation_id, id, json FROM queue WHERE id NOT IN (SELECT id FROM turn)"


class Queues:
    """The queues of a store. A conversation's is read before it is changed; it is changed on the loop's thread.

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
        with reading() as connection:
            rows = connection.execute(
                f"{_FIND} AND conversation_id NOT IN (SELECT id FROM conversation) ORDER BY place"
            ).fetchall()
        self._known: dict[str, tuple[QueuedMessage, ...]] = {}
        for conversation_id, *columns in rows:
            self._known[conversation_id] = (*self._known.get(conversation_id, ()), *_read(*columns))

    def of_empty(self, conversation_id: str) -> tuple[QueuedMessage, ...]:
        """That of a conversation without a message, in order."""
        return self._known.get(conversation_id, ())

    def load(self, conversation_id: str) -> tuple[QueuedMessage, ...]:
        """That of any conversation, in order. Blocks.

        Raises:
            StoreError: the database cannot be read.
        """
        if (known := self._known.get(conversation_id)) is None:
            with self._reading() as connection:
                rows = connection.execute(f"{_FIND} AND conversation_id = ? ORDER BY place", (conversation_id,))
                known = tuple(message for _, *columns in rows for message in _read(*columns))
            self._known[conversation_id] = known
        return known

    def set(self, conversation_id: str, messages: tuple[QueuedMessage, ...]) -> None:
        """Keeps another queue; what it has in common with the one before is not written again."""
        kept = {message.id: message for message in self._known.get(conversation_id, ())}
        if tuple(kept.values()) == messages:
            return
        self._known[conversation_id] = messages
        ids = {message.id for message in messages}
        gone = [(message_id,) for message_id in kept if message_id not in ids]
        new = [message for message in messages if kept.get(message.id) is not message]
        places = [(place, message.id) for place, message in enumerate(messages)]

        def write(connection: sqlite3.Connection) -> None:
            connection.executemany("DELETE FROM queue WHERE id = ?", gone)
            for message in new:
                connection.execute(
                    "INSERT OR REPLACE INTO queue (id, conversation_id, place, json) VALUES (?, ?, 0, ?)",
                    (message.id, conversation_id, encode_json(to_json(message.content))),
                )
                hold(connection, f"queue:{message.id}", message.content)
            connection.executemany("UPDATE queue SET place = ? WHERE id = ?", places)

        self._enqueue(write)


def _read(message_id: str, content: bytes) -> tuple[QueuedMessage, ...]:
    """A stored message; none if it cannot be read."""
    try:
        return (QueuedMessage(message_id, from_json(tuple[ContentBlock, ...], decode_json(content))),)
    except (ValueError, RecursionError, ProtocolError) as error:
        log.error("a message that waits cannot be read: %s", error)
        return ()
