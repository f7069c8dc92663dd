"""Compaction: planning a conversation of 2,000 messages, with every score and every text that will stand instead.

The baseline in the same run is the documents' single pass: it knows sizes and what tools declare, changes the messages
as it goes, and looks for no reference.
"""

from __future__ import annotations

import dataclasses
import json
import statistics
import sys
import time
from collections.abc import Callable
from typing import Any

from agdesk.core.compact import (
    CompactConfig,
    apply_plan,
    decide_strategy,
    plan_compaction,
    plan_survey,
    survey_history,
)
from agdesk.core.ir.blocks import Text, ToolResult
from agdesk.core.ir.compaction import CompactState, Skip, Truncate, TruncateStructured
from agdesk.core.ir.messages import Message, Tool
from agdesk.core.ir.request import ResultSemantic
from agdesk.core.ir.tokens import estimate_block_tokens
from tests.fakes.long_conversation import LongConversation, long_conversation

MESSAGES = 2_000
ROUNDS = 15
WINDOW_TOKENS = 100_000  # stage 1 is not enough
_SCORES = {ResultSemantic.FACTUAL: 1, ResultSemantic.ACTION: -1, ResultSemantic.MIXED: 0}


def measure() -> dict[str, Any]:
    """Medians of interleaved rounds, in milliseconds of processor time."""
    made = long_conversation(MESSAGES)
    config = CompactConfig(context_window=WINDOW_TOKENS)

    def plan() -> Any:
        return plan_compaction(made.messages, config=config, tools=made.tools)

    whole = plan()
    survey = survey_history(made.messages, config=config, tools=made.tools)
    path = whole.changes[0].path
    state = CompactState().with_pin(path, is_pinned=True)
    arms: dict[str, Callable[[], Any]] = {
        "plan_ms": plan,
        "another_choice_ms": lambda: plan_survey(survey, state=state),
        "apply_ms": lambda: apply_plan(made.messages, whole),
        "single_pass_ms": lambda: _single_pass(made, keep_recent=config.keep_recent),
    }
    times: dict[str, list[float]] = {name: [] for name in arms}
    for _ in range(ROUNDS):
        for name, arm in arms.items():
            start_s = time.process_time()
            arm()
            times[name].append((time.process_time() - start_s) * 1000)
    report = whole.report
    return {
        "messages": MESSAGES,
        "characters": sum(item.size for item in whole.items),
        "blocks": len(whole.items),
        "changed": report.changed_count,
        "in_stage_2": sum(item.stage == 2 for item in whole.items),
        "estimate_before_tokens": report.estimate_before_tokens,
        "estimate_after_tokens": report.estimate_after_tokens,
        **{name: round(statistics.median(samples), 1) for name, samples in times.items()},
    }


def _single_pass(made: LongConversation, *, keep_recent: int) -> tuple[list[Message], int]:
    """The documents' ``microcompact`` as it stands there: what could be freed is added up, then it is done."""
    scores = {tool.name: _SCORES[tool.result_semantic] for tool in made.tools}
    messages = list(made.messages)
    freed_tokens = 0
    for position, message in enumerate(messages[:-keep_recent]):
        if isinstance(message, Tool):
            freed_tokens += sum(map(estimate_block_tokens, message.results))
            messages[position] = Tool(tuple(_shortened(result, scores) for result in message.results))
    return messages, freed_tokens


def _shortened(result: ToolResult, scores: dict[str, int]) -> ToolResult:
    text = "".join(block.text for block in result.content if isinstance(block, Text))
    match decide_strategy(len(text), scores.get(result.name, 0)):
        case Skip():
            return result
        case Truncate(keep=keep) | TruncateStructured(keep=keep):
            shorter = f"{text[:keep]}..."
        case _:
            shorter = "[pruned]"
    return dataclasses.replace(result, content=(Text(shorter),))


if __name__ == "__main__":
    json.dump(measure(), sys.stdout, indent=2)
    print()
