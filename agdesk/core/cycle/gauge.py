"""What the context gauge shows: tokens by what they are for, whose sum is the total (CHAT12)."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from enum import Enum, auto
from operator import add
from typing import NamedTuple

from agdesk.core.ir.blocks import Audio, ContentBlock, File, Image, Thinking, ToolResult, ToolUse
from agdesk.core.ir.tokens import estimate_block_tokens

WARNING_SHARE, DANGER_SHARE = 0.80, 0.95


class Parts(NamedTuple):
    """Tokens, or estimates of them, by what they are for."""

    system: int = 0
    tools: int = 0
    text: int = 0
    thinking: int = 0
    tool_results: int = 0
    attachments: int = 0
    draft: int = 0


class Level(Enum):
    """How full the window is."""

    UNKNOWN = auto()
    ROOMY = auto()
    WARNING = auto()
    DANGER = auto()


@dataclass(frozen=True, slots=True)
class Reading:
    """What the gauge shows at one moment.

    Attributes:
        parts: tokens; their sum is ``total_tokens``.
        reported_tokens: input and output of the last answer that reported them; None if none on the active path did.
        reported_by: ``provider/model`` that did; empty if none.
        added_estimate_tokens: the documents' estimate of what came since, less what went.
        ratio: what makes that estimate into tokens.
        is_ratio_measured: whether two answers of the model told it; else it is assumed.
        window_tokens: what the model takes; None is unknown.
    """

    parts: Parts
    reported_tokens: int | None
    reported_by: str
    added_estimate_tokens: int
    ratio: float
    is_ratio_measured: bool
    window_tokens: int | None

    @property
    def total_tokens(self) -> int:
        """What the next request is expected to hold."""
        return sum(self.parts)

    @property
    def added_tokens(self) -> int:
        """The estimated part of the total; negative if more went than came."""
        return self.total_tokens - (self.reported_tokens or 0)

    @property
    def share(self) -> float | None:
        """Of the window, 1.0 for all of it; None while that is unknown."""
        return None if self.window_tokens is None else self.total_tokens / self.window_tokens

    @property
    def level(self) -> Level:
        """How full the window is."""
        if (share := self.share) is None:
            return Level.UNKNOWN
        if share > DANGER_SHARE:
            return Level.DANGER
        return Level.WARNING if share > WARNING_SHARE else Level.ROOMY


def parts_of(content: Iterable[ContentBlock]) -> Parts:
    """The documents' estimate for what a message holds, by kind; a call counts with its result."""
    text = thinking = tool_results = attachments = 0
    for block in content:
        estimate = estimate_block_tokens(block)
        match block:
            case Thinking():
                thinking += estimate
            case ToolUse() | ToolResult():
                tool_results += estimate
            case Image() | Audio() | File():
                attachments += estimate
            case _:
                text += estimate
    return Parts(text=text, thinking=thinking, tool_results=tool_results, attachments=attachments)


def added(one: Parts, other: Parts) -> Parts:
    """The sum, kind by kind."""
    return Parts(*map(add, one, other))


def apportion(total: int, weights: Parts) -> Parts:
    """Divides whole tokens by weight, so that they sum to ``total``: each kind has its share, rounded down, and those
    with the largest remainders one more. Without any weight all of it is text.
    """
    weight = sum(weights)
    if weight == 0:
        return Parts(text=total)
    shares = [divmod(total * part, weight) for part in weights]
    left = total - sum(whole for whole, _ in shares)
    by_remainder = sorted(range(len(shares)), key=lambda at: -shares[at][1])
    more = frozenset(by_remainder[:left])
    return Parts(*(whole + (at in more) for at, (whole, _) in enumerate(shares)))
