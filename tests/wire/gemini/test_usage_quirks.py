"""Usage: cumulative, with gaps, and without the thoughts in the candidates."""

from __future__ import annotations

import pytest

from agdesk.core.ir.response import CompletionTokensDetails, PromptTokensDetails, Usage
from agdesk.core.ir.stream import CostUpdate
from tests.wire.gemini.streams import answer, chunk, text


def used(*figures):
    """The answer of a stream of texts, each with its usage."""
    return answer(*(chunk(text("a"), usageMetadata=figure) for figure in figures), chunk(finish="STOP"))


def test_G06_usage_is_cumulative_and_is_not_summed():
    found = used(
        {"promptTokenCount": 9, "candidatesTokenCount": 1, "totalTokenCount": 10},
        {"promptTokenCount": 9, "candidatesTokenCount": 4, "totalTokenCount": 13},
    )
    assert found.response.usage == Usage(9, 4, 13)


def test_G06_figures_that_vanish_stay_known():
    first = {"promptTokenCount": 9, "thoughtsTokenCount": 5, "cachedContentTokenCount": 2}
    found = used(first, {"promptTokenCount": 9, "candidatesTokenCount": 4, "thoughtsTokenCount": None}, None, {})
    assert found.response.usage == Usage(9, 9, 18, PromptTokensDetails(2), CompletionTokensDetails(5))
    assert found.response.extra["usage"] == first | {"candidatesTokenCount": 4}


def test_U01_cached_tokens_are_part_of_the_prompt():
    usage = used({"promptTokenCount": 100, "cachedContentTokenCount": 90}).response.usage
    assert (usage.prompt_tokens, usage.prompt_tokens_details) == (100, PromptTokensDetails(90))


def test_D12_thoughts_are_part_of_the_completion_also_before_there_are_candidates():
    usage = used({"promptTokenCount": 1, "thoughtsTokenCount": 7}).response.usage
    assert (usage.completion_tokens, usage.completion_tokens_details) == (7, CompletionTokensDetails(7))


def test_U07_what_tools_put_into_the_prompt_counts_and_the_total_is_kept_as_told():
    usage = used(
        {
            "promptTokenCount": 91,
            "toolUsePromptTokenCount": 574,
            "candidatesTokenCount": 93,
            "thoughtsTokenCount": 211,
            "totalTokenCount": 969,
        }
    ).response.usage
    assert (usage.prompt_tokens, usage.completion_tokens, usage.total_tokens) == (665, 304, 969)


@pytest.mark.parametrize("odd", [None, "x", -1, 2**70, 1.5, [], {}, True])
def test_U03_U08_a_figure_that_cannot_be_is_unknown(odd):
    assert used({"promptTokenCount": odd, "candidatesTokenCount": 2}).response.usage == Usage(None, 2)


def test_one_update_whenever_something_new_is_known():
    found = used({"promptTokenCount": 9}, {"promptTokenCount": 9}, {"promptTokenCount": 9, "serviceTier": "x"})
    assert [event.usage for event in found.events if isinstance(event, CostUpdate)] == [Usage(9)]


def test_usage_without_anything_is_unknown():
    found = answer(chunk(text("a"), finish="STOP", usageMetadata={"trafficType": "ON_DEMAND"}))
    assert found.response.usage == Usage()
    assert found.response.extra["usage"] == {"trafficType": "ON_DEMAND"}
