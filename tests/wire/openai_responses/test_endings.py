"""How answers end, and what they cost (P06, P13, C05, C07, U01, U03, U04, U07)."""

from __future__ import annotations

import pytest

from agdesk.core.ir.response import CompletionTokensDetails, PromptTokensDetails, Usage
from agdesk.core.ir.stream import CostUpdate
from tests.wire.openai_responses.streams import (
    added,
    answer,
    done,
    ended,
    event,
    spoken,
    text,
    whole,
)

CALL = {"type": "function_call", "call_id": "c", "name": "f", "arguments": "{}"}


@pytest.mark.parametrize(
    ("reason", "stop"),
    [("max_output_tokens", "max_tokens"), ("content_filter", "content_filter"), ("max_tool_calls", "other")],
)
def test_P06_an_incomplete_answer_is_no_error(reason, stop):
    found = answer(text("a"), end=ended("incomplete", incomplete_details={"reason": reason}))
    assert (found.text, found.stop, found.response.raw_stop_reason) == ("a", stop, reason)
    assert found.response.error is None
    assert whole(status="incomplete", incomplete_details={"reason": reason}).stop == stop


@pytest.mark.parametrize("details", [None, {}, {"reason": None}, [], {"reason": []}])
def test_P06_without_a_reason_it_is_just_incomplete(details):
    found = answer(text("a"), end=ended("incomplete", incomplete_details=details))
    assert (found.stop, found.response.raw_stop_reason) == ("incomplete", "incomplete")


@pytest.mark.parametrize(("status", "stop"), [("cancelled", "incomplete"), ("queued", "incomplete"), ("odd", "other")])
def test_other_states_of_a_whole_answer(status, stop):
    found = whole(CALL, status=status)
    assert (found.stop, found.response.raw_stop_reason) == (stop, status)
    assert found.tools[0].input is None


def test_the_status_of_the_response_is_more_exact_than_the_event():
    response = {"status": "incomplete", "output": [], "incomplete_details": {"reason": "max_output_tokens"}}
    assert answer(text("a"), end=event("completed", response=response)).stop == "max_tokens"
    assert answer(text("a"), end=event("completed", response={"status": "in_progress"})).stop == "end_turn"
    assert answer(text("a"), end=event("done", response={})).stop == "end_turn"


def test_C07_calls_make_a_complete_answer_a_tool_use():
    assert whole({"type": "message", "content": [spoken("a")]}, CALL).stop == "tool_use"


def usage_of(raw):
    return answer(text("a"), end=ended(usage=raw)).response.usage


def test_U01_D12_cached_and_reasoning_tokens_are_parts_of_the_sums():
    raw = {
        "input_tokens": 10,
        "input_tokens_details": {"cached_tokens": 8, "cache_write_tokens": 1},
        "output_tokens": 5,
        "output_tokens_details": {"reasoning_tokens": 4},
        "total_tokens": 15,
    }
    found = answer(text("a"), end=ended(usage=raw))
    assert found.response.usage == Usage(10, 5, 15, PromptTokensDetails(8, 1), CompletionTokensDetails(4))
    assert found.response.extra["usage"] == raw
    assert whole(usage=raw).response.usage == found.response.usage


def test_U03_figures_that_cannot_be_are_unknown():
    raw = {"input_tokens": 9223372036854767616, "output_tokens": None, "total_tokens": "x", "input_tokens_details": []}
    assert usage_of(raw) == Usage()
    assert usage_of({"input_tokens": "3", "output_tokens": 2.0}) == Usage(3, 2, 5)


def test_U04_the_cost_is_read_in_dollars_and_in_ticks():
    assert usage_of({"cost": 1.5e-05}).cost_usd == 1.5e-05
    assert usage_of({"cost": {"total_cost": 2}}).cost_usd == 2.0
    assert usage_of({"cost_in_usd_ticks": 2_521_500}).cost_usd == pytest.approx(0.00025215)


def test_U07_a_total_is_kept_as_told():
    assert usage_of({"input_tokens": 1, "output_tokens": 1, "total_tokens": 7}).total_tokens == 7


def test_C05_usage_on_the_way_counts_until_there_is_a_newer_one():
    early = event("in_progress", response={"usage": {"input_tokens": 3, "output_tokens": 1}})
    found = answer(early, text("a"), end=ended(usage={"output_tokens": 5}))
    assert [e.usage.completion_tokens for e in found.events if isinstance(e, CostUpdate)] == [1, 5]
    assert found.response.usage == Usage(3, 5, 8)
    assert answer(early, end=None).response.usage == Usage(3, 1, 4)


def test_what_a_response_says_beside_its_output_is_kept():
    end = ended(content_filters=[{"blocked": False}], tools=[{"type": "function"}], invented={"a": 1}, user="u")
    end["copilot_usage"] = {"total": 1}
    extra = answer(text("a"), end=end).response.extra
    assert extra == {"content_filters": [{"blocked": False}], "invented": {"a": 1}, "copilot_usage": {"total": 1}}


def test_P13_unknown_items_stand_whole_in_their_place():
    item = {"id": "w", "status": "completed", "action": {"type": "search", "query": "q"}}
    found = answer(
        text("a", 0),
        added(1, "web_search_call", id="w", status="in_progress"),
        event("web_search_call.searching", output_index=1, item_id="w"),
        text("b", 2),
        done(1, "web_search_call", **item),
    )
    assert found.kinds == ["Text", "Extension", "Text"]
    (block,) = found.extensions
    assert (block.provider, block.kind) == ("openai_responses", "web_search_call")
    assert block.raw == {"type": "web_search_call", **item}
