"""What the model gets for a call, whatever became of it."""

from __future__ import annotations

import dataclasses
from dataclasses import dataclass

from agdesk.core.errors import ErrorRecord, ToolError
from agdesk.core.ir.blocks import ContentBlock, Text, ToolResult, ToolUse
from agdesk.core.ir.request import ResultSemantic
from agdesk.core.ir.surrogates import mend
from agdesk.core.tools.base import ToolOutput


@dataclass(frozen=True, slots=True)
class ToolOutcome:
    """How a call ended.

    Attributes:
        result: for the model; always there.
        effect: what was done in the world, in one line; empty if nothing was, or nothing is known of.
        error: why there is no result of the tool itself; None if it ran to its end, also where it says that it failed.
    """

    result: ToolResult
    effect: str = ""
    error: ErrorRecord | None = None


def finished(call: ToolUse, output: ToolOutput, *, limit_characters: int) -> ToolOutcome:
    """The outcome of a run that came to its end."""
    content = truncated(output.content, limit_characters=limit_characters)
    # half a character, as in a file's name that is no UTF-8, can neither be stored nor sent
    return mend(ToolOutcome(ToolResult(call.id, call.name, content, output.is_error), output.effect))


def failed(call: ToolUse, error: ToolError) -> ToolOutcome:
    """The outcome of a call that has no result: the message and the hint of ``error`` are what the model reads.

    For a call that was denied: ``failed(call, ToolDenied("The user denied this call: …"))``.
    """
    words = f"{error.message}. {error.hint}" if error.hint else error.message
    result = ToolResult(call.id, call.name, (Text(words),), is_error=True)
    return mend(ToolOutcome(result, error=error.to_record()))


def cancelled(call: ToolUse, semantic: ResultSemantic) -> ToolOutcome:
    """The outcome of a call that was stopped while it ran (TOOL9): what it had done until then is not known."""
    if semantic is ResultSemantic.FACTUAL:
        return ToolOutcome(ToolResult(call.id, call.name, (Text("cancelled"),), is_error=True))
    words = "cancelled, effect unknown"
    return ToolOutcome(ToolResult(call.id, call.name, (Text(words),), is_error=True), effect=words)


def truncated(content: tuple[ContentBlock, ...], *, limit_characters: int) -> tuple[ContentBlock, ...]:
    """The content with at most ``limit_characters`` of text in all, and a marker that tells how many are gone.

    What is no text stays. Texts after the one that is cut are left out, and counted in its marker.
    """
    texts = [block.text for block in content if isinstance(block, Text)]
    surplus = sum(map(len, texts)) - limit_characters
    if surplus <= 0:
        return content
    kept: list[ContentBlock] = []
    left, is_cut = limit_characters, False
    for block in content:
        if not isinstance(block, Text):
            kept.append(block)
        elif not is_cut and len(block.text) <= left:
            left -= len(block.text)
            kept.append(block)
        elif not is_cut:
            is_cut = True
            kept.append(dataclasses.replace(block, text=f"{block.text[:left]}\n[… {surplus:,} characters cut]"))
    return tuple(kept)
