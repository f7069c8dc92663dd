"""``MessageRequest`` → the HTTP side of a Chat Completions request."""

from __future__ import annotations

import dataclasses
from typing import Any, assert_never, cast

from agdesk.core.ir.ledger import Ledger
from agdesk.core.ir.openai_chat.request import to_openai_request
from agdesk.core.ir.request import MessageRequest
from agdesk.core.ir.surrogates import mend
from agdesk.core.providers.base import Endpoint, WireRequest
from agdesk.core.providers.dialect import Dialect, Prefill
from agdesk.core.providers.wire.openai_chat.history import sendable
from agdesk.core.providers.wire.openai_chat.sequence import fitted_messages
from agdesk.core.providers.wire.openai_chat.thinking import thinking_members
from agdesk.core.providers.wire.openai_chat.wishes import fitted

PATH = "/chat/completions"


def render(request: MessageRequest, *, endpoint: Endpoint, api_key: str | None, is_streaming: bool) -> WireRequest:
    """The request as the endpoint's dialect wants it; no parameter that neither request nor row set; ``extra`` last."""
    dialect = endpoint.dialect
    ledger = Ledger()
    messages = sendable(request.messages, endpoint=endpoint, ledger=ledger)
    sent = dataclasses.replace(
        fitted(request, dialect=dialect, ledger=ledger),
        messages=tuple(message for _, message in messages),
        thinking=None,
        extra={},
    )
    made, lines = to_openai_request(
        sent,
        system_role=dialect.system_role,
        max_tokens_field=dialect.max_tokens_field,
        positions=[position for position, _ in messages],
    )
    document = cast(dict[str, Any], made) | thinking_members(request.thinking, dialect=dialect, ledger=ledger)
    _rename(document, dialect, ledger)
    document["messages"] = fitted_messages(document["messages"], dialect=dialect, ledger=ledger)
    if request.is_continuation:
        _say_continuation(document, dialect.prefill)
    body: dict[str, Any] = {**endpoint.defaults, **document}
    if is_streaming:
        body["stream"] = True
        if dialect.sends_usage_option:
            body["stream_options"] = {"include_usage": True}  # without it most servers send no usage (U05)
    body.update(request.extra)
    # UTF-8 has no place for lone surrogates (T27)
    path = dialect.prefill_path + PATH if request.is_continuation else PATH
    return WireRequest(path, mend(body), _key_headers(endpoint, api_key), ledger.lines() + lines)


def _say_continuation(document: dict[str, Any], prefill: Prefill) -> None:
    """Says that the last message is the beginning of the answer."""
    match prefill:
        case Prefill.PREFIX | Prefill.PARTIAL:
            *others, last = document["messages"]
            document["messages"] = [*others, {**last, prefill.value: True}]
        case Prefill.FINAL_MESSAGE:
            document["continue_final_message"] = True
            document["add_generation_prompt"] = False
        case Prefill.NONE | Prefill.LAST_MESSAGE:
            pass
        case _:
            assert_never(prefill)


def _rename(document: dict[str, Any], dialect: Dialect, ledger: Ledger) -> None:
    """Gives members and words the names that the server knows, and drops the members that it refuses."""
    if "seed" in document:
        document[dialect.seed_field] = document.pop("seed")
    if document.get("tool_choice") == "required":
        document["tool_choice"] = dialect.required_word
    for member in dialect.refused_parameters:
        if document.pop(member, None) is not None:
            ledger.note(f"{member!r} was left out: this provider refuses it")


def _key_headers(endpoint: Endpoint, api_key: str | None) -> dict[str, str]:
    if not api_key:
        return {}
    return {endpoint.key_header: api_key} if endpoint.key_header else {"Authorization": f"Bearer {api_key}"}
