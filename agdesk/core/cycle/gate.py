"""Where a turn can be held (D10)."""

from __future__ import annotations

from enum import Enum, auto
from typing import Protocol

from agdesk.core.ir.blocks import ToolResult, ToolUse
from agdesk.core.ir.request import MessageRequest
from agdesk.core.ir.stream import StreamEvent


class GatePoint(Enum):
    """The places in a turn that ask the gate."""

    BEFORE_REQUEST = auto()
    EVENT = auto()
    BEFORE_TOOL = auto()
    AFTER_TOOL = auto()


class Gate(Protocol):
    """Awaited at each point; returning lets the turn go on, raising ends it."""

    async def check(self, point: GatePoint, context: MessageRequest | StreamEvent | ToolUse | ToolResult) -> None:
        """Returns when the turn may go on past ``point``."""
