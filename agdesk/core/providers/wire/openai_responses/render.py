"""``MessageRequest`` → the HTTP side of a Responses request."""

from __future__ import annotations

from typing import Any, assert_never

from agdesk.core.ir.ledger import Ledger
from agdesk.core.ir.request import (
    Auto,
    MessageRequest,
    None_,
    Required,
    ResponseFormat,
    SpecificTool,
    ThinkingOptions,
    ToolChoice,
)
from agdesk.core.ir.surrogates import mend
from agdesk.core.providers.base import Endpoint, WireRequest
from agdesk.core.providers.lenient import object_of
from agdesk.core.providers.wire.openai_responses.history import input_items

PATH = "/responses"

# Nothing is kept on the server, so what the model thought must come with the answer to be sent back (P08, P14).
_STATELESS = {"store": False, "include": ["reasoning.encrypted_content"]}
_NO_THINKING = "none"


def render(request: MessageRequest, *, endpoint: Endpoint, api_key: str | None, is_streaming: bool) -> WireRequest:
    """The request; beyond what makes it stateless no parameter that neither request nor row set; ``extra`` last."""
    ledger = Ledger()
    body: dict[str, Any] = {**_STATELESS, **endpoint.defaults, "model": request.model}
    body["input"] = input_items(request.messages, endpoint=endpoint, ledger=ledger)
    _add_tools(body, request, ledger)
    for member, value in (
        ("max_output_tokens", request.max_tokens),
        ("temperature", request.temperature),
        ("top_p", request.top_p),
    ):
        if value is not None:
            body[member] = value
    if request.thinking is not None and (reasoning := _reasoning(request.thinking, ledger)):
        body["reasoning"] = object_of(body.get("reasoning")) | reasoning
    if request.response_format is not None:
        body["text"] = object_of(body.get("text")) | {"format": _format(request.response_format)}
    if request.stop:
        ledger.note("the stop sequences were left out: this format has none")
    if request.seed is not None:
        ledger.note("the seed was left out: this format has none")
    if is_streaming:
        body["stream"] = True
    for member in endpoint.dialect.refused_parameters:
        if body.pop(member, None) is not None:
            ledger.note(f"{member!r} was left out: this provider refuses it")
    body.update(request.extra)
    headers: dict[str, str] = {}
    if api_key:
        headers = {endpoint.key_header: api_key} if endpoint.key_header else {"Authorization": f"Bearer {api_key}"}
    # UTF-8 has no place for lone surrogates (T27)
    return WireRequest(PATH, mend(body), headers, ledger.lines())


def _add_tools(body: dict[str, Any], request: MessageRequest, ledger: Ledger) -> None:
    if not request.tools:
        # servers refuse both without tools (E07)
        if request.parallel_tool_calls is not None or request.tool_choice != Auto():
            ledger.note("how tools are chosen was left out: there are none")
        return
    body["tools"] = [
        {
            "type": "function",
            "name": tool.name,
            "description": tool.description,
            "parameters": tool.input_schema,
            "strict": False,  # left out, it means yes here, and the server rewrites the schema
        }
        for tool in request.tools
    ]
    if request.tool_choice != Auto():
        body["tool_choice"] = _choice(request.tool_choice)
    if request.parallel_tool_calls is not None:
        body["parallel_tool_calls"] = request.parallel_tool_calls


def _choice(choice: ToolChoice) -> str | dict[str, str]:
    match choice:
        case Auto():
            return "auto"
        case None_():
            return "none"
        case Required():
            return "required"
        case SpecificTool(name=name):
            return {"type": "function", "name": name}
    assert_never(choice)


def _reasoning(thinking: ThinkingOptions, ledger: Ledger) -> dict[str, str]:
    """On: with a summary to be seen. Off: the effort ``none``, whatever effort was chosen beside it (R11)."""
    if thinking.budget_tokens is not None:
        ledger.note("the budget for thinking was left out: this format has an effort only")
    if thinking.is_enabled is False:
        if thinking.effort not in (None, _NO_THINKING):
            ledger.note("the effort of thinking was left out: thinking is off")
        return {"effort": _NO_THINKING}
    found = {} if thinking.effort is None else {"effort": thinking.effort}
    return found | ({"summary": "auto"} if thinking.is_enabled else {})


def _format(wanted: ResponseFormat) -> dict[str, Any]:
    if wanted.schema is None:
        return {"type": "json_object"}
    found: dict[str, Any] = {"type": "json_schema", "name": wanted.name, "schema": wanted.schema}
    return found if wanted.is_strict is None else found | {"strict": wanted.is_strict}
