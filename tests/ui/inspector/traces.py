"""Traces as a recorder would give them, without one."""

from agdesk.core.errors import ErrorCategory, ErrorRecord
from agdesk.core.ir import stream as ev
from agdesk.core.ir.blocks import BlobRef
from agdesk.core.ir.messages import user
from agdesk.core.ir.partial import PartialMessageResponse
from agdesk.core.ir.response import EndCause, PartialUsage, StopReason
from agdesk.core.trace.events import (
    EventIgnored,
    ParameterRepaired,
    Payload,
    RequestPrepared,
    ResponseReceived,
    RetryScheduled,
    StreamEventReceived,
    TraceRecord,
    TurnCompleted,
    TurnFailed,
    TurnStarted,
    Unknown,
)
from agdesk.core.trace.wire import (
    CloseReason,
    FrameKind,
    FrameReceived,
    RequestSent,
    ResponseClosed,
    ResponseStarted,
)

BODY = BlobRef("0" * 64, 12)
ERROR = ErrorRecord("provider_rejection", "The key was refused", "Set another.", category=ErrorCategory.AUTH)


class Trace:
    """Records, one after the other; ``events`` are given to the next frame."""

    def __init__(self, session_id: str = "s", *, turn_id: str = "turn-1", request_id: str = "req-1") -> None:
        self.session_id = session_id
        self.turn_id = turn_id
        self.request_id = request_id
        self.records: list[TraceRecord] = []
        self.body = bytearray()

    def add(self, payload: Payload, *, is_of_request: bool = True) -> int:
        seq = len(self.records) + 1
        request_id = self.request_id if is_of_request else ""
        self.records.append(TraceRecord(seq, seq * 1_000_000, self.session_id, self.turn_id, request_id, payload))
        return seq

    def frame(self, *events: ev.StreamEvent, text: bytes = b"data: {}\n\n", kind: FrameKind = FrameKind.DATA) -> None:
        start = len(self.body)
        self.body += text
        seq = self.add(FrameReceived(start, len(self.body), "", kind))
        for event in events:
            self.add(StreamEventReceived(seq, event))

    def begin(self) -> None:
        self.add(TurnStarted(user("Plan a trip to Paris"), "test/model"), is_of_request=False)
        self.add(RequestPrepared(1, 1, 12))
        self.add(RequestSent("POST", "https://api.example/v1/chat", (("authorization", "Bearer key-0a1b2c3d"),), BODY))
        self.add(ResponseStarted(200, (("content-type", "text/event-stream"),), "HTTP/1.1"))
        self.frame(ev.MessageStart("m", "model"), ev.ContentBlockStart(0, ev.TextType()))

    def deltas(self, count: int) -> None:
        for number in range(count):
            self.frame(ev.TextDelta(f"word{number} ", 0), text=b'data: {"text": "word%d "}\n\n' % number)

    def end(self) -> None:
        self.frame(ev.ContentBlockEnd(0), ev.CostUpdate(PartialUsage(12, 34)), ev.MessageComplete(StopReason.END_TURN))
        self.frame(text=b"data: [DONE]\n\n")
        self.add(ResponseClosed(CloseReason.TERMINAL, len(self.body)))
        self.add(ResponseReceived(PartialMessageResponse().finalize(), EndCause.SERVER))
        self.add(TurnCompleted(), is_of_request=False)


def whole_turn(count: int = 5) -> Trace:
    """A turn of one request with ``count`` text deltas."""
    trace = Trace()
    trace.begin()
    trace.deltas(count)
    trace.end()
    return trace


def troubled_turn() -> Trace:
    """What goes wrong, and what nobody knows."""
    trace = Trace()
    trace.begin()
    trace.frame(text=b": ping\n\n", kind=FrameKind.COMMENT)
    seq = len(trace.records) + 1
    trace.frame(text=b"data: what\n\n")
    trace.add(EventIgnored(seq, "no open block"))
    trace.add(RetryScheduled(2, 12.0, ERROR, 3), is_of_request=False)
    trace.add(ParameterRepaired("temperature", ERROR, is_automatic=False), is_of_request=False)
    trace.frame(text=b"\xff\xfe\n\n", kind=FrameKind.MALFORMED)
    trace.add(Unknown("tea_served", {"type": "tea_served", "cups": 2}))
    trace.add(StreamEventReceived(None, ev.StreamError(ERROR)))
    trace.add(TurnFailed(ERROR), is_of_request=False)
    return trace
