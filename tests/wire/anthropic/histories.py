"""Histories in a few words, and what is sent of them and of requests."""

from __future__ import annotations

import dataclasses
import json
from typing import Any

from agdesk.core.ir.blocks import Text, ToolResult, ToolUse
from agdesk.core.ir.messages import Assistant, Origin, user
from agdesk.core.ir.request import MessageRequest
from tests.wire.anthropic.streams import ENDPOINT, WIRE, ended, start, stream

HELLO = (user("Hello"),)
OWN = Origin("acme", "claude", "anthropic")
OTHER_PROVIDER = Origin("other", "claude", "anthropic")
OTHER_WIRE = Origin("acme", "claude", "gemini")
SENT_HELLO = {"role": "user", "content": [{"type": "text", "text": "Hello"}]}


def rendered(*messages, at=ENDPOINT, is_streaming=False, **parameters) -> tuple[dict[str, Any], tuple[str, ...]]:
    """The body of a request and its ledger; with a limit, because the format demands one."""
    request = MessageRequest("m", tuple(messages) or HELLO, **{"max_tokens": 9000, **parameters})
    wire = WIRE.render_request(request, endpoint=at, api_key="key", is_streaming=is_streaming)
    assert wire.path == "/messages"
    return json.loads(json.dumps(wire.body)), wire.ledger


def sent(*messages, at=ENDPOINT) -> tuple[list[dict[str, Any]], tuple[str, ...]]:
    body, ledger = rendered(*messages, at=at)
    return body["messages"], ledger


def own(*blocks) -> Assistant:
    return Assistant(blocks, OWN)


def use(call_id="A", name="f", arguments='{"a": 1}', **members) -> ToolUse:
    return ToolUse(call_id, name, json.loads(arguments), arguments, **members)


def result(call_id="A", text="ok", **members) -> ToolResult:
    return ToolResult(call_id, "f", (Text(text),), **members)


def said(text: str) -> dict[str, Any]:
    return {"type": "text", "text": text}


def answered(*units, reason="end_turn") -> Assistant:
    """The message that a stream of this provider gave."""
    return dataclasses.replace(stream(start(), *units, ended(reason)).response.message, origin=OWN)
