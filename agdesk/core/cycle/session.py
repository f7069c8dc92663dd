"""``AgentSession``: the conversation a tab is bound to."""

from __future__ import annotations

import asyncio
import functools
import os
from dataclasses import dataclass
from typing import TYPE_CHECKING

from agdesk.core.cycle.cost import CostTracker
from agdesk.core.cycle.redaction import parameters_without_keys
from agdesk.core.cycle.services import SessionServices as SessionServices
from agdesk.core.emitter import Emitter
from agdesk.core.errors import AgdeskError, ConfigurationError, ErrorRecord
from agdesk.core.ir.messages import Assistant, Message, Origin, User, user
from agdesk.core.ir.parameters import RequestParameters
from agdesk.core.ir.response import MessageResponse
from agdesk.core.providers.registry import split_model_ref
from agdesk.core.tasks import cancel_and_wait, spawn
from agdesk.core.trace.events import (
    ParameterRepaired,
    TraceRecord,
    TurnCancelled,
    TurnCompleted,
    TurnFailed,
    TurnStarted,
)
from agdesk.core.trace.recorder import Recorder

if TYPE_CHECKING:
    from agdesk.core.cycle.cycle import LlmCycle
    from agdesk.core.ir.request import MessageRequest
    from agdesk.core.providers.router import Needs

_BUG = ErrorRecord(
    "bug", "agdesk itself failed during this turn", 'See the log file ("agdesk doctor" prints its folder).'
)


@dataclass(frozen=True, slots=True)
class TurnOutcome:
    """How a turn ended: the answer as far as one came, and the error if one ended it."""

    response: MessageResponse | None
    error: ErrorRecord | None


