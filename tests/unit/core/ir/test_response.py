"""Usage and the finished answer."""

import dataclasses

import pytest

from agdesk.core.ir.blocks import Text, Thinking
from agdesk.core.ir.messages import Assistant
from agdesk.core.ir.response import (
    CompletionTokensDetails,
    MessageResponse,
    PromptTokensDetails,
    StopReason,
    Usage,
)


def test_an_update_overwrites_what_it_knows_and_nothing_else():
    usage = Usage(1, 2, 3, cost_usd=0.5)

    assert usage.merged(Usage()) == usage
    assert usage.merged(Usage(completion_tokens=9)) == Usage(1, 9, 3, cost_usd=0.5)
    assert usage.merged(Usage(0, 0, 0, cost_usd=0.0)) == Usage(0, 0, 0, cost_usd=0.0)


def test_details_are_merged_field_by_field():
    usage = Usage(prompt_tokens_details=PromptTokensDetails(cached_tokens=5))
    update = Usage(
        prompt_tokens_details=PromptTokensDetails(cache_write_tokens=6),
        completion_tokens_details=CompletionTokensDetails(reasoning_tokens=7),
    )
    merged = usage.merged(update)

    assert merged.prompt_tokens_details == PromptTokensDetails(5, 6)
    assert merged.merged(Usage(prompt_tokens_details=PromptTokensDetails(0))) == dataclasses.replace(
        merged, prompt_tokens_details=PromptTokensDetails(0, 6)
    )
    assert merged.completion_tokens_details == CompletionTokensDetails(7)
    assert merged.merged(Usage(completion_tokens_details=CompletionTokensDetails())) == merged


@pytest.mark.parametrize(
    ("usage", "total"),
    [
        (Usage(2, 3), 5),
        (Usage(0, 0), 0),
        (Usage(2, 3, 6), 6),
        (Usage(2, 3, 0), 0),
        (Usage(2, None), None),
        (Usage(None, 3), None),
        (Usage(), None),
        (Usage(2**63, 2**63), 2**64),
    ],
)
def test_the_total_is_the_provider_s_own_or_the_sum_of_two_known_parts(usage, total):
    assert usage.with_total().total_tokens == total


def test_filling_the_total_changes_nothing_else():
    usage = Usage(2, 3, None, PromptTokensDetails(1, None), CompletionTokensDetails(2), 0.1)

    assert usage.with_total() == Usage(2, 3, 5, PromptTokensDetails(1, None), CompletionTokensDetails(2), 0.1)


def response(stop_reason: StopReason) -> MessageResponse:
    return MessageResponse("i", "m", Assistant((Thinking("hm"), Text("a"), Text("b"))), Usage(), stop_reason)


def test_the_text_of_an_answer_is_its_visible_text():
    assert response(StopReason.END_TURN).text() == "ab"


@pytest.mark.parametrize("stop_reason", list(StopReason))
def test_only_an_answer_cut_by_the_line_is_incomplete(stop_reason):
    assert response(stop_reason).is_incomplete == (stop_reason in {StopReason.INCOMPLETE, StopReason.ERROR})
