"""Summaries, raw thoughts and hidden ones (P10, R09, R10, R14)."""

from __future__ import annotations

import pytest

from tests.wire.openai_responses.streams import added, answer, done, event, summary, text, thought, whole


def part(words, kind="summary_text"):
    return {"type": kind, "text": words}


def test_P10_parts_of_a_summary_are_one_thought_with_blank_lines_between():
    item = {"id": "t", "summary": [part("One."), part("Two.")], "encrypted_content": "E"}
    found = answer(
        added(0, "reasoning", id="t", summary=[]),
        event("reasoning_summary_part.added", output_index=0, summary_index=0, part=part("")),
        summary("One", part=0),
        summary(".", part=0),
        event("reasoning_summary_text.done", output_index=0, summary_index=0, text="One."),
        event("reasoning_summary_part.done", output_index=0, summary_index=0, part=part("One.")),
        event("reasoning_summary_part.added", output_index=0, summary_index=1, part=part("")),
        summary("Two", part=1),
        event("reasoning_summary_part.done", output_index=0, summary_index=1, part=part("Two.")),
        done(0, "reasoning", **item),
    )
    (block,) = found.response.message.content
    assert block.text == "One.\n\nTwo."
    assert block.provider_data.raw == {"type": "reasoning", **item}


@pytest.mark.parametrize("event_name", ["content_part", "reasoning_part"])
def test_P10_raw_thoughts_come_under_either_name(event_name):
    words = part("Hm. So.", "reasoning_text")
    found = answer(
        added(0, "reasoning"),
        event(f"{event_name}.added", output_index=0, content_index=0, part=part("", "reasoning_text")),
        thought("Hm."),
        event(f"{event_name}.done", output_index=0, content_index=0, part=words),
        event("reasoning_text.done", output_index=0, content_index=0, text="Hm. So."),
    )
    assert (found.thinking, found.kinds) == ("Hm. So.", ["Thinking"])


def test_P10_without_deltas_the_item_tells():
    item = {"type": "reasoning", "summary": [part("One."), part("Two.")]}
    assert whole(item).thinking == answer(done(0, "reasoning", **item)).thinking == "One.\n\nTwo."
    assert whole({"type": "reasoning", "summary": [], "content": [part("Raw.", "reasoning_text")]}).thinking == "Raw."


def test_P10_of_thought_and_summary_one_is_shown_and_both_are_kept():
    item = {"type": "reasoning", "summary": [part("Short.")], "content": [part("Long.", "reasoning_text")]}
    for found in (whole(item), answer(thought("Long."), summary("Short."), done(0, "reasoning", **item))):
        assert (found.thinking, found.response.message.content[0].provider_data.raw) == ("Long.", item)
    assert answer(summary("Short."), thought("Long."), done(0, "reasoning", **item)).thinking == "Short."


def test_R10_a_hidden_thought_is_an_empty_block_with_its_payload():
    item = {"id": "t", "summary": [], "encrypted_content": "E"}
    found = answer(added(0, "reasoning", id="t", summary=[], encrypted_content="half"), done(0, "reasoning", **item))
    (block,) = found.response.message.content
    assert (block.text, block.provider_data.raw["encrypted_content"]) == ("", "E")


def test_R10_the_payload_of_a_thought_that_never_ends_is_marked_as_unfinished():
    found = answer(added(0, "reasoning", id="t", summary=[], encrypted_content="half"), end=None)
    assert found.kinds == ["Thinking"]
    assert found.response.message.content[0].provider_data.raw == {
        "type": "reasoning",
        "id": "t",
        "summary": [],
        "encrypted_content": "half",
        "status": "in_progress",
    }


def test_R09_the_payload_comes_after_other_items():
    found = answer(
        added(0, "reasoning", id="t"),
        text("a", 1),
        done(1, "message", content=[]),
        done(0, "reasoning", id="t", summary=[], encrypted_content="E"),
    )
    assert found.kinds == ["Thinking", "Text"]
    assert found.response.message.content[0].provider_data.raw["encrypted_content"] == "E"


def test_R14_a_budget_spent_on_thinking_keeps_thought_and_usage():
    usage = {"input_tokens": 3, "output_tokens": 9, "output_tokens_details": {"reasoning_tokens": 9}}
    cut = {"incomplete_details": {"reason": "max_output_tokens"}, "usage": usage}
    end = event("incomplete", response={"status": "incomplete", "output": [], **cut})
    found = answer(added(0, "reasoning"), summary("Hm"), end=end)
    assert (found.thinking, found.kinds, found.stop) == ("Hm", ["Thinking"], "max_tokens")
    assert found.response.usage.completion_tokens == 9
