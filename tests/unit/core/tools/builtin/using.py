"""Calling agdesk's own tools as the cycle does: through the registry."""

from __future__ import annotations

from typing import Any

from agdesk.core.ir.messages import text_of
from agdesk.core.tools.base import Tool, ToolContext
from agdesk.core.tools.registry import ToolRegistry
from agdesk.core.tools.results import ToolOutcome
from tests.fakes.tools import call


async def outcome_of(tool: Tool, context: ToolContext, **arguments: Any) -> ToolOutcome:
    return await ToolRegistry([tool]).invoke(call(tool.definition.name, arguments), context, timeout_s=60)


async def use(tool: Tool, context: ToolContext, **arguments: Any) -> str:
    """The text of a result that is none of an error."""
    outcome = await outcome_of(tool, context, **arguments)
    text = text_of(outcome.result.content)
    assert not outcome.result.is_error, text
    return text


async def refused(tool: Tool, context: ToolContext, **arguments: Any) -> str:
    """The text of a result that is an error."""
    outcome = await outcome_of(tool, context, **arguments)
    text = text_of(outcome.result.content)
    assert outcome.result.is_error, text
    return text
