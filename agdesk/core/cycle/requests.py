"""What a request is made of: the history, what every request is made with, and the tools."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from agdesk.core.ir.messages import Message, System, system
from agdesk.core.ir.request import MessageRequest, RequestParameters, ToolDefinition

MAX_TOOL_TURNS = 10


@dataclass(frozen=True, slots=True)
class CycleConfig:
    """What every request of a cycle is made with.

    Attributes:
        max_tool_turns: how many requests one turn may take; the one after is refused.
    """

    model: str
    parameters: RequestParameters = field(default_factory=RequestParameters)
    max_tool_turns: int = MAX_TOOL_TURNS


def build_request(
    messages: Sequence[Message],
    *,
    config: CycleConfig,
    system_prompt: str | None = None,
    tools: tuple[ToolDefinition, ...] = (),
) -> MessageRequest:
    """The request for a history.

    A set ``system_prompt`` replaces every System of the history; None leaves them to the wire format (the five rows of
    the documents' table).
    """
    if system_prompt is not None:
        messages = (system(system_prompt), *(m for m in messages if not isinstance(m, System)))
    return MessageRequest(config.model, tuple(messages), tools, **config.parameters.fields())
