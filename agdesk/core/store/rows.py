"""Conversations, turns and messages as rows: how the records that paint a conversation are written and read again."""

from __future__ import annotations

import dataclasses
import sqlite3
import time
from typing import Any, NamedTuple, TypeAlias

from agdesk.core.ir.blocks import Extension
from agdesk.core.ir.codec import to_json
from agdesk.core.ir.messages import Assistant, Tool, User
from agdesk.core.ir.surrogates import mend
from agdesk.core.store.calls import CALL_RECORDS, read_calls, write_call
from agdesk.core.store.held import hold
from agdesk.core.store.plain import plain_answer, plain_turn_start
from agdesk.core.store.values import Conversation
from agdesk.core.trace.events import (
    BranchDeleted,
    BranchRestored,
    BranchSelected,
    Payload,
    ResponseReceived,
    TraceRecord,
    TurnCancelled,
    TurnCompleted,
    TurnFailed,
    TurnStarted,
    Unknown,
    payload_from_json,
    payload_to_json,
)
from agdesk.core.trace.lines import decode_json, encode_json
from agdesk.core.trace.tools import ToolRoundCompleted

TURN_ENDS = (TurnCompleted, TurnFailed, TurnCancelled)
MILESTONES: frozenset[type] = frozenset({TurnStarted, ResponseReceived, ToolRoundCompleted, *CALL_RECORDS, *TURN_ENDS})
"""The records that paint a conversation: they have rows of their own and are never evicted."""

COMPLETED = encode_json(payload_to_json(TurnCompleted()))
"""The stored end of a turn that ended well."""
_ROUND = encode_json({"type": "tool_round_completed"})  # the message stands beside it
_ROLES = {User: "user", Assistant: "assistant", Tool: "tool"}
_Message: TypeAlias = User | Assistant | Tool
_MAX_INTEGER = (1 << 63) - 1


class Milestone(NamedTuple):
    """A record that paints; ``message_id`` and ``parent_id`` are None for the end of a turn."""

    record: TraceRecord
    message_id: str | None
    parent_id: str | None


def save_conversation(connection: sqlite3.Connection, row: Conversation, deleted_ms: int | None = None) -> None:
    """Writes a row of the list as it is now."""
    values = (row.title, row.group, row.is_pinned, row.is_traced, row.model_ref, row.updated_ms, deleted_ms)
    connection.execute(
        "INSERT INTO conversation (title, group_name, is_pinned, is_traced, model_ref, updated_ms, deleted_ms, id,"
        " created_ms, wall_start_ns) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT (id) DO UPDATE SET title ="
        " excluded.title, group_name = excluded.group_name, is_pinned = excluded.is_pinned, is_traced ="
        " excluded.is_traced, model_ref = excluded.model_ref, updated_ms = excluded.updated_ms, deleted_ms ="
        " excluded.deleted_ms",
        (*map(mend, values), row.id, row.created_ms, row.wall_start_ns),
    )


def list_conversations(connection: sqlite3.Connection, conversation_id: str | None = None) -> list[Conversation]:
    """Every row of the list that is not deleted, or the one with an id."""
    rows = connection.execute(
        "SELECT id, title, model_ref, created_ms, updated_ms, wall_start_ns, group_name, is_pinned, is_traced"
        " FROM conversation WHERE (? IS NULL AND deleted_ms IS NULL) OR id = ?",
        (conversation_id, conversation_id),
    )
    return [
        dataclasses.replace(Conversation(*row[:6]), group=row[6], is_pinned=bool(row[7]), is_traced=bool(row[8]))
        for row in rows
    ]


