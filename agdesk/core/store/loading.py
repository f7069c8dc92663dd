"""A stored conversation, put together again: what is sent, what paints it, and its whole trace in order."""

from __future__ import annotations

import bisect
import heapq
import sqlite3
from collections.abc import Iterator

from agdesk.core.errors import StoreError
from agdesk.core.ir.messages import Assistant, Message, User
from agdesk.core.ir.response import EndCause, MessageResponse, Usage
from agdesk.core.ir.tree import ConversationTree
from agdesk.core.store.chunks import read_records
from agdesk.core.store.rows import Milestone, deleted_messages, list_conversations, read_milestones
from agdesk.core.store.values import StoredConversation
from agdesk.core.trace.branches import node_of
from agdesk.core.trace.events import ResponseReceived, TraceRecord, TurnStarted

BATCH_RECORDS = 2_000


def load_conversation(connection: sqlite3.Connection, conversation_id: str) -> StoredConversation:
    """The tree of a conversation, and its active path.

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
    tree = _tree_of(milestones)
    tree.select(leaf_id)
    for message_id in deleted_messages(connection, conversation_id):
        tree.mark_deleted(message_id)
    usages = _usages_of(milestones)
    messages, records = _painting(milestones, tree)
    return StoredConversation(found[0], tree, tuple(messages), tuple(records), last_seq, usages)


def _tree_of(milestones: list[Milestone]) -> ConversationTree:
    tree = ConversationTree()
    model_refs: dict[str, str] = {}
    for record, message_id, parent_id in milestones:
        if isinstance(record.payload, TurnStarted):
            model_refs[record.turn_id] = record.payload.model_ref
        node = node_of(record, parent_id=parent_id, model_ref=model_refs.get(record.turn_id, ""))
        if node is not None and message_id is not None:
            tree.add(node)
    return tree


def _usages_of(milestones: list[Milestone]) -> tuple[tuple[str, Usage], ...]:
    """What each request of any branch used, with the model that it asked."""
    usages: list[tuple[str, Usage]] = []
    model_refs: dict[str, str] = {}
    for record, _, _ in milestones:
        match record.payload:
            case TurnStarted(model_ref=model_ref):
                model_refs[record.turn_id] = model_ref
            case ResponseReceived(response=response, end_cause=cause) if cause is not EndCause.EDITED:
                usages.append((model_refs.get(record.turn_id, ""), response.usage))
            case _:
                pass
    return tuple(usages)


def _painting(milestones: list[Milestone], tree: ConversationTree) -> tuple[list[Message], list[TraceRecord]]:
    """The messages of the active path as they are sent, and the records that paint it."""
    path: list[str | None] = [None, *(node.id for node in tree.path())]
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

    messages: list[Message] = []
    records: list[TraceRecord] = []
    asked: dict[str, str | None] = {}  # for each turn that is painted the message that its answer follows
    message: User | Assistant
    for record, message_id, parent_id in milestones:
        match record.payload:
            case TurnStarted(message=message) | ResponseReceived(response=MessageResponse(message=message)):
                is_sent = bool(message.content) and message_id in following
                if is_sent:
                    messages.append(message)
                if is_sent or (not message.content and is_before_path(parent_id, record.seq)):
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
    return messages, records


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
