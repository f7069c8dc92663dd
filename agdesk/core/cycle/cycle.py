"""``LlmCycle``: builds requests from a conversation and runs a turn (SEED3)."""

from __future__ import annotations

import asyncio
import dataclasses
import time
import uuid
from contextlib import aclosing
from dataclasses import dataclass

from agdesk.core.cycle.answer_clock import AnswerClock
from agdesk.core.cycle.gate import Gate, GatePoint, OpenGate
from agdesk.core.cycle.redaction import Redact, without_keys
from agdesk.core.errors import ErrorRecord
from agdesk.core.ir.messages import Message, Origin, System, User, system
from agdesk.core.ir.partial import PartialMessageResponse
from agdesk.core.ir.request import MessageRequest, ToolDefinition
from agdesk.core.ir.response import EndCause, MessageResponse, StopReason
from agdesk.core.ir.tokens import estimate_messages_tokens
from agdesk.core.providers.base import LlmProvider
from agdesk.core.trace.events import EventIgnored, RequestPrepared, ResponseReceived, StreamEventReceived
from agdesk.core.trace.recorder import Recorder, RequestTrace

# One network read may hold hundreds of events: after this long, whoever else waits for the loop has its turn.
_TURN_S = 0.0005


@dataclass(frozen=True, slots=True)
class CycleConfig:
    """What every request of a cycle is made with; None is not sent."""

    model: str
    max_tokens: int | None = None
    temperature: float | None = None


@dataclass(frozen=True, slots=True)
class _Answer:
    """One answer while it arrives; ``prepared_ns`` is when it was asked for."""

    partial: PartialMessageResponse
    clock: AnswerClock
    trace: RequestTrace
    prepared_ns: int


class LlmCycle:
    """One conversation with one provider.

    Attributes:
        messages: the history that is sent; changed only by ``run_turn`` once a turn has begun.
        last_response: what the latest request gave, also when it was cancelled.
        redact: replaces known keys in an answer before it is recorded and kept; None leaves it as it came.
        system_prompt: when set, the only system text that is sent; None leaves the history's own.
    """

    def __init__(
        self,
        provider: LlmProvider,
        config: CycleConfig,
        recorder: Recorder,
        *,
        origin: Origin | None = None,
        messages: list[Message] | None = None,
        gate: Gate | None = None,
    ) -> None:
        self.provider = provider
        self.config = config
        self.origin = origin
        self.messages: list[Message] = [] if messages is None else messages
        self.redact: Redact | None = None
        self.system_prompt: str | None = None
        self.last_response: MessageResponse | None = None
        self._recorder = recorder
        self._gate: Gate = gate or OpenGate()

    def build_request(self, tools: tuple[ToolDefinition, ...] = ()) -> MessageRequest:
        """The request for the conversation as it stands.

        A set ``system_prompt`` replaces every System of the history; None leaves them to the wire format (the five
        rows of the documents' table).
        """
        messages = tuple(self.messages)
        if self.system_prompt is not None:
            messages = (system(self.system_prompt), *(m for m in messages if not isinstance(m, System)))
        return MessageRequest(
            model=self.config.model,
            messages=messages,
            tools=tools,
            max_tokens=self.config.max_tokens,
            temperature=self.config.temperature,
        )

    async def run_turn(self, message: User) -> MessageResponse:
        """Adds ``message`` to the history, asks the provider and adds the answer, whole or cut.

        Returns the response; one that failed after its first event carries ``error``.

        Raises:
            LlmError: nothing of an answer arrived. The user's message stays in the history.
            asyncio.CancelledError: the turn was cancelled; what had arrived is recorded and kept in the history.
        """
        self.messages.append(message)
        return await self._request()

    async def _request(self) -> MessageResponse:
        request = self.build_request()
        trace = RequestTrace(self._recorder, f"req-{uuid.uuid4().hex[:12]}")
        await self._gate.check(GatePoint.BEFORE_REQUEST, request)
        trace.emit(
            RequestPrepared(
                attempt=1,
                message_count=len(request.messages),
                estimate_tokens=estimate_messages_tokens(request.messages),
            )
        )
        answer = _Answer(PartialMessageResponse(), AnswerClock(), trace, self._recorder.now_ns())
        try:
            await self._stream(request, answer)
        except asyncio.CancelledError:
            self._settle(answer, is_cancelled=True)
            raise
        return self._settle(answer)

    async def _stream(self, request: MessageRequest, answer: _Answer) -> None:
        partial, clock, trace = answer.partial, answer.clock, answer.trace
        now_ns = self._recorder.now_ns
        check, event_point = self._gate.check, GatePoint.EVENT
        ignored_count = 0
        turn_s = time.perf_counter()
        async with aclosing(self.provider.chat_stream(request, trace=trace)) as events:
            async for event in events:
                partial.apply(event)
                clock.note(event, now_ns())
                trace.emit(StreamEventReceived(trace.frame_seq, event))
                if partial.ignored_count != ignored_count:
                    ignored_count = partial.ignored_count
                    trace.emit(EventIgnored(trace.frame_seq, partial.last_warning))
                await check(event_point, event)
                if time.perf_counter() - turn_s > _TURN_S:
                    await asyncio.sleep(0)
                    turn_s = time.perf_counter()

    def _settle(self, answer: _Answer, *, is_cancelled: bool = False) -> MessageResponse:
        partial, clock, trace = answer.partial, answer.clock, answer.trace
        response = partial.finalize(self.origin)
        if self.redact is not None:
            response = dataclasses.replace(response, message=without_keys(response.message, self.redact))
        self.last_response = response
        if response.message.content:
            self.messages.append(response.message)
        cause = EndCause.USER if is_cancelled and not partial.is_complete else end_cause(response)
        first_token_s = clock.first_token_s(answer.prepared_ns if trace.sent_ns is None else trace.sent_ns)
        trace.emit(ResponseReceived(response, cause, first_token_s, clock.streaming_s(), clock.thinking_s()))
        return response


def end_cause(response: MessageResponse) -> EndCause:
    """Who ended an answer that nobody cancelled (D9)."""
    if response.error is not None:
        return EndCause.TIMEOUT if _is_timeout(response.error) else EndCause.ERROR
    return EndCause.EOF if response.stop_reason is StopReason.INCOMPLETE else EndCause.SERVER


def _is_timeout(error: ErrorRecord) -> bool:
    return bool(error.details.get("is_timeout"))