def write_milestone(connection: sqlite3.Connection, record: TraceRecord) -> None:
    """Writes one of ``MILESTONES``; the conversation's row must be there."""
    match record.payload:
        case TurnStarted() as started:
            document = payload_to_json(started)
            del document["message"]
            if started.at is None:
                del document["at"]
            else:
                _select_leaf(connection, record.session_id, started.at.leaf_id)
            if started.continues is None:
                del document["continues"]
            connection.execute(
                "INSERT INTO turn (id, conversation_id, model_ref, started) VALUES (?, ?, ?, ?)",
                (record.turn_id, record.session_id, mend(started.model_ref), encode_json(document)),
            )
            _write_message(connection, record, started.message)
        case ResponseReceived() as received:
            _write_message(connection, record, received.response.message, sibling_of=received.continues)
            _write_response(connection, record, received)
        case ToolRoundCompleted(message=results):
            _write_message(connection, record, results)
            connection.execute("UPDATE message SET rest = ? WHERE id = ?", (_ROUND, record.request_id))
        case TurnCompleted() | TurnFailed() | TurnCancelled() as end:
            connection.execute(
                "UPDATE turn SET end_seq = ?, end_ts_ns = ?, end_json = ? WHERE id = ?",
                (record.seq, record.ts_ns, encode_json(payload_to_json(end)), record.turn_id),
            )
        case _:
            write_call(connection, record)
    note_seq(connection, record.session_id, record.seq)


