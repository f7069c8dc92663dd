"""Sessions for a store: turns recorded by hand, or played by the real cycle over scripts."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from agdesk.core.cycle.session import AgentSession, SessionServices
from agdesk.core.ir.blocks import BlobRef, Text
from agdesk.core.ir.messages import Assistant, user
from agdesk.core.ir.response import EndCause, MessageResponse, StopReason, Usage
from agdesk.core.ir.stream import ContentBlockStart, MessageStart, StreamEvent, TextDelta, TextType
from agdesk.core.providers.scripted import ScriptedProvider, Step
from agdesk.core.store.store import Store
from agdesk.core.store.values import Conversation
from agdesk.core.trace.events import (
    RequestPrepared,
    ResponseReceived,
    StreamEventReceived,
    TraceRecord,
    TurnCompleted,
    TurnStarted,
)
from agdesk.core.trace.recorder import Recorder, RequestTrace
from agdesk.core.trace.wire import CloseReason, FrameKind, FrameReceived, RequestSent, ResponseClosed, ResponseStarted

BEGINNING: tuple[StreamEvent, ...] = (MessageStart("id-1", "model-1"), ContentBlockStart(0, TextType()))


def open_store(folder: Path, *, budget_bytes: int = 1 << 30) -> Store:
    return Store.open(folder, budget_bytes=lambda: budget_bytes)


def conversation_of(recorder: Recorder, *, is_traced: bool = True) -> Conversation:
    start_ns = recorder.wall_start_ns
    now_ms = start_ns // 1_000_000
    return Conversation(recorder.session_id, "", "test/model", now_ms, now_ms, start_ns, is_traced=is_traced)


def trace_of(store: Store, conversation_id: str) -> list[TraceRecord]:
    return [record for batch in store.trace(conversation_id) for record in batch]


class Recorded:
    """A followed session whose records are made by hand; remembers all of them."""

    def __init__(self, store: Store, session_id: str = "chat", *, is_traced: bool = True) -> None:
        self.recorder = Recorder(session_id)
        self.records: list[TraceRecord] = []
        self.recorder.records.subscribe(self.records.append)
        self.unfollow = store.follow(self.recorder, conversation_of(self.recorder, is_traced=is_traced))
        self.body_ref = BlobRef("", 0)

    def begin(self, name: str, text: str = "Hello", *, request_body: bytes = b"{}") -> RequestTrace:
        """``turn-<name>`` with its request ``req-<name>``, up to the head of the response."""
        self.recorder.turn_id = f"turn-{name}"
        self.recorder.emit(TurnStarted(user(text), "test/model"))
        request = RequestTrace(self.recorder, f"req-{name}")
        request.emit(RequestPrepared(1, 1, 1))
        self.body_ref = request.blob(request_body)
        request.sent(RequestSent("POST", "http://127.0.0.1/v1", (("accept", "text/event-stream"),), self.body_ref))
        request.emit(ResponseStarted(200, (), "HTTP/1.1"))
        for event in BEGINNING:
            request.emit(StreamEventReceived(None, event))
        return request

    def stream(self, request: RequestTrace, *deltas: str, start: int = 0) -> int:
        """Frames and their events; returns the offset behind the last frame."""
        for delta in deltas:
            frame = f"data: {delta}\n\n".encode("utf-8", "surrogatepass")
            request.body(frame)
            seq = request.emit(FrameReceived(start, start + len(frame), "", FrameKind.DATA))
            request.emit(StreamEventReceived(seq, TextDelta(delta, 0)))
            start += len(frame)
        return start

    def finish(self, request: RequestTrace, text: str, *, byte_count: int = 0) -> None:
        request.emit(ResponseClosed(CloseReason.END, byte_count))
        request.emit(ResponseReceived(response_of(text), EndCause.SERVER))
        self.recorder.emit(TurnCompleted())

    def turn(self, name: str, text: str = "Hello", answer: Sequence[str] = ("Good ", "day")) -> None:
        """A whole turn."""
        request = self.begin(name, text)
        byte_count = self.stream(request, *answer)
        self.finish(request, "".join(answer), byte_count=byte_count)


def response_of(text: str) -> MessageResponse:
    content = (Text(text),) if text else ()
    return MessageResponse("id-1", "model-1", Assistant(content), Usage(3, 2, 5), StopReason.END_TURN)


def scripted_session(
    store: Store, recorder: Recorder, *scripts: Sequence[Step], messages: tuple = ()
) -> tuple[AgentSession, ScriptedProvider]:
    """The real session and cycle over ``scripts``, followed by ``store``."""
    provider = ScriptedProvider(scripts)

    async def connect(_provider_id: str) -> ScriptedProvider:
        return provider

    async def price(_model_ref: str, _usage: Usage) -> float | None:
        return None

    services = SessionServices(connect=connect, price=price, wire_of=lambda _provider_id: "wire", kept=store.settled)
    session = AgentSession("test/model", services=services, recorder=recorder, messages=messages)
    store.follow(recorder, conversation_of(recorder))
    return session, provider
