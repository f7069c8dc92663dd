"""``MessageRequest`` → the HTTP side of a request to ``/api/chat``."""

from __future__ import annotations

from typing import Any
from urllib.parse import urlsplit

from agdesk.core.ir.ledger import Ledger
from agdesk.core.ir.request import Auto, MessageRequest, None_, ResponseFormat, ThinkingOptions
from agdesk.core.ir.surrogates import mend
from agdesk.core.providers.base import Endpoint, WireRequest
from agdesk.core.providers.lenient import object_of
from agdesk.core.providers.wire.ollama.history import sendable

PATH = "/chat"
OPTIONS = "options"
_CLOUD_HOST = "ollama.com"
_EFFORTS = ("low", "medium", "high", "max")


def render(request: MessageRequest, *, endpoint: Endpoint, api_key: str | None, is_streaming: bool) -> WireRequest:
    """The request: what the row sets, then what the request sets, then ``extra``; their ``options`` merge one by one.

    Whether to stream is always said, because Ollama streams if it is not told.
    """
    ledger = Ledger()
    body: dict[str, Any] = {
        **endpoint.defaults,
        "model": request.model,
        "messages": sendable(request.messages, endpoint=endpoint, ledger=ledger),
        "stream": is_streaming,
    }
    _add_tools(body, request, ledger)
    if (thinking := request.thinking) is not None and (think := _think(thinking, ledger)) is not None:
        body["think"] = think
    if request.response_format is not None:
        body["format"] = _format(request.response_format, ledger)
        if _is_cloud(request.model, endpoint):
            ledger.note("the answer may not keep to its format: Ollama's cloud does not enforce it")  # (L09)
    options = {**object_of(endpoint.defaults.get(OPTIONS)), **_options(request)}
    body.update(request.extra)
    if isinstance(extra := request.extra.get(OPTIONS, {}), dict):
        options.update(extra)
        if options:
            body[OPTIONS] = options
    headers = {}
    if api_key:
        headers = {endpoint.key_header: api_key} if endpoint.key_header else {"Authorization": f"Bearer {api_key}"}
    # UTF-8 has no place for lone surrogates (T27)
    return WireRequest(PATH, mend(body), headers, ledger.lines())


def _options(request: MessageRequest) -> dict[str, Any]:
    options = {
        "num_predict": request.max_tokens,
        "temperature": request.temperature,
        "top_p": request.top_p,
        "seed": request.seed,
        "stop": list(request.stop) or None,
    }
    return {name: value for name, value in options.items() if value is not None}


def _add_tools(body: dict[str, Any], request: MessageRequest, ledger: Ledger) -> None:
    """The tools, in OpenAI's shape. The model always chooses by itself; to leave it no choice is to leave them out."""
    if not request.tools:
        if request.parallel_tool_calls is not None or request.tool_choice != Auto():
            ledger.note("how tools are chosen was left out: there are none")
        return
    if request.parallel_tool_calls is not None:
        ledger.note("whether calls may be parallel was left out: this provider cannot be told")
    if isinstance(request.tool_choice, None_):
        ledger.note("the tools were left out, so that none is called: this provider cannot be told")
        return
    if request.tool_choice != Auto():
        ledger.note("that a tool must be called was left out: this provider cannot be told")
    body["tools"] = [
        {
            "type": "function",
            "function": {"name": tool.name, "description": tool.description, "parameters": tool.input_schema},
        }
        for tool in request.tools
    ]


def _think(thinking: ThinkingOptions, ledger: Ledger) -> bool | str | None:
    """On, off, or a level, which not every model has; models that have levels take no mere "on" (L05)."""
    if thinking.budget_tokens is not None:
        ledger.note("the budget for thinking was left out: this provider cannot be told")
    effort = thinking.effort
    if thinking.is_enabled is False or effort == "none":
        return False
    if effort is None or effort in _EFFORTS:
        return effort or thinking.is_enabled
    ledger.note(f"the effort {effort!r} is sent as thinking being on: this provider has {', '.join(_EFFORTS)}")
    return True


def _format(wanted: ResponseFormat, ledger: Ledger) -> Any:
    if wanted.is_strict is not None:
        ledger.note("how strictly a schema is kept was left out: this provider cannot be told")
    return "json" if wanted.schema is None else wanted.schema


def _is_cloud(model: str, endpoint: Endpoint) -> bool:
    """Whether a model runs in Ollama's cloud: there, or through a server on this machine."""
    host = urlsplit(endpoint.base_url).hostname or ""
    return host == _CLOUD_HOST or host.endswith("." + _CLOUD_HOST) or model.endswith(("-cloud", ":cloud"))