def write_tree_change(connection: sqlite3.Connection, record: TraceRecord) -> None:
    """Brings one of ``TREE_CHANGES`` into force; one that names no message of the conversation changes nothing."""
    match record.payload:
        case BranchSelected(leaf_id=leaf_id):
            _select_leaf(connection, record.session_id, leaf_id)
        case BranchDeleted(message_id=message_id):
            connection.execute(
                "UPDATE message SET deleted_ms = ? WHERE id = ? AND conversation_id = ?",
                (time.time_ns() // 1_000_000, message_id, record.session_id),
            )
        case BranchRestored(message_id=message_id):
            connection.execute(
                "UPDATE message SET deleted_ms = NULL WHERE id = ? AND conversation_id = ?",
                (message_id, record.session_id),
            )
    note_seq(connection, record.session_id, record.seq)


def _select_leaf(connection: sqlite3.Connection, conversation_id: str, leaf_id: str | None) -> None:
    connection.execute(
        "UPDATE conversation SET leaf_id = ? WHERE id = ? AND (? IS NULL OR EXISTS"
        " (SELECT 1 FROM message WHERE id = ? AND conversation_id = conversation.id))",
        (leaf_id, conversation_id, leaf_id, leaf_id),
    )


def deleted_messages(connection: sqlite3.Connection, conversation_id: str, *, first_seq: int = 0) -> list[str]:
    """The messages from a seq on that were deleted, and can still be brought back."""
    rows = connection.execute(
        "SELECT id FROM message WHERE conversation_id = ? AND seq >= ? AND deleted_ms IS NOT NULL",
        (conversation_id, first_seq),
    )
    return [message_id for (message_id,) in rows]


def note_seq(connection: sqlite3.Connection, conversation_id: str, seq: int) -> None:
    """Keeps the seq of the conversation's last record, whatever becomes of the record."""
    connection.execute("UPDATE conversation SET last_seq = max(last_seq, ?) WHERE id = ?", (seq, conversation_id))


def read_milestones(
    connection: sqlite3.Connection,
    conversation_id: str,
    *,
    first_seq: int = 0,
    last_seq: int = _MAX_INTEGER,
    ids: dict[str | None, str] | None = None,
) -> list[Milestone]:
    """The records that paint a conversation, all branches, in order. One that cannot be read is ``Unknown``.

    Args:
        first_seq, last_seq: of the first and the last record that is wanted.
        ids: the strings to use for the ids that are known already; every row has some of its own.
    """
    found: list[Milestone] = []
    ids = {} if ids is None else ids
    for turn_id, role, message_id, parent_id, seq, ts_ns, message, rest in connection.execute(
        "SELECT turn_id, role, message.id, parent_id, seq, ts_ns, json, coalesce(rest, started)"
        " FROM message JOIN turn ON turn.id = turn_id WHERE message.conversation_id = ? AND seq BETWEEN ? AND ?",
        (conversation_id, first_seq, last_seq),
    ):
        turn_id, message_id = ids.setdefault(turn_id, turn_id), ids.setdefault(message_id, message_id)
        parent_id = ids.get(parent_id, parent_id)
        request_id = "" if role == "user" else message_id
        record = TraceRecord(seq, ts_ns, conversation_id, turn_id, request_id, _read_payload(rest, message))
        found.append(Milestone(record, message_id, parent_id))
    for turn_id, seq, ts_ns, end in connection.execute(
        "SELECT id, end_seq, end_ts_ns, end_json FROM turn WHERE conversation_id = ? AND end_json IS NOT NULL"
        " AND end_seq BETWEEN ? AND ?",
        (conversation_id, first_seq, last_seq),
    ):
        turn_id = ids.get(turn_id, turn_id)
        found.append(Milestone(TraceRecord(seq, ts_ns, conversation_id, turn_id, "", _read_payload(end)), None, None))
    calls = read_calls(connection, conversation_id, first_seq=first_seq, last_seq=last_seq)
    found += [
        Milestone(record._replace(turn_id=ids.get(record.turn_id, record.turn_id)), None, None) for record in calls
    ]
    found.sort(key=lambda milestone: milestone.record.seq)
    return found


def _read_payload(stored: bytes, message: bytes | None = None) -> Payload:
    if stored == COMPLETED:
        return TurnCompleted()
    try:
        if message is None:
            return payload_from_json(decode_json(stored))
        document, message_document = decode_json(b"[%b,%b]" % (stored, message))  # at once: a call costs as much again
        read_plain = plain_answer if "response" in document else plain_turn_start
        document.get("response", document)["message"] = message_document
        return read_plain(document) or payload_from_json(document)
    except (ValueError, TypeError, KeyError, AttributeError, RecursionError) as error:
        return Unknown("damaged_record", {"type": "damaged_record", "reason": str(error)})


def is_without_content(rest: bytes, message: bytes) -> bool:
    """Whether a stored message is one that is painted and not sent; one that cannot be read is not."""
    match _read_payload(rest, message):
        case TurnStarted(message=said):
            return not said.content
        case ResponseReceived(response=response):
            return not response.message.content
        case _:
            return False


def _write_message(
    connection: sqlite3.Connection, record: TraceRecord, message: _Message, *, sibling_of: str | None = None
) -> None:
    """Writes a message at the end of the active path, or beside another."""
    message_id = record.request_id or record.turn_id
    connection.execute(
        "INSERT INTO message (id, conversation_id, parent_id, turn_id, role, seq, ts_ns, created_ms, json)"
        " SELECT ?, id, CASE WHEN ? IS NULL THEN leaf_id ELSE (SELECT parent_id FROM message WHERE id = ?) END,"
        " ?, ?, ?, ?, ?, ? FROM conversation WHERE id = ?",
        (
            message_id,
            sibling_of,
            sibling_of,
            record.turn_id,
            _ROLES[type(message)],
            record.seq,
            record.ts_ns,
            time.time_ns() // 1_000_000,
            _encode_message(message),
            record.session_id,
        ),
    )
    content = message.results if isinstance(message, Tool) else message.content
    hold(connection, f"message:{message_id}", content)
    if content:  # an answer without content is not sent again and leads nowhere
        connection.execute("UPDATE conversation SET leaf_id = ? WHERE id = ?", (message_id, record.session_id))


def _write_response(connection: sqlite3.Connection, record: TraceRecord, received: ResponseReceived) -> None:
    document = payload_to_json(received)
    del document["response"]["message"]
    if received.continues is None:
        del document["continues"]
    try:
        rest = encode_json(document)
    except (ValueError, TypeError, RecursionError):
        document["response"]["extra"] = {}  # the only foreign JSON in it
        rest = encode_json(document)
    usage = received.response.usage
    connection.execute(
        "UPDATE message SET rest = ?, model = ?, end_cause = ?, prompt_tokens = ?, completion_tokens = ? WHERE id = ?",
        (
            rest,
            mend(received.response.model),
            received.end_cause.value,
            _fitting(usage.prompt_tokens),
            _fitting(usage.completion_tokens),
            record.request_id,
        ),
    )


def _encode_message(message: _Message) -> bytes:
    document = to_json(message)
    try:
        return encode_json(document)
    except (ValueError, TypeError, RecursionError):
        content = "results" if isinstance(message, Tool) else "content"
        document[content] = [_encodable(block) for block in document[content]]
        return encode_json(document)


def _encodable(block: Any) -> Any:
    try:
        encode_json(block)
    except (ValueError, TypeError, RecursionError) as error:
        return to_json(Extension("agdesk", "unwritable_block", {"type": block["type"], "reason": str(error)}))
    return block


def _fitting(count: int | None) -> int | None:
    return count if count is not None and abs(count) <= _MAX_INTEGER else None
