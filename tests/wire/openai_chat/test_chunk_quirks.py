"""The shape of chunks: choices, deltas, ids, usage in passing and finish reasons (class C)."""

from __future__ import annotations

import json

import pytest

from agdesk.core.errors import ErrorCategory
from agdesk.core.ir.stream import (
    ContentBlockStart,
    CostUpdate,
    MessageComplete,
    MessageStart,
)
from tests.wire.openai_chat.streams import answer, call, calls, chunk, read, text

USAGE = {"prompt_tokens": 5, "completion_tokens": 2, "total_tokens": 7}
CALL = call('{"a": 1}', "f", index=0, id="A")


@pytest.mark.parametrize("choices", [[], None])
def test_C01_C02_no_choices_are_nothing_wherever_they_stand(choices):
    empty = {"id": "c1", "model": "m1", "choices": choices}
    found = answer(empty, text("a"), empty, text("b"), chunk(finish="stop"), empty | {"usage": USAGE})
    assert (found.text, found.stop, found.response.usage.total_tokens) == ("ab", "end_turn", 7)


def test_C02_choices_may_be_missing():
    found = answer({"id": "c1"}, text("a"), {"usage": USAGE}, chunk(finish="stop"))
    assert (found.text, found.response.usage.prompt_tokens) == ("a", 5)


@pytest.mark.parametrize("choices", [None, []])
def test_C02_a_whole_answer_without_choices_is_an_error_worth_a_retry(choices):
    found = read(json.dumps({"id": "gen-1", "choices": choices}).encode())
    assert found.error is not None
    assert found.error.to_record().is_retryable
    assert found.error.category is ErrorCategory.SERVER


def test_C03_chunks_after_the_usage_take_nothing_back():
    later = {"choices": [], "usage": None, "moderation": {"flagged": False}}
    found = answer(text("x"), chunk(finish="stop"), {"choices": [], "usage": USAGE}, later)
    assert found.response.usage.completion_tokens == 2
    assert found.response.extra["moderation"] == {"flagged": False}


def test_C04_a_second_finish_chunk_ends_the_answer_once_and_its_usage_counts():
    found = answer(text("x"), chunk({"content": ""}, "stop"), chunk({"content": ""}, "stop", usage=USAGE))
    assert [type(event) for event in found.events].count(MessageComplete) == 1
    assert found.response.usage.total_tokens == 7


@pytest.mark.parametrize("reasons", [("length", "stop"), ("stop", "length"), ("length", "tool_calls")])
def test_C04_of_two_reasons_the_one_that_says_cut_is_never_taken_back(reasons):
    found = answer(calls(CALL), *(chunk(finish=reason) for reason in reasons))
    assert found.stop == "max_tokens"
    assert found.tools[0].input_error


def test_C05_usage_in_every_chunk_is_the_last_one_and_no_sum():
    grown = [text("a", usage=USAGE | {"completion_tokens": n}) for n in (1, 2, 2)]
    found = answer(*grown, chunk(finish="stop", usage={"completion_tokens": None, "total_tokens": 8}))
    usage = found.response.usage
    assert (usage.prompt_tokens, usage.completion_tokens, usage.total_tokens) == (5, 2, 8)
    assert [type(event) for event in found.events].count(CostUpdate) == 3


def test_C05_no_usage_at_all_is_unknown_and_not_zero():
    usage = answer(text("a"), chunk(finish="stop")).response.usage
    assert (usage.prompt_tokens, usage.completion_tokens, usage.total_tokens) == (None, None, None)


def test_C06_the_marker_without_a_finish_reason_is_decided_by_the_content():
    assert answer(text("a")).stop == "end_turn"
    found = answer(calls(CALL))
    assert found.stop == "tool_use"
    assert found.tools[0].input == {"a": 1}


@pytest.mark.parametrize("word", ["stop", "tool_calls", "tool_use", "function_call"])
def test_C07_complete_calls_and_a_normal_stop_are_a_tool_use(word):
    found = answer(calls(CALL), chunk(finish=word))
    assert (found.stop, found.response.raw_stop_reason) == ("tool_use", word)
    assert found.tools[0].input_error is None


@pytest.mark.parametrize(
    ("word", "reason"), [("length", "max_tokens"), ("content_filter", "content_filter"), ("eos", "other")]
)
def test_C07_what_is_no_normal_stop_is_never_promoted(word, reason):
    found = answer(calls(CALL), chunk(finish=word))
    assert found.stop == reason
    assert found.tools[0].input_error


@pytest.mark.parametrize("word", ["tool_calls", "tool_use", "function_call"])
def test_C08_a_tool_stop_without_calls_is_an_ordinary_end(word):
    found = answer(text("a"), chunk(finish=word))
    assert (found.stop, found.tools) == ("end_turn", [])


@pytest.mark.parametrize(
    ("word", "reason", "raw"),
    [
        ("eos", "other", "eos"),
        ("insufficient_system_resource", "other", "insufficient_system_resource"),
        (1, "other", "1"),
        ("error", "error", "error"),
        ("content_filter", "content_filter", "content_filter"),
        ("model_length", "context_overflow", "model_length"),
        ("STOP", "end_turn", "STOP"),
    ],
)
def test_C09_every_reason_is_mapped_and_its_word_kept(word, reason, raw):
    found = answer(text("a"), chunk(finish=word))
    assert (found.stop, found.response.raw_stop_reason) == (reason, raw)


