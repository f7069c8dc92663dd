"""A stored conversation, put together again: what is sent, what paints it, and its whole trace in order."""

from __future__ import annotations

import bisect
import heapq
import sqlite3
from collections.abc import Iterator

from agdesk.core.errors import StoreError
from agdesk.core.ir.messages import Assistant, Message, User
from agdesk.core.ir.response import Usage
from agdesk.core.store.chunks import read_records
from agdesk.core.store.rows import list_conversations, read_milestones
from agdesk.core.store.values import StoredConversation
from agdesk.core.trace.events import ResponseReceived, TraceRecord, TurnStarted

BATCH_RECORDS = 2_000


def load_conversation(connection: sqlite3.Connection, conversation_id: str) -> StoredConversation:
    """The active path of a conversation.

    A message without content hangs on the path without being part of it: it is painted, not sent. Such are answers of
    which nothing came, and what stands for the user where a request was only made again.

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
    parents = {message_id: parent_id for _, message_id, parent_id in milestones}
    path: set[str | None] = {None}
    while leaf_id not in path:
        path.add(leaf_id)
        leaf_id = parents.get(leaf_id)
    messages: list[Message] = []
    records: list[TraceRecord] = []
    usages: list[tuple[str, Usage]] = []
    model_refs: dict[str, str] = {}
    turn_ids: set[str] = set()  # of the turns that are painted
    message: User | Assistant | None
    for record, message_id, parent_id in milestones:
        match record.payload:
            case TurnStarted(message=message, model_ref=model_ref):
                model_refs[record.turn_id] = model_ref
            case ResponseReceived(response=response):
                message = response.message
                usages.append((model_refs.get(record.turn_id, ""), response.usage))
            case _:
                message = None
        is_sent = message is not None and message_id in path
        if message is not None and is_sent:
            messages.append(message)
        is_aside = message is not None and not message.content and parent_id in path
        if is_sent or is_aside:
            turn_ids.add(record.turn_id)
        if record.turn_id in turn_ids and (message is None or is_sent or is_aside):
            records.append(record)
    return StoredConversation(found[0], tuple(messages), tuple(records), last_seq, tuple(usages))


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
