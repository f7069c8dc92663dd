"""Rules answer calls: deny before ask before allow, and whatever is not clear is asked or denied (TOOL3, TOOL7)."""

import json

import pytest

from agdesk.core.errors import ProtocolError
from agdesk.core.ir.approval import ApprovalRule, Predicate, RuleVerdict
from agdesk.core.ir.codec import Unknown, from_json, to_json
from agdesk.core.ir.request import ResultSemantic
from agdesk.core.tools.policy import ApprovalPolicy, Because, Ruling
from tests.fakes.tools import IDENTITY, request, rule

ALLOW, ASK, DENY = RuleVerdict.ALLOW, RuleVerdict.ASK, RuleVerdict.DENY


def decide(*rules, **fields):
    return ApprovalPolicy(rules).decide(request(**fields))


@pytest.mark.parametrize("semantic", ResultSemantic)
def test_without_a_rule_every_class_of_tool_is_asked_about(semantic):
    assert decide(semantic=semantic) == Ruling(ASK, None, Because.NO_RULE)


def test_deny_comes_before_ask_and_ask_before_allow_whatever_their_order():
    allow, ask, deny = rule(id="a"), rule(verdict=ASK, id="b"), rule(verdict=DENY, id="c")
    assert decide(allow) == Ruling(ALLOW, allow, Because.RULE)
    assert decide(allow, ask) == Ruling(ASK, ask, Because.RULE)
    assert decide(allow, ask, deny) == Ruling(DENY, deny, Because.RULE)
    assert decide(deny, ask, allow) == Ruling(DENY, deny, Because.RULE)


def test_within_a_verdict_the_first_rule_wins():
    first, second = rule(id="a"), rule(id="b")
    assert decide(first, second).rule is first


def test_a_rule_says_nothing_about_other_tools_and_other_arguments():
    assert decide(rule("builtin:write_file")).because is Because.NO_RULE
    assert decide(rule("files:read_file")).because is Because.NO_RULE
    other = rule("builtin:read_file", ALLOW, Predicate("$.path", "equals", "b.txt"))
    assert decide(other).because is Because.NO_RULE


def test_all_conditions_must_hold():
    where = (Predicate("$.path", "equals", "a.txt"), Predicate("$.first_line", "equals", 3))
    assert decide(rule("builtin:read_file", ALLOW, *where)).verdict is ASK
    assert decide(rule("builtin:read_file", ALLOW, *where), input={"path": "a.txt", "first_line": 3}).verdict is ALLOW


@pytest.mark.parametrize("pattern", ["", "read_file", ":read_file", "builtin:", "a:b:c", "[a]:b", "a:b{c}", "a:b\\"])
@pytest.mark.parametrize("verdict", RuleVerdict)
def test_a_broken_pattern_denies_every_call(pattern, verdict):
    broken = rule(pattern, verdict)
    assert decide(rule(), broken) == Ruling(DENY, broken, Because.BROKEN_RULE)
    assert decide(broken, tool="other", server="another").verdict is DENY


@pytest.mark.parametrize(
    "predicate",
    [
        Predicate("path", "equals", "a.txt"),
        Predicate("$.path x", "equals", "a.txt"),
        Predicate('$["\\x"]', "equals", "a.txt"),
        Predicate("$.path", "matches", "a.txt"),
        Predicate("$.path", "starts_with", ""),
        Predicate("$.path", "starts_with", 3),
        Predicate("$.path", "glob", ""),
        Predicate("$.path", "glob", "[a]*"),
        Predicate("$.path", "glob", ["a"]),
        Predicate("$.path", "under_folder", "src/../etc"),
        Predicate("$.path", "under_folder", "~/src"),
        Predicate("$.path", "under_folder", "src\\inner"),
        Predicate("$.path", "under_folder", ""),
        Predicate("$.url", "host_is", "example.com/path"),
        Predicate("$.url", "host_is", "exämple.com"),
        Predicate("$.url", "host_is", "example.com:99999"),
    ],
)
def test_a_broken_predicate_denies_what_its_pattern_matches_and_nothing_else(predicate):
    broken = rule("builtin:read_file", ALLOW, predicate)
    assert decide(broken, rule()) == Ruling(DENY, broken, Because.BROKEN_RULE)
    assert decide(broken, tool="write_file").because is Because.NO_RULE


def test_a_rule_that_could_not_be_read_denies_every_call():
    document = to_json(rule()) | {"verdict": "perhaps"}
    with pytest.raises(ProtocolError):
        from_json(ApprovalRule, document)
    unread = from_json(ApprovalRule | Unknown, document)
    assert isinstance(unread, Unknown)
    assert decide(rule(), unread) == Ruling(DENY, None, Because.BROKEN_RULE)


def test_a_changed_identity_asks_again_and_names_the_rule():
    allow = rule()
    assert decide(allow, identity="server.other") == Ruling(ASK, allow, Because.IDENTITY_CHANGED)
    assert decide(allow, identity="other.tool").verdict is ASK
    assert decide(allow, identity="").verdict is ASK
    assert decide(rule(identity=""), identity="").verdict is ASK


def test_a_rule_that_denies_or_asks_is_bound_to_no_identity():
    assert decide(rule(verdict=DENY), identity="server.other").verdict is DENY
    assert decide(rule(verdict=ASK), rule(), identity="server.other") == Ruling(ASK, rule(verdict=ASK), Because.RULE)


def test_a_rule_for_several_tools_is_bound_to_their_server_and_one_for_several_servers_allows_nothing():
    assert decide(rule("builtin:read_*", identity="server")).verdict is ALLOW
    assert decide(rule("builtin:read_*", identity="other")).because is Because.IDENTITY_CHANGED
    assert decide(rule("builtin:read_*", identity=IDENTITY)).because is Because.IDENTITY_CHANGED
    assert decide(rule("builtin:read_file", identity="server")).because is Because.IDENTITY_CHANGED
    assert decide(rule("*:read_*", identity="server")).because is Because.IDENTITY_CHANGED


def test_a_second_rule_may_allow_what_the_first_is_no_longer_bound_to():
    old, new = rule(identity="server.old"), rule(id="new")
    assert decide(old, new) == Ruling(ALLOW, new, Because.RULE)


def test_what_only_may_match_is_denied_and_asked_about_and_never_allowed():
    where = Predicate("$.path", "under_folder", "/project/secrets")
    doubtful = {"path": "/project/x/../secrets/key"}
    for verdict, expected in ((DENY, DENY), (ASK, ASK), (ALLOW, ASK)):
        assert decide(rule("builtin:read_file", verdict, where), input=doubtful).verdict is expected
    assert decide(rule("builtin:read_file", ALLOW, where), input=doubtful).because is Because.NO_RULE


def test_a_rule_survives_json():
    made = rule("builtin:read_file", ALLOW, Predicate("$.path", "equals", {"a": [1, None]}), note="mine")
    assert from_json(ApprovalRule, json.loads(json.dumps(to_json(made)))) == made
