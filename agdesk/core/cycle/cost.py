"""What a conversation has used so far: every request, not the last response only (SEED5)."""

from __future__ import annotations

from agdesk.core.ir.response import Usage


class CostTracker:
    """Sums the usage of requests. What is unknown stays visible as unknown, it is never taken for 0 (U08).

    Attributes:
        request_count: requests that were answered, whole or in part.
        prompt_tokens, completion_tokens: sums of what was reported.
        cost_usd: sum of the known costs in US dollars.
        unpriced_count: requests whose cost is unknown.
        unreported_count: requests that reported no usage at all.
    """

    def __init__(self) -> None:
        self.request_count = 0
        self.prompt_tokens = 0
        self.completion_tokens = 0
        self.cost_usd = 0.0
        self.unpriced_count = 0
        self.unreported_count = 0

    def add(self, usage: Usage, cost_usd: float | None) -> None:
        """Counts one request; ``cost_usd`` None means its cost is unknown."""
        self.request_count += 1
        self.prompt_tokens += usage.prompt_tokens or 0
        self.completion_tokens += usage.completion_tokens or 0
        if usage.prompt_tokens is None and usage.completion_tokens is None:
            self.unreported_count += 1
        if cost_usd is None:
            self.unpriced_count += 1
        else:
            self.cost_usd += cost_usd

    @property
    def total_usd(self) -> float | None:
        """The cost so far, or None when any part of it is unknown."""
        return None if self.unpriced_count else self.cost_usd
