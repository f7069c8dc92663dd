"""Small histories for the tests of compaction."""

from __future__ import annotations

from collections.abc import Sequence

from agdesk.core.compact import CompactConfig
from agdesk.core.ir.blocks import ContentBlock, Text, ToolResult, ToolUse
from agdesk.core.ir.messages import Assistant, Message, Tool, user
from agdesk.core.ir.request import ResultSemantic, ToolDefinition

EVERYTHING = CompactConfig(keep_recent=0)
TOOLS = tuple(
    ToolDefinition(name, "", {}, semantic)
    for name, semantic in (
        ("search", ResultSemantic.FACTUAL),
        ("send", ResultSemantic.ACTION),
        ("shell", ResultSemantic.MIXED),
    )
)


def answer(*blocks: ContentBlock) -> Assistant:
    """What the model says, by default nothing special."""
    return Assistant(blocks or (Text("Done."),))


def round_of(*results: tuple[str, str], is_error: bool = False) -> list[Message]:
    """Calls and their results, by tool and text."""
    calls = tuple(ToolUse(f"call_{at}", tool, {"path": f"p{at}"}, "") for at, (tool, _) in enumerate(results))
    given = tuple(ToolResult(f"call_{at}", tool, (Text(text),), is_error) for at, (tool, text) in enumerate(results))
    return [Assistant(calls), Tool(given)]


def asked(*rounds: Sequence[Message]) -> list[Message]:
    """A turn with rounds of calls and an answer, and the next question."""
    return [user("Go on."), *(message for one in rounds for message in one), answer(), user("And now?")]
