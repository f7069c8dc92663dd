"""Bytes that belong to a message, a draft or a queued message: kept as long as that is there, never evicted (CHAT7).

A row of ``held_blob`` says whose they are; the bytes stand in the blob store. What nobody holds any more goes when the
store is closed or opened next: what was removed from a draft can be put back until then.
"""

from __future__ import annotations

import hashlib
import logging
import sqlite3
from collections.abc import Callable, Iterable
from contextlib import AbstractContextManager

from agdesk.core.errors import ProtocolError
from agdesk.core.ir.blocks import BlobRef, ContentBlock
from agdesk.core.ir.codec import from_json, to_json
from agdesk.core.ir.media import blobs_in
from agdesk.core.store.blobs import BlobFolder
from agdesk.core.trace.lines import decode_json, encode_json

log = logging.getLogger(__name__)


class HeldBlobs:
    """The attachments of a store.

    Args:
        blobs: where they stand.
        enqueue: has an operation written.
        reading: gives a connection; may be called from any thread.
    """

    def __init__(
        self,
        blobs: BlobFolder,
        *,
        enqueue: Callable[[Callable[[sqlite3.Connection], None]], None],
        reading: Callable[[], AbstractContextManager[sqlite3.Connection]],
    ) -> None:
        self._blobs = blobs
        self._enqueue = enqueue
        self._reading = reading

    def keep(self, content: bytes) -> BlobRef:
        """Keeps bytes, and gives what stands for them. From any thread; hashing takes 1 ms for 2 MB.

        They can be read and held once the store has ``settled``.
        """
        reference = BlobRef(hashlib.sha256(content).hexdigest(), len(content))
        self._enqueue(lambda connection: self._blobs.write(connection, reference, content))
        return reference

    def read(self, reference: BlobRef) -> bytes | None:
        """The bytes; None if they are not kept or damaged. Blocks.

        Raises:
            StoreError: the database cannot be read.
        """
        with self._reading() as connection:
            return self._blobs.read(connection, reference)

    def of_draft(self, conversation_id: str) -> tuple[ContentBlock, ...]:
        """What is attached to a draft. Blocks.

        Raises:
            StoreError: the database cannot be read.
        """
        with self._reading() as connection:
            found = connection.execute(
                "SELECT attachments FROM draft WHERE conversation_id = ? AND attachments IS NOT NULL",
                (conversation_id,),
            ).fetchone()
        try:
            return from_json(tuple[ContentBlock, ...], decode_json(found[0])) if found else ()
        except (ProtocolError, ValueError) as error:
            log.warning("the attachments of the draft of %s cannot be read: %s", conversation_id, error)
            return ()

    def set_draft(self, conversation_id: str, blocks: tuple[ContentBlock, ...]) -> None:
        """Keeps what is attached to a draft; nothing removes it."""
        content = encode_json(to_json(blocks)) if blocks else None

        def write(connection: sqlite3.Connection) -> None:
            connection.execute(
                "INSERT INTO draft (conversation_id, text, attachments) VALUES (?, x'', ?)"
                " ON CONFLICT (conversation_id) DO UPDATE SET attachments = excluded.attachments",
                (conversation_id, content),
            )
            drop_empty_draft(connection, conversation_id)
            owner = f"draft:{conversation_id}"
            connection.execute("DELETE FROM held_blob WHERE owner = ?", (owner,))
            hold(connection, owner, blocks)

        self._enqueue(write)


def hold(connection: sqlite3.Connection, owner: str, blocks: Iterable[ContentBlock]) -> None:
    """Says what an owner holds, beside what it holds already; ``message:``, ``draft:`` or ``queue:`` and an id."""
    for reference in blobs_in(blocks):
        connection.execute(
            "INSERT OR IGNORE INTO held_blob SELECT ?, sha256 FROM blob WHERE sha256 = ?", (owner, reference.sha256)
        )


def release_orphans(connection: sqlite3.Connection) -> None:
    """Takes what is held from owners that are gone."""
    connection.execute(
        "DELETE FROM held_blob WHERE CASE substr(owner, 1, instr(owner, ':'))"
        " WHEN 'message:' THEN substr(owner, 9) NOT IN (SELECT id FROM message)"
        " WHEN 'draft:' THEN substr(owner, 7) NOT IN (SELECT conversation_id FROM draft)"
        " WHEN 'queue:' THEN substr(owner, 7) NOT IN (SELECT id FROM queue) ELSE 1 END"
    )


def drop_empty_draft(connection: sqlite3.Connection, conversation_id: str) -> None:
    """Deletes the row of a draft with neither text nor attachments."""
    connection.execute(
        "DELETE FROM draft WHERE conversation_id = ? AND length(text) = 0 AND attachments IS NULL", (conversation_id,)
    )
