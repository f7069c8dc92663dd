"""``MessageRequest`` → the HTTP side of a Messages request."""

from __future__ import annotations

from typing import Any

from agdesk.core.ir.ledger import Ledger
from agdesk.core.ir.request import MessageRequest
from agdesk.core.ir.surrogates import mend
from agdesk.core.providers.base import Endpoint, WireRequest
from agdesk.core.providers.wire.anthropic.history import sendable
from agdesk.core.providers.wire.anthropic.options import add_options

PATH = "/messages"
VERSION = "2023-06-01"
_VERSION_HEADER = "anthropic-version"
_TOKEN_PREFIX = "sk-ant-oat"  # of an account's token, which is no API key
_DEFAULT_TTL = "5m"


def render(request: MessageRequest, *, endpoint: Endpoint, api_key: str | None, is_streaming: bool) -> WireRequest:
    """The request: no parameter but the limit that neither request nor row set; ``extra`` has the last word."""
    ledger = Ledger()
    system, messages = sendable(request.messages, endpoint=endpoint, ledger=ledger)
    body: dict[str, Any] = {**endpoint.defaults, "model": request.model, "messages": messages}
    if system:
        body["system"] = system
    add_options(body, request, endpoint=endpoint, ledger=ledger)
    for member in endpoint.dialect.refused_parameters:
        if body.pop(member, None) is not None:
            ledger.note(f"{member!r} was left out: this provider refuses it")
    if ttl := endpoint.dialect.cache_ttl:
        _mark_cached(body, ttl)
    if is_streaming:
        body["stream"] = True
    body.update(request.extra)
    # UTF-8 has no place for lone surrogates (T27)
    return WireRequest(PATH, mend(body), _headers(endpoint, api_key), ledger.lines())


def _headers(endpoint: Endpoint, api_key: str | None) -> dict[str, str]:
    headers: dict[str, str] = {}
    if _VERSION_HEADER not in {name.lower() for name in endpoint.headers}:
        headers[_VERSION_HEADER] = VERSION
    if api_key and api_key.startswith(_TOKEN_PREFIX) and not endpoint.key_header:
        headers["Authorization"] = f"Bearer {api_key}"
    elif api_key:
        headers[endpoint.key_header or "x-api-key"] = api_key
    return headers


def _mark_cached(body: dict[str, Any], ttl: str) -> None:
    """Marks the ends of what the next request repeats: tools, system text, messages. The format allows four."""
    mark = {"type": "ephemeral"} if ttl == _DEFAULT_TTL else {"type": "ephemeral", "ttl": ttl}
    if tools := body.get("tools"):
        body["tools"] = [*tools[:-1], {**tools[-1], "cache_control": mark}]
    if system := body.get("system"):
        body["system"] = [{"type": "text", "text": system, "cache_control": mark}]
    last = next((message for message in reversed(body["messages"]) if message["role"] == "user"), None)
    if last is not None:
        *others, part = last["content"]
        last["content"] = [*others, {**part, "cache_control": mark}]