@pytest.mark.parametrize("word", [None, "", "null", False, {}])
def test_C09_what_is_no_reason_does_not_finish(word):
    assert answer(text("a"), chunk(finish=word), done=False).stop == "incomplete"


def test_C09_openrouters_native_reason_is_kept_beside():
    found = answer(text("a"), chunk(finish="stop", choice={"native_finish_reason": "end_turn"}))
    assert found.response.extra["native_finish_reason"] == "end_turn"


def test_C10_a_choice_may_have_no_delta():
    filtered = {
        "choices": [{"index": 0, "finish_reason": None, "content_filter_results": {"hate": {"filtered": False}}}]
    }
    found = answer(text("a"), filtered, text("b"), {"choices": [{"index": 0, "finish_reason": "stop"}]})
    assert (found.text, found.stop) == ("ab", "end_turn")
    assert found.response.extra["content_filter_results"] == {"hate": {"filtered": False}}


def test_C10_a_delta_may_be_null():
    found = answer(text("a"), chunk(choice={"delta": None}), chunk(finish="stop"))
    assert found.text == "a"


def test_C11_a_message_beside_the_delta_is_not_read_twice():
    both = [chunk({"content": word}, choice={"message": {"content": word}}) for word in "ab"]
    last = chunk({"content": ""}, "stop", choice={"message": {"role": "assistant", "content": "ab"}})
    assert answer(*both, last).text == "ab"


def test_C11_a_message_alone_counts():
    parts = [{"choices": [{"index": 0, "message": {"content": word}}]} for word in "ab"]
    assert answer(*parts, chunk(finish="stop")).text == "ab"


@pytest.mark.parametrize("is_streamed", [True, False])
def test_C11_a_message_beside_a_delta_that_says_nothing_is_the_answer(is_streamed):
    one = chunk(
        {"role": "assistant", "content": ""}, "stop", choice={"message": {"role": "assistant", "content": "Hi"}}
    )
    found = answer(one) if is_streamed else read(json.dumps(one).encode())
    assert (found.text, found.stop) == ("Hi", "end_turn")


def test_C11_a_message_that_says_the_whole_again_at_the_end_adds_no_text():
    last = {"choices": [{"index": 0, "message": {"content": "ab", "tool_calls": [CALL]}, "finish_reason": "stop"}]}
    found = answer(text("a"), text("b"), last)
    assert (found.text, found.stop) == ("ab", "tool_use")
    last = {"choices": [{"index": 0, "message": {"content": "abcde"}, "finish_reason": "stop"}]}
    assert answer(*map(text, "abcde"), last).text == "abcde"


@pytest.mark.parametrize("role", ["assistant", "", None, "user", 7])
def test_C12_roles_say_nothing(role):
    found = answer(*(chunk({"role": role, "content": word}) for word in "ab"), chunk({"role": role}, "stop"))
    assert (found.text, found.kinds) == ("ab", ["Text"])


def test_C14_other_choices_are_not_ours():
    def of(index, words, finish=None):
        return {"index": index, "delta": {"content": words}, "finish_reason": finish}

    found = answer(
        {"choices": [of(0, "a"), of(1, "x")]},
        {"choices": [of(1, "y", "length")]},
        {"choices": [of(1, "z"), of(0, "b", "stop")]},
    )
    assert (found.text, found.stop) == ("ab", "end_turn")


def test_C14_without_an_index_the_first_counts():
    found = answer({"choices": [{"delta": {"content": "a"}}, {"delta": {"content": "x"}}]})
    assert found.text == "a"


@pytest.mark.parametrize("delta", [{"role": "assistant"}, {"role": "assistant", "content": ""}, {"content": None}])
def test_C20_an_empty_answer_is_valid_and_has_no_block(delta):
    found = answer(chunk(delta), chunk(finish="stop"))
    assert (found.kinds, found.stop) == ([], "end_turn")
    assert not any(isinstance(event, ContentBlockStart) for event in found.events)


def test_C20_a_finish_reason_alone_is_an_empty_answer_and_the_marker_alone_none():
    assert answer(chunk(finish="stop")).stop == "end_turn"
    assert answer().stop == "incomplete"


def test_C21_the_first_id_that_is_none_empty_counts():
    first = {"id": "", "model": "", "choices": [], "prompt_filter_results": [{"prompt_index": 0}]}
    found = answer(first, text("a", id="c1"), text("b", id="c2"), chunk(finish="stop", id=None))
    assert (found.response.id, found.response.model) == ("c1", "m1")
    assert found.events[0] == MessageStart("c1", "m1")
    assert found.response.extra["prompt_filter_results"] == [{"prompt_index": 0}]


def test_C21_the_model_that_is_named_last_is_the_final_one_and_said_once_more():
    found = answer(
        text("a", model="router"), text("b", model=""), text("c", model="real"), chunk(finish="stop", model="real")
    )
    assert [event for event in found.events if isinstance(event, MessageStart)] == [
        MessageStart("c1", "router"),
        MessageStart("c1", "real"),
    ]
    assert (found.text, found.response.model, found.response.id) == ("abc", "real", "c1")


def test_C21_no_id_and_no_model_at_all_get_made_ones():
    found = answer({"choices": [{"delta": {"content": "a"}}]})
    assert found.events[0] == MessageStart("message_s", "asked")


@pytest.mark.parametrize("created", [None, 0, 1.5, "now"])
def test_C22_nothing_of_the_envelope_is_needed(created):
    found = answer({"created": created, "id": None, "model": None, "choices": [{"delta": {"content": "a"}}]})
    assert found.text == "a"
