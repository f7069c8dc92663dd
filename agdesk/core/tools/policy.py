"""Rules that answer calls: deny before ask before allow, and ask where no rule says anything (TOOL7)."""

from __future__ import annotations

from collections.abc import Iterable
from enum import StrEnum
from typing import NamedTuple

from agdesk.core.ir.approval import ApprovalRequest, ApprovalRule, RuleVerdict
from agdesk.core.ir.codec import Unknown
from agdesk.core.tools.rule import CompiledRule


class Because(StrEnum):
    """Why a ruling is what it is."""

    RULE = "rule"
    NO_RULE = "no_rule"
    BROKEN_RULE = "broken_rule"  # it cannot be understood, so it denies
    IDENTITY_CHANGED = "identity_changed"  # a rule would allow, but the server or the tool is not what it was


class Ruling(NamedTuple):
    """What a policy says about a call.

    Attributes:
        verdict: ask, allow or deny.
        rule: which rule says so; None if there is none, or if it is one that could not even be read.
        because: why.
    """

    verdict: RuleVerdict
    rule: ApprovalRule | None
    because: Because


class ApprovalPolicy:
    """Rules, ready to be applied. Pure: it knows no time, no scope and no conversation.

    Args:
        rules: those that are in force for the call: whoever keeps them has dropped what is out of its scope. A rule
            that could not be read (``from_json(ApprovalRule | Unknown, …)``) denies every call until it is removed.
    """

    def __init__(self, rules: Iterable[ApprovalRule | Unknown] = ()) -> None:
        self._is_unread = False
        compiled: dict[RuleVerdict, list[CompiledRule]] = {verdict: [] for verdict in RuleVerdict}
        for rule in rules:
            if isinstance(rule, Unknown):
                self._is_unread = True
            else:
                made = CompiledRule(rule)
                compiled[made.verdict].append(made)
        self._rules = compiled

    def decide(self, request: ApprovalRequest) -> Ruling:
        """What the rules say about a call. Deny before ask before allow; within a verdict the first rule wins.

        A rule whose pattern cannot be understood denies every call; one with a predicate that cannot be understood
        denies every call that its pattern matches. What only may match is a match for a rule that denies or asks, and
        none for one that allows. One that allows and is bound to another identity asks.
        """
        if self._is_unread:
            return Ruling(RuleVerdict.DENY, None, Because.BROKEN_RULE)
        for verdict in (RuleVerdict.DENY, RuleVerdict.ASK):
            for compiled in self._rules[verdict]:
                if _matches(compiled, request):
                    return Ruling(verdict, compiled.rule, Because.BROKEN_RULE if compiled.problem else Because.RULE)
        allowing = [compiled for compiled in self._rules[RuleVerdict.ALLOW] if _matches(compiled, request)]
        for compiled in allowing:
            if compiled.is_bound_to(request.identity):
                return Ruling(RuleVerdict.ALLOW, compiled.rule, Because.RULE)
        if allowing:
            return Ruling(RuleVerdict.ASK, allowing[0].rule, Because.IDENTITY_CHANGED)
        return Ruling(RuleVerdict.ASK, None, Because.NO_RULE)


def _matches(compiled: CompiledRule, request: ApprovalRequest) -> bool:
    return compiled.matches(request.server, request.tool, request.input, folder=request.folder)
