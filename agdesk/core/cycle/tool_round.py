"""``ToolRound``: the calls of one answer, each decided, run and answered (SEED3, TOOL3)."""

from __future__ import annotations

import asyncio
import dataclasses
import json
import os
import time

from agdesk.core.cycle.approvals import Approvals
from agdesk.core.cycle.gate import Gate, GatePoint
from agdesk.core.cycle.hooks import HookContext, HookPoint
from agdesk.core.cycle.tool_setup import RoundBefore, ToolSetup
from agdesk.core.errors import HookVeto, ToolDenied, ToolError
from agdesk.core.ir.approval import ApprovalDecision, ApprovalRequest, DecidedBy, Verdict
from agdesk.core.ir.blocks import JsonObject, Text, ToolResult, ToolUse
from agdesk.core.ir.messages import Assistant, Tool, text_of
from agdesk.core.ir.request import ResultSemantic
from agdesk.core.tasks import spawn
from agdesk.core.tools.base import Tool as RunnableTool
from agdesk.core.tools.base import ToolContext
from agdesk.core.tools.results import ToolOutcome, cancelled, failed
from agdesk.core.trace.events import ToolRecord
from agdesk.core.trace.recorder import Recorder
from agdesk.core.trace.tools import (
    ToolApprovalRequested,
    ToolApprovalResolved,
    ToolExecutionCompleted,
    ToolExecutionProgressed,
    ToolExecutionStarted,
    ToolRoundCompleted,
)

_NOBODY = "Nobody is there who could approve it"
_STOPPED = "The user stopped the answer before this call ran"


