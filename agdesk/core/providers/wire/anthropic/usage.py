"""Usage that comes in two halves, each figure cumulative (A13, U01, U03, U04, U06)."""

from __future__ import annotations

from typing import Any

from agdesk.core.ir.response import CompletionTokensDetails, PromptTokensDetails, Usage
from agdesk.core.providers.lenient import amount, object_of, token_count


class UsageReader:
    """Remembers the last known value of each figure: a later one corrects it, a later null takes nothing back.

    Attributes:
        raw: every member as last told, ``iterations`` of a fallback or a compaction among them, which only bills add
            up (U06).
    """

    __slots__ = ("_cost", "_figures", "_given", "raw")

    def __init__(self) -> None:
        self._figures: dict[str, int] = {}
        self._cost: float | None = None
        self._given = Usage()
        self.raw: dict[str, Any] = {}

    def take(self, raw: Any) -> Usage | None:
        """The usage as known now, or None if ``raw`` tells nothing new."""
        if not isinstance(raw, dict):
            return None
        for member in raw:
            if (value := raw[member]) is not None:
                self.raw[member] = value
        written = raw.get("cache_creation_input_tokens")
        if written is None:
            by_age = object_of(raw.get("cache_creation"))
            counts = [count for member in by_age if (count := token_count(by_age[member])) is not None]
            written = sum(counts) if counts else None
        self._note("input", raw.get("input_tokens"))
        self._note("output", raw.get("output_tokens"))
        self._note("cached", raw.get("cache_read_input_tokens"))
        self._note("written", written)
        self._note("thinking", object_of(raw.get("output_tokens_details")).get("thinking_tokens"))
        if (cost := amount(raw.get("cost"))) is not None:  # gateways that bill for others tell it
            self._cost = cost
        return self._changed()

    def _note(self, name: str, value: Any) -> None:
        if (count := token_count(value)) is not None:
            self._figures[name] = count

    def _changed(self) -> Usage | None:
        known = self._figures
        fresh, cached, written = known.get("input"), known.get("cached"), known.get("written")
        thinking = known.get("thinking")
        usage = Usage(
            # the wire's input leaves out what was read from the cache and what was written to it
            prompt_tokens=None if fresh is None else fresh + (cached or 0) + (written or 0),
            completion_tokens=known.get("output"),
            prompt_tokens_details=None if cached is None and written is None else PromptTokensDetails(cached, written),
            completion_tokens_details=None if thinking is None else CompletionTokensDetails(thinking),
            cost_usd=self._cost,
        )
        if usage == self._given:
            return None
        self._given = usage
        return usage
