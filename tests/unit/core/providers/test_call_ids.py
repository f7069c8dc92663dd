"""K17: ids of calls as endpoints take them, each once."""

import re

import pytest

from agdesk.core.providers.call_ids import CallIds, IdRule

SAID = (["a", "a_2", "a"], ["a", "a", "a_2", "a"], ["a|b", "a_b", "a|b"] * 2, ["x" * 70] * 5, [""] * 3)


@pytest.mark.parametrize("rule", [IdRule(), IdRule(9), IdRule(40, is_plain=False), IdRule(exact_length=9)])
@pytest.mark.parametrize(
    "ids", [["a", "a_2", "a"], ["a", "a", "a_2", "a"], ["a|b", "a_b", "a|b"] * 2, ["x" * 70] * 5, [""] * 3]
)
def test_no_id_is_given_twice(rule, ids):
    given = CallIds(rule)
    sent = [given.sendable(call_id) for call_id in ids]
    assert len(set(sent)) == len(sent)
    pattern = "[A-Za-z0-9]{9}" if rule.exact_length else f"[^|]{{0,{rule.max_characters}}}" if rule.is_plain else ".*"
    assert all(re.fullmatch(pattern, call_id) and len(call_id) <= rule.max_characters for call_id in sent)
    again = CallIds(rule)
    assert [again.sendable(call_id) for call_id in ids] == sent


def test_an_id_that_fits_stays_as_it_is():
    given = CallIds(IdRule())
    assert [given.sendable(call_id) for call_id in ("toolu_1", "call-2")] == ["toolu_1", "call-2"]
