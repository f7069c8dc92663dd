"""Histories in a few words, and what is sent of them and of requests."""

from __future__ import annotations

import json
from typing import Any

from agdesk.core.ir.blocks import Text, ToolResult, ToolUse
from agdesk.core.ir.messages import Origin, user
from agdesk.core.ir.request import MessageRequest
from tests.wire.openai_chat.streams import ENDPOINT, WIRE

HELLO = (user("Hello"),)
OWN = Origin("acme", "m1", "openai_chat")
OTHER_PROVIDER = Origin("other", "m1", "openai_chat")
OTHER_WIRE = Origin("acme", "m1", "anthropic")


def rendered(*messages, at=ENDPOINT, is_streaming=False, **parameters) -> tuple[dict[str, Any], tuple[str, ...]]:
    request = MessageRequest("m", tuple(messages) or HELLO, **parameters)
    wire = WIRE.render_request(request, endpoint=at, api_key="key", is_streaming=is_streaming)
    assert wire.path == "/chat/completions"
    return json.loads(json.dumps(wire.body)), wire.ledger


def use(call_id="A", name="f", arguments='{"a": 1}', **members) -> ToolUse:
    return ToolUse(call_id, name, json.loads(arguments), arguments, **members)


def result(call_id="A", text="ok", **members) -> ToolResult:
    return ToolResult(call_id, "f", (Text(text),), **members)


def sent(*messages, at=ENDPOINT):
    body, ledger = rendered(*messages, at=at)
    return body["messages"], ledger


def roles(messages):
    return [(message["role"], message.get("tool_call_id")) for message in messages]
