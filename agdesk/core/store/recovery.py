"""Turns that a crash cut: what had arrived of the answer becomes a message, and the turn gets an end."""

from __future__ import annotations

import dataclasses
import sqlite3
from collections.abc import Callable

from agdesk.core.errors import ErrorRecord
from agdesk.core.ir.continuing import Beginning, beginning_of, gone_on
from agdesk.core.ir.partial import PartialMessageResponse
from agdesk.core.ir.response import EndCause, MessageResponse, StopReason
from agdesk.core.store.chunks import read_records
from agdesk.core.store.rows import Milestone, read_milestones, write_milestone
from agdesk.core.trace.branches import node_of
from agdesk.core.trace.events import (
    ParameterRepaired,
    Payload,
    ResponseReceived,
    RetryScheduled,
    StreamEventReceived,
    TraceRecord,
    TurnCancelled,
    TurnCompleted,
    TurnFailed,
    TurnStarted,
)

INTERRUPTED = ErrorRecord(
    "interrupted",
    "Interrupted: agdesk ended while this answer was arriving",
    "What had arrived is kept. Send the message again for a whole answer.",
)
UNANSWERED = ErrorRecord("interrupted", "Interrupted: agdesk ended before an answer began", "Send the message again.")


def ending(conversation_id: str, turn_id: str) -> Callable[[sqlite3.Connection], None]:
    """The operation that ends one such turn."""
    return lambda connection: end_turn(connection, conversation_id, turn_id)


def end_turn(connection: sqlite3.Connection, conversation_id: str, turn_id: str) -> None:
    """Ends one such turn, in the caller's transaction: done whole or not at all, and then the turn has an end."""
    everything = read_milestones(connection, conversation_id)
    milestones = [m.record for m in everything if m.record.turn_id == turn_id]
    begun = _beginning(milestones, everything)
    records = [record for _, part in read_records(connection, conversation_id, turn_id) for record in part]
    answers = {m.request_id: m.payload for m in milestones if isinstance(m.payload, ResponseReceived)}
    unanswered = list(dict.fromkeys(r.request_id for r in records if r.request_id and r.request_id not in answers))
    (seq,) = connection.execute("SELECT last_seq FROM conversation WHERE id = ?", (conversation_id,)).fetchone()
    ts_ns = max(record.ts_ns for record in (*milestones, *records))
    has_arrived = any(answer.response.message.content for answer in answers.values())
    for request_id in unanswered:
        response = _rebuild([record.payload for record in records if record.request_id == request_id], begun)
        if response is not None:
            seq += 1
            has_arrived = True
            continues = begun.message_id if begun is not None else None
            answer = ResponseReceived(response, EndCause.CRASH, continues=continues)
            write_milestone(connection, TraceRecord(seq, ts_ns, conversation_id, turn_id, request_id, answer))
    end: Payload = TurnFailed(INTERRUPTED if has_arrived else UNANSWERED)
    last = max(records, key=lambda record: record.seq, default=None)
    is_waiting = last is not None and isinstance(last.payload, RetryScheduled | ParameterRepaired)
    if answers and not unanswered and not is_waiting:
        end = _end_after(list(answers.values())[-1])
    write_milestone(connection, TraceRecord(seq + 1, ts_ns, conversation_id, turn_id, "", end))


def _beginning(turn: list[TraceRecord], everything: list[Milestone]) -> Beginning | None:
    """Of the answer that a turn goes on with; None if it asked for a new one."""
    started = (record.payload for record in turn if isinstance(record.payload, TurnStarted))
    continues = next((payload.continues for payload in started), None)
    cut = next((m.record for m in everything if continues is not None and m.message_id == continues), None)
    node = node_of(cut, parent_id=None, model_ref="") if cut is not None else None
    return beginning_of(node) if node is not None else None


def _rebuild(payloads: list[Payload], begun: Beginning | None) -> MessageResponse | None:
    """The answer as far as its events are stored; None if there is nothing to show of it."""
    partial = PartialMessageResponse()
    for payload in payloads:
        if isinstance(payload, StreamEventReceived):
            partial.apply(payload.event)
    response = partial.finalize()
    if begun is not None:
        response = dataclasses.replace(response, message=gone_on(begun.message, response.message))
    # a text or thinking block without text shows nothing; every other block does
    return response if any(getattr(block, "text", "other") for block in response.message.content) else None


def _end_after(answer: ResponseReceived) -> Payload:
    """The end of a turn whose last answer had been stored whole when the program ended."""
    if answer.response.error is not None:
        return TurnFailed(answer.response.error)
    if answer.end_cause is EndCause.USER:
        return TurnCancelled()
    return TurnFailed(INTERRUPTED) if answer.response.stop_reason is StopReason.TOOL_USE else TurnCompleted()
