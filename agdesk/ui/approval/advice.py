"""What the desk asks of those who know tools and rules; it knows neither."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from agdesk.core.ir.approval import ApprovalDecision, ApprovalRequest, ApprovalRule
from agdesk.core.ir.blocks import JsonObject
from agdesk.core.ir.effect import Effect


class RuleWords(NamedTuple):
    """A rule as the user reads it.

    Attributes:
        text: all that it grants.
        problem: why it cannot be saved; empty if it can.
    """

    text: str
    problem: str = ""


@dataclass(frozen=True, slots=True)
class Advice:
    """Answers about a call.

    Attributes:
        validate: what is wrong with changed arguments: pairs of a path, ``$.argv[0]``, and words. Pure and quick.
        foresee: what a run with changed arguments would do.
        propose: the rule that a decision beyond this once would save.
        explain: a rule in words, and whether it can be saved: the proposed one, or what the user has made of it.
        asking_rule: the rule of an id, in words; empty if there is none any more.
    """

    validate: Callable[[ApprovalRequest, JsonObject], Sequence[tuple[str, str]]]
    foresee: Callable[[ApprovalRequest, JsonObject], Awaitable[Effect | None]]
    propose: Callable[[ApprovalRequest, ApprovalDecision], ApprovalRule]
    explain: Callable[[ApprovalRequest, ApprovalRule], RuleWords]
    asking_rule: Callable[[str], str]
