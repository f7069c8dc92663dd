"""What stands in a line: text, thinking, ends and figures (QUIRKS L02, L05, L07, L08, C07, C21, R01, R02, R05, R14)."""

from __future__ import annotations

import pytest

from agdesk.core.ir.response import Usage
from agdesk.core.ir.stream import CostUpdate, MessageStart, TextDelta
from tests.wire.ollama.lines import (
    COUNTS,
    READING,
    TAGGED,
    TIMES,
    answer,
    call,
    calls,
    end,
    line,
    ndjson,
    text,
    thinking,
)


def test_each_line_adds_to_the_text():
    found = answer(text("Hel"), text("lo"), end())
    assert [event.text for event in found.events if isinstance(event, TextDelta)] == ["Hel", "lo"]
    assert (found.text, found.stop, found.response.raw_stop_reason) == ("Hello", "end_turn", "stop")
    assert found.response.usage == Usage(5, 2, 7)


def test_the_text_of_the_last_line_counts():
    assert answer(text("a"), end(message={"content": "b"})).text == "ab"


def test_D11_an_answer_without_an_id_gets_one_from_the_seed():
    found = answer(text("a"), end())
    assert found.events[0] == MessageStart("message_s", "m1")


def test_R02_thinking_and_text_open_and_close_blocks_by_what_they_say():
    found = answer(thinking(""), thinking("hm"), thinking("."), text("a"), thinking("again"), text("b"), end())
    assert found.kinds == ["Thinking", "Text", "Thinking", "Text"]
    assert [block.text for block in found.response.message.content] == ["hm.", "a", "again", "b"]


def test_R02_null_and_missing_members_say_nothing():
    message = {"content": None, "thinking": None, "tool_calls": None}
    assert answer(line(message), line({"content": ""}), {"done": False, "message": None}, end()).kinds == []


def test_R01_thinking_comes_before_the_text_of_its_line():
    found = answer(line({"thinking": "hm", "content": "a"}), end())
    assert (found.kinds, found.thinking, found.text) == (["Thinking", "Text"], "hm", "a")


def test_R05_tags_in_the_text_are_thinking_where_the_dialect_says_so():
    units = (text("<th"), text("ink>hm</thi"), text("nk>\n\n"), text("a"), text("b"), end())
    tagged = answer(*units, at=TAGGED)
    assert (tagged.kinds, tagged.thinking, tagged.text) == (["Thinking", "Text"], "hm", "ab")
    assert answer(*units).text == "<think>hm</think>\n\nab"


def test_L05_a_model_that_still_thinks_in_its_text_loses_nothing_at_the_end_of_the_body():
    found = answer(text("<think>hm</thi"), at=TAGGED)
    assert (found.thinking, found.stop) == ("hm</thi", "incomplete")


def test_R14_a_budget_spent_on_thinking_keeps_thought_and_usage():
    found = answer(thinking("hm"), end("length"))
    assert (found.kinds, found.stop, found.response.usage) == (["Thinking"], "max_tokens", Usage(5, 2, 7))


@pytest.mark.parametrize(
    ("reason", "stop"),
    [("stop", "end_turn"), ("length", "max_tokens"), (None, "end_turn"), ("STOP", "end_turn"), ("eos", "other")],
)
def test_C09_the_word_at_the_end_is_told_and_kept(reason, stop):
    found = answer(text("a"), end(reason))
    assert (found.stop, found.response.raw_stop_reason) == (stop, reason)


@pytest.mark.parametrize("reason", ["load", "unload"])
def test_L08_a_model_that_was_only_loaded_has_not_answered(reason):
    found = answer(
        {"model": "m1", "message": {"role": "assistant", "content": ""}, "done_reason": reason, "done": True}
    )
    assert (found.kinds, found.stop, found.response.raw_stop_reason) == ([], "other", reason)
    assert found.response.usage == Usage()


def test_L02_C07_calls_and_an_ordinary_end_are_a_tool_use():
    assert answer(calls(call()), end()).stop == "tool_use"
    assert answer(end(message={"tool_calls": [call()]})).stop == "tool_use"


def test_L07_a_prompt_that_is_not_counted_is_unknown():
    found = answer(text("a"), {**end(), "prompt_eval_count": None})
    assert found.response.usage == Usage(None, 2)
    assert [event.usage for event in found.events if isinstance(event, CostUpdate)] == [Usage(None, 2)]


@pytest.mark.parametrize("count", [-1, "many", 2**70, 1.5, True, []])
def test_U08_a_count_that_cannot_be_is_unknown(count):
    assert answer(text("a"), end(prompt_eval_count=count)).response.usage == Usage(None, 2)


def test_times_and_raw_counts_are_kept_beside_the_answer():
    assert answer(text("a"), end(remote_model="m1:cloud")).response.extra == {
        **TIMES,
        "remote_model": "m1:cloud",
        "usage": COUNTS,
    }


def test_C21_a_model_that_is_named_later_is_announced_before_the_end():
    found = answer(text("a"), text("b", model="m2"), text("c", model=""), end(model=None))
    assert [event.model for event in found.events if isinstance(event, MessageStart)] == ["m1", "m2"]
    assert (found.response.id, found.response.model, found.text) == ("message_s", "m2", "abc")


def test_C22_nothing_but_the_message_is_required():
    found = answer({"message": {"content": "a"}}, {"message": {"content": "b"}}, {"done": True})
    assert (found.text, found.stop, found.response.model) == ("ab", "end_turn", "asked")


def test_T15_after_the_end_nothing_is_looked_at():
    found = READING.read(ndjson(text("a"), end(), text("late"), {"error": "late"}), ends=False)
    assert found.is_complete
    assert answer(text("a"), end(), text("late"), {"error": "late"}).events == answer(text("a"), end()).events
