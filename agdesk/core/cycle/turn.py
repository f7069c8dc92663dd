"""Runs the turns of a conversation, one at a time."""

from __future__ import annotations

import asyncio
import dataclasses
import functools
import os
from collections.abc import Awaitable, Callable
from typing import TYPE_CHECKING

from agdesk.core.cycle.approvals import Approvals
from agdesk.core.cycle.branches import Branches
from agdesk.core.cycle.cost import CostTracker
from agdesk.core.cycle.queue import MessageQueue, QueuedMessage
from agdesk.core.cycle.request_setup import RequestSetup
from agdesk.core.cycle.services import SessionServices
from agdesk.core.cycle.turn_plan import TurnOutcome, TurnPlan, UnfinishedTurn
from agdesk.core.errors import AgdeskError, ConfigurationError, ErrorRecord
from agdesk.core.ir.blocks import ContentBlock, Text
from agdesk.core.ir.messages import Assistant, Message, Origin, User
from agdesk.core.ir.response import EndCause, MessageResponse, StopReason, Usage
from agdesk.core.ir.tree import ConversationTree
from agdesk.core.providers.registry import split_model_ref
from agdesk.core.tasks import spawn
from agdesk.core.trace.events import (
    ResponseReceived,
    TurnCancelled,
    TurnCompleted,
    TurnFailed,
    TurnStarted,
)
from agdesk.core.trace.recorder import Recorder, RequestTrace

if TYPE_CHECKING:
    from agdesk.core.cycle.cycle import LlmCycle
    from agdesk.core.providers.router import Needs

_BUG = ErrorRecord(
    "bug", "agdesk itself failed during this turn", 'See the log file ("agdesk doctor" prints its folder).'
)


