"""The rule that an answer would save, and what a user can read of a rule (TOOL7)."""

from __future__ import annotations

import hashlib
import json

from agdesk.core.ir.approval import (
    ApprovalDecision,
    ApprovalRequest,
    ApprovalRule,
    Predicate,
    PredicateOp,
    RuleVerdict,
    Scope,
    Verdict,
)
from agdesk.core.ir.blocks import JsonObject
from agdesk.core.ir.codec import to_json
from agdesk.core.tools.base import property_names
from agdesk.core.tools.json_path import path_text
from agdesk.core.tools.patterns import literal, parse_call_pattern
from agdesk.core.tools.rule import CompiledRule
from agdesk.core.tools.visible import visible

SHOWN_CHARACTERS = 2_000
"""A rule whose text is longer is not read by anyone."""


def rule_for(request: ApprovalRequest, decision: ApprovalDecision) -> ApprovalRule:
    """The rule that a decision beyond this once would save: this tool, these arguments, nothing else.

    It is the narrowest there is, each argument a predicate of its own, so that the user can widen one and keep the
    others. Arguments that the user changed count as changed: what was proposed has not been approved. For a turn it is
    about any arguments: that is what the answer says.

    Raises:
        ValueError: the user wrote the result, which makes no rule.
    """
    if decision.verdict is Verdict.ANSWER:
        raise ValueError("a result that the user wrote is for one call")
    arguments = request.input if decision.input is None else decision.input
    where = () if decision.scope is Scope.TURN else _conditions(request, arguments)
    pattern = f"{literal(request.server)}:{literal(request.tool)}"
    verdict = RuleVerdict.ALLOW if decision.verdict is Verdict.ALLOW else RuleVerdict.DENY
    origin = json.dumps([request.call_id, verdict, pattern, [to_json(one) for one in where], decision.scope])
    return ApprovalRule(
        id=f"rule-{hashlib.sha256(origin.encode()).hexdigest()[:12]}",
        verdict=verdict,
        pattern=pattern,
        where=where,
        identity=request.identity,
        scope=decision.scope,
        created_from=request.call_id,
    )


def rule_text(rule: ApprovalRule) -> str:
    """All that a rule says, as the user reads it: ``allow builtin:read_file where $.path equals "a.txt"``."""
    conditions = [f"{one.path} {one.op} {_json(one.value)}" for one in rule.where]
    where = f" where {' and '.join(conditions)}" if conditions else " with any arguments"
    return visible(f"{rule.verdict} {rule.pattern}{where}")


def can_show_whole(rule: ApprovalRule) -> bool:
    """Whether the rule's text shows everything it grants: only then "Always" is offered.

    Not if it is broken, long, holds characters that cannot be seen, or has a wildcard in its pattern: that grants tools
    which are not there yet.
    """
    if CompiledRule(rule).problem:
        return False
    pattern = parse_call_pattern(rule.pattern)
    if not (pattern.is_one_server and pattern.is_one_tool):
        return False
    plain = "".join([rule.pattern, *(f"{one.path}{_json(one.value)}" for one in rule.where)])
    return len(rule_text(rule)) <= SHOWN_CHARACTERS and visible(plain) == plain


def _conditions(request: ApprovalRequest, arguments: JsonObject) -> tuple[Predicate, ...]:
    names = property_names(request.schema)
    if names is None or not set(arguments) <= set(names):
        return (Predicate("$", PredicateOp.EQUALS.value, arguments),)  # others could come along later
    return tuple(Predicate(path_text([name]), PredicateOp.EQUALS.value, arguments.get(name)) for name in names)


def _json(value: object) -> str:
    return json.dumps(value, ensure_ascii=False, sort_keys=True)
