"""What a rule would have done to calls of the past (TOOL8)."""

import pytest

from agdesk.core.ir.approval import Predicate, RuleVerdict, Verdict
from agdesk.core.tools.rehearsal import RecordedCall, rehearse
from tests.fakes.tools import rule

INSIDE = Predicate("$.path", "under_folder", "/p/src")


def recorded(path, verdict, folder="/p"):
    return RecordedCall(path, "builtin", "read_file", {"path": path}, verdict, folder)


CALLS = [
    recorded("src/a", Verdict.ALLOW),
    recorded("src/b", Verdict.DENY),
    recorded("src/c", None),
    recorded("src/d", Verdict.ANSWER),
    recorded("lib/e", Verdict.DENY),
    recorded("src/../f", Verdict.ALLOW),
]


@pytest.mark.parametrize(
    ("verdict", "matched", "against"),
    [
        (RuleVerdict.ALLOW, ["src/a", "src/b", "src/c", "src/d"], ["src/b"]),
        (RuleVerdict.DENY, ["src/a", "src/b", "src/c", "src/d", "src/../f"], ["src/a", "src/../f"]),
        (RuleVerdict.ASK, ["src/a", "src/b", "src/c", "src/d", "src/../f"], []),
    ],
)
def test_it_tells_what_it_would_have_decided_and_what_the_user_decided_otherwise(verdict, matched, against):
    result = rehearse(rule("builtin:read_file", verdict, INSIDE), CALLS)
    assert result.verdict is verdict
    assert [call.call_id for call in result.matched] == matched
    assert [call.call_id for call in result.against] == against


def test_a_broken_rule_would_have_denied():
    result = rehearse(rule("builtin"), CALLS)
    assert result.verdict is RuleVerdict.DENY
    assert result.matched == tuple(CALLS)
    assert [call.call_id for call in result.against] == ["src/a", "src/../f"]
