"""Tool calls ⇄ ``ToolUse``: functions, custom tools, and what else a server puts into a call (K09, K19)."""

from __future__ import annotations

import json
from typing import Any

from agdesk.core.ir.arguments import parse_arguments
from agdesk.core.ir.blocks import ProviderData, ToolUse
from agdesk.core.ir.ledger import Ledger
from agdesk.core.ir.openai_chat.types import WIRE

_OWN_MEMBERS = ("id", "index", "function", "custom")


def call_of(block: ToolUse, ledger: Ledger, position: int) -> dict[str, Any]:
    """A call as OpenAI writes it. The arguments are those received, unless the input was changed since."""
    arguments = block.raw_arguments
    said = parse_arguments(arguments)
    if block.input is not None and said[0] != block.input:
        arguments = json.dumps(block.input, ensure_ascii=False)
        ledger.note("changed arguments of a call are sent in place of the model's own", position)
    elif (block.input, block.input_error) != said:
        ledger.note("why a call must not run is not said", position)
    data = block.provider_data
    members: dict[str, Any] = {}
    if data is not None and data.origin == WIRE:
        members = {key: value for key, value in data.raw.items() if key not in _OWN_MEMBERS}
    elif data is not None:
        ledger.note("opaque data of a call was left out", position)
    kind = members.pop("type", "function")
    if kind == "custom" and block.input is not None and list(block.input) == ["input"]:
        return {"id": block.id, "type": kind, "custom": {"name": block.name, **block.input}, **members}
    if kind == "custom":
        ledger.note("a call of a custom tool is sent as one of a function", position)
        kind = "function"
    return {"id": block.id, "type": kind, "function": {"name": block.name, "arguments": arguments}, **members}


def tool_use_of(call: dict[str, Any], ledger: Ledger, position: int) -> ToolUse | None:
    """The call of one entry of ``tool_calls``, or None with a note if it has no name."""
    members = {key: call[key] for key in call if key not in _OWN_MEMBERS and call[key] is not None}
    custom = call.get("custom")
    if isinstance(custom, dict):
        source, arguments = custom, json.dumps({"input": custom.get("input", "")}, ensure_ascii=False)
        members["type"] = "custom"
    else:
        function = call.get("function")
        source = function if isinstance(function, dict) else call
        raw = source.get("arguments")
        arguments = raw if isinstance(raw, str) else "" if raw is None else json.dumps(raw, ensure_ascii=False)
        if members.get("type") == "function":
            del members["type"]
    name, call_id = source.get("name"), call.get("id")
    if not isinstance(name, str) or not name:
        ledger.note("a call without a name was left out", position)
        return None
    if not isinstance(call_id, str) or not call_id:
        call_id = f"call_{position}_{name}"
        ledger.note("a call without an id got one", position)
    value, error = parse_arguments(arguments)
    data = ProviderData(WIRE, members) if members else None
    return ToolUse(call_id, name, value, arguments, error, data)
