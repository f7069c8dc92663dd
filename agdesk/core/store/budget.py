"""What goes: traces beyond the byte budget, oldest request first (INSP1), and conversations that were deleted."""

from __future__ import annotations

import sqlite3

from agdesk.core.store.blobs import drop_unneeded
from agdesk.core.store.held import release_orphans
from agdesk.core.store.rows import COMPLETED


def evict(connection: sqlite3.Connection, budget_bytes: int) -> list[str]:
    """Deletes the traces of the oldest closed requests until the rest fits; never a message.

    The space is used again by what comes. Returns the names of the blobs that went.
    """
    (total_bytes,) = connection.execute(
        "SELECT (SELECT coalesce(sum(size_bytes), 0) FROM trace_chunk)"
        " + (SELECT coalesce(sum(size_bytes), 0) FROM blob)"
        " - (SELECT coalesce(sum(size_bytes), 0) FROM blob WHERE sha256 IN (SELECT sha256 FROM held_blob))"
    ).fetchone()
    dropped: list[str] = []
    while total_bytes > budget_bytes:
        oldest = connection.execute(
            "SELECT id, conversation_id, turn_id FROM request WHERE is_closed ORDER BY number LIMIT 1"
        ).fetchone()
        if oldest is None:
            break
        request_id, conversation_id, turn_id = oldest
        total_bytes -= _drop(connection, request_id, conversation_id, turn_id, dropped)
    return dropped


def purge(connection: sqlite3.Connection) -> list[str]:
    """Deletes what the user deleted, for good. Returns the names of the blobs that went."""
    gone = connection.execute("SELECT id FROM conversation WHERE deleted_ms IS NOT NULL").fetchall()
    connection.executemany("DELETE FROM draft WHERE conversation_id = ?", gone)
    connection.executemany("DELETE FROM edit WHERE conversation_id = ?", gone)
    connection.executemany("DELETE FROM setup WHERE conversation_id = ?", gone)
    connection.executemany("DELETE FROM queue WHERE conversation_id = ?", gone)
    connection.execute("DELETE FROM queue WHERE id IN (SELECT id FROM turn)")  # sent, and then came a crash
    connection.executemany("DELETE FROM conversation WHERE id = ?", gone)
    _purge_branches(connection)
    release_orphans(connection)
    return drop_unneeded(connection)


def _purge_branches(connection: sqlite3.Connection) -> None:
    """Deletes the messages that were deleted with all that follows them, and all that was recorded of them."""
    gone = connection.execute(
        "WITH RECURSIVE branch (id) AS (SELECT id FROM message WHERE deleted_ms IS NOT NULL"
        " UNION SELECT message.id FROM message JOIN branch ON parent_id = branch.id)"
        " SELECT id, conversation_id, turn_id FROM message WHERE id IN branch"
    ).fetchall()
    ids = {message_id for message_id, _, _ in gone}
    for conversation_id in {conversation_id for _, conversation_id, _ in gone}:
        _leave(connection, conversation_id, ids)
    connection.executemany("DELETE FROM message WHERE id = ?", [(message_id,) for message_id in ids])
    connection.executemany(
        "DELETE FROM request WHERE id = ?", [(message_id,) for message_id in ids]
    )  # an answer's trace
    for place in {(conversation_id, turn_id) for _, conversation_id, turn_id in gone}:
        left = "SELECT count(*), count(rest) FROM message WHERE conversation_id = ? AND turn_id = ?"
        message_count, answer_count = connection.execute(left, place).fetchone()
        if not answer_count:  # what cut an answer is gone with it
            connection.execute("UPDATE turn SET end_json = ? WHERE conversation_id = ? AND id = ?", (COMPLETED, *place))
        if not message_count:
            connection.execute("DELETE FROM turn WHERE conversation_id = ? AND id = ?", place)
            connection.execute("DELETE FROM request WHERE conversation_id = ? AND turn_id = ?", place)
            connection.execute("DELETE FROM trace_chunk WHERE conversation_id = ? AND turn_id = ?", place)


def _leave(connection: sqlite3.Connection, conversation_id: str, gone: set[str]) -> None:
    """Ends the active path before what goes; it leads there if a crash came right after the deletion."""
    find_leaf = "SELECT leaf_id FROM conversation WHERE id = ?"
    (leaf_id,) = connection.execute(find_leaf, (conversation_id,)).fetchone()
    while leaf_id in gone:
        (leaf_id,) = connection.execute("SELECT parent_id FROM message WHERE id = ?", (leaf_id,)).fetchone()
    connection.execute("UPDATE conversation SET leaf_id = ? WHERE id = ?", (leaf_id, conversation_id))


def _drop(
    connection: sqlite3.Connection, request_id: str, conversation_id: str, turn_id: str, dropped: list[str]
) -> int:
    """Deletes a request with its chunks, those of its turn that have none, and its blobs; gives the bytes freed."""
    mine = "request_id = ? OR (request_id IS NULL AND conversation_id = ? AND turn_id = ?)"
    (freed_bytes,) = connection.execute(
        f"SELECT coalesce(sum(size_bytes), 0) FROM trace_chunk WHERE {mine}", (request_id, conversation_id, turn_id)
    ).fetchone()
    links = connection.execute("SELECT sha256 FROM request_blob WHERE request_id = ?", (request_id,)).fetchall()
    connection.execute(f"DELETE FROM trace_chunk WHERE {mine}", (request_id, conversation_id, turn_id))
    connection.execute("DELETE FROM request WHERE id = ?", (request_id,))
    for (name,) in links:
        for (size_bytes,) in connection.execute(
            "DELETE FROM blob WHERE sha256 = ? AND sha256 NOT IN (SELECT sha256 FROM request_blob)"
            " AND sha256 NOT IN (SELECT sha256 FROM held_blob)"
            " RETURNING size_bytes",
            (name,),
        ).fetchall():
            freed_bytes += size_bytes
            dropped.append(name)
    return int(freed_bytes)
