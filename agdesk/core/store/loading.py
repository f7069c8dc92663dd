"""A stored conversation, put together again: what is sent, what paints it, and its whole trace in order."""

from __future__ import annotations

import bisect
import heapq
import itertools
import sqlite3
import sys
from collections.abc import Iterable, Iterator, Sequence

from agdesk.core.errors import StoreError
from agdesk.core.ir.response import EndCause, Usage
from agdesk.core.ir.tree import ConversationTree, TreeNode
from agdesk.core.store.chunks import read_records
from agdesk.core.store.painting import Entry, painted
from agdesk.core.store.rows import Milestone, deleted_messages, list_conversations, read_milestones
from agdesk.core.store.values import StoredConversation
from agdesk.core.trace.branches import change, node_of
from agdesk.core.trace.events import ResponseReceived, TraceRecord, TreeChange, TurnStarted

BATCH_RECORDS = 2_000
END_MESSAGES = 60
"""So many messages of the active path, and a few less, are the end of a conversation: three screens of short ones."""
SHORT_MESSAGES = 200
"""A conversation with no more than so many, in all branches, is whole at once: some 20 ms until it is drawn."""
_MOST_AT_END = 500  # messages of all branches that may have to be read for it


def load_conversation(
    connection: sqlite3.Connection, conversation_id: str, changes: Sequence[TreeChange] = ()
) -> StoredConversation:
    """The tree of a conversation and its active path, as they would be after changes.

    A message without content hangs on the tree without being part of it: it is painted, not sent. Such are answers of
    which nothing came, and what stands for the user where a request was only made again. It is painted before the
    answer that came after it, or at the end if none did.

    Raises:
        StoreError: there is no such conversation.
    """
    return _load(connection, conversation_id, changes=changes)


def load_end(connection: sqlite3.Connection, conversation_id: str) -> StoredConversation:
    """What ``load_conversation`` gives of the last messages of the active path, or everything where that is not long.

    The records are the last ones of those that paint the conversation, from a message of the user on. Of the tree there
    is what came since then, and it is not known how often the first of these messages was written.

    Raises:
        StoreError: there is no such conversation.
    """
    return _load(connection, conversation_id, first_seq=_end_seq(connection, conversation_id))


def _end_seq(connection: sqlite3.Connection, conversation_id: str) -> int:
    """The seq at which the end begins; 0 if that is everything, or lies so far back that it might as well be."""
    if _count_from(connection, conversation_id, 0) <= SHORT_MESSAGES:
        return 0
    path = connection.execute(
        "WITH RECURSIVE path (id, parent_id, role, seq, place) AS ("
        " SELECT message.id, parent_id, role, seq, 1 FROM message"
        " JOIN conversation ON message.id = leaf_id WHERE conversation.id = ?"
        " UNION ALL SELECT message.id, message.parent_id, message.role, message.seq, place + 1"
        " FROM message JOIN path ON message.id = path.parent_id WHERE place < ?)"
        " SELECT role, seq FROM path ORDER BY place DESC",
        (conversation_id, END_MESSAGES),
    ).fetchall()
    if len(path) < END_MESSAGES:
        return 0
    first_seq: int = next((seq for role, seq in path if role == "user"), 0)
    return first_seq if _count_from(connection, conversation_id, first_seq) <= _MOST_AT_END else 0


def _count_from(connection: sqlite3.Connection, conversation_id: str, first_seq: int) -> int:
    """How many messages of all branches there are from a seq on."""
    found: tuple[int] = connection.execute(
        "SELECT count(*) FROM message WHERE conversation_id = ? AND seq >= ?", (conversation_id, first_seq)
    ).fetchone()
    return found[0]


def _load(
    connection: sqlite3.Connection, conversation_id: str, *, first_seq: int = 0, changes: Sequence[TreeChange] = ()
) -> StoredConversation:
    """The conversation as if it began with a seq."""
    found = list_conversations(connection, conversation_id)
    if not found:
        raise StoreError("This conversation is not stored", "It may have been deleted.")
    leaf_id, last_seq = connection.execute(
        "SELECT leaf_id, last_seq FROM conversation WHERE id = ?", (conversation_id,)
    ).fetchone()
    milestones = read_milestones(connection, conversation_id, first_seq=first_seq)
    nodes, usages = nodes_of(milestones, {})
    tree = ConversationTree()
    for node in nodes:
        tree.add(node)
    tree.select(leaf_id)
    for message_id in deleted_messages(connection, conversation_id, first_seq=first_seq):
        tree.mark_deleted(message_id)
    for payload in changes:
        change(tree, payload)
    messages = tuple(node.message for node in tree.path() if node.message is not None)
    entries = [_entry_of(milestone, tree) for milestone in milestones]
    records = tuple(itertools.compress((milestone.record for milestone in milestones), painted(entries, tree)))
    last_ts_ns = milestones[-1].record.ts_ns if milestones else 0
    return StoredConversation(
        found[0], tree, messages, records, last_seq, last_ts_ns, tuple(usages), is_whole=first_seq == 0
    )


def nodes_of(
    milestones: Iterable[Milestone], model_refs: dict[str, str]
) -> tuple[list[TreeNode], list[tuple[str, Usage]]]:
    """The places of messages, and what each request used, with the model that it asked.

    Args:
        milestones: in order.
        model_refs: of the turns before; those that begin here are added.
    """
    nodes: list[TreeNode] = []
    usages: list[tuple[str, Usage]] = []
    for record, message_id, parent_id in milestones:
        if message_id is None:
            continue
        payload, turn_id = record.payload, record.turn_id
        if type(payload) is TurnStarted:
            model_refs[turn_id] = sys.intern(payload.model_ref)  # once, not once a turn
        model_ref = model_refs.get(turn_id, "")
        node = node_of(record, parent_id=parent_id, model_ref=model_ref)
        if node is not None:
            nodes.append(node)
        if type(payload) is ResponseReceived and payload.end_cause is not EndCause.EDITED:
            usages.append((model_ref, payload.response.usage))
    return nodes, usages


def _entry_of(milestone: Milestone, tree: ConversationTree) -> Entry:
    record, message_id, parent_id = milestone
    return Entry(record.seq, record.turn_id, message_id, parent_id, message_id is not None and message_id not in tree)


def read_trace(connection: sqlite3.Connection, conversation_id: str) -> Iterator[list[TraceRecord]]:
    """Every record that is kept, by seq, in batches of at most ``BATCH_RECORDS``."""
    milestones = ((record.seq, [record]) for record, _, _ in read_milestones(connection, conversation_id))
    chunks = read_records(connection, conversation_id)
    waiting: list[TraceRecord] = []  # sorted; chunks of requests that ran side by side overlap
    for first, records in heapq.merge(milestones, chunks, key=lambda piece: piece[0]):
        settled_count = bisect.bisect_left(waiting, first, key=_seq)
        while settled_count >= BATCH_RECORDS:
            yield waiting[:BATCH_RECORDS]
            del waiting[:BATCH_RECORDS]
            settled_count -= BATCH_RECORDS
        waiting += records
        waiting.sort(key=_seq)
    for start in range(0, len(waiting), BATCH_RECORDS):
        yield waiting[start : start + BATCH_RECORDS]


def _seq(record: TraceRecord) -> int:
    return record.seq
