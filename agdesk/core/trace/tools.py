"""What became of the calls of an answer, in the past tense (D3, TOOL3)."""

from __future__ import annotations

from dataclasses import dataclass

from agdesk.core.errors import ErrorRecord
from agdesk.core.ir.approval import ApprovalDecision, ApprovalRequest
from agdesk.core.ir.blocks import JsonObject, ToolResult
from agdesk.core.ir.messages import Tool


@dataclass(frozen=True, slots=True)
class ToolApprovalRequested:
    """A call waits for a decision, of the user or of a rule."""

    request: ApprovalRequest


@dataclass(frozen=True, slots=True)
class ToolApprovalResolved:
    """It was decided about a call."""

    tool_use_id: str
    decision: ApprovalDecision


@dataclass(frozen=True, slots=True)
class ToolExecutionStarted:
    """A call that was allowed runs now.

    Attributes:
        executed_input: the arguments that it runs with, as the user left them.
    """

    tool_use_id: str
    name: str
    executed_input: JsonObject


@dataclass(frozen=True, slots=True)
class ToolExecutionProgressed:
    """A running tool has something to show."""

    tool_use_id: str
    text: str


@dataclass(frozen=True, slots=True)
class ToolExecutionCompleted:
    """A call has its result, whether it ran or not.

    Attributes:
        executed_input: the arguments that it ran with; None if it did not run.
        result: what the model gets.
        effect: what was done in the world, in one line; empty if nothing was.
        error: why there is no result of the tool itself.
    """

    tool_use_id: str
    result: ToolResult
    executed_input: JsonObject | None = None
    duration_ms: int = 0
    effect: str = ""
    error: ErrorRecord | None = None


@dataclass(frozen=True, slots=True)
class ToolRoundCompleted:
    """Every call of an answer has its result: the message that goes to the model."""

    message: Tool