class TurnRunner(RequestSetup):
    """One conversation's history, and the turn that is under way.

    Args:
        services: the program around it.
        recorder: its trace; the session has the recorder's id. A conversation that is continued has one that counts on.
        messages: the history of a conversation that is continued.
        tree: its branches; ``messages`` is the active path.
        is_whole: whether that is all of it; else no turn begins before ``complete``.

    Attributes:
        cost: what every request so far has used.
        model_ref: ``provider/model`` the next turn asks; may change between turns.
        required: what a model must be able to do: one that is known not to is refused. None for nothing.
        branches: the tree of its messages, of which the history is one path.
        queue: what is sent when the running turn has ended well.
        is_whole: whether all of a stored conversation is here, and not its end only.
        approvals: the calls that wait for the user.
    """

    def __init__(
        self,
        model_ref: str,
        *,
        services: SessionServices,
        recorder: Recorder,
        messages: tuple[Message, ...] = (),
        tree: ConversationTree | None = None,
        is_whole: bool = True,
    ) -> None:
        super().__init__(services.redact, services.all_tools)
        self.id = recorder.session_id
        self.recorder = recorder
        self.cost = CostTracker()
        self.model_ref = model_ref
        self.required: Needs | None = None
        self._asked_ref = model_ref
        self._services = services
        self._history = list(messages)
        tree = ConversationTree() if tree is None else tree
        self.branches = Branches(recorder, self._history, tree=tree, painting=services.painting)
        self.is_whole = is_whole
        self.queue = MessageQueue(
            start=self._start_queued,
            check=services.check_can_keep,
            is_busy=lambda: self.is_running or not self.is_whole,
            said=self._said,
        )
        self.approvals = Approvals(lambda: services.rules(self.id))
        self.approvals.rule_used.subscribe(services.rule_used)
        self._unfinished: UnfinishedTurn | None = None
        self._is_moving = False
        self._cycle: LlmCycle | None = None
        self._task: asyncio.Task[TurnOutcome] | None = None

    @property
    def is_running(self) -> bool:
        """Whether a turn is under way, or another branch is being brought here."""
        return self._is_moving or (self._task is not None and not self._task.done())

    def check_whole(self) -> None:
        """Raises ``ConfigurationError`` while only the end of a stored conversation is here."""
        if not self.is_whole:
            raise ConfigurationError("The earlier messages are still being read", "Try again in a moment.")

    def complete(self) -> None:
        """The rest of a stored conversation is in the tree: what was sent meanwhile begins."""
        self.branches.complete()
        self.is_whole = True
        if (unfinished := self._unfinished) is not None:
            self._unfinished = None
            self._start(TurnPlan(unfinished=unfinished, turn_id=unfinished.turn_id))
        self.queue.proceed()

    def _check_can_begin(self) -> None:
        self.check_whole()
        if self.is_running:
            raise ConfigurationError("This conversation is still answering", "Stop it first, then send.")
        self._services.check_can_keep()

    def _start(self, plan: TurnPlan) -> asyncio.Task[TurnOutcome]:
        self._check_can_begin()
        self._task = spawn(self._run(plan), name=f"turn of {self.id}")
        self._task.add_done_callback(lambda _task: self.queue.proceed())
        return self._task

    def _start_queued(self, item: QueuedMessage) -> None:
        self._start(TurnPlan(User(self._said(item.content)), turn_id=item.id))

    def _said(self, content: str | tuple[ContentBlock, ...]) -> tuple[ContentBlock, ...]:
        """What the user says, known keys replaced."""
        redact = self._services.redact
        blocks = (Text(content),) if isinstance(content, str) else content
        return tuple(dataclasses.replace(b, text=redact(b.text)) if isinstance(b, Text) else b for b in blocks)

    async def _move(self, move: Callable[[], Awaitable[None]]) -> None:
        """Does what changes the active path, while no turn runs and none can begin."""
        self._check_can_begin()
        self._is_moving = True
        try:
            await move()
        finally:
            self._is_moving = False
            self.queue.proceed()

    async def _run(self, plan: TurnPlan) -> TurnOutcome:
        self.recorder.turn_id = plan.turn_id or f"turn-{os.urandom(6).hex()}"
        end: TurnCompleted | TurnFailed | TurnCancelled | None = TurnFailed(_BUG)
        outcome = TurnOutcome(None, _BUG)
        try:
            if plan.unfinished is None:
                await self._begin(plan)
            else:
                self._asked_ref = self.branches.model_ref = plan.unfinished.model_ref
            if plan.refused is not None:
                refused, model_ref = plan.refused
                self.recorder.emit(refused)
                await self._services.remember_refused(model_ref, refused.parameter)
            if plan.written is not None:
                response = self._write(plan.written)
            else:
                cycle = await self._prepare_cycle(plan.message)
                if plan.unfinished is not None:
                    response = await cycle.run_calls(plan.unfinished.before)
                else:
                    response = await cycle.run_turn(plan.message, beginning=plan.beginning)
                await self._count_cost()
            await self._services.kept()  # an answer that is shown as finished is never lost
            end = TurnFailed(response.error) if response.error else TurnCompleted()
            if self._cycle is not None and self._cycle.is_ended_by_user:
                end = TurnCancelled()
            outcome = TurnOutcome(response, response.error)
        except asyncio.CancelledError:
            is_suspended = self._cycle is not None and self._cycle.is_suspended
            end = None if is_suspended else TurnCancelled()
            await self._count_cost()
            raise
        except AgdeskError as error:
            outcome = TurnOutcome(None, error.to_record())
            end = TurnFailed(error.to_record())
            await self._count_cost()
        finally:
            self.approvals.end_turn()
            if end is not None:
                self.queue.note_end(end)
                self.recorder.emit(end)
        return outcome

    async def _begin(self, plan: TurnPlan) -> None:
        """Begins the turn where it is to begin, with the model that the reference stands for."""
        from agdesk.core.providers.router import needs_of

        self._asked_ref, message, at = self.model_ref, plan.message, plan.at
        branch = self.branches.without_reading(at)
        is_unanswered = True
        try:
            if at is not None:
                branch = await self.branches.look(at)
            if plan.written is None:
                before = self._history if at is None else self.branches.messages_to(at.leaf_id)
                said = before if message is None else [*before, message]
                needs = needs_of(said, self.parameters, has_tools=bool(self.tools.names))
                self._asked_ref = await self._services.resolve(self.model_ref, needs)
            is_unanswered = False
        finally:
            self.branches.model_ref = self._asked_ref
            self.branches.take(branch, at)
            begun = plan.beginning.message_id if plan.beginning is not None else None
            moved = at if branch is not None else None
            self.recorder.emit(TurnStarted(message or User(()), self._asked_ref, moved, begun))
            self.queue.note_start(self.recorder.turn_id)
            if is_unanswered:
                self._keep_unanswered(message)

    def _write(self, message: Assistant) -> MessageResponse:
        """Takes what the user wrote as the answer."""
        model = message.origin.model if message.origin is not None else ""
        response = MessageResponse(self.recorder.turn_id, model, message, Usage(), StopReason.END_TURN)
        request = RequestTrace(self.recorder, f"edit-{os.urandom(6).hex()}")
        request.emit(ResponseReceived(response, EndCause.EDITED))
        self._history.append(message)
        return response

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
        from agdesk.core.cycle.requests import CycleConfig
        from agdesk.core.cycle.retry import RetryPause
        from agdesk.core.providers.router import Needs

        try:
            provider_id, model = split_model_ref(self._asked_ref)
            provider = await self._services.connect(provider_id)
            origin = Origin(provider_id, model, self._services.wire_of(provider_id))
            config = CycleConfig(model, self.parameters)
            required = self.required or Needs()
            required = dataclasses.replace(required, tool_use=required.tool_use or bool(self.tools.names))
            builder = AgentBuilder(provider, config, required=required, hooks=self._services.hooks)
            tools = await self._services.tools(self.tools)
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
        self._cycle.tools = tools
        if tools is not None:
            self._cycle.tools = dataclasses.replace(
                tools, approvals=self.approvals, hooks=self._cycle.hooks, redact=self._services.redact
            )
        return self._cycle
