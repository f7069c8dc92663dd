"""A stored conversation, put together again: what is sent, what paints it, and its whole trace in order."""

from __future__ import annotations

import bisect
import heapq
import sqlite3
from collections.abc import Iterator, Sequence

from agdesk.core.errors import StoreError
from agdesk.core.ir.messages import Assistant, User
from agdesk.core.ir.response import EndCause, MessageResponse, Usage
from agdesk.core.ir.tree import ConversationTree
from agdesk.core.store.chunks import read_records
from agdesk.core.store.rows import Milestone, deleted_messages, list_conversations, read_milestones
from agdesk.core.store.values import StoredConversation
from agdesk.core.trace.branches import change, node_of
from agdesk.core.trace.events import ResponseReceived, TraceRecord, TreeChange, TurnStarted

BATCH_RECORDS = 2_000


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
    found = list_conversations(connection, conversation_id)
    if not found:
        raise StoreError("This conversation is not stored", "It may have been deleted.")
    leaf_id, last_seq = connection.execute(
        "SELECT leaf_id, last_seq FROM conversation WHERE id = ?", (conversation_id,)
    ).fetchone()
    milestones = read_milestones(connection, conversation_id)
    tree, usages = _tree_of(milestones)
    tree.select(leaf_id)
    for message_id in deleted_messages(connection, conversation_id):
        tree.mark_deleted(message_id)
    for payload in changes:
        change(tree, payload)
    messages = tuple(node.message for node in tree.path() if node.message is not None)
    records = tuple(_painting(milestones, tree))
    last_ts_ns = milestones[-1].record.ts_ns if milestones else 0
    return StoredConversation(found[0], tree, messages, records, last_seq, last_ts_ns, usages)


def _tree_of(milestones: list[Milestone]) -> tuple[ConversationTree, tuple[tuple[str, Usage], ...]]:
    """All branches, and what each request of any of them used, with the model that it asked."""
    tree = ConversationTree()
    usages: list[tuple[str, Usage]] = []
    model_refs: dict[str, str] = {}
    names: dict[str | None, str] = {}  # every row has strings of its own: those that name the same are kept once
    for record, message_id, parent_id in milestones:
        if message_id is None:
            continue
        payload, turn_id = record.payload, record.turn_id
        if type(payload) is TurnStarted:
            model_refs[turn_id] = names.setdefault(payload.model_ref, payload.model_ref)
        model_ref = model_refs.get(turn_id, "")
        node = node_of(record, parent_id=names.get(parent_id, parent_id), model_ref=model_ref)
        if node is not None:
            names[node.id] = node.id
            tree.add(node)
        if type(payload) is ResponseReceived and payload.end_cause is not EndCause.EDITED:
            usages.append((model_ref, payload.response.usage))
    return tree, tuple(usages)


def _painting(milestones: list[Milestone], tree: ConversationTree) -> list[TraceRecord]:
    """The records that paint the active path."""
    path: list[str | None] = [None, *(node.id for node in tree.path())]
    if len(path) == len(tree) + 1 and _is_straight(milestones, tree):
        return [milestone.record for milestone in milestones]
    following = dict(zip(path, [*path[1:], None], strict=True))
    positions = {message_id: record.seq for record, message_id, _ in milestones if message_id is not None}
    answered: dict[str, bool] = {}  # turns that have an answer, and whether one is on the path
    for record, message_id, _ in milestones:
        if message_id is not None and message_id in tree and tree.node(message_id).role == "assistant":
            answered[record.turn_id] = answered.get(record.turn_id, False) or message_id in following

    def is_before_path(parent_id: str | None, seq: int) -> bool:
        """Whether what hangs on a message came just before the next message of the path."""
        later = (node.id for node in tree.children(parent_id) if positions[node.id] > seq)
        return parent_id in following and next(later, None) == following[parent_id]

    records: list[TraceRecord] = []
    asked: dict[str, str | None] = {}  # for each turn that is painted the message that its answer follows
    message: User | Assistant
    for record, message_id, parent_id in milestones:
        match record.payload:
            case TurnStarted(message=message) | ResponseReceived(response=MessageResponse(message=message)):
                is_painted = message_id in following if message.content else is_before_path(parent_id, record.seq)
                if not message.content and type(record.payload) is TurnStarted:
                    is_painted = answered.get(record.turn_id, is_painted)  # it goes on with an answer off the path
                if is_painted:
                    asked.setdefault(record.turn_id, message_id if message.content else parent_id)
                    records.append(record)
            case _ if message_id in following and message_id is not None:  # damaged: told of in its place
                asked.setdefault(record.turn_id, message_id)
                records.append(record)
            case _ if record.turn_id in asked:
                if answered.get(record.turn_id) or (
                    record.turn_id not in answered and is_before_path(asked[record.turn_id], record.seq)
                ):
                    records.append(record)
            case _:
                pass
    return records


def _is_straight(milestones: list[Milestone], tree: ConversationTree) -> bool:
    """Whether everything hangs on the message that came last before it, as in most conversations."""
    last = None
    for _, message_id, parent_id in milestones:
        if message_id is not None:
            if parent_id != last:
                return False
            if message_id in tree:
                last = message_id
    return True


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
