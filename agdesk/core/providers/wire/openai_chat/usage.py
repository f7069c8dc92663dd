"""Usage as every server spells it, into one ``Usage`` (U01 to U08, C03, C05, C25, C26)."""

from __future__ import annotations

from typing import Any

from agdesk.core.ir.response import CompletionTokensDetails, PromptTokensDetails, Usage
from agdesk.core.providers.lenient import amount, object_of, token_count

_USD_PER_TICK = 1e-10


class UsageReader:
    """Remembers the last known value of each figure, so that a later null takes nothing back (C03, C05)."""

    __slots__ = ("_cost", "_figures", "_given", "_is_reasoning_extra", "raw")

    def __init__(self, *, is_reasoning_extra: bool) -> None:
        self._is_reasoning_extra = is_reasoning_extra
        self._figures: dict[str, int] = {}
        self._cost: float | None = None
        self._given: Usage | None = None
        self.raw: Any = None

    def take(self, raw: Any) -> Usage | None:
        """The usage as known now, or None if ``raw`` tells nothing new."""
        if not isinstance(raw, dict) or not raw:
            return None
        self.raw = raw
        prompt_details = object_of(raw.get("prompt_tokens_details"))
        completion_details = object_of(raw.get("completion_tokens_details"))
        hit, miss = token_count(raw.get("prompt_cache_hit_tokens")), token_count(raw.get("prompt_cache_miss_tokens"))
        self._note("prompt", raw.get("prompt_tokens"), None if hit is None or miss is None else hit + miss)
        self._note("completion", raw.get("completion_tokens"))
        self._note("total", raw.get("total_tokens"))
        cached = (prompt_details.get("cached_tokens"), hit, raw.get("cached_tokens"), raw.get("num_cached_tokens"))
        self._note("cached", *cached)
        self._note("cache_write", prompt_details.get("cache_write_tokens"))
        self._note("reasoning", completion_details.get("reasoning_tokens"), raw.get("reasoning_tokens"))
        self._note_cost(raw.get("cost"))
        ticks = amount(raw.get("cost_in_usd_ticks"))
        if ticks is not None:
            self._cost = ticks * _USD_PER_TICK
        return self._changed()

    def take_cost(self, raw: Any) -> Usage | None:
        """Takes a cost that stands beside the usage, as Venice's; the usage, or None if it tells nothing new."""
        self._note_cost(raw)
        return self._changed()

    def _note(self, name: str, *candidates: Any) -> None:
        for candidate in candidates:
            count = token_count(candidate)
            if count is not None:
                self._figures[name] = count
                return

    def _note_cost(self, raw: Any) -> None:
        if isinstance(raw, dict):
            raw = raw.get("total_cost", raw.get("usd"))
        cost = amount(raw)
        if cost is not None:
            self._cost = cost

    def _changed(self) -> Usage | None:
        known = self._figures
        completion = known.get("completion")
        reasoning = known.get("reasoning")
        if completion is not None and reasoning is not None and self._is_beside(completion, reasoning):
            completion += reasoning
        prompt_details = PromptTokensDetails(known.get("cached"), known.get("cache_write"))
        usage = Usage(
            known.get("prompt"),
            completion,
            known.get("total"),
            None if prompt_details == PromptTokensDetails() else prompt_details,
            None if reasoning is None else CompletionTokensDetails(reasoning),
            self._cost,
        )
        if usage == (self._given or Usage()):
            return None
        self._given = usage
        return usage

    def _is_beside(self, completion: int, reasoning: int) -> bool:
        """Whether the completion leaves the reasoning out (C26): the dialect says so, or the total tells."""
        prompt, total = self._figures.get("prompt"), self._figures.get("total")
        tells = prompt is not None and total == prompt + completion + reasoning
        return self._is_reasoning_extra or (tells and reasoning > 0)
