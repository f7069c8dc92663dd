"""``agdesk compact``: what compaction would do to a conversation, block by block. Nothing is changed or sent."""

from __future__ import annotations

import argparse
import json
import sys
from typing import Any

from agdesk.commands.columns import table
from agdesk.commands.conversation_file import Conversation, read_conversation
from agdesk.commands.report import report, visible
from agdesk.core.compact import CompactConfig, plan_compaction, plan_ledger
from agdesk.core.compact.config import KEEP_RECENT, RESERVED_TOKENS
from agdesk.core.compact.wording import action_in_words, contribution_in_words, reason_in_words
from agdesk.core.errors import CompactError
from agdesk.core.ir.codec import to_json
from agdesk.core.ir.compaction import CompactItem, CompactPlan, CompactReport

_USAGE = 2
_COLUMNS = ("message", "block", "tool", "size", "score", "action", "tokens", "why")


def run(options: argparse.Namespace) -> int:
    """Plans and prints; 0 when there is a plan, 2 when the file cannot be read."""
    try:
        conversation = read_conversation(options.file)
        config = CompactConfig(
            context_window=options.window,
            reserved_tokens=RESERVED_TOKENS if conversation.max_tokens is None else conversation.max_tokens,
            keep_recent=KEEP_RECENT if options.keep_recent is None else options.keep_recent,
            compact_thinking=options.thinking,
        )
        plan = plan_compaction(conversation.messages, config=config, tools=conversation.tools)
    except CompactError as error:
        report(error.to_record())
        return _USAGE
    except RecursionError:
        problem = CompactError(f"{options.file} is nested too deeply", "Leave out what is nested that deep.")
        report(problem.to_record())
        return _USAGE
    if options.json:
        print(json.dumps(_document(conversation, config, plan), ensure_ascii=False))
    else:
        _print_table(conversation, plan)
    return 0


def _document(conversation: Conversation, config: CompactConfig, plan: CompactPlan) -> dict[str, Any]:
    settings, figures = to_json(config), to_json(plan.report)
    del settings["type"], figures["type"]
    return {
        "messages": len(conversation.messages),
        "tools": len(conversation.tools),
        "config": settings,
        "report": {**figures, "freed_tokens": plan.report.freed_tokens, "still_over": plan.report.still_over},
        "items": [_item(item) for item in plan.items],
        "ledger": [*conversation.ledger, *plan_ledger(plan)],
    }


def _item(item: CompactItem) -> dict[str, Any]:
    return {
        "message": item.path.message + 1,
        "block": item.path.block + 1,
        "kind": "thinking" if item.is_thinking else "tool_result",
        "tool": item.tool or None,
        "tool_use_id": item.tool_use_id or None,
        "size": item.size,
        "score": item.score,
        "sources": {
            one.source.value: {
                "value": one.value,
                "found": one.finding.value,
                "reason": contribution_in_words(one),
                "words": list(one.words),
            }
            for one in item.contributions
        },
        "decided": to_json(item.decided),
        "action": to_json(item.action),
        "stage": item.stage,
        "skip_reason": item.skip_reason and item.skip_reason.value,
        "reason": reason_in_words(item),
        "replacement": item.replacement,
        "size_after": item.size if item.replacement is None else len(item.replacement),
        "estimate_before_tokens": item.estimate_before_tokens,
        "estimate_after_tokens": item.estimate_after_tokens,
    }


def _print_table(conversation: Conversation, plan: CompactPlan) -> None:
    for line in table([_COLUMNS, *map(_cells, plan.items)]):
        print(visible(line))
    print()
    for line in _sums(plan.report):
        print(line)
    for line in (*conversation.ledger, *plan_ledger(plan)):
        print(visible(f"agdesk: {line}"), file=sys.stderr)


def _cells(item: CompactItem) -> tuple[str, ...]:
    parts = [reason_in_words(item)]
    parts += [f"{one.value:+g} {contribution_in_words(one)}" for one in item.contributions]
    return (
        str(item.path.message + 1),
        str(item.path.block + 1),
        "(thinking)" if item.is_thinking else item.tool or "(no name)",
        f"{item.size:,}",
        "" if item.score is None else f"{item.score:g}",
        action_in_words(item.action),
        f"{item.estimate_before_tokens:,} → {item.estimate_after_tokens:,}",
        "; ".join(parts),
    )


def _sums(figures: CompactReport) -> tuple[str, ...]:
    before, after = figures.estimate_before_tokens, figures.estimate_after_tokens
    limit = "the window is unknown"
    if figures.limit_tokens is not None:
        limit = f"{figures.limit_tokens:,} fit, so it {'is still too large' if figures.still_over else 'fits'}"
    return (
        f"estimate  {before:,} → {after:,} tokens, {figures.freed_tokens:,} freed in {figures.changed_count:,} blocks",
        f"expected  ~{figures.tokens_before:,} → ~{figures.tokens_after:,} tokens "
        f"(estimate × {figures.ratio:g}, assumed); {limit}",
    )
