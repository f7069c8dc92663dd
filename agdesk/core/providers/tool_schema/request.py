"""A request with tools → one without, whose answer is constrained to a call or an answer."""

from __future__ import annotations

import dataclasses
import json
from collections.abc import Sequence
from typing import Any, assert_never

from agdesk.core.ir.blocks import ContentBlock, Text, ToolResult, ToolUse
from agdesk.core.ir.messages import Assistant, Message, System, Tool, User, system
from agdesk.core.ir.request import Auto, MessageRequest, None_, Required, ResponseFormat, SpecificTool, ToolDefinition
from agdesk.core.providers.base import ModelInfo

TOOL, ARGUMENTS, ANSWER = "tool", "arguments", "answer"
AS_SCHEMA = "the tools are offered as a format of the answer, because the model has none of its own"
ANSWERS_NOW = "no tool was offered: this model would call again instead of answering with the results"
SWITCHED_OFF = "the tools were left out, as is set for this model"


def is_schema_needed(request: MessageRequest, model: ModelInfo) -> bool:
    """Whether the request has anything of tools and its model takes them as a schema only.

    That is what the user has set for the model; else it is so if the model is known to have no tools of its own.
    """
    is_schema = model.tool_mode == "schema" or (model.tool_mode == "auto" and model.features.tool_use is False)
    return is_schema and (bool(request.tools) or any(map(_has_tools, request.messages)))


def offered_tools(
    request: MessageRequest, model: ModelInfo, *, calls_once: bool = False
) -> tuple[MessageRequest, tuple[str, ...]]:
    """The request with its tools as the model is to be offered them, and lines for the ledger.

    Args:
        calls_once: a model without tools of its own is asked for an answer once it has results, and offered no call.
    """
    if request.tools and model.tool_mode == "off":
        return dataclasses.replace(request, tools=(), tool_choice=Auto(), parallel_tool_calls=None), (SWITCHED_OFF,)
    if is_schema_needed(request, model):
        if calls_once and isinstance(request.tool_choice, Auto) and isinstance(request.messages[-1], Tool):
            return tools_as_schema(request, is_answer_due=True), (AS_SCHEMA, ANSWERS_NOW)
        return tools_as_schema(request), (AS_SCHEMA,)
    return request, ()


def tools_as_schema(request: MessageRequest, *, is_answer_due: bool = False) -> MessageRequest:
    """The request with its tools as an answer format and its calls and results as text.

    The tools themselves are described in a system text behind those that lead the conversation: the schema alone tells
    a model nothing of what they are for.

    Args:
        is_answer_due: the answer may be no call.
    """
    offered = () if is_answer_due else _offered(request)
    messages = tuple(_as_text(message) for message in request.messages)
    if not offered and not is_answer_due:
        return dataclasses.replace(request, messages=messages, tools=(), tool_choice=Auto(), parallel_tool_calls=None)
    can_answer = isinstance(request.tool_choice, Auto)
    lead = next((i for i, message in enumerate(messages) if not isinstance(message, System)), len(messages))
    told = system(_description(offered, can_answer=can_answer))
    return dataclasses.replace(
        request,
        messages=(*messages[:lead], told, *messages[lead:]),
        tools=(),
        tool_choice=Auto(),
        parallel_tool_calls=None,
        response_format=ResponseFormat(_schema(offered, request.response_format, can_answer=can_answer), "step"),
    )


def _has_tools(message: Message) -> bool:
    return isinstance(message, Tool) or any(isinstance(block, ToolUse | ToolResult) for block in message.content)


def call_text(name: str, arguments: Any) -> str:
    """A call as the model writes it."""
    return json.dumps({TOOL: name, ARGUMENTS: arguments}, ensure_ascii=False)


def _offered(request: MessageRequest) -> tuple[ToolDefinition, ...]:
    match request.tool_choice:
        case Auto() | Required():
            return request.tools
        case None_():
            return ()
        case SpecificTool(name):
            return tuple(tool for tool in request.tools if tool.name == name)
    assert_never(request.tool_choice)


def _schema(tools: Sequence[ToolDefinition], wanted: ResponseFormat | None, *, can_answer: bool) -> dict[str, Any]:
    branches = [_branch({TOOL: {"const": tool.name}, ARGUMENTS: dict(tool.input_schema)}) for tool in tools]
    if can_answer:
        answer: dict[str, Any] = {"type": "string"}
        if wanted is not None:
            answer = {"type": "object"} if wanted.schema is None else dict(wanted.schema)
        branches.append(_branch({ANSWER: answer}))
    return {"anyOf": branches}


def _branch(properties: dict[str, Any]) -> dict[str, Any]:
    return {"type": "object", "properties": properties, "required": list(properties), "additionalProperties": False}


def _description(tools: Sequence[ToolDefinition], *, can_answer: bool) -> str:
    if not tools:
        return f'Answer the user with the results, as {{"{ANSWER}": TEXT}}.'
    lines = [f"Reply with one JSON object. To call a tool: {call_text('NAME', {})}."]
    if can_answer:
        lines.append(f'When no tool is needed, or its result is there: {{"{ANSWER}": "your answer"}}.')
    lines.append("Tools:")
    for tool in tools:
        lines.append(
            f"- {tool.name}: {tool.description} Arguments: {json.dumps(tool.input_schema, ensure_ascii=False)}"
        )
    return "\n".join(lines)


def _as_text(message: Message) -> Message:
    match message:
        case Assistant(content, origin):
            return Assistant(tuple(map(_call_as_text, content)), origin)
        case Tool(results):
            blocks: list[ContentBlock] = []
            for result in results:
                kind = "Error" if result.is_error else "Result"
                text = "\n".join(block.text for block in result.content if isinstance(block, Text))
                blocks.append(Text(f"{kind} of {result.name}:\n{text}"))
                blocks.extend(block for block in result.content if not isinstance(block, Text))
            return User(tuple(blocks))
        case _:
            return message


def _call_as_text(block: ContentBlock) -> ContentBlock:
    if not isinstance(block, ToolUse):
        return block
    return Text(call_text(block.name, block.raw_arguments if block.input is None else block.input))
