"""The tools of a conversation, and the one place that runs them."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Iterable, Sequence
from typing import NamedTuple

from agdesk.core.errors import InvalidToolInput, ToolError, ToolFailed, ToolTimeout, UnknownTool
from agdesk.core.ir.blocks import JsonObject, ToolUse
from agdesk.core.ir.request import ResultSemantic, ToolDefinition
from agdesk.core.tasks import spawn
from agdesk.core.tools.base import Tool, ToolContext
from agdesk.core.tools.results import ToolOutcome, cancelled, failed, finished

RESULT_CHARACTERS = 100_000
STOP_LIMIT_S = 2.0
log = logging.getLogger(__name__)


class ApprovedCall(NamedTuple):
    """A call that may run, with the arguments that were approved."""

    call: ToolUse
    context: ToolContext
    timeout_s: float


def _unheard(_call: ToolUse, _outcome: ToolOutcome) -> None:
    pass


class ToolRegistry:
    """The tools that a model is offered, by the names it calls them with. Does not change.

    Whoever calls ``invoke`` holds an ``ApprovalDecision`` that allows it: the registry asks nobody.

    Args:
        tools: in the order in which the model reads them.
        result_characters: more text than this is cut from a result.

    Raises:
        ValueError: two tools have the same name.
    """

    def __init__(self, tools: Iterable[Tool] = (), *, result_characters: int = RESULT_CHARACTERS) -> None:
        self._tools: dict[str, Tool] = {}
        for tool in tools:
            if tool.definition.name in self._tools:
                raise ValueError(f"two tools are called {tool.definition.name}")
            self._tools[tool.definition.name] = tool
        self._result_characters = result_characters

    def definitions(self) -> tuple[ToolDefinition, ...]:
        """What a request offers."""
        return tuple(tool.definition for tool in self._tools.values())

    def find(self, name: str) -> Tool | None:
        """The tool of a name; None if there is none."""
        return self._tools.get(name)

    def check(self, call: ToolUse) -> tuple[Tool, JsonObject]:
        """The tool of a call and its input, if it could run: to be asked before anyone is asked for approval.

        Raises:
            UnknownTool: there is no such tool.
            InvalidToolInput: the arguments are none, or not what the tool takes.
        """
        tool = self._tools.get(call.name)
        if tool is None:
            known = ", ".join(self._tools) or "none"
            raise UnknownTool(f"There is no tool called {call.name}", f"The tools are: {known}.")
        if call.input is None:
            raise InvalidToolInput(
                f"{call.name} was not run: {call.input_error or 'its arguments are missing'}",
                "Call it again with arguments that are one JSON object.",
            )
        if problems := tool.validate(call.input):
            found = "; ".join(f"{problem.path}: {problem.message}" for problem in problems)
            raise InvalidToolInput(f"{call.name} was not run, its arguments are not valid: {found}")
        return tool, call.input

    async def invoke(self, call: ToolUse, context: ToolContext, *, timeout_s: float) -> ToolOutcome:
        """Runs an approved call. Whatever goes wrong becomes an error result in words that the model can use.

        Cancelling stops the tool and comes back within two seconds, even if the tool does not stop.
        """
        try:
            tool, arguments = self.check(call)
        except ToolError as error:
            return failed(call, error)
        running = spawn(self._run(tool, call, arguments, context), name=f"tool {call.name} {call.id}")
        try:
            done, _ = await asyncio.wait([running], timeout=timeout_s)
        finally:
            if not running.done():
                await _stop(running)
        if done:
            return running.result()
        unknown = "" if tool.definition.result_semantic is ResultSemantic.FACTUAL else "; its effect is unknown"
        return failed(call, ToolTimeout(f"{call.name} did not finish within {timeout_s:g} s and was stopped{unknown}"))

    async def invoke_all(
        self, calls: Sequence[ApprovedCall], *, on_outcome: Callable[[ToolUse, ToolOutcome], None] = _unheard
    ) -> tuple[ToolOutcome, ...]:
        """Runs approved calls at once; the outcomes are in the order of the calls.

        Args:
            calls: what to run.
            on_outcome: called once for every call, as it ends. When this is cancelled, those that still run end as
                ``cancelled``, before ``CancelledError`` is raised.
        """
        tasks = [
            spawn(self._invoke_and_tell(approved, on_outcome), name=f"call {approved.call.id}") for approved in calls
        ]
        if not tasks:
            return ()
        try:
            await asyncio.wait(tasks)
        except asyncio.CancelledError:
            for task in tasks:
                task.cancel()
            await asyncio.wait(tasks)
            raise
        return tuple(task.result() for task in tasks)

    async def _invoke_and_tell(
        self, approved: ApprovedCall, on_outcome: Callable[[ToolUse, ToolOutcome], None]
    ) -> ToolOutcome:
        call, context, timeout_s = approved
        try:
            outcome = await self.invoke(call, context, timeout_s=timeout_s)
        except asyncio.CancelledError:
            tool = self._tools.get(call.name)
            semantic = tool.definition.result_semantic if tool is not None else ResultSemantic.FACTUAL
            on_outcome(call, cancelled(call, semantic))
            raise
        on_outcome(call, outcome)
        return outcome

    async def _run(self, tool: Tool, call: ToolUse, arguments: JsonObject, context: ToolContext) -> ToolOutcome:
        try:
            output = await tool.run(arguments, context)
        except ToolError as error:
            return failed(call, error)
        except Exception as error:  # a tool may come from anyone: its failure is a result, and stays in its call
            log.error("tool %s failed", call.name, exc_info=error)
            return failed(call, ToolFailed(f"{call.name} failed: {type(error).__name__}: {error}"))
        return finished(call, output, limit_characters=self._result_characters)


async def _stop(running: asyncio.Task[ToolOutcome]) -> None:
    """Cancels a tool and waits for it, but not for ever: it may hold on."""
    running.cancel()
    _, holding_on = await asyncio.wait([running], timeout=STOP_LIMIT_S)
    if holding_on:
        log.warning("%s does not stop; its result will be ignored", running.get_name())
