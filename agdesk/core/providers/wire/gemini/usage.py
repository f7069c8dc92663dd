"""``usageMetadata``, cumulative in every chunk, into one ``Usage`` (G06, U01, U03, U07, D12)."""

from __future__ import annotations

from typing import Any

from agdesk.core.ir.response import CompletionTokensDetails, PromptTokensDetails, Usage
from agdesk.core.providers.lenient import token_count

_FIGURES = frozenset(
    {
        "promptTokenCount",
        "toolUsePromptTokenCount",
        "cachedContentTokenCount",
        "candidatesTokenCount",
        "thoughtsTokenCount",
        "totalTokenCount",
    }
)


class UsageReader:
    """Remembers the last known value of each figure: later chunks may leave figures out.

    Attributes:
        raw: every member as it came last.
    """

    __slots__ = ("_figures", "_given", "raw")

    def __init__(self) -> None:
        self._figures: dict[str, int] = {}
        self._given = Usage()
        self.raw: dict[str, Any] = {}

    def take(self, raw: Any) -> Usage | None:
        """The usage as known now, or None if ``raw`` tells nothing new."""
        if not isinstance(raw, dict):
            return None
        has_news = False
        for member, value in raw.items():
            if value is None or value == self.raw.get(member):
                continue
            self.raw[member] = value
            if member in _FIGURES and (count := token_count(value)) is not None:
                self._figures[member] = count
                has_news = True
        if not has_news:
            return None
        usage = self._usage()
        if usage == self._given:
            return None
        self._given = usage
        return usage

    def _usage(self) -> Usage:
        """The prompts of tools were sent, too, and are paid like the prompt; the candidates leave the thoughts out."""
        known = self._figures.get
        cached, thoughts = known("cachedContentTokenCount"), known("thoughtsTokenCount")
        return Usage(
            _sum(known("promptTokenCount"), known("toolUsePromptTokenCount")),
            _sum(known("candidatesTokenCount"), thoughts),
            known("totalTokenCount"),
            None if cached is None else PromptTokensDetails(cached),
            None if thoughts is None else CompletionTokensDetails(thoughts),
        )


def _sum(first: int | None, second: int | None) -> int | None:
    """The sum of what is known; None if nothing is."""
    return second if first is None else first + (second or 0)
