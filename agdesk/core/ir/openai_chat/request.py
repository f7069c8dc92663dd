"""``MessageRequest`` ⇄ the body of a Chat Completions request."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, assert_never, cast

from agdesk.core.ir.ledger import Ledger
from agdesk.core.ir.openai_chat.from_openai import from_openai_messages
from agdesk.core.ir.openai_chat.to_openai import to_openai_messages
from agdesk.core.ir.openai_chat.types import OpenAiRequest
from agdesk.core.ir.request import (
    Auto,
    MessageRequest,
    None_,
    Required,
    ResponseFormat,
    ResultSemantic,
    SpecificTool,
    ThinkingOptions,
    ToolChoice,
    ToolDefinition,
)

_NUMBERS = ("temperature", "top_p", "seed")
_READ_MEMBERS = frozenset(
    {
        "model",
        "messages",
        "tools",
        "tool_choice",
        "parallel_tool_calls",
        "max_tokens",
        "max_completion_tokens",
        "stop",
        "reasoning_effort",
        "response_format",
        *_NUMBERS,
    }
)
_TRANSPORT_MEMBERS = ("stream", "stream_options")


def to_openai_request(
    request: MessageRequest,
    *,
    system_role: str = "system",
    max_tokens_field: str = "max_tokens",
    positions: Sequence[int] | None = None,
) -> tuple[OpenAiRequest, tuple[str, ...]]:
    """The body of a request; no parameter is in it that was not set, and ``extra`` has the last word.

    Args:
        request: what is asked.
        system_role: ``system`` or ``developer``.
        max_tokens_field: the server's name for the output limit.
        positions: for each message the place that the ledger calls it by; None: its place in the request.

    Returns:
        The body, and what it cannot say.
    """
    messages, lines = to_openai_messages(request.messages, system_role=system_role, positions=positions)
    ledger = Ledger()
    body: dict[str, Any] = {"model": request.model, "messages": messages}
    _add_tools(body, request, ledger)
    if request.max_tokens is not None:
        body[max_tokens_field] = request.max_tokens
    for member in _NUMBERS:
        if (value := getattr(request, member)) is not None:
            body[member] = value
    if request.stop:
        body["stop"] = list(request.stop)
    if (thinking := request.thinking) is not None:
        if thinking.effort is not None:
            body["reasoning_effort"] = thinking.effort
        if thinking.is_enabled is not None or thinking.budget_tokens is not None:
            ledger.note("of the thinking options only the effort can be sent")
    if request.response_format is not None:
        body["response_format"] = _format_member(request.response_format)
    body.update(request.extra)
    return cast(OpenAiRequest, body), lines + ledger.lines()


def from_openai_request(document: Mapping[str, Any]) -> tuple[MessageRequest, tuple[str, ...]]:
    """The request a body stands for, and what the IR cannot hold of it. Unknown parameters go to ``extra``."""
    messages, lines = from_openai_messages(document.get("messages") or [])
    ledger = Ledger()
    max_tokens = document.get("max_tokens")
    if document.get("max_completion_tokens") is not None:
        max_tokens = document["max_completion_tokens"]
        ledger.note("max_completion_tokens is read as the same as max_tokens")
    for member in _TRANSPORT_MEMBERS:
        if member in document:
            ledger.note(f"{member!r} was left out: it belongs to the transport")
    stop = document.get("stop") or ()
    effort = document.get("reasoning_effort")
    extra = {
        key: value for key, value in document.items() if key not in _READ_MEMBERS and key not in _TRANSPORT_MEMBERS
    }
    request = MessageRequest(
        model=str(document.get("model") or ""),
        messages=messages,
        tools=_tools_of(document.get("tools"), ledger),
        tool_choice=_choice_of(document.get("tool_choice"), ledger),
        max_tokens=max_tokens,
        temperature=document.get("temperature"),
        top_p=document.get("top_p"),
        stop=(stop,) if isinstance(stop, str) else tuple(stop),
        thinking=None if effort is None else ThinkingOptions(effort=effort),
        response_format=_format_of(document.get("response_format"), extra),
        parallel_tool_calls=document.get("parallel_tool_calls"),
        seed=document.get("seed"),
        extra=extra,
    )
    return request, lines + ledger.lines()


def _add_tools(body: dict[str, Any], request: MessageRequest, ledger: Ledger) -> None:
    if not request.tools:
        # servers refuse both without tools (E07)
        if request.parallel_tool_calls is not None or request.tool_choice != Auto():
            ledger.note("how tools are chosen was left out: there are none")
        return
    if any(tool.result_semantic is not ResultSemantic.MIXED for tool in request.tools):
        ledger.note("what the results of tools mean is not said")
    body["tools"] = [
        {
            "type": "function",
            "function": {
                "name": tool.name,
                "description": tool.description,
                "parameters": tool.input_schema,
            },
        }
        for tool in request.tools
    ]
    if request.tool_choice != Auto():
        body["tool_choice"] = _choice_member(request.tool_choice)
    if request.parallel_tool_calls is not None:
        body["parallel_tool_calls"] = request.parallel_tool_calls


def _choice_member(choice: ToolChoice) -> str | dict[str, Any]:
    match choice:
        case Auto():
            return "auto"
        case None_():
            return "none"
        case Required():
            return "required"
        case SpecificTool(name=name):
            return {"type": "function", "function": {"name": name}}
    assert_never(choice)


def _choice_of(member: Any, ledger: Ledger) -> ToolChoice:
    match member:
        case None | "auto":
            return Auto()
        case "none":
            return None_()
        case "required" | "any":
            return Required()
        case {"type": "function", "function": {"name": str(name)}}:
            return SpecificTool(name)
    ledger.note("a choice of tools of another kind is read as auto")
    return Auto()


def _tools_of(members: Any, ledger: Ledger) -> tuple[ToolDefinition, ...]:
    tools = []
    for member in members if isinstance(members, list) else ():
        match member:
            case {"type": "function", "function": {"name": str(name)} as function}:
                if function.keys() - {"name", "description", "parameters"}:
                    ledger.note(f"parts of the definition of {name!r} were left out")
                description, schema = function.get("description"), function.get("parameters")
                tools.append(ToolDefinition(name, description or "", schema or {}))
            case _:
                ledger.note("a tool that is no function was left out")
    return tuple(tools)


def _format_member(wanted: ResponseFormat) -> dict[str, Any]:
    if wanted.schema is None:
        return {"type": "json_object"}
    schema: dict[str, Any] = {"name": wanted.name, "schema": wanted.schema}
    if wanted.is_strict is not None:
        schema["strict"] = wanted.is_strict
    return {"type": "json_schema", "json_schema": schema}


def _format_of(member: Any, extra: dict[str, Any]) -> ResponseFormat | None:
    match member:
        case None | {"type": "text"}:
            return None
        case {"type": "json_object"}:
            return ResponseFormat()
        case {"type": "json_schema", "json_schema": {"name": str(name), "schema": dict(schema)} as wanted} if not (
            wanted.keys() - {"name", "schema", "strict"}
        ):
            return ResponseFormat(schema, name, wanted.get("strict"))
    extra["response_format"] = member
    return None
