"""Asks for one answer: the request, its stream, and the attempts that it takes (PROV6)."""

from __future__ import annotations

import asyncio
import dataclasses
import uuid
from collections.abc import Awaitable, Callable
from contextlib import aclosing
from dataclasses import dataclass
from typing import assert_never

from agdesk.core.cycle.answer_clock import AnswerClock
from agdesk.core.cycle.gate import Gate, GatePoint
from agdesk.core.cycle.hooks import HookContext, HookExecutor, HookPoint
from agdesk.core.cycle.redaction import Redact, without_keys
from agdesk.core.cycle.requests import CycleConfig, build_request
from agdesk.core.cycle.retry import (
    RETRY_LIMIT,
    STALE_THINKING,
    Recovery,
    Repair,
    Retry,
    RetryPause,
    without_thinking,
)
from agdesk.core.cycle.tool_setup import ToolSetup
from agdesk.core.errors import ErrorRecord, LlmError
from agdesk.core.ir.continuing import Beginning, gone_on
from agdesk.core.ir.messages import Assistant, Message, Origin
from agdesk.core.ir.partial import PartialMessageResponse
from agdesk.core.ir.request import MessageRequest, ToolDefinition
from agdesk.core.ir.response import EndCause, MessageResponse, StopReason
from agdesk.core.ir.tokens import estimate_messages_tokens, estimate_tools_tokens
from agdesk.core.providers.base import LlmProvider, ModelInfo
from agdesk.core.providers.parameters import fitted
from agdesk.core.trace.events import (
    EventIgnored,
    ParameterRepaired,
    RequestPrepared,
    ResponseReceived,
    RetryScheduled,
    StreamEventReceived,
)
from agdesk.core.trace.recorder import Recorder, RequestTrace

# One network read may hold hundreds of events: after this long, whoever else waits for the loop has its turn.
_TURN_NS = 1_000_000
_new_tuple = tuple.__new__  # the constructor of a NamedTuple costs as much again


RememberRefused = Callable[[str], Awaitable[None]]


async def _forget(_parameter: str) -> None:
    pass


@dataclass(frozen=True, slots=True)
class _Answer:
    """One answer while it arrives.

    Attributes:
        prepared_ns: when it was asked for.
        sent_estimate_tokens: the base estimate of what was sent.
    """

    partial: PartialMessageResponse
    clock: AnswerClock
    trace: RequestTrace
    prepared_ns: int
    sent_estimate_tokens: int


