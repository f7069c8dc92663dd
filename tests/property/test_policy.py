"""Whatever the rules and the calls are: what a policy may never do (TOOL7)."""

from __future__ import annotations

import json
import posixpath

from hypothesis import assume, given
from hypothesis import strategies as st

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
from agdesk.core.ir.codec import from_json, to_json
from agdesk.core.ir.request import ResultSemantic
from agdesk.core.tools.patterns import literal
from agdesk.core.tools.policy import ApprovalPolicy, Because
from agdesk.core.tools.predicates import Match, compile_predicate
from agdesk.core.tools.proposed_rule import rule_for
from agdesk.core.tools.rehearsal import RecordedCall, rehearse

ORDER = [RuleVerdict.ALLOW, RuleVerdict.ASK, RuleVerdict.DENY]
names = st.sampled_from(["builtin", "files", "read_file", "a:b", "we*ird?", "[x]", "ü", "\\", "\u202e"]) | st.text(
    min_size=1, max_size=4
)
values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(max_size=6),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=3), inner, max_size=3),
    max_leaves=5,
)
inputs = st.dictionaries(st.sampled_from(["path", "url", "argv", "odd key"]) | st.text(max_size=3), values, max_size=4)
identities = st.sampled_from(["s.t", "s.u", "s", ""])
patterns = st.sampled_from(["builtin:read_file", "builtin:*", "*:*", "files:*", "x", "[", "a:b"]) | st.text(max_size=6)
predicates = st.builds(
    Predicate,
    st.sampled_from(["$", "$.path", "$.url", "$.argv[0]", "path", '$["odd key"]']),
    st.sampled_from([op.value for op in PredicateOp]) | st.just("no such op"),
    st.sampled_from(["src", "/p", "example.com", ".", "*", ""]) | values,
)
rules = st.builds(
    ApprovalRule,
    st.text(max_size=3),
    st.sampled_from(RuleVerdict),
    patterns,
    st.lists(predicates, max_size=2).map(tuple),
    identities,
)
schemas = st.sampled_from(
    [{}, {"properties": {"path": {}, "url": {}}, "additionalProperties": False}, {"additionalProperties": False}]
)
requests = st.builds(
    ApprovalRequest,
    call_id=st.text(max_size=3),
    server=names,
    transport=st.just("stdio"),
    endpoint=st.just(""),
    tool=names,
    semantic=st.sampled_from(ResultSemantic),
    input=inputs,
    schema=schemas,
    folder=st.sampled_from(["", "/p", "/home/me"]),
    identity=st.sampled_from(["s.t", "s.u"]),
)


@given(st.lists(rules, max_size=5), rules, st.integers(0, 5), requests)
def test_a_further_rule_that_denies_never_allows_more(before, added, place, request):
    after = [*before]
    after.insert(place, ApprovalRule(added.id, RuleVerdict.DENY, added.pattern, added.where, added.identity))
    old, new = (ApprovalPolicy(some).decide(request).verdict for some in (before, after))
    assert ORDER.index(new) >= ORDER.index(old)


@given(requests, st.sampled_from([Scope.TURN, Scope.CONVERSATION, Scope.ALWAYS]), st.none() | inputs)
def test_the_call_that_made_a_rule_is_matched_by_it_after_a_restart(request, scope, edited):
    decision = ApprovalDecision(Verdict.ALLOW, scope, input=edited)
    kept = from_json(ApprovalRule, json.loads(json.dumps(to_json(rule_for(request, decision)))))
    document = to_json(request) | ({} if edited is None else {"input": edited})
    again = from_json(ApprovalRequest, json.loads(json.dumps(document)))
    ruling = ApprovalPolicy([kept]).decide(again)
    assert (ruling.verdict, ruling.rule, ruling.because) == (RuleVerdict.ALLOW, kept, Because.RULE)
    assert len(rehearse(kept, [RecordedCall("c", again.server, again.tool, again.input)]).matched) == 1


@given(requests, requests)
def test_a_rule_made_from_one_call_allows_another_only_if_tool_and_arguments_are_the_same(made_from, other):
    made = rule_for(made_from, ApprovalDecision(Verdict.ALLOW, Scope.ALWAYS))
    if ApprovalPolicy([made]).decide(other).verdict is RuleVerdict.ALLOW:
        assert (other.server, other.tool, other.identity) == (made_from.server, made_from.tool, made_from.identity)
        without_null = [{k: v for k, v in one.input.items() if v is not None} for one in (other, made_from)]
        assert json.dumps(without_null[0], sort_keys=True) == json.dumps(without_null[1], sort_keys=True)


@given(st.lists(rules, max_size=4), st.sampled_from(["", "x", "a:", ":b", "a:b:c", "[a]:b", "a:b\\"]), rules, requests)
def test_a_broken_pattern_denies(others, pattern, broken, request):
    broken = ApprovalRule(broken.id, broken.verdict, pattern, broken.where, broken.identity)
    assert ApprovalPolicy([*others, broken]).decide(request).verdict is RuleVerdict.DENY


@given(st.lists(rules, max_size=4), requests)
def test_where_no_rule_is_about_the_tool_it_is_asked(others, request):
    elsewhere = [ApprovalRule(r.id, r.verdict, f"{literal(request.server)}0:*", (), r.identity) for r in others]
    assert ApprovalPolicy(elsewhere).decide(request) == (RuleVerdict.ASK, None, Because.NO_RULE)


@given(st.lists(rules, max_size=5), requests)
def test_what_is_allowed_is_allowed_by_a_rule_of_this_identity(some, request):
    ruling = ApprovalPolicy(some).decide(request)
    if ruling.verdict is RuleVerdict.ALLOW:
        assert ruling.rule in some and ruling.rule.identity in ("s", request.identity)
        assert ruling.rule.verdict is RuleVerdict.ALLOW


path_parts = st.sampled_from(["src", "SRC", "a", "..", ".", "", "~", "src ", "link", "s\\rc", "\u2025", "file:"])


@given(st.lists(path_parts, min_size=1, max_size=6).map("/".join), st.sampled_from(["", "/p"]))
def test_what_is_surely_under_a_folder_is_there_when_a_shell_goes_there(path, base):
    holds = compile_predicate(Predicate("$.path", "under_folder", "/p/src"))({"path": path}, base)
    real = posixpath.normpath(posixpath.join(base or "/unknown", path))
    if holds is Match.YES:
        assert real == "/p/src" or real.startswith("/p/src/")
        assert ".." not in path.split("/")
    if holds is Match.NO:
        assume(base or path.startswith("/"))
        assert not (real == "/p/src" or real.startswith("/p/src/"))
