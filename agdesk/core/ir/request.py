"""What is asked of a provider. A field that is None is not sent (PROV5)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any, TypeAlias

from agdesk.core.ir.messages import Message
from agdesk.core.ir.parameters import RequestParameters as RequestParameters
from agdesk.core.ir.parameters import ResponseFormat as ResponseFormat
from agdesk.core.ir.parameters import ThinkingOptions as ThinkingOptions


class ResultSemantic(StrEnum):
    """What a tool's result means for later turns (compaction's first source of importance)."""

    FACTUAL = "factual"
    ACTION = "action"
    MIXED = "mixed"


@dataclass(frozen=True, slots=True)
class ToolDefinition:
    """A tool the model may call; ``input_schema`` is JSON Schema of an object."""

    name: str
    description: str
    input_schema: Mapping[str, Any]
    result_semantic: ResultSemantic = ResultSemantic.MIXED


@dataclass(frozen=True, slots=True)
class Auto:
    """The model decides."""


@dataclass(frozen=True, slots=True)
class None_:
    """No tool may be called."""


@dataclass(frozen=True, slots=True)
class Required:
    """Some tool must be called."""


@dataclass(frozen=True, slots=True)
class SpecificTool:
    """This tool must be called."""

    name: str


ToolChoice: TypeAlias = Auto | None_ | Required | SpecificTool


@dataclass(frozen=True, slots=True)
class MessageRequest:
    """One request to a model, independent of the wire format; see ``RequestParameters`` for what is set in it.

    Attributes:
        is_continuation: the last message is the beginning of the answer that is wanted (CHAT5).
    """

    model: str
    messages: tuple[Message, ...]
    tools: tuple[ToolDefinition, ...] = ()
    tool_choice: ToolChoice = Auto()
    max_tokens: int | None = None
    temperature: float | None = None
    top_p: float | None = None
    stop: tuple[str, ...] = ()
    thinking: ThinkingOptions | None = None
    response_format: ResponseFormat | None = None
    parallel_tool_calls: bool | None = None
    seed: int | None = None
    extra: Mapping[str, Any] = field(default_factory=dict)
    is_continuation: bool = False
