"""A long conversation, read a piece at a time, so that no more of it is in memory twice than one piece."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager
from dataclasses import dataclass

from agdesk.core.errors import StoreError
from agdesk.core.ir.response import Usage
from agdesk.core.ir.tree import ConversationTree, TreeNode
from agdesk.core.store.loading import load_end, nodes_of
from agdesk.core.store.painting import Entry, painted
from agdesk.core.store.rows import deleted_messages, is_without_content, read_milestones
from agdesk.core.store.values import StoredConversation
from agdesk.core.trace.events import TraceRecord

PIECE_RECORDS = 250  # some 8 ms


@dataclass(frozen=True, slots=True)
class Outline:
    """How a conversation is built, without its messages.

    Attributes:
        tree: all its branches; what is said in them is still unknown.
        spans: first and last seq of each piece, in order.
        unpainted: the seqs of the records that do not paint the active path.
        ids: every id that occurs, as one string.
    """

    tree: ConversationTree
    spans: list[tuple[int, int]]
    unpainted: frozenset[int]
    ids: dict[str | None, str]


@dataclass(frozen=True, slots=True)
class Piece:
    """A part of a conversation.

    Attributes:
        records: those of it that paint the active path.
        nodes: the messages of all branches.
        usages: what each request of any branch used, with the model it asked.
    """

    records: list[TraceRecord]
    nodes: list[TreeNode]
    usages: list[tuple[str, Usage]]


class LongConversations:
    """Reads conversations that are too long to be waited for. Blocks; from any thread.

    Args:
        reading: gives a connection.
    """

    def __init__(self, *, reading: Callable[[], AbstractContextManager[sqlite3.Connection]]) -> None:
        self._reading = reading

    def end(self, conversation_id: str) -> StoredConversation:
        """What ``Store.load`` gives of the last messages, or everything where that is not long.

        Raises:
            StoreError: there is no such conversation, or it cannot be read.
        """
        with self._reading() as connection:
            return load_end(connection, conversation_id)

    def outline(self, conversation_id: str) -> Outline:
        """How it is built. Raises as ``end`` does."""
        with self._reading() as connection:
            return read_outline(connection, conversation_id)

    def pieces(self, conversation_id: str, outline: Outline) -> Iterator[Piece]:
        """All of it, from its first message to its last. Raises ``StoreError`` if that cannot be read."""
        with self._reading() as connection:
            yield from read_pieces(connection, conversation_id, outline)


def read_outline(connection: sqlite3.Connection, conversation_id: str) -> Outline:
    """How a conversation is built: some 60 ms for 10,000 messages."""
    tree = ConversationTree()
    entries: list[Entry] = []
    ids: dict[str | None, str] = {}  # every row has strings of its own: those that name the same are kept once
    for turn_id, role, message_id, parent_id, seq, ts_ns, rest, message in connection.execute(
        "SELECT turn_id, role, message.id, parent_id, seq, ts_ns, coalesce(rest, started),"
        " CASE WHEN instr(json, CAST('\"content\":[]' AS BLOB)) THEN json END"
        " FROM message JOIN turn ON turn.id = turn_id WHERE message.conversation_id = ? ORDER BY seq",
        (conversation_id,),
    ):
        turn_id, message_id = ids.setdefault(turn_id, turn_id), ids.setdefault(message_id, message_id)
        parent_id = ids.get(parent_id, parent_id)
        is_empty = message is not None and is_without_content(rest, message)
        entries.append(Entry(seq, turn_id, message_id, parent_id, is_empty))
        if not is_empty:
            tree.add(TreeNode(message_id, parent_id, role, turn_id, "", ts_ns, None))
    for turn_id, seq in connection.execute(
        "SELECT id, end_seq FROM turn WHERE conversation_id = ? AND end_json IS NOT NULL", (conversation_id,)
    ):
        entries.append(Entry(seq, ids.get(turn_id, turn_id), None, None, False))
    for turn_id, seq in connection.execute(
        "SELECT turn_id, seq FROM call_record WHERE conversation_id = ?", (conversation_id,)
    ):
        entries.append(Entry(seq, ids.get(turn_id, turn_id), None, None, False))
    entries.sort(key=lambda entry: entry.seq)
    found = connection.execute("SELECT leaf_id FROM conversation WHERE id = ?", (conversation_id,)).fetchone()
    if found is None:
        raise StoreError("This conversation is not stored", "It may have been deleted.")
    tree.select(found[0])
    for message_id in deleted_messages(connection, conversation_id):
        tree.mark_deleted(message_id)
    is_painted = painted(entries, tree)
    unpainted = frozenset(entry.seq for entry, is_one in zip(entries, is_painted, strict=True) if not is_one)
    pieces = (entries[start : start + PIECE_RECORDS] for start in range(0, len(entries), PIECE_RECORDS))
    return Outline(tree, [(piece[0].seq, piece[-1].seq) for piece in pieces], unpainted, ids)


def read_pieces(connection: sqlite3.Connection, conversation_id: str, outline: Outline) -> Iterator[Piece]:
    """All of a conversation, from its first message to its last."""
    model_refs: dict[str, str] = {}
    for first_seq, last_seq in outline.spans:
        milestones = read_milestones(
            connection, conversation_id, first_seq=first_seq, last_seq=last_seq, ids=outline.ids
        )
        nodes, usages = nodes_of(milestones, model_refs)
        yield Piece([record for record, _, _ in milestones if record.seq not in outline.unpainted], nodes, usages)
