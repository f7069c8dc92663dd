"""What the cycle did, in the past tense (D3)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, NamedTuple, TypeAlias

from agdesk.core.errors import ErrorRecord
from agdesk.core.ir.codec import Unknown as Unknown
from agdesk.core.ir.codec import from_json, to_json
from agdesk.core.ir.messages import User
from agdesk.core.ir.response import EndCause, MessageResponse
from agdesk.core.ir.stream import StreamEvent
from agdesk.core.trace.tools import (
    ToolApprovalRequested,
    ToolApprovalResolved,
    ToolExecutionCompleted,
    ToolExecutionProgressed,
    ToolExecutionStarted,
    ToolRoundCompleted,
)
from agdesk.core.trace.wire import FrameReceived, RequestSent, ResponseClosed, ResponseStarted


@dataclass(frozen=True, slots=True)
class BranchSelected:
    """Another path through the tree of messages is the active one (CHAT4).

    Attributes:
        leaf_id: the message that it ends with, and that the next one follows; None: before the first.
    """

    leaf_id: str | None


@dataclass(frozen=True, slots=True)
class TurnStarted:
    """A user submission.

    Attributes:
        message: what the user says; without content the message before it is asked again.
        model_ref: ``provider/model``.
        at: the path that it goes on from, if that is not the active one. Part of the record, because an end of the path
            without what goes on there would be a loss.
        continues: the answer at the end of the path that is to be gone on with (CHAT5); None for a new one.
    """

    message: User
    model_ref: str
    at: BranchSelected | None = None
    continues: str | None = None


@dataclass(frozen=True, slots=True)
class RequestPrepared:
    """A request is about to go out.

    Attributes:
        attempt: counts the requests for the same answer, from 1: after a retry, or without a refused parameter.
        estimate_tokens: the documents' base estimate of its messages and tools.
        ledger: what its wire format cannot say, as ``ir.ledger`` writes it; empty too if it was never rendered.
    """

    attempt: int
    message_count: int
    estimate_tokens: int
    ledger: tuple[str, ...] = ()


class StreamEventReceived(NamedTuple):
    """``frame_seq`` is the seq of the frame the event came from; None for events of the end of the stream."""

    frame_seq: int | None
    event: StreamEvent


@dataclass(frozen=True, slots=True)
class EventIgnored:
    """A stream event that was not legal where it stood; named, counted, not applied."""

    frame_seq: int | None
    reason: str


@dataclass(frozen=True, slots=True)
class RetryScheduled:
    """A request failed and is made again after a while; nothing of an answer had been seen (PROV6, D13).

    Attributes:
        attempt: which of the ``limit`` retries follows, from 1.
        wait_s: how long is waited, from this record on.
        reason: the failure.
    """

    attempt: int
    wait_s: float
    reason: ErrorRecord
    limit: int


@dataclass(frozen=True, slots=True)
class ParameterRepaired:
    """A parameter was refused and is not sent to this model again, or said otherwise (E07).

    Attributes:
        parameter: its path in the body, as the settings remember it.
        error: the refusal.
        is_automatic: nobody was asked, because the user had not set it.
    """

    parameter: str
    error: ErrorRecord
    is_automatic: bool


@dataclass(frozen=True, slots=True)
class ResponseReceived:
    """The answer of one request, whole or as far as it came.

    Attributes:
        first_token_s: from sending the request to the first token.
        streaming_s: from the first token to the last.
        thinking_s: how long each thinking block took, in order; None for one that did not end.
        sent_estimate_tokens: that of ``RequestPrepared``; None if nothing was sent, or an older agdesk sent it.
        continues: the cut answer that this one holds with what came after it, and whose sibling it is (CHAT5).
    """

    response: MessageResponse
    end_cause: EndCause
    first_token_s: float | None = None
    streaming_s: float | None = None
    thinking_s: tuple[float | None, ...] = ()
    sent_estimate_tokens: int | None = None
    continues: str | None = None


@dataclass(frozen=True, slots=True)
class HookRan:
    """A hook was asked.

    Attributes:
        point: where, a ``HookPoint``.
        error: its veto, or why it failed; None if the turn goes on.
    """

    name: str
    point: str
    duration_ms: int
    error: ErrorRecord | None = None


@dataclass(frozen=True, slots=True)
class TurnCompleted:
    pass


@dataclass(frozen=True, slots=True)
class TurnFailed:
    error: ErrorRecord


@dataclass(frozen=True, slots=True)
class TurnCancelled:
    pass


@dataclass(frozen=True, slots=True)
class BranchDeleted:
    """A message was deleted with all that follows it; nothing of it is on the active path any more."""

    message_id: str


@dataclass(frozen=True, slots=True)
class BranchRestored:
    """A deletion was taken back."""

    message_id: str


TreeChange: TypeAlias = BranchSelected | BranchDeleted | BranchRestored
ToolRecord: TypeAlias = (
    ToolApprovalRequested
    | ToolApprovalResolved
    | ToolExecutionStarted
    | ToolExecutionProgressed
    | ToolExecutionCompleted
    | ToolRoundCompleted
)
CycleRecord: TypeAlias = (
    TurnStarted
    | RequestPrepared
    | StreamEventReceived
    | EventIgnored
    | RetryScheduled
    | ParameterRepaired
    | ResponseReceived
    | HookRan
    | ToolRecord
    | TurnCompleted
    | TurnFailed
    | TurnCancelled
    | TreeChange
)
Payload: TypeAlias = CycleRecord | RequestSent | ResponseStarted | FrameReceived | ResponseClosed | Unknown


class TraceRecord(NamedTuple):
    """One line of the trace; a tuple, because two are made per event and it costs a third of a frozen dataclass.

    Attributes:
        seq: gapless per session, from 1.
        ts_ns: monotonic nanoseconds since the session's start.
        session_id, turn_id, request_id: where it belongs; empty outside a turn or request.
    """

    seq: int
    ts_ns: int
    session_id: str
    turn_id: str
    request_id: str
    payload: Payload


def payload_to_json(payload: Payload) -> Any:
    """The JSON of a payload; an ``Unknown`` gives back exactly what was read."""
    return to_json(payload)


def payload_from_json(document: Any) -> Payload:
    """Reads a payload. What this version does not know becomes ``Unknown`` and is never dropped."""
    payload: Payload = from_json(Payload, document)
    return payload