class Answering:
    """The history of a conversation with one provider, and how an answer to it is asked for.

    Attributes:
        messages: the history that is sent; changed only by a turn.
        responses: what the requests of the turn gave so far, cancelled and failed ones too; whoever counts them takes
            them out.
        pause: the wait before a retry.
        remember_refused: keeps a refused parameter in mind, so that the provider does not send it again.
        redact: replaces known keys in an answer before it is recorded and kept; None leaves it as it came.
        system_prompt: when set, the only system text that is sent; None leaves the history's own.
        tools: what the model may call; None: nothing, and calls that come all the same are left unanswered.
        hooks: code of others that is asked at its places.
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
        hooks: HookExecutor | None = None,
    ) -> None:
        self.provider = provider
        self.config = config
        self.origin = origin
        self.messages: list[Message] = [] if messages is None else messages
        self.redact: Redact | None = None
        self.system_prompt: str | None = None
        self.responses: list[MessageResponse] = []
        self.pause = RetryPause(asyncio.sleep)
        self.remember_refused: RememberRefused = _forget
        self.tools: ToolSetup | None = None
        self.hooks = hooks
        self._recorder = recorder
        self._gate = gate
        self._beginning: Beginning | None = None
        self._turn_index = 0

    def build_request(self, tools: tuple[ToolDefinition, ...] = ()) -> MessageRequest:
        """The request for the conversation as it stands; no model is asked to think that is known not to."""
        return self._fitted_request(tools)[0]

    async def _answer(self) -> MessageResponse:
        """The next answer of the turn; it is in the history then."""
        recovery = Recovery()
        attempt = 1
        while (response := await self._request(attempt, recovery)) is None:
            attempt += 1
        self._turn_index += 1
        await self._ask_hooks(HookPoint.AFTER_RESPONSE, response)
        return response

    async def _ask_hooks(self, point: HookPoint, subject: object, *, error: ErrorRecord | None = None) -> None:
        if self.hooks is not None:
            request = subject if isinstance(subject, MessageRequest) else None
            context = HookContext(request, error, turn_index=self._turn_index)
            await self.hooks.run(point, context, subject)

    async def _request(self, attempt: int, recovery: Recovery) -> MessageResponse | None:
        """The answer of one request; None once everything is done for the next attempt."""
        request, ledger = self._fitted_request(() if self.tools is None else self.tools.registry.definitions())
        trace = RequestTrace(self._recorder, f"req-{uuid.uuid4().hex[:12]}")
        if self.hooks is not None:
            context = HookContext(request, attempt=attempt, turn_index=self._turn_index)
            await self.hooks.run(HookPoint.BEFORE_REQUEST, context, request)
        if self._gate is not None:
            await self._gate.check(GatePoint.BEFORE_REQUEST, request)
        estimate = estimate_messages_tokens(request.messages) + estimate_tools_tokens(request.tools)
        prepared = RequestPrepared(
            attempt=attempt, message_count=len(request.messages), estimate_tokens=estimate, ledger=ledger
        )
        answer = _Answer(PartialMessageResponse(), AnswerClock(), trace, self._recorder.now_ns(), estimate)
        try:
            with trace.preparing(prepared):
                await self._stream(request, answer)
        except asyncio.CancelledError:
            self._settle(answer, is_cancelled=True)
            raise
        except LlmError as error:
            failure = error.to_record()
            if (step := recovery.next_step(failure, request)) is None:
                error.hint = recovery.final(failure).hint
                raise
        else:
            if (found := answer.partial.error) is None or answer.clock.has_shown:
                return self._settle(answer)
            failure = found
            if (step := recovery.next_step(failure, request)) is None:
                return self._settle(answer, error=recovery.final(failure))
            self._settle(answer, is_tried_again=True)
        await self._get_ready(step, failure)
        return None

    async def _get_ready(self, step: Retry | Repair, failure: ErrorRecord) -> None:
        """Does what comes before the next attempt."""
        await self._ask_hooks(HookPoint.ON_ERROR, failure, error=failure)
        match step:
            case Retry(number=number, wait_s=wait_s):
                self._recorder.emit(RetryScheduled(number, wait_s, failure, RETRY_LIMIT))
                await self.pause.wait(wait_s)
            case Repair(parameter=parameter):
                self._recorder.emit(ParameterRepaired(parameter, failure, is_automatic=True))
                if parameter == STALE_THINKING:
                    provider_id = self.origin.provider if self.origin is not None else ""
                    self.messages[:] = without_thinking(self.messages, provider_id=provider_id)
                else:
                    await self.remember_refused(parameter)
            case _:
                assert_never(step)

    def _fitted_request(self, tools: tuple[ToolDefinition, ...] = ()) -> tuple[MessageRequest, tuple[str, ...]]:
        """The request, and what was left out of it because of what the provider says of the model (SEED5)."""
        messages = self.messages
        if self._beginning is not None:
            messages = [*messages[:-1], self._beginning.message]
        request = build_request(messages, config=self.config, system_prompt=self.system_prompt, tools=tools)
        if self._beginning is not None:
            lines = ("white space at the end of the answer was left out",) if self._beginning.is_stripped else ()
            return dataclasses.replace(request, is_continuation=True), lines
        if request.thinking is None and request.parallel_tool_calls is None:
            return request, ()
        features = self.provider.capabilities(request.model).features
        return fitted(request, ModelInfo(request.model, request.model, features))

    async def _stream(self, request: MessageRequest, answer: _Answer) -> None:
        partial, clock, trace = answer.partial, answer.clock, answer.trace
        recorder, gate = self._recorder, self._gate
        ignored_count = 0
        turn_ns = recorder.now_ns()
        async with aclosing(self.provider.chat_stream(request, trace=trace)) as events:
            async for event in events:
                partial.apply(event)
                trace.emit(_new_tuple(StreamEventReceived, (trace.frame_seq, event)))
                clock.note(event, recorder.last_ns)
                if partial.ignored_count != ignored_count:
                    ignored_count = partial.ignored_count
                    trace.emit(EventIgnored(trace.frame_seq, partial.last_warning))
                if gate is not None:
                    await gate.check(GatePoint.EVENT, event)
                if recorder.last_ns - turn_ns > _TURN_NS:
                    await asyncio.sleep(0)
                    turn_ns = recorder.now_ns()

    def _settle(
        self,
        answer: _Answer,
        *,
        is_cancelled: bool = False,
        is_tried_again: bool = False,
        error: ErrorRecord | None = None,
    ) -> MessageResponse:
        """Records what a request gave and adds it to the history; ``error`` is said instead of the stream's own."""
        partial, clock, trace = answer.partial, answer.clock, answer.trace
        response = partial.finalize(self.origin)
        if error is not None:
            response = dataclasses.replace(response, error=error)
        if is_tried_again:  # its blocks have nothing in them
            response = dataclasses.replace(response, message=Assistant((), self.origin))
        if (begun := self._beginning) is not None:
            response = dataclasses.replace(response, message=gone_on(begun.message, response.message))
        if self.redact is not None:
            response = dataclasses.replace(response, message=without_keys(response.message, self.redact))
        self.responses.append(response)
        continues = None
        if response.message.content:
            if begun is not None:
                continues = begun.message_id
                self.messages.pop()
            self.messages.append(response.message)
        cause = EndCause.USER if is_cancelled and not partial.is_complete else end_cause(response)
        first_token_s = clock.first_token_s(answer.prepared_ns if trace.sent_ns is None else trace.sent_ns)
        times = first_token_s, clock.streaming_s(), clock.thinking_s()
        trace.emit(ResponseReceived(response, cause, *times, answer.sent_estimate_tokens, continues))
        return response


def end_cause(response: MessageResponse) -> EndCause:
    """Who ended an answer that nobody cancelled (D9)."""
    if response.error is not None:
        return EndCause.TIMEOUT if _is_timeout(response.error) else EndCause.ERROR
    return EndCause.EOF if response.stop_reason is StopReason.INCOMPLETE else EndCause.SERVER


def _is_timeout(error: ErrorRecord) -> bool:
    return bool(error.details.get("is_timeout"))
