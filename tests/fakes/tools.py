"""Tools, calls and requests for approval, as tests need them."""

from __future__ import annotations

import asyncio
import dataclasses
from collections.abc import Awaitable, Callable
from typing import Any

from agdesk.core.ir.approval import ApprovalRequest, ApprovalRule, Predicate, RuleVerdict
from agdesk.core.ir.blocks import ToolUse
from agdesk.core.ir.effect import Effect
from agdesk.core.ir.request import ResultSemantic, ToolDefinition
from agdesk.core.tools.base import InputProblem, Tool, ToolContext, ToolOutput, identity_of, text_output

IDENTITY = "server.tool"
CLOSED = {
    "type": "object",
    "properties": {"path": {"type": "string"}, "first_line": {"type": "integer"}},
    "additionalProperties": False,
}


class FakeTool(Tool):
    """Does what it is given; ``runs`` holds the inputs it ran with."""

    server, transport, endpoint = "fake", "builtin", ""

    def __init__(
        self,
        name: str = "fake",
        act: Callable[[dict[str, Any], ToolContext], Awaitable[ToolOutput]] | None = None,
        *,
        semantic: ResultSemantic = ResultSemantic.FACTUAL,
        problems: tuple[InputProblem, ...] = (),
    ) -> None:
        self.definition = ToolDefinition(name, "does nothing", {"type": "object"}, semantic)
        self.identity = identity_of("fake", self.definition)
        self.runs: list[dict[str, Any]] = []
        self._act = act
        self._problems = problems

    def validate(self, input):
        return self._problems

    async def effect(self, input, context) -> Effect | None:
        return None

    async def run(self, input, context):
        self.runs.append(input)
        return await self._act(input, context) if self._act is not None else text_output("done")


def call(name: str = "fake", input: dict[str, Any] | None = None, *, id: str = "call-1") -> ToolUse:
    return ToolUse(id, name, {} if input is None else input, "{}")


def answering(text: str, delay_s: float = 0.0):
    """What a tool does that answers after a while."""

    async def act(_input, _context):
        await asyncio.sleep(delay_s)
        return text_output(text)

    return act


def rule(pattern: str = "builtin:read_file", verdict: RuleVerdict = RuleVerdict.ALLOW, *where: Predicate, **fields):
    return dataclasses.replace(ApprovalRule("r1", verdict, pattern, where, IDENTITY), **fields)


def request(tool: str = "read_file", server: str = "builtin", **fields: Any) -> ApprovalRequest:
    made = ApprovalRequest(
        "call-1", server, "builtin", "", tool, ResultSemantic.FACTUAL, {"path": "a.txt"}, CLOSED, identity=IDENTITY
    )
    return dataclasses.replace(made, **fields)
