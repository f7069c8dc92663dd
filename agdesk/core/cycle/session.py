"""``AgentSession``: the conversation a tab is bound to."""

from __future__ import annotations

import asyncio
import uuid
from collections.abc import Awaitable, Callable
from dataclasses import dataclass

from agdesk.core.cycle.cost import CostTracker
from agdesk.core.cycle.cycle import CycleConfig, LlmCycle
from agdesk.core.emitter import Emitter
from agdesk.core.errors import AgdeskError, ConfigurationError, ErrorRecord
from agdesk.core.ir.messages import Origin, User, user
from agdesk.core.ir.response import MessageResponse, Usage
from agdesk.core.providers.base import LlmProvider
from agdesk.core.providers.registry import split_model_ref
from agdesk.core.tasks import cancel_and_wait, spawn
from agdesk.core.trace.events import TraceRecord, TurnCancelled, TurnCompleted, TurnFailed, TurnStarted
from agdesk.core.trace.recorder import Recorder

Connect = Callable[[str], Awaitable[LlmProvider]]
Price = Callable[[str, Usage], Awaitable[float | None]]

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

    Attributes:
        recorder: the session's trace; ``records`` is its stream.
        cost: what every request so far has used.
        model_ref: ``provider/model`` the next turn asks; may change between turns.
        system_prompt: the system text of the next turns, None for none.
    """

    def __init__(self, model_ref: str, *, connect: Connect, price: Price, wire_of: Callable[[str], str]) -> None:
        self.id = uuid.uuid4().hex
        self.recorder = Recorder(self.id)
        self.cost = CostTracker()
        self.model_ref = model_ref
        self.system_prompt: str | None = None
        self._connect = connect
        self._price = price
        self._wire_of = wire_of
        self._cycle: LlmCycle | None = None
        self._task: asyncio.Task[TurnOutcome] | None = None
        self._turn_count = 0

    @property
    def records(self) -> Emitter[TraceRecord]:
        """Every record of this conversation, in order."""
        return self.recorder.records

    @property
    def is_running(self) -> bool:
        """Whether a turn is under way."""
        return self._task is not None and not self._task.done()

    def submit(self, text: str) -> asyncio.Task[TurnOutcome]:
        """Starts a turn with the user's text and returns its task.

        Raises:
            ConfigurationError: a turn is running already.
        """
        if self.is_running:
            raise ConfigurationError("This conversation is still answering", "Stop it first, then send.")
        self._turn_count += 1
        self._task = spawn(self._run(user(text), f"turn-{self._turn_count}"), name=f"turn of {self.id}")
        return self._task

    def cancel(self) -> None:
        """Stops the running turn, if any; what has arrived is kept."""
        if self._task is not None:
            self._task.cancel()

    async def aclose(self) -> None:
        """Stops the running turn and waits for its end."""
        if self._task is not None and not self._task.done():
            await cancel_and_wait(self._task)

    async def _run(self, message: User, turn_id: str) -> TurnOutcome:
        self.recorder.turn_id = turn_id
        self.recorder.emit(TurnStarted(message, self.model_ref))
        end: TurnCompleted | TurnFailed | TurnCancelled = TurnFailed(_BUG)
        outcome = TurnOutcome(None, _BUG)
        if self._cycle is not None:
            self._cycle.last_response = None
        try:
            cycle = await self._prepare_cycle()
            response = await cycle.run_turn(message)
            self.cost.add(response.usage, await self._price(self.model_ref, response.usage))
            end = TurnFailed(response.error) if response.error else TurnCompleted()
            outcome = TurnOutcome(response, response.error)
        except asyncio.CancelledError:
            end = TurnCancelled()
            if self._cycle is not None and (cut := self._cycle.last_response) is not None:
                self.cost.add(cut.usage, await self._price(self.model_ref, cut.usage))
            raise
        except AgdeskError as error:
            outcome = TurnOutcome(None, error.to_record())
            end = TurnFailed(error.to_record())
        finally:
            self.recorder.emit(end)
        return outcome

    async def _prepare_cycle(self) -> LlmCycle:
        provider_id, model = split_model_ref(self.model_ref)
        provider = await self._connect(provider_id)
        origin = Origin(provider_id, model, self._wire_of(provider_id))
        if self._cycle is None:
            self._cycle = LlmCycle(provider, CycleConfig(model), self.recorder)
        self._cycle.provider = provider
        self._cycle.config = CycleConfig(model)
        self._cycle.origin = origin
        self._cycle.system_prompt = self.system_prompt
        return self._cycle
