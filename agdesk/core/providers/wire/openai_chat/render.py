"""``MessageRequest`` → the HTTP side of a Chat Completions request."""

from __future__ import annotations

import dataclasses
from typing import Any

from agdesk.core.ir.ledger import Ledger
from agdesk.core.ir.openai_chat.request import to_openai_request
from agdesk.core.ir.request import MessageRequest
from agdesk.core.ir.surrogates import mend
from agdesk.core.providers.base import Endpoint, WireRequest
from agdesk.core.providers.wire.openai_chat.history import sendable

PATH = "/chat/completions"


def render(request: MessageRequest, *, endpoint: Endpoint, api_key: str | None, is_streaming: bool) -> WireRequest:
    """The request as the endpoint's dialect wants it; no parameter that neither request nor row set; ``extra`` last."""
    dialect = endpoint.dialect
    ledger = Ledger()
    messages = sendable(request.messages, endpoint=endpoint, ledger=ledger)
    document, lines = to_openai_request(
        dataclasses.replace(request, messages=tuple(message for _, message in messages), extra={}),
        system_role=dialect.system_role,
        max_tokens_field=dialect.max_tokens_field,
        positions=[position for position, _ in messages],
    )
    # what had nothing but blocks that cannot be sent, each of which is in the ledger
    kept = [message for message in document["messages"] if message.get("content") != []]
    body: dict[str, Any] = {**endpoint.defaults, **document, "messages": kept}
    if is_streaming:
        body["stream"] = True
        if dialect.sends_usage_option:
            body["stream_options"] = {"include_usage": True}  # without it most servers send no usage (U05)
    body.update(request.extra)
    headers = {"Authorization": f"Bearer {api_key}"} if api_key else {}
    # UTF-8 has no place for lone surrogates (T27)
    return WireRequest(PATH, mend(body), headers, ledger.lines() + lines)