class AgentSession:
    """One conversation: its history, its trace and what it cost so far.

    Args:
        services: the program around it.
        recorder: its trace; the session has the recorder's id. A conversation that is continued has one that counts on.
        messages: the history of a conversation that is continued.

    Attributes:
        cost: what every request so far has used.
        model_ref: ``provider/model`` the next turn asks; may change between turns.
        required: what a model must be able to do: one that is known not to is refused. None for nothing.
        parameters_changed: the parameters or the system prompt are others; the next turn is the first with them.
    """

    def __init__(
        self,
        model_ref: str,
        *,
        services: SessionServices,
        recorder: Recorder,
        messages: tuple[Message, ...] = (),
    ) -> None:
        self.id = recorder.session_id
        self.recorder = recorder
        self.cost = CostTracker()
        self.model_ref = model_ref
        self.required: Needs | None = None
        self.parameters_changed: Emitter[None] = Emitter()
        self._parameters = RequestParameters()
        self._system_prompt: str | None = None
        self._asked_ref = model_ref
        self._services = services
        self._history = list(messages)
        self._cycle: LlmCycle | None = None
        self._task: asyncio.Task[TurnOutcome] | None = None

    @property
    def records(self) -> Emitter[TraceRecord]:
        """Every record of this conversation, in order."""
        return self.recorder.records

    @property
    def parameters(self) -> RequestParameters:
        """What the next turn's requests set; known keys in what is assigned are replaced (SEC1)."""
        return self._parameters

    @parameters.setter
    def parameters(self, parameters: RequestParameters) -> None:
        parameters = parameters_without_keys(parameters, self._services.redact)
        if parameters != self._parameters:
            self._parameters = parameters
            self.parameters_changed.emit(None)

    @property
    def system_prompt(self) -> str | None:
        """The system text of the next turns, None for none; known keys in what is assigned are replaced (SEC1)."""
        return self._system_prompt

    @system_prompt.setter
    def system_prompt(self, text: str | None) -> None:
        text = None if text is None else self._services.redact(text)
        if text != self._system_prompt:
            self._system_prompt = text
            self.parameters_changed.emit(None)

    @property
    def has_history(self) -> bool:
        """Whether anything was said that the next request repeats."""
        return bool(self._history)

    @property
    def is_running(self) -> bool:
        """Whether a turn is under way."""
        return self._task is not None and not self._task.done()

    def submit(self, text: str) -> asyncio.Task[TurnOutcome]:
        """Starts a turn with the user's text and returns its task.

        Raises:
            ConfigurationError: a turn is running already.
            StoreError: the conversation could not be kept now.
        """
        return self._start(user(self._services.redact(text)))

    def resend_without(self, error: ErrorRecord, *, model_ref: str) -> asyncio.Task[TurnOutcome]:
        """Starts a turn that asks again for what failed, without the parameter that was refused, which is remembered.

        Args:
            error: of the turn that failed; its details have ``removable``.
            model_ref: who refused it.

        Raises:
            ConfigurationError: a turn is running already, or the last message has its answer.
            StoreError: the conversation could not be kept now.
        """
        if not self._history or isinstance(self._history[-1], Assistant):
            raise ConfigurationError("The last message has its answer already", "Send a new message instead.")
        parameter = str(error.details["removable"])
        return self._start(None, refused=ParameterRepaired(parameter, error, is_automatic=False), by=model_ref)

    def cancel(self) -> None:
        """Stops the running turn, if any, and the wait before a retry; what has arrived is kept."""
        if self._task is not None:
            self._task.cancel()

    def retry_now(self) -> None:
        """Ends the wait before a retry, if there is one."""
        if self._cycle is not None:
            self._cycle.pause.end()

    def next_request(self, model: str, draft: str = "") -> MessageRequest:
        """What a model would be asked if the draft were sent to it now; without one, the conversation as it stands."""
        from agdesk.core.cycle.cycle import CycleConfig, build_request

        sent = (user(self._services.redact(draft)),) if draft.strip() else ()
        config = CycleConfig(model, self.parameters)
        return build_request((*self._history, *sent), config=config, system_prompt=self.system_prompt)

    async def aclose(self) -> None:
        """Stops the running turn and waits for its end."""
        if self._task is not None and not self._task.done():
            await cancel_and_wait(self._task)

    def _start(
        self, message: User | None, *, refused: ParameterRepaired | None = None, by: str = ""
    ) -> asyncio.Task[TurnOutcome]:
        if self.is_running:
            raise ConfigurationError("This conversation is still answering", "Stop it first, then send.")
        self._services.check_can_keep()
        self._task = spawn(self._run(message, refused, by), name=f"turn of {self.id}")
        return self._task

    async def _run(self, message: User | None, refused: ParameterRepaired | None, by: str) -> TurnOutcome:
        self.recorder.turn_id = f"turn-{os.urandom(6).hex()}"
        end: TurnCompleted | TurnFailed | TurnCancelled = TurnFailed(_BUG)
        outcome = TurnOutcome(None, _BUG)
        try:
            await self._resolve_model(message)
            if refused is not None:
                self.recorder.emit(refused)
                await self._services.remember_refused(by, refused.parameter)
            cycle = await self._prepare_cycle(message)
            response = await cycle.run_turn(message)
            await self._count_cost()
            await self._services.kept()  # an answer that is shown as finished is never lost
            end = TurnFailed(response.error) if response.error else TurnCompleted()
            outcome = TurnOutcome(response, response.error)
        except asyncio.CancelledError:
            end = TurnCancelled()
            await self._count_cost()
            raise
        except AgdeskError as error:
            outcome = TurnOutcome(None, error.to_record())
            end = TurnFailed(error.to_record())
            await self._count_cost()
        finally:
            self.recorder.emit(end)
        return outcome

    async def _resolve_model(self, message: User | None) -> None:
        """Begins the turn with the model that the reference stands for."""
        from agdesk.core.providers.router import needs_of

        self._asked_ref = self.model_ref
        messages = self._history if message is None else [*self._history, message]
        try:
            self._asked_ref = await self._services.resolve(self.model_ref, needs_of(messages))
        except BaseException:
            self._keep_unanswered(message)
            raise
        finally:
            self.recorder.emit(TurnStarted(message or User(()), self._asked_ref))

    def _keep_unanswered(self, message: User | None) -> None:
        """Nobody could be asked: the message stands in the history all the same."""
        if message is not None:
            self._history.append(message)

    async def _count_cost(self) -> None:
        """Counts every request of the turn that has not been counted yet: those that failed, too."""
        responses = self._cycle.responses if self._cycle is not None else []
        while responses:
            usage = responses[0].usage
            cost_usd = await self._services.price(self._asked_ref, usage)
            self.cost.add(usage, cost_usd)
            del responses[0]

    async def _prepare_cycle(self, message: User | None) -> LlmCycle:
        from agdesk.core.cycle.builder import AgentBuilder
        from agdesk.core.cycle.cycle import CycleConfig
        from agdesk.core.cycle.retry import RetryPause
        from agdesk.core.providers.router import Needs

        try:
            provider_id, model = split_model_ref(self._asked_ref)
            provider = await self._services.connect(provider_id)
            origin = Origin(provider_id, model, self._services.wire_of(provider_id))
            config = CycleConfig(model, self.parameters)
            builder = AgentBuilder(provider, config, required=self.required or Needs())
            if self._cycle is None:
                self._cycle = builder.build(self.recorder, messages=self._history)
                self._cycle.pause = RetryPause(self._services.sleep)
            else:
                builder.check()
        except BaseException:
            self._keep_unanswered(message)
            raise
        self._cycle.provider = provider
        self._cycle.config = config
        self._cycle.origin = origin
        self._cycle.redact = self._services.redact
        self._cycle.remember_refused = functools.partial(self._services.remember_refused, f"{provider_id}/{model}")
        self._cycle.system_prompt = self.system_prompt
        return self._cycle
