"""The rule that an answer would save, and what a user can read of it (TOOL7)."""

import dataclasses

import pytest

from agdesk.core.ir.approval import ApprovalDecision, Predicate, RuleVerdict, Scope, Verdict
from agdesk.core.tools.policy import ApprovalPolicy
from agdesk.core.tools.proposed_rule import SHOWN_CHARACTERS, can_show_whole, rule_for, rule_text
from tests.fakes.tools import CLOSED, IDENTITY, request, rule

ALWAYS = ApprovalDecision(Verdict.ALLOW, Scope.ALWAYS)


def test_always_is_for_this_tool_and_these_arguments():
    made = rule_for(request(), ALWAYS)
    assert made.pattern == "builtin:read_file"
    assert made.where == (Predicate("$.path", "equals", "a.txt"), Predicate("$.first_line", "equals", None))
    assert (made.verdict, made.identity, made.scope, made.created_from) == (
        RuleVerdict.ALLOW, IDENTITY, Scope.ALWAYS, "call-1",
    )  # fmt: skip
    policy = ApprovalPolicy([made])
    assert policy.decide(request()).verdict is RuleVerdict.ALLOW
    for other in ({"path": "b.txt"}, {"path": "a.txt", "first_line": 2}, {}):
        assert policy.decide(request(input=other)).verdict is RuleVerdict.ASK


@pytest.mark.parametrize(
    "schema",
    [
        {},
        {"properties": {"path": {}}},
        {"additionalProperties": False},
        {**CLOSED, "properties": {}},
        {**CLOSED, "patternProperties": {"^x": {}}},
    ],
)
def test_where_other_arguments_may_come_along_the_whole_input_is_compared(schema):
    made = rule_for(request(schema=schema), ALWAYS)
    assert made.where == (Predicate("$", "equals", {"path": "a.txt"}),)
    more = request(schema=schema, input={"path": "a.txt", "force": True})
    assert ApprovalPolicy([made]).decide(more).verdict is RuleVerdict.ASK


def test_arguments_that_the_user_changed_are_what_is_allowed():
    made = rule_for(request(), dataclasses.replace(ALWAYS, input={"path": "b.txt"}))
    assert ApprovalPolicy([made]).decide(request()).verdict is RuleVerdict.ASK
    assert ApprovalPolicy([made]).decide(request(input={"path": "b.txt"})).verdict is RuleVerdict.ALLOW


def test_for_a_turn_it_is_this_tool_with_any_arguments():
    made = rule_for(request(), ApprovalDecision(Verdict.ALLOW, Scope.TURN))
    assert (made.where, made.scope) == ((), Scope.TURN)
    assert rule_text(made) == "allow builtin:read_file with any arguments"


def test_a_denial_makes_a_rule_that_denies_and_a_written_result_makes_none():
    made = rule_for(request(), ApprovalDecision(Verdict.DENY, Scope.CONVERSATION))
    assert (made.verdict, made.scope) == (RuleVerdict.DENY, Scope.CONVERSATION)
    with pytest.raises(ValueError, match="one call"):
        rule_for(request(), ApprovalDecision(Verdict.ANSWER, Scope.ALWAYS))


def test_two_different_rules_have_two_ids():
    ids = {rule_for(request(), d).id for d in (ALWAYS, dataclasses.replace(ALWAYS, scope=Scope.CONVERSATION))}
    ids |= {rule_for(request(call_id="call-2"), ALWAYS).id, rule_for(request(input={}), ALWAYS).id}
    assert len(ids) == 4
    assert rule_for(request(), ALWAYS) == rule_for(request(), ALWAYS)


def test_the_text_of_a_rule_has_all_of_it():
    made = rule("a:b", RuleVerdict.DENY, Predicate("$.x", "glob", "ü*"), Predicate("$", "equals", {"k": 1}))
    assert rule_text(made) == 'deny a:b where $.x glob "ü*" and $ equals {"k": 1}'
    assert "⟨U+202E⟩" in rule_text(rule("a\u202e:b", RuleVerdict.DENY, Predicate("$.x", "equals", "\u202e")))


@pytest.mark.parametrize(
    "made",
    [
        rule("builtin:*"),
        rule("*:read_file"),
        rule("builtin"),
        rule("builtin:read_file", RuleVerdict.ALLOW, Predicate("$.x", "no such op", 1)),
        rule("builtin:read_file", RuleVerdict.ALLOW, Predicate("$.x", "equals", "a\u202eb")),
        rule("builtin:read\u200bfile"),
        rule("builtin:write_file", RuleVerdict.ALLOW, Predicate("$.content", "equals", "x" * SHOWN_CHARACTERS)),
    ],
)
def test_always_is_not_offered_where_the_text_cannot_show_what_is_granted(made):
    assert not can_show_whole(made)


def test_always_is_offered_where_it_can():
    assert can_show_whole(rule_for(request(), ALWAYS))
    assert can_show_whole(rule("builtin:read_file", RuleVerdict.ALLOW, Predicate("$.path", "under_folder", "/p/src")))
