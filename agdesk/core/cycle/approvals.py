"""``Approvals``: the calls of one conversation that wait for the user (TOOL4 to TOOL7)."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence

from agdesk.core.emitter import Emitter
from agdesk.core.ir.approval import (
    ApprovalDecision,
    ApprovalRequest,
    ApprovalRule,
    DecidedBy,
    RuleVerdict,
    Scope,
    Verdict,
)
from agdesk.core.ir.codec import Unknown
from agdesk.core.tools.policy import ApprovalPolicy, Ruling

Rules = Sequence[ApprovalRule | Unknown]


class Approvals:
    """Answers calls: by a rule at once, else when the user has decided.

    Args:
        kept_rules: those that are kept and apply to this conversation.

    Attributes:
        changed: other calls wait.
        rule_used: a rule has decided; its id.
    """

    def __init__(self, kept_rules: Callable[[], Rules] = tuple) -> None:
        self.changed: Emitter[None] = Emitter()
        self.rule_used: Emitter[str] = Emitter()
        self._kept_rules = kept_rules
        self._turn_rules: tuple[ApprovalRule, ...] = ()
        self._waiting: dict[str, tuple[ApprovalRequest, asyncio.Future[ApprovalDecision]]] = {}

    @property
    def pending(self) -> tuple[ApprovalRequest, ...]:
        """What waits, in the order of the calls."""
        return tuple(request for request, future in self._waiting.values() if not future.done())

    def ruling(self, request: ApprovalRequest) -> Ruling:
        """What the rules say about a call now."""
        return ApprovalPolicy((*self._turn_rules, *self._kept_rules())).decide(request)

    def decision_of(self, ruling: Ruling) -> ApprovalDecision | None:
        """The decision that a ruling is; None if the user is to be asked."""
        rule_id = ruling.rule.id if ruling.rule is not None else ""
        match ruling.verdict:
            case RuleVerdict.ASK:
                return None
            case RuleVerdict.ALLOW:
                decision = ApprovalDecision(Verdict.ALLOW, rule_id=rule_id, by=DecidedBy.RULE)
            case RuleVerdict.DENY:
                reason = ruling.rule.note if ruling.rule is not None else ""
                decision = ApprovalDecision(Verdict.DENY, rule_id=rule_id, reason=reason, by=DecidedBy.RULE)
        self.rule_used.emit(rule_id)
        return decision

    async def approve(self, request: ApprovalRequest) -> ApprovalDecision:
        """The user's decision, or that of a rule that came while the call waited. Cancelling withdraws the question."""
        future: asyncio.Future[ApprovalDecision] = asyncio.get_running_loop().create_future()
        self._waiting[request.call_id] = (request, future)
        self.changed.emit(None)
        try:
            return await future
        finally:
            del self._waiting[request.call_id]
            if not future.done() or future.cancelled():
                self.changed.emit(None)

    def decide(self, call_id: str, decision: ApprovalDecision) -> None:
        """Answers a call that waits; the first answer counts, and one for a call that waits no more is dropped."""
        waiting = self._waiting.get(call_id)
        if waiting is not None and not waiting[1].done():
            waiting[1].set_result(decision)
            self.changed.emit(None)

    def take_rule(self, rule: ApprovalRule) -> None:
        """A rule is in force from now on, for the calls that wait already as well; one for the turn is kept here."""
        if rule.scope is Scope.TURN:
            self._turn_rules = (*self._turn_rules, rule)
        for request in self.pending:
            if (decision := self.decision_of(self.ruling(request))) is not None:
                self.decide(request.call_id, decision)

    def withdraw(self, reason: str) -> None:
        """Denies everything that waits, because the turn ends."""
        for call_id in tuple(self._waiting):
            self.decide(call_id, ApprovalDecision(Verdict.DENY, reason=reason, by=DecidedBy.CANCEL))

    def end_turn(self) -> None:
        """What was allowed for one answer is allowed no more."""
        self._turn_rules = ()
