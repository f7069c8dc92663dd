"""Usage and cost in every spelling (class U, C25, C26)."""

from __future__ import annotations

import pytest

from agdesk.core.ir.response import CompletionTokensDetails, PromptTokensDetails, Usage
from tests.wire.openai_chat.streams import answer, chunk, endpoint, text


def used(usage, *, at=None, choice=None, **members):
    last = chunk(finish="stop", choice=choice, usage=usage, **members)
    return answer(text("x"), last, **({} if at is None else {"at": at})).response.usage


@pytest.mark.parametrize(
    "usage",
    [
        {"prompt_tokens_details": {"cached_tokens": 4}},
        {"prompt_cache_hit_tokens": 4, "prompt_cache_miss_tokens": 6},
        {"cached_tokens": 4},
        {"num_cached_tokens": 4},
        {"prompt_tokens_details": {"cached_tokens": 4}, "prompt_cache_hit_tokens": 4, "prompt_cache_miss_tokens": 6},
    ],
)
def test_U01_cached_tokens_are_a_subset_of_the_prompt_in_every_spelling(usage):
    found = used({"prompt_tokens": 10, **usage})
    assert (found.prompt_tokens, found.prompt_tokens_details) == (10, PromptTokensDetails(4, None))


def test_U01_cache_writes_are_kept():
    found = used({"prompt_tokens": 10, "prompt_tokens_details": {"cached_tokens": 0, "cache_write_tokens": 8}})
    assert found.prompt_tokens_details == PromptTokensDetails(0, 8)


@pytest.mark.parametrize("usage", [{"prompt_cache_hit_tokens": 4}, {"prompt_cache_miss_tokens": 6}])
def test_U01_hits_or_misses_alone_do_not_make_the_prompt(usage):
    assert used(usage).prompt_tokens is None


def test_U01_hits_and_misses_make_the_prompt_if_it_is_not_told():
    assert used({"prompt_cache_hit_tokens": 4, "prompt_cache_miss_tokens": 6}).prompt_tokens == 10


def test_U02_usage_inside_the_choice():
    assert used(None, choice={"usage": {"prompt_tokens": 3, "completion_tokens": 1}}).prompt_tokens == 3


def test_U02_usage_of_groq():
    assert used(None, x_groq={"id": "r", "usage": {"prompt_tokens": 3}}).prompt_tokens == 3


@pytest.mark.parametrize(
    ("value", "count"),
    [
        (7, 7),
        (7.0, 7),
        ("7", 7),
        ("7.0", 7),
        (0, 0),
        (2**53, 2**53),
        (None, None),
        (7.5, None),
        ("seven", None),
        (-1, None),
        (True, None),
        ([7], None),
        ({"n": 7}, None),
        (9223372036854767616, None),
        ("1e999", None),
        ("nan", None),
        (10**400, None),
    ],
)
def test_U03_figures_that_cannot_be_are_unknown(value, count):
    found = used({"prompt_tokens": value, "completion_tokens": 1})
    assert (found.prompt_tokens, found.completion_tokens) == (count, 1)


@pytest.mark.parametrize("usage", [None, {}, [], "x", 7, {"prompt_tokens": None}])
def test_U03_usage_of_any_other_form_is_none(usage):
    assert used(usage) == Usage()


@pytest.mark.parametrize(
    ("usage", "members", "cost"),
    [
        ({"cost": 0.00165, "cost_details": {"upstream_inference_cost": 1}}, {}, 0.00165),
        ({"cost": "0.5"}, {}, 0.5),
        ({"cost": {"input_tokens_cost": 0.1, "total_cost": 0.3}}, {}, 0.3),
        ({"cost_in_usd_ticks": 1654500}, {}, 0.00016545),
        ({}, {"cost": {"usd": 0.25, "diem": 0}}, 0.25),
        ({"cost": None}, {"cost": None}, None),
        ({"cost": {"usd": None}}, {}, None),
    ],
)
def test_U04_what_the_provider_says_it_cost(usage, members, cost):
    found = used({"prompt_tokens": 1, **usage}, **members)
    assert found.cost_usd == (None if cost is None else pytest.approx(cost))


def test_U05_usage_that_comes_without_being_asked_for_counts():
    assert used({"prompt_tokens": 1, "completion_tokens": 2}).completion_tokens == 2


def test_U07_a_total_that_is_no_sum_is_kept_and_a_missing_one_is_made():
    assert used({"prompt_tokens": 1, "completion_tokens": 2, "total_tokens": 9}).total_tokens == 9
    assert used({"prompt_tokens": 1, "completion_tokens": 2}).total_tokens == 3
    assert used({"prompt_tokens": 1}).total_tokens is None


def test_U08_large_counters_do_not_overflow():
    assert used({"prompt_tokens": 5_000_000_000}).prompt_tokens == 5_000_000_000


def test_C25_more_reasoning_than_completion_is_kept_as_told():
    found = used({"completion_tokens": 5, "completion_tokens_details": {"reasoning_tokens": 9}})
    assert (found.completion_tokens, found.completion_tokens_details) == (5, CompletionTokensDetails(9))


def test_C26_reasoning_beside_the_completion_is_added_where_the_dialect_says_so():
    reasoning = {"completion_tokens_details": {"reasoning_tokens": 136}}
    usage = {"prompt_tokens": 432, "completion_tokens": 68, **reasoning}
    assert used(usage).completion_tokens == 68
    assert used(usage, at=endpoint(is_reasoning_extra=True)).completion_tokens == 204


@pytest.mark.parametrize(("total", "completion"), [(636, 204), (500, 68), (None, 68), (9999, 68)])
def test_C26_a_total_tells_whether_the_reasoning_is_beside_the_completion(total, completion):
    reasoning = {"completion_tokens_details": {"reasoning_tokens": 136}}
    usage = {"prompt_tokens": 432, "completion_tokens": 68, "total_tokens": total, **reasoning}
    assert used(usage).completion_tokens == completion


def test_C26_is_right_too_when_the_two_figures_come_apart():
    reasoning = {"completion_tokens_details": {"reasoning_tokens": 3}}
    found = answer(
        chunk({"content": "x"}, usage={"completion_tokens": 1} | reasoning),
        chunk(finish="stop", usage={"completion_tokens": 2, "completion_tokens_details": None}),
        at=endpoint(is_reasoning_extra=True),
    )
    assert found.response.usage.completion_tokens == 5


def test_the_raw_usage_goes_with_the_answer():
    usage = {"prompt_tokens": 1, "is_byok": False, "cost_details": {"upstream_inference_cost": None}}
    found = answer(text("x"), chunk(finish="stop", usage=usage))
    assert found.response.extra["usage"] == usage
