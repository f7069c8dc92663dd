"""Usage as servers of this format spell it, into one ``Usage`` (U01, U03, U04, U07)."""

from __future__ import annotations

from typing import Any

from agdesk.core.ir.response import CompletionTokensDetails, PromptTokensDetails, Usage
from agdesk.core.providers.lenient import amount, object_of, token_count

_USD_PER_TICK = 1e-10  # xAI


def usage_of(raw: dict[str, Any]) -> Usage:
    """The figures of one ``usage``; cached and reasoning tokens are parts of the two sums here (D12)."""
    prompt = object_of(raw.get("input_tokens_details"))
    completion = object_of(raw.get("output_tokens_details"))
    cached, written = token_count(prompt.get("cached_tokens")), token_count(prompt.get("cache_write_tokens"))
    reasoning = token_count(completion.get("reasoning_tokens"))
    return Usage(
        token_count(raw.get("input_tokens")),
        token_count(raw.get("output_tokens")),
        token_count(raw.get("total_tokens")),
        None if cached is None and written is None else PromptTokensDetails(cached, written),
        None if reasoning is None else CompletionTokensDetails(reasoning),
        _cost(raw),
    )


def _cost(raw: dict[str, Any]) -> float | None:
    ticks = amount(raw.get("cost_in_usd_ticks"))
    if ticks is not None:
        return ticks * _USD_PER_TICK
    cost = raw.get("cost")
    found = amount(cost.get("total_cost") if isinstance(cost, dict) else cost)
    return None if found is None else float(found)
