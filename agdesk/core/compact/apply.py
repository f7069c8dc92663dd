"""``apply_plan``: the history as it is sent; ``microcompact``: planned and carried out at once."""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence
from itertools import groupby

from agdesk.core.compact.config import CompactConfig
from agdesk.core.compact.plan import plan_compaction
from agdesk.core.compact.thoughts import is_sealed
from agdesk.core.errors import CompactError
from agdesk.core.ir.blocks import ContentBlock, Text, Thinking, ToolResult
from agdesk.core.ir.compaction import CompactItem, CompactPlan, CompactReport
from agdesk.core.ir.ledger import Ledger
from agdesk.core.ir.messages import Message, Tool
from agdesk.core.ir.request import ToolDefinition


def apply_plan(messages: Sequence[Message], plan: CompactPlan) -> tuple[Message, ...]:
    """New messages with the plan's replacements; what the plan does not name is the same object.

    Messages that came after the plan was made stay. A history that it was carried out on already comes back as it is.

    Raises:
        CompactError: the plan was made for another history.
    """
    sent = list(messages)
    for position, group in groupby(plan.changes, key=lambda item: item.path.message):
        items = tuple(group)
        if position >= len(sent):
            raise _other_history(items[0])
        sent[position] = _with_replacements(sent[position], items)
    return tuple(sent)


def microcompact(
    messages: Sequence[Message],
    *,
    config: CompactConfig,
    keep_recent: int | None = None,
    tools: Sequence[ToolDefinition] = (),
) -> tuple[tuple[Message, ...], CompactReport]:
    """The documents' function: plans and carries out, without asking; ``keep_recent`` overrides that of ``config``."""
    if keep_recent is not None:
        config = dataclasses.replace(config, keep_recent=keep_recent)
    plan = plan_compaction(messages, config=config, tools=tools)
    return apply_plan(messages, plan), plan.report


def plan_ledger(plan: CompactPlan) -> tuple[str, ...]:
    """What the request's ledger says of a plan: thoughts that are left out leave no marker behind (PROV7)."""
    ledger = Ledger()
    for item in plan.changes:
        if item.replacement == "":
            ledger.note("thinking was left out: compaction cannot shorten what is signed", item.path.message)
    return ledger.lines()


def _with_replacements(message: Message, items: tuple[CompactItem, ...]) -> Message:
    blocks: tuple[ContentBlock, ...] = message.results if isinstance(message, Tool) else message.content
    gone = {item.path.block: item for item in items if item.replacement == ""}
    if gone and not any(_is_sealed(block) for block in blocks):
        left_out: set[int] = set()  # done before: the blocks behind them have moved up
    elif all(_is_thought_of(gone[at], blocks, at) for at in gone):
        left_out = set(gone)
    else:
        raise _other_history(items[0])
    kept = list(blocks)
    for item in items:
        if item.replacement == "":
            continue
        at = item.path.block - (0 if left_out else sum(place < item.path.block for place in gone))
        if at >= len(blocks):
            raise _other_history(item)
        kept[at] = _replaced(blocks[at], item)
    if not left_out and all(new is old for new, old in zip(kept, blocks, strict=True)):
        return message
    if isinstance(message, Tool):
        return Tool(tuple(block for block in kept if isinstance(block, ToolResult)))
    return dataclasses.replace(message, content=tuple(block for at, block in enumerate(kept) if at not in left_out))


def _is_sealed(block: ContentBlock) -> bool:
    return isinstance(block, Thinking) and is_sealed(block)


def _is_thought_of(item: CompactItem, blocks: Sequence[ContentBlock], at: int) -> bool:
    block = blocks[at] if at < len(blocks) else None
    return isinstance(block, Thinking) and is_sealed(block) and len(block.text) == item.size


def _replaced(block: ContentBlock, item: CompactItem) -> ContentBlock:
    """The block with the item's replacement; one that has it already is given back."""
    text = item.replacement or ""
    match block:
        case Thinking() if item.is_thinking and block.text == text:
            return block
        case Thinking() if item.is_thinking and len(block.text) == item.size and not is_sealed(block):
            return Thinking(text)
        case ToolResult() if not item.is_thinking and block.tool_use_id == item.tool_use_id:
            texts = [inner.text for inner in block.content if isinstance(inner, Text)]
            if texts == [text]:
                return block
            if len("\n".join(texts)) == item.size:
                return dataclasses.replace(block, content=_with_text(block.content, text))
    raise _other_history(item)


def _with_text(content: tuple[ContentBlock, ...], text: str) -> tuple[ContentBlock, ...]:
    """One text in the place of the first; images and the like stay, they have no characters to be cut."""
    first = next(at for at, block in enumerate(content) if isinstance(block, Text))
    return tuple(
        Text(text) if at == first else block
        for at, block in enumerate(content)
        if at == first or not isinstance(block, Text)
    )


def _other_history(item: CompactItem) -> CompactError:
    return CompactError(
        f"The plan was made for another history: message {item.path.message + 1} is not the one it names",
        "Plan again for these messages.",
    )
