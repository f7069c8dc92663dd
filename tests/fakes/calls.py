"""Answers that call tools."""

import json
from typing import Any

from agdesk.core.ir.response import StopReason
from agdesk.core.ir.stream import (
    ContentBlockEnd,
    ContentBlockStart,
    MessageComplete,
    MessageStart,
    StreamEvent,
    ToolCallArgumentsDelta,
    ToolCallEnd,
    ToolUseType,
)

Call = tuple[str, str, dict[str, Any]]
"""Id, name, and arguments."""


def calls_answer(*calls: Call, reason: StopReason = StopReason.TOOL_USE) -> tuple[StreamEvent, ...]:
    """An answer that holds nothing but these calls."""
    events: list[StreamEvent] = [MessageStart("i", "m")]
    for index, (call_id, name, arguments) in enumerate(calls):
        events += [
            ContentBlockStart(index, ToolUseType(call_id, name)),
            ToolCallArgumentsDelta(json.dumps(arguments), index),
            ToolCallEnd(index),
            ContentBlockEnd(index),
        ]
    return (*events, MessageComplete(reason))
