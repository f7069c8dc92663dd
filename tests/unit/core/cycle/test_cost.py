"""Cost so far: every request, and unknown is never nothing (SEED5, U08)."""

import pytest

from agdesk.core.cycle import CostTracker
from agdesk.core.ir.response import Usage


def test_requests_add_up():
    cost = CostTracker()
    cost.add(Usage(10, 5), 0.25)
    cost.add(Usage(20, 7), 0.5)
    assert (cost.request_count, cost.prompt_tokens, cost.completion_tokens) == (2, 30, 12)
    assert cost.total_usd == pytest.approx(0.75)


def test_one_unknown_cost_makes_the_total_unknown_but_keeps_what_is_known():
    cost = CostTracker()
    cost.add(Usage(10, 5), 0.25)
    cost.add(Usage(20, 7), None)
    assert cost.total_usd is None
    assert cost.cost_usd == pytest.approx(0.25)


def test_free_is_known():
    cost = CostTracker()
    cost.add(Usage(1, 1), 0.0)
    assert cost.total_usd == 0.0


def test_an_answer_without_any_usage_is_counted_as_unreported():
    cost = CostTracker()
    cost.add(Usage(), None)
    cost.add(Usage(prompt_tokens=3), None)
    assert cost.unreported_count == 1