class ToolRound:
    """Runs the calls of one answer beside each other, each as soon as it is allowed.

    Args:
        recorder: every step of every call is recorded.
        gate: may hold a call before it runs and its result before the model has it (D10).

    Attributes:
        is_suspended: being cancelled leaves what waits for the user as it is: it waits again after a restart (TOOL11).
        is_stopped: the user has ended the turn with a decision.
        message: the calls' results, once every call has one.
    """

    def __init__(self, setup: ToolSetup, recorder: Recorder, *, gate: Gate | None = None) -> None:
        self.is_suspended = False
        self.is_stopped = False
        self.message: Tool | None = None
        self._setup = setup
        self._recorder = recorder
        self._gate = gate
        self._words = ""
        self._results: dict[str, ToolResult] = {}
        self._asked: frozenset[str] = frozenset()

    @property
    def is_waiting(self) -> bool:
        """Whether a call waits for the user."""
        return self._setup.approvals is not None and bool(self._setup.approvals.pending)

    async def run(self, answer: Assistant, *, context: HookContext, before: RoundBefore | None = None) -> None:
        """Gives every call of an answer its result: ``message``, which is recorded.

        Args:
            answer: has calls.
            context: of the request that gave the answer.
            before: what had come of the round when the program ended in its middle.

        Raises:
            asyncio.CancelledError: stopped; unless ``is_suspended`` every call has a result all the same.
            CycleError: a hook ended the turn; every call has a result all the same.
        """
        self._words = text_of(answer.content)
        calls = [block for block in answer.content if isinstance(block, ToolUse)]
        if before is not None:
            self._results.update(before.results)
            self._asked = before.asked
            for call in calls:
                if call.id in before.begun:
                    self._take(call, self._cut(call))
        tasks = [
            spawn(self._settle(call, context), name=f"call {call.id}") for call in calls if call.id not in self._results
        ]
        try:
            if tasks:
                await asyncio.wait(tasks)
        except asyncio.CancelledError:
            for task in tasks:
                task.cancel()
            await asyncio.wait(tasks)
            if not self.is_suspended:
                self._complete(calls)
            raise
        self._complete(calls)
        for task in tasks:
            task.result()

    def _complete(self, calls: list[ToolUse]) -> None:
        """Records the message; a call without a result has one that says so (invariant 1)."""
        for call in calls:
            if call.id not in self._results:
                self._take(call, failed(call, ToolDenied(_STOPPED)))
        self.message = Tool(tuple(self._results[call.id] for call in calls))
        self._recorder.emit_for(f"tools-{os.urandom(6).hex()}", ToolRoundCompleted(self.message))

    def _cut(self, call: ToolUse) -> ToolOutcome:
        tool = self._setup.registry.find(call.name)
        return cancelled(call, ResultSemantic.MIXED if tool is None else tool.definition.result_semantic)

    # --- one call ---

    async def _settle(self, call: ToolUse, hook_context: HookContext) -> None:
        try:
            tool, proposed = self._setup.registry.check(call)
        except ToolError as error:
            self._take(call, failed(call, error))
            return
        effect = await tool.effect(proposed, ToolContext(self._setup.folder))
        request = self._request(call, tool, proposed)
        decision = await self._decide(dataclasses.replace(request, effect=effect))
        match decision.verdict:
            case Verdict.DENY:
                self._take(call, failed(call, ToolDenied(_denial(decision))))
            case Verdict.ANSWER:
                words = f"[Answered by the user; {call.name} was not run]\n{decision.result}"
                self._take(call, ToolOutcome(ToolResult(call.id, call.name, (Text(words),))))
            case Verdict.ALLOW:
                shown = effect if decision.by is DecidedBy.USER else None
                await self._execute(call, tool, decision, ToolContext(self._setup.folder, approved=shown), hook_context)
        if decision.stop_turn:
            self.is_stopped = True
            if self._setup.approvals is not None:
                self._setup.approvals.withdraw(_STOPPED)

    def _request(self, call: ToolUse, tool: RunnableTool, proposed: JsonObject) -> ApprovalRequest:
        return ApprovalRequest(
            call.id,
            tool.server,
            tool.transport,
            tool.endpoint,
            tool.definition.name,
            tool.definition.result_semantic,
            proposed,
            tool.definition.input_schema,
            words=self._words,
            folder=str(self._setup.folder or ""),
            identity=tool.identity,
        )

    async def _decide(self, request: ApprovalRequest) -> ApprovalDecision:
        approvals, call_id = self._setup.approvals, request.call_id
        decision: ApprovalDecision | None
        if approvals is None:
            decision = ApprovalDecision(Verdict.DENY, reason=_NOBODY, by=DecidedBy.CANCEL)
        else:
            ruling = approvals.ruling(request)
            request = dataclasses.replace(request, rule_id=ruling.rule.id if ruling.rule is not None else "")
            decision = approvals.decision_of(ruling)
        if call_id not in self._asked:
            self._recorder.emit(ToolApprovalRequested(request))
        if decision is None:
            assert approvals is not None
            decision = await self._ask(approvals, request)
        decision = dataclasses.replace(decision, ts_ns=self._recorder.now_ns())
        self._recorder.emit(ToolApprovalResolved(call_id, decision))
        return decision

    async def _ask(self, approvals: Approvals, request: ApprovalRequest) -> ApprovalDecision:
        try:
            return await approvals.approve(request)
        except asyncio.CancelledError:
            if not self.is_suspended:
                withdrawn = ApprovalDecision(Verdict.DENY, by=DecidedBy.CANCEL, ts_ns=self._recorder.now_ns())
                self._recorder.emit(ToolApprovalResolved(request.call_id, withdrawn))
            raise

    async def _execute(
        self, call: ToolUse, tool: RunnableTool, decision: ApprovalDecision, context: ToolContext, hooked: HookContext
    ) -> None:
        """Runs a call that was allowed, with the arguments that were allowed."""
        is_changed = decision.input is not None and decision.input != call.input
        if is_changed:
            call = dataclasses.replace(call, input=decision.input, raw_arguments=json.dumps(decision.input))
            try:
                _, arguments = self._setup.registry.check(call)
            except ToolError as error:
                self._take(call, failed(call, error))
                return
            # what the user was shown is what these arguments do now
            effect = await tool.effect(arguments, context)
            context = dataclasses.replace(context, approved=None if context.approved is None else effect)
        assert call.input is not None
        if (veto := await self._veto(call, hooked)) is not None:
            self._take(call, failed(call, ToolDenied(veto)))
            return
        context = dataclasses.replace(
            context, progress=lambda text: self._tell(ToolExecutionProgressed(call.id, self._setup.redact(text)))
        )
        self._tell(ToolExecutionStarted(call.id, call.name, call.input))
        begun_ns = time.monotonic_ns()
        try:
            outcome = await self._setup.registry.invoke(call, context, timeout_s=self._setup.timeout_s)
        except asyncio.CancelledError:
            self._take(call, cancelled(call, tool.definition.result_semantic), call.input, begun_ns)
            raise
        if is_changed:
            outcome = _told_of_change(outcome, call.raw_arguments)
        result = self._take(call, outcome, call.input, begun_ns)
        if self._setup.hooks is not None:
            await self._setup.hooks.run(HookPoint.AFTER_TOOL, hooked, result)
        if self._gate is not None:
            await self._gate.check(GatePoint.AFTER_TOOL, result)

    async def _veto(self, call: ToolUse, hooked: HookContext) -> str | None:
        """Why a hook does not let a call run; None if all do."""
        if self._gate is not None:
            await self._gate.check(GatePoint.BEFORE_TOOL, call)
        if self._setup.hooks is not None:
            try:
                await self._setup.hooks.run(HookPoint.BEFORE_TOOL, hooked, call)
            except HookVeto as veto:
                return veto.message
        return None

    def _take(
        self, call: ToolUse, outcome: ToolOutcome, executed_input: JsonObject | None = None, begun_ns: int | None = None
    ) -> ToolResult:
        """Keeps and records what came of a call, known keys replaced."""
        redact = self._setup.redact
        content = tuple(
            dataclasses.replace(block, text=redact(block.text)) if isinstance(block, Text) else block
            for block in outcome.result.content
        )
        result = self._results[call.id] = dataclasses.replace(outcome.result, content=content)
        duration_ms = 0 if begun_ns is None else (time.monotonic_ns() - begun_ns) // 1_000_000
        self._tell(
            ToolExecutionCompleted(call.id, result, executed_input, duration_ms, redact(outcome.effect), outcome.error)
        )
        return result

    def _tell(self, payload: ToolRecord) -> None:
        self._recorder.emit(payload)


def _denial(decision: ApprovalDecision) -> str:
    if decision.by is DecidedBy.CANCEL:
        return decision.reason
    who = "A rule of the user denies this call" if decision.by is DecidedBy.RULE else "The user denied this call"
    return f"{who}: {decision.reason}" if decision.reason else who


def _told_of_change(outcome: ToolOutcome, arguments: str) -> ToolOutcome:
    note = Text(f"[The user changed the arguments before this ran; they were {arguments}]")
    result = dataclasses.replace(outcome.result, content=(note, *outcome.result.content))
    return dataclasses.replace(outcome, result=result)
