"""``AgentSession``: the conversation a tab is bound to."""

from __future__ import annotations

import asyncio
import os
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from agdesk.core.cycle.cost import CostTracker
from agdesk.core.emitter import Emitter
from agdesk.core.errors import AgdeskError, ConfigurationError, ErrorRecord
from agdesk.core.ir.messages import Message, Origin, User, user
from agdesk.core.ir.response import MessageResponse, Usage
from agdesk.core.providers.registry import split_model_ref
from agdesk.core.tasks import cancel_and_wait, spawn
from agdesk.core.trace.events import TraceRecord, TurnCancelled, TurnCompleted, TurnFailed, TurnStarted
from agdesk.core.trace.recorder import Recorder

if TYPE_CHECKING:
    from agdesk.core.cycle.cycle import LlmCycle
    from agdesk.core.providers.base import LlmProvider

_BUG = ErrorRecord(
    "bug", "agdesk itself failed during this turn", 'See the log file ("agdesk doctor" prints its folder).'
)


async def _nothing_to_wait_for() -> None:
    pass


def _never_refused() -> None:
    pass


def _as_typed(text: str) -> str:
    return text


@dataclass(frozen=True, slots=True)
class SessionServices:
    """What a session needs of the program around it.

    Attributes:
        connect: the provider of an id.
        price: what a request to ``provider/model`` cost in US dollars; None is unknown.
        wire_of: the wire format of a provider.
        check_can_keep: raises ``StoreError`` when what is sent now could not be kept.
        kept: returns when everything recorded so far is on the disk, or cannot be brought there.
        redact: replaces known keys: one that is pasted into a message is neither sent nor recorded (SEC1).
    """

    connect: Callable[[str], Awaitable[LlmProvider]]
    price: Callable[[str, Usage], Awaitable[float | None]]
    wire_of: Callable[[str], str]
    check_can_keep: Callable[[], None] = _never_refused
    kept: Callable[[], Awaitable[None]] = _nothing_to_wait_for
    redact: Callable[[str], str] = _as_typed


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
        system_prompt: the system text of the next turns, None for none.
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
        self.system_prompt: str | None = None
        self._services = services
        self._history = list(messages)
        self._cycle: LlmCycle | None = None
        self._task: asyncio.Task[TurnOutcome] | None = None

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
            StoreError: the conversation could not be kept now.
        """
        if self.is_running:
            raise ConfigurationError("This conversation is still answering", "Stop it first, then send.")
        self._services.check_can_keep()
        turn_id = f"turn-{os.urandom(6).hex()}"
        message = user(self._services.redact(text))
        self._task = spawn(self._run(message, turn_id), name=f"turn of {self.id}")
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
            cycle = await self._prepare_cycle(message)
            response = await cycle.run_turn(message)
            self.cost.add(response.usage, await self._services.price(self.model_ref, response.usage))
            await self._services.kept()  # an answer that is shown as finished is never lost
            end = TurnFailed(response.error) if response.error else TurnCompleted()
            outcome = TurnOutcome(response, response.error)
        except asyncio.CancelledError:
            end = TurnCancelled()
            if self._cycle is not None and (cut := self._cycle.last_response) is not None:
                self.cost.add(cut.usage, await self._services.price(self.model_ref, cut.usage))
            raise
        except AgdeskError as error:
            outcome = TurnOutcome(None, error.to_record())
            end = TurnFailed(error.to_record())
        finally:
            self.recorder.emit(end)
        return outcome

    async def _prepare_cycle(self, message: User) -> LlmCycle:
        from agdesk.core.cycle.cycle import CycleConfig, LlmCycle

        try:
            provider_id, model = split_model_ref(self.model_ref)
            provider = await self._services.connect(provider_id)
            origin = Origin(provider_id, model, self._services.wire_of(provider_id))
        except BaseException:
            self._history.append(message)  # nobody could be asked: it stands in the history all the same
            raise
        if self._cycle is None:
            self._cycle = LlmCycle(provider, CycleConfig(model), self.recorder, messages=self._history)
        self._cycle.provider = provider
        self._cycle.config = CycleConfig(model)
        self._cycle.origin = origin
        self._cycle.redact = self._services.redact
        self._cycle.system_prompt = self.system_prompt
        return self._cycle
