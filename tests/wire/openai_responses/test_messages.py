"""Texts, refusals, citations, phases and unknown parts of messages (P11, P16, C16)."""

from __future__ import annotations

import pytest

from agdesk.core.ir.blocks import ProviderData
from agdesk.core.ir.stream import ContentBlockStart, TextDelta
from tests.wire.openai_responses.streams import added, answer, done, event, spoken, text, whole


def texts_done(words):
    return [
        event("output_text.done", output_index=0, content_index=0, text=words),
        event("content_part.done", output_index=0, content_index=0, part=spoken(words)),
        done(0, "message", content=[spoken(words)]),
    ]


def test_P11_what_ends_a_text_repeats_it_and_is_not_added():
    found = answer(added(0, "message"), text("a"), text("b"), *texts_done("ab"))
    assert found.text == "ab"
    assert [event.text for event in found.events if isinstance(event, TextDelta)] == ["a", "b"]


@pytest.mark.parametrize("place", [0, 1, 2])
def test_P11_without_a_delta_the_end_tells_the_text(place):
    assert answer(texts_done("ab")[place]).text == "ab"


@pytest.mark.parametrize("place", [0, 1, 2])
def test_P11_the_end_tells_what_deltas_left_out(place):
    assert answer(text("a"), texts_done("abc")[place]).text == "abc"


def test_P11_an_end_that_says_something_else_changes_nothing():
    assert answer(text("ab"), *texts_done("xyz")).text == "ab"


def test_C20_no_block_is_opened_for_empty_text():
    found = answer(added(0, "message"), text(""), *texts_done(""))
    assert (found.kinds, found.stop) == ([], "end_turn")


def test_C16_a_refusal_is_a_block_of_its_own_and_ends_the_answer_as_one():
    found = answer(
        added(0, "message"),
        text("Well. "),
        event("refusal.delta", output_index=0, content_index=1, delta="I "),
        event("refusal.delta", output_index=0, content_index=1, delta="cannot"),
        event("refusal.done", output_index=0, content_index=1, refusal="I cannot."),
        done(0, "message", content=[spoken("Well. "), {"type": "refusal", "refusal": "I cannot."}]),
    )
    refusal = found.response.message.content[1]
    assert (found.text, refusal.text, refusal.is_refusal) == ("Well. ", "I cannot.", True)
    assert (found.stop, found.response.raw_stop_reason) == ("refusal", "completed")


def test_C16_a_refusal_without_deltas_and_without_a_stream():
    part = {"type": "refusal", "refusal": "no"}
    assert answer(done(0, "message", content=[part])).stop == "refusal"
    assert whole({"type": "message", "content": [part]}).stop == "refusal"


def test_annotations_are_citations_of_their_text():
    cited = {"type": "url_citation", "url": "https://example.com", "start_index": 0}
    note = event("output_text.annotation.added", output_index=0, content_index=0, annotation=cited)
    assert answer(text("a"), note).response.message.content[0].citations == (cited,)
    full = [cited, {"type": "url_citation", "url": "https://example.org"}]
    ends = done(0, "message", content=[spoken("a", annotations=full)])
    assert answer(text("a"), note, ends).response.message.content[0].citations == tuple(full)
    assert answer(text("a"), ends, note).kinds == ["Text"]


def test_P16_several_messages_each_with_its_phase():
    found = answer(
        added(0, "message", phase="commentary"),
        text("I look. ", 0),
        done(0, "message", phase="commentary", content=[spoken("I look. ")]),
        added(1, "message", phase="final_answer"),
        text("Done.", 1),
        done(1, "message", phase="final_answer", content=[spoken("Done.")]),
    )
    phases = [block.provider_data.raw["phase"] for block in found.response.message.content]
    assert (found.text, phases) == ("I look. Done.", ["commentary", "final_answer"])
    assert found.response.message.content[0].provider_data.origin == "openai_responses"


def test_a_plain_text_needs_no_opaque_data():
    found = answer(text("a"), done(0, "message", id="x", status="completed", role="assistant", content=[spoken("a")]))
    assert found.response.message.content[0].provider_data is None


def test_members_with_structure_are_kept_with_their_block():
    content = [spoken("a", moderation={"ok": True}, logprobs=[{"token": "a"}])]
    found = answer(text("a"), done(0, "message", id="x", invented={"deep": [1]}, label="l", content=content))
    data = {"invented": {"deep": [1]}, "content": {"moderation": {"ok": True}}}
    assert found.response.message.content[0].provider_data == ProviderData("openai_responses", data)


def test_an_unknown_part_stands_in_its_place_inside_its_message():
    parts = [spoken("a"), {"type": "output_hologram", "data": {"x": 1}}, spoken("b")]
    found = answer(text("a"), done(0, "message", id="x", phase="commentary", content=parts))
    assert found.kinds == ["Text", "Extension", "Text"]
    (part,) = found.extensions
    assert (part.kind, part.raw["type"], part.raw["content"]) == ("output_hologram", "message", [parts[1]])
    assert part.raw["phase"] == "commentary"
    assert whole({"type": "message", "content": parts}).kinds == ["Text", "Extension", "Text"]


def test_an_unknown_part_of_a_message_that_never_ends_is_kept_too():
    part = {"type": "output_hologram", "data": 1}
    found = answer(text("a"), event("content_part.done", output_index=0, content_index=1, part=part), end=None)
    assert (found.kinds, found.extensions[0].raw["content"]) == (["Text", "Extension"], [part])


def test_a_message_opens_no_block_before_its_text():
    found = answer(added(0, "message"), added(1, "reasoning"), text("a", 0))
    opened = [event.index for event in found.events if isinstance(event, ContentBlockStart)]
    assert (found.kinds, opened) == (["Text", "Thinking"], [1, 0])


def test_content_may_be_a_string():
    assert whole({"role": "assistant", "content": "plain"}).text == "plain"
