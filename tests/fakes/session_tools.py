"""Tools whose runs a test decides."""

import asyncio
from collections.abc import Awaitable, Callable

from typing_extensions import override

from agdesk.core.ir.blocks import JsonObject
from agdesk.core.ir.effect import Effect
from agdesk.core.ir.request import ResultSemantic, ToolDefinition
from agdesk.core.tools.base import BUILTIN_SERVER, InputProblem, Tool, ToolContext, ToolOutput, identity_of, text_output

SCHEMA = {"type": "object", "properties": {"text": {"type": "string"}}, "additionalProperties": False}


async def echo(input: JsonObject, _context: ToolContext) -> ToolOutput:
    return text_output(str(input.get("text", "")))


async def hang(_input: JsonObject, _context: ToolContext) -> ToolOutput:
    await asyncio.Event().wait()
    raise AssertionError


class FakeTool(Tool):
    """Runs what it was given, and keeps what it was called with."""

    server, transport, endpoint = BUILTIN_SERVER, "builtin", ""

    def __init__(
        self,
        name: str = "echo",
        run: Callable[[JsonObject, ToolContext], Awaitable[ToolOutput]] = echo,
        *,
        semantic: ResultSemantic = ResultSemantic.FACTUAL,
        foreseen: Effect | None = None,
    ) -> None:
        self.definition = ToolDefinition(name, f"Does {name}.", SCHEMA, semantic)
        self.identity = identity_of(self.server, self.definition)
        self.runs: list[tuple[JsonObject, ToolContext]] = []
        self._run = run
        self._foreseen = foreseen

    @override
    def validate(self, input: JsonObject) -> tuple[InputProblem, ...]:
        return tuple(InputProblem(f"$.{name}", "is not known") for name in input if name != "text")

    @override
    async def effect(self, input: JsonObject, context: ToolContext) -> Effect | None:
        return self._foreseen

    @override
    async def run(self, input: JsonObject, context: ToolContext) -> ToolOutput:
        self.runs.append((input, context))
        return await self._run(input, context)
