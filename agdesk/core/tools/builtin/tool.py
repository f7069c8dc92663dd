"""What agdesk's own tools have in common: a pydantic model of the input gives schema, validation and types."""

from __future__ import annotations

import asyncio
import threading
from abc import abstractmethod
from collections.abc import Callable
from typing import Any, ClassVar, Generic, TypeVar

from typing_extensions import override

from agdesk.core.errors import ToolFailed
from agdesk.core.ir.blocks import JsonObject
from agdesk.core.ir.effect import Effect, Unforeseen
from agdesk.core.ir.request import ResultSemantic, ToolDefinition
from agdesk.core.settings.validation import BaseModel, ConfigDict, GenerateJsonSchema, ValidationError
from agdesk.core.tools.base import BUILTIN_SERVER, InputProblem, Tool, ToolContext, ToolOutput, identity_of
from agdesk.core.tools.json_path import path_text

T = TypeVar("T")


class ToolInput(BaseModel):
    """The arguments of a call; others than these are refused. Texts are taken as they are."""

    model_config = ConfigDict(extra="forbid", frozen=True)


Input = TypeVar("Input", bound=ToolInput)


class BuiltinTool(Tool, Generic[Input]):
    """A tool of agdesk. A subclass names itself and its input, and says what a call would do and does.

    Attributes:
        name, description, semantic: as the model is told; the fields of the input have descriptions too.
        input_model: the arguments.
    """

    server = BUILTIN_SERVER
    transport = "builtin"
    endpoint = ""
    name: ClassVar[str]
    description: ClassVar[str]
    semantic: ClassVar[ResultSemantic]
    input_model: type[Input]

    def __init__(self) -> None:
        schema = self.input_model.model_json_schema(schema_generator=_WithoutTitles)
        schema.pop("title", None)
        schema.pop("description", None)
        self.definition = ToolDefinition(self.name, self.description, schema, self.semantic)
        self.identity = identity_of(BUILTIN_SERVER, self.definition)

    @abstractmethod
    async def foresee(self, wanted: Input, context: ToolContext) -> Effect | None:
        """What ``act`` would do, without doing it; None: nothing beyond its answer.

        Raises:
            ToolFailed: it would fail.
        """

    @abstractmethod
    async def act(self, wanted: Input, context: ToolContext) -> ToolOutput:
        """Does it; see ``Tool.run``."""

    @override
    def validate(self, input: JsonObject) -> tuple[InputProblem, ...]:
        try:
            self.input_model.model_validate(input)
        except ValidationError as error:
            return tuple(InputProblem(path_text(one["loc"]), _words(one["msg"])) for one in error.errors())
        return ()

    @override
    async def effect(self, input: JsonObject, context: ToolContext) -> Effect | None:
        try:
            return await self.foresee(self.input_model.model_validate(input), context)
        except ToolFailed as error:
            return Unforeseen(f"{error.message}. {error.hint}".removesuffix(" "))

    @override
    async def run(self, input: JsonObject, context: ToolContext) -> ToolOutput:
        return await self.act(self.input_model.model_validate(input), context)


async def on_thread(work: Callable[[threading.Event], T]) -> T:
    """Does blocking work on a thread. When this is cancelled, its event is set: long work looks at it and ends."""
    stop = threading.Event()
    try:
        return await asyncio.to_thread(work, stop)
    finally:
        stop.set()


def _words(message: str) -> str:
    return message.removeprefix("Value error, ")


class _WithoutTitles(GenerateJsonSchema):
    @override
    def field_title_should_be_set(self, schema: Any) -> bool:
        return False
