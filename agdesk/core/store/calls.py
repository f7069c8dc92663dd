"""What became of calls: the records that paint them, and the turns that wait for their user (TOOL10, TOOL11)."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable
from contextlib import AbstractContextManager
from dataclasses import dataclass

from agdesk.core.errors import snake_case
from agdesk.core.ir.blocks import ToolResult
from agdesk.core.trace.events import Payload, TraceRecord, Unknown, payload_from_json, payload_to_json
from agdesk.core.trace.lines import decode_json, encode_json
from agdesk.core.trace.tools import (
    ToolApprovalRequested,
    ToolApprovalResolved,
    ToolExecutionCompleted,
    ToolExecutionStarted,
)

CALL_RECORDS: frozenset[type] = frozenset(
    {ToolApprovalRequested, ToolApprovalResolved, ToolExecutionStarted, ToolExecutionCompleted}
)
"""The records that paint the calls of an answer; they are kept as messages are."""

# the questions of a turn that nobody has answered; the same id may be asked again by a later answer
_OPEN = (
    "SELECT 1 FROM call_record AS asked WHERE asked.turn_id = turn.id AND asked.kind = 'tool_approval_requested'"
    " AND NOT EXISTS (SELECT 1 FROM call_record AS decided WHERE decided.turn_id = asked.turn_id"
    " AND decided.tool_use_id = asked.tool_use_id AND decided.kind = 'tool_approval_resolved'"
    " AND decided.seq > asked.seq)"
)
_INTERRUPTED = f"SELECT conversation_id, id FROM turn WHERE end_json IS NULL AND NOT EXISTS ({_OPEN}) ORDER BY rowid"


def interrupted_turns(connection: sqlite3.Connection) -> list[tuple[str, str]]:
    """Conversation and id of every turn without an end that does not wait for its user; a crash cut each of them."""
    return connection.execute(_INTERRUPTED).fetchall()


@dataclass(frozen=True, slots=True)
class WaitingTurn:
    """A turn whose last answer has calls that wait for the user.

    Attributes:
        model_ref: who gave the answer.
        results: of its calls that have one, by their ids.
        asked: the calls whose question is recorded.
        begun: the calls that ran when the program ended.
    """

    turn_id: str
    model_ref: str
    results: dict[str, ToolResult]
    asked: frozenset[str]
    begun: frozenset[str]


class StoredCalls:
    """The calls of a store. Blocks; from any thread.

    Args:
        reading: gives a connection.
    """

    def __init__(self, *, reading: Callable[[], AbstractContextManager[sqlite3.Connection]]) -> None:
        self._reading = reading

    def waiting_turn(self, conversation_id: str) -> WaitingTurn | None:
        """The turn of a conversation that waits for its user; None if none does.

        Raises:
            StoreError: the database cannot be read.
        """
        with self._reading() as connection:
            found = connection.execute(
                f"SELECT id, model_ref FROM turn WHERE conversation_id = ? AND end_json IS NULL AND EXISTS ({_OPEN})",
                (conversation_id,),
            ).fetchone()
            return None if found is None else _waiting_turn(connection, conversation_id, *found)

    def of(self, conversation_id: str) -> list[TraceRecord]:
        """Every record of a call of a conversation, in order.

        Raises:
            StoreError: the database cannot be read.
        """
        with self._reading() as connection:
            return read_calls(connection, conversation_id, first_seq=0, last_seq=_MAX_SEQ)

    def decided(self, *, limit: int) -> list[TraceRecord]:
        """The questions and answers of all conversations, the newest ``limit`` of them, oldest first.

        Raises:
            StoreError: the database cannot be read.
        """
        with self._reading() as connection:
            rows = connection.execute(
                "SELECT conversation_id, turn_id, seq, ts_ns, json FROM call_record JOIN conversation"
                " ON conversation.id = conversation_id AND deleted_ms IS NULL"
                " WHERE kind IN ('tool_approval_requested', 'tool_approval_resolved')"
                " ORDER BY wall_start_ns + ts_ns DESC LIMIT ?",
                (limit,),
            ).fetchall()
        return [_record(*row) for row in reversed(rows)]


_MAX_SEQ = (1 << 63) - 1


def write_call(connection: sqlite3.Connection, record: TraceRecord) -> None:
    """Writes one of ``CALL_RECORDS``."""
    match record.payload:
        case ToolApprovalRequested(request=request):
            tool_use_id = request.call_id
        case ToolApprovalResolved() | ToolExecutionStarted() | ToolExecutionCompleted() as payload:
            tool_use_id = payload.tool_use_id
        case _:
            raise TypeError(type(record.payload).__name__)
    connection.execute(
        "INSERT INTO call_record (conversation_id, seq, ts_ns, turn_id, kind, tool_use_id, json)"
        " VALUES (?, ?, ?, ?, ?, ?, ?)",
        (
            record.session_id,
            record.seq,
            record.ts_ns,
            record.turn_id,
            snake_case(type(record.payload).__name__),
            tool_use_id.encode("utf-8", "backslashreplace").decode(),
            encode_json(payload_to_json(record.payload)),
        ),
    )


def read_calls(
    connection: sqlite3.Connection, conversation_id: str, *, first_seq: int, last_seq: int
) -> list[TraceRecord]:
    """The records of calls from one seq to another, in order. One that cannot be read is ``Unknown``."""
    rows = connection.execute(
        "SELECT conversation_id, turn_id, seq, ts_ns, json FROM call_record"
        " WHERE conversation_id = ? AND seq BETWEEN ? AND ? ORDER BY seq",
        (conversation_id, first_seq, last_seq),
    )
    return [_record(*row) for row in rows]


def _waiting_turn(
    connection: sqlite3.Connection, conversation_id: str, turn_id: str, model_ref: str
) -> WaitingTurn | None:
    (answer_seq,) = connection.execute(
        "SELECT max(seq) FROM message WHERE turn_id = ? AND role = 'assistant'", (turn_id,)
    ).fetchone()
    if answer_seq is None:
        return None
    results: dict[str, ToolResult] = {}
    asked: set[str] = set()
    begun: set[str] = set()
    for record in read_calls(connection, conversation_id, first_seq=answer_seq, last_seq=_MAX_SEQ):
        match record.payload:
            case ToolApprovalRequested(request=request):
                asked.add(request.call_id)
            case ToolExecutionStarted(tool_use_id=call_id):
                begun.add(call_id)
            case ToolExecutionCompleted(tool_use_id=call_id, result=result):
                results[call_id] = result
            case _:
                pass
    return WaitingTurn(turn_id, model_ref, results, frozenset(asked), frozenset(begun - results.keys()))


def _record(conversation_id: str, turn_id: str, seq: int, ts_ns: int, stored: bytes) -> TraceRecord:
    return TraceRecord(seq, ts_ns, conversation_id, turn_id, "", _payload(stored))


def _payload(stored: bytes) -> Payload:
    try:
        return payload_from_json(decode_json(stored))
    except (ValueError, TypeError, RecursionError) as error:
        return Unknown("damaged_record", {"type": "damaged_record", "reason": str(error)})
