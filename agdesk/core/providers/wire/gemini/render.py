"""``MessageRequest`` → the HTTP side of a generateContent request (G11, G12, G16, R11)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, assert_never
from urllib.parse import quote

from agdesk.core.ir.ledger import Ledger
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
from agdesk.core.ir.surrogates import mend
from agdesk.core.providers.base import Endpoint, WireRequest
from agdesk.core.providers.wire.gemini.history import sendable

_COLLECTIONS = ("models/", "tunedModels/")
_LEVELS = {"none": "low", "xhigh": "high", "max": "high"}  # words of other providers; the level is an enumeration


def render(request: MessageRequest, *, endpoint: Endpoint, api_key: str | None, is_streaming: bool) -> WireRequest:
    """The request; no parameter that neither request nor row set; ``extra`` last, ``generationConfig`` by members."""
    ledger = Ledger()
    system, contents = sendable(request.messages, model=request.model, endpoint=endpoint, ledger=ledger)
    document: dict[str, Any] = {"contents": contents}
    if system:
        document["systemInstruction"] = {"parts": [{"text": system}]}
    _add_tools(document, request, ledger)
    if generation := _generation_config(request, ledger):
        document["generationConfig"] = generation
    body = _laid_over(_laid_over(endpoint.defaults, document), request.extra)
    headers = {"x-goog-api-key": api_key} if api_key else {}
    # UTF-8 has no place for lone surrogates (T27)
    return WireRequest(_path(request.model, is_streaming=is_streaming), mend(body), headers, ledger.lines())


def _path(model: str, *, is_streaming: bool) -> str:
    collection = next((start for start in _COLLECTIONS if model.startswith(start)), _COLLECTIONS[0])
    method = "streamGenerateContent?alt=sse" if is_streaming else "generateContent"
    return f"/{collection}{quote(model.removeprefix(collection), safe='')}:{method}"


def _laid_over(defaults: Mapping[str, Any], given: Mapping[str, Any]) -> dict[str, Any]:
    """``given`` over ``defaults``, objects member by member."""
    result = dict(defaults)
    for key, value in given.items():
        below = result.get(key)
        if isinstance(below, Mapping) and isinstance(value, Mapping):
            value = _laid_over(below, value)
        result[key] = value
    return result


def _add_tools(document: dict[str, Any], request: MessageRequest, ledger: Ledger) -> None:
    if not request.tools:
        if request.parallel_tool_calls is not None or request.tool_choice != Auto():
            ledger.note("how tools are chosen was left out: there are none")
        return
    if any(tool.result_semantic is not ResultSemantic.MIXED for tool in request.tools):
        ledger.note("what the results of tools mean is not said")
    if request.parallel_tool_calls is not None:
        ledger.note("whether calls may be parallel was left out: this format cannot say it")
    document["tools"] = [{"functionDeclarations": [_declaration(tool) for tool in request.tools]}]
    if request.tool_choice != Auto():
        document["toolConfig"] = {"functionCallingConfig": _calling_config(request.tool_choice)}


def _declaration(tool: ToolDefinition) -> dict[str, Any]:
    """A tool with its schema as it is: ``parameters`` takes but a part of JSON Schema (G16)."""
    declaration: dict[str, Any] = {"name": tool.name, "description": tool.description}
    return declaration | ({"parametersJsonSchema": tool.input_schema} if tool.input_schema else {})


def _calling_config(choice: ToolChoice) -> dict[str, Any]:
    match choice:
        case Auto():
            return {"mode": "AUTO"}
        case None_():
            return {"mode": "NONE"}
        case Required():
            return {"mode": "ANY"}
        case SpecificTool(name=name):
            return {"mode": "ANY", "allowedFunctionNames": [name]}
    assert_never(choice)


def _generation_config(request: MessageRequest, ledger: Ledger) -> dict[str, Any]:
    numbers = {
        "maxOutputTokens": request.max_tokens,
        "temperature": request.temperature,
        "topP": request.top_p,
        "seed": request.seed,
    }
    generation: dict[str, Any] = {member: value for member, value in numbers.items() if value is not None}
    if request.stop:
        generation["stopSequences"] = list(request.stop)
    if request.response_format is not None:
        generation |= _format_members(request.response_format, ledger)
    if request.thinking is not None and (thinking := _thinking_config(request.thinking, ledger)):
        generation["thinkingConfig"] = thinking
    return generation


def _format_members(wanted: ResponseFormat, ledger: Ledger) -> dict[str, Any]:
    if wanted.is_strict is not None:
        ledger.note("whether the schema of the answer is strict was left out: this format cannot say it")
    schema = {} if wanted.schema is None else {"responseJsonSchema": wanted.schema}
    return {"responseMimeType": "application/json"} | schema


def _level(effort: str | None, ledger: Ledger) -> dict[str, Any]:
    if effort is None:
        return {}
    sent = _LEVELS.get(effort, effort)
    if sent != effort:
        ledger.note(f"the effort {effort!r} is sent as {sent!r}")
    return {"thinkingLevel": sent.upper()}


def _thinking_config(options: ThinkingOptions, ledger: Ledger) -> dict[str, Any]:
    """Budgets are for 2.5, levels for 3; both at once are refused (R11). Thoughts come only if they are asked for."""
    if options.is_enabled is False:
        return {"thinkingBudget": 0}
    if options == ThinkingOptions():
        return {}
    if options.budget_tokens is None:
        return {"includeThoughts": True} | _level(options.effort, ledger)
    if options.effort is not None:
        ledger.note("the effort of thinking was left out: there is a budget")
    return {"includeThoughts": True, "thinkingBudget": options.budget_tokens}
