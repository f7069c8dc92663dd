"""Requests for approval, and advice that answers them."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass, field, replace
from typing import Any

from agdesk.core.ir.approval import ApprovalDecision, ApprovalRequest, ApprovalRule, Predicate, RuleVerdict, Scope
from agdesk.core.ir.blocks import JsonObject
from agdesk.core.ir.effect import CommandRun, Effect, PathRead
from agdesk.core.ir.request import ResultSemantic
from agdesk.ui.approval import Advice, ApprovalDesk, RuleWords

READ = ApprovalRequest(
    call_id="read",
    server="builtin",
    transport="builtin",
    endpoint="",
    tool="read_file",
    semantic=ResultSemantic.FACTUAL,
    input={"path": "plan.md"},
    schema={
        "type": "object",
        "properties": {"path": {"type": "string"}, "first_line": {"type": "integer"}},
        "required": ["path"],
    },
    words="I look at the plan.",
    effect=PathRead("/home/ada/plan.md"),
    folder="/home/ada",
)
RUN = replace(
    READ,
    call_id="run",
    tool="run_command",
    semantic=ResultSemantic.ACTION,
    input={"argv": ["ls", "-la"]},
    schema={"type": "object", "properties": {"argv": {"type": "array", "items": {"type": "string"}}}},
    effect=CommandRun(("ls", "-la"), "/home/ada", "/usr/bin/ls"),
)
FIVE = tuple(
    replace(READ if semantic is ResultSemantic.FACTUAL else RUN, call_id=f"call {number}", semantic=semantic)
    for number, semantic in enumerate(
        (
            ResultSemantic.FACTUAL,
            ResultSemantic.FACTUAL,
            ResultSemantic.ACTION,
            ResultSemantic.FACTUAL,
            ResultSemantic.MIXED,
        ),
        1,
    )
)


@dataclass
class Adviser:
    """Finds "bad" wrong, foresees once it may, and explains every rule that is not about "secret".

    Attributes:
        may_foresee: while it is cleared, effects are being looked for.
        foreseen: the arguments whose effect was asked for.
    """

    may_foresee: asyncio.Event = field(default_factory=asyncio.Event)
    foreseen: list[JsonObject] = field(default_factory=list)

    def advice(self) -> Advice:
        return Advice(self.validate, self.foresee, self.propose, self.explain, lambda rule_id: f"the text of {rule_id}")

    def validate(self, _request: ApprovalRequest, input: JsonObject) -> list[tuple[str, str]]:
        return [(f"$.{name}", "This is bad") for name, value in input.items() if "bad" in str(value)]

    async def foresee(self, _request: ApprovalRequest, input: JsonObject) -> Effect | None:
        self.foreseen.append(input)
        await self.may_foresee.wait()
        return PathRead(f"/foreseen/{input.get('path')}")

    def propose(self, request: ApprovalRequest, decision: ApprovalDecision) -> ApprovalRule:
        input = request.input if decision.input is None else decision.input
        where = tuple(Predicate(f"$.{name}", "equals", value) for name, value in input.items())
        where = () if decision.scope is Scope.TURN else where
        return ApprovalRule(
            "rule", RuleVerdict.ALLOW, f"{request.server}:{request.tool}", where, request.identity, decision.scope
        )

    def explain(self, _request: ApprovalRequest, rule: ApprovalRule) -> RuleWords:
        text = f"allow {rule.pattern} where {rule.where}"
        return RuleWords(text, "It cannot be shown whole" if "secret" in text else "")


class Session:
    """A session as far as the desk is joined to one.

    Attributes:
        pending: what waits.
        heard: what was decided, in order.
    """

    def __init__(self, desk: ApprovalDesk, pending: tuple[ApprovalRequest, ...]) -> None:
        self.desk = desk
        self.pending = pending
        self.heard: list[tuple[str, ApprovalDecision]] = []
        self.rules: list[ApprovalRule] = []
        desk.decided.connect(self.decide)
        desk.rule_wanted.connect(self.save_and_decide)
        desk.show_requests(pending)

    def decide(self, call_id: str, decision: ApprovalDecision) -> None:
        assert call_id in [request.call_id for request in self.pending], "it was decided before"
        self.heard.append((call_id, decision))
        self.withdraw(call_id)

    def save_and_decide(self, call_id: str, decision: ApprovalDecision, rule: ApprovalRule) -> None:
        self.rules.append(rule)
        self.decide(call_id, replace(decision, rule_id=rule.id))

    def withdraw(self, call_id: str) -> None:
        self.pending = tuple(request for request in self.pending if request.call_id != call_id)
        self.desk.show_requests(self.pending)


def request_of(**arguments: Any) -> ApprovalRequest:
    """A call with these arguments."""
    return replace(READ, input=arguments, effect=None)
