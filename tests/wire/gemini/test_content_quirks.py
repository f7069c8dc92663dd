"""Texts, thoughts, signatures and the parts that are kept as they came."""

from __future__ import annotations

import pytest

from agdesk.core.ir.blocks import ProviderData, Text, Thinking
from agdesk.core.ir.messages import user
from agdesk.core.ir.stream import MessageStart
from tests.wire.gemini.streams import answer, call, chunk, contents, own, text, thought


def replayed(found):
    """The parts that the answer is sent back as."""
    return contents(user("Hi"), own(found))[1]["parts"]


def test_T04_lines_end_in_CRLF_and_texts_run_together():
    found = answer(chunk(text("Hel")), chunk(text("lo")), chunk(text("!"), finish="STOP"))
    assert (found.text, found.kinds, found.stop) == ("Hello!", ["Text"], "end_turn")
    assert found.response.raw_stop_reason == "STOP"


def test_the_server_names_the_model_and_the_id():
    found = answer(chunk(text("a"), finish="STOP"))
    assert (found.response.id, found.response.model) == ("r1", "g1")


def test_D11_a_missing_id_is_made_and_the_model_asked_for_stands_in():
    found = answer({"candidates": [{"content": {"parts": [text("a")]}, "finishReason": "STOP"}]})
    assert (found.response.id, found.response.model) == ("message_s", "asked")


def test_a_model_that_is_named_later_is_announced_before_the_end():
    found = answer(chunk(text("a")), chunk(text("b"), finish="STOP", modelVersion="g2"))
    assert [event for event in found.events if isinstance(event, MessageStart)] == [
        MessageStart("r1", "g1"),
        MessageStart("r1", "g2"),
    ]


@pytest.mark.parametrize("content", [None, {}, {"parts": None}, {"parts": []}, {"role": "model"}, "x", []])
def test_G04_a_finish_chunk_without_parts_ends_the_answer(content):
    found = answer(chunk(text("a")), chunk(finish="STOP", candidate={"content": content}))
    assert (found.text, found.stop) == ("a", "end_turn")


def test_G04_a_candidate_without_content_is_an_answer_without_text():
    found = answer({"candidates": [{"finishReason": "MAX_TOKENS", "index": 0}]})
    assert (found.kinds, found.stop, found.error) == ([], "max_tokens", None)


def test_G05_the_answer_goes_on_after_a_finish_reason_and_the_last_one_wins():
    found = answer(chunk(finish="STOP"), chunk(text("A"), finish="STOP"), chunk(text("B")), chunk(finish="MAX_TOKENS"))
    assert (found.text, found.stop, found.response.raw_stop_reason) == ("AB", "max_tokens", "MAX_TOKENS")


def test_G07_R09_a_signature_on_an_empty_part_belongs_to_the_text_before_it():
    signed = text("", thoughtSignature="S")
    found = answer(chunk(text("A")), chunk(text("B")), chunk(signed, finish="STOP"))
    (block,) = found.response.message.content
    assert block == Text("AB", provider_data=ProviderData("gemini", signed))
    assert replayed(found) == [text("AB"), signed]


def test_G07_a_signature_on_a_text_ends_its_block_and_its_part_goes_back_as_it_came():
    found = answer(chunk(text("A")), chunk(text("B", thoughtSignature="S")), chunk(text("C"), finish="STOP"))
    assert [block.text for block in found.response.message.content] == ["AB", "C"]
    assert replayed(found) == [text("A"), text("B", thoughtSignature="S"), text("C")]


def test_G07_several_signatures_do_not_overwrite_each_other():
    parts = [text("A", thoughtSignature="1"), text("B", thoughtSignature="2"), text("", thoughtSignature="3")]
    found = answer(chunk(*parts, finish="STOP"))
    assert found.text == "AB"
    assert replayed(found) == parts


def test_R09_a_signature_after_a_thought_is_the_thoughts():
    signed = thought("", thoughtSignature="S")
    found = answer(chunk(thought("hm")), chunk(signed), chunk(text("ok"), finish="STOP"))
    assert found.response.message.content[0] == Thinking("hm", "S", ProviderData("gemini", signed))
    assert replayed(found) == [thought("hm"), signed, text("ok")]


@pytest.mark.parametrize("part", [text("", thoughtSignature="S"), {"thoughtSignature": "S"}])
def test_R10_a_signature_that_follows_no_text_is_hidden_thinking(part):
    found = answer(chunk(part), chunk(text("ok"), finish="STOP"))
    assert (found.kinds, found.thinking, found.text) == (["Thinking", "Text"], "", "ok")
    assert replayed(found) == [part, text("ok")]


def test_R09_a_signature_after_a_call_keeps_its_place():
    parts = [call("f", {}), text("", thoughtSignature="S")]
    found = answer(chunk(*parts, finish="STOP"))
    assert found.kinds == ["ToolUse", "Thinking"]
    assert replayed(found) == parts


def test_G08_thoughts_and_texts_may_alternate():
    found = answer(chunk(thought("a"), thought("b")), chunk(text("c")), chunk(thought("d"), text("e"), finish="STOP"))
    assert found.kinds == ["Thinking", "Text", "Thinking", "Text"]
    assert (found.thinking, found.text) == ("abd", "ce")


@pytest.mark.parametrize("part", [text(""), thought(""), {}, {"thought": True}, {"text": None}, None, 3, ["x"]])
def test_R02_a_part_that_says_nothing_opens_no_block(part):
    found = answer(chunk(thought("a"), part, thought("b"), text("c"), part, text("d"), finish="STOP"))
    assert (found.kinds, found.thinking, found.text) == (["Thinking", "Text"], "ab", "cd")


def test_R14_a_budget_spent_on_thinking_keeps_usage_and_says_so():
    found = answer(chunk(finish="MAX_TOKENS", usageMetadata={"promptTokenCount": 3, "thoughtsTokenCount": 50}))
    assert (found.kinds, found.stop, found.error) == ([], "max_tokens", None)
    assert found.response.usage.completion_tokens == 50


SERVER_PARTS = [
    {"executableCode": {"language": "PYTHON", "code": "1"}, "thoughtSignature": "S1"},
    {"codeExecutionResult": {"outcome": "OUTCOME_OK", "output": "1\n"}},
    {"toolCall": {"toolType": "GOOGLE_SEARCH_WEB", "id": "t"}, "thoughtSignature": "S2"},
    {"toolResponse": {"id": "t", "response": {"x": [1, None]}}},
    {"inlineData": {"mimeType": "audio/L16;codec=pcm;rate=24000", "data": "AAAA"}},
    {"inlineData": {"mimeType": "image/png", "data": "AAAA"}, "thoughtSignature": "S3", "thought": True},
    {"fileData": {"mimeType": "image/png", "fileUri": "u"}},
    {"inventedPart": {"deep": [{"x": 1}]}, "inventedMember": 7},
]


@pytest.mark.parametrize("part", SERVER_PARTS)
def test_G15_G18_PROV4_other_parts_are_kept_raw_and_go_back_in_their_place(part):
    found = answer(chunk(text("a")), chunk(part), chunk(text("b"), finish="STOP"))
    assert found.kinds == ["Text", "Extension", "Text"]
    (block,) = found.extensions
    assert (block.provider, block.raw) == ("gemini", part)
    assert block.kind == next(iter(part))
    assert replayed(found) == [text("a"), part, text("b")]


def test_PROV4_an_unknown_structure_beside_a_text_goes_back_with_it():
    found = answer(chunk(text("a", invented={"x": 1})), chunk(text("b", flag=3)), chunk(text("c"), finish="STOP"))
    assert found.kinds == ["Text"]
    assert replayed(found) == [text("abc", invented={"x": 1})]


def test_PROV4_an_unknown_structure_stays_with_the_signature_that_follows_it():
    found = answer(chunk(thought("a", invented={"x": 1})), chunk(thought("b", thoughtSignature="S"), finish="STOP"))
    assert replayed(found) == [thought("a"), thought("b", thoughtSignature="S", invented={"x": 1})]


def test_C14_other_candidates_are_not_ours():
    both = {"candidates": [{"index": 1, "content": {"parts": [text("x")]}}, {"content": {"parts": [text("y")]}}]}
    found = answer(both, chunk(text("a")), chunk(finish="STOP"))
    assert found.text == "a"


def test_C13_parts_may_be_one_object_or_words():
    found = answer(chunk(candidate={"content": {"parts": text("a")}}), chunk("b", finish="STOP"))
    assert found.text == "ab"


def test_what_stands_beside_the_parts_is_in_extra():
    metadata = {"groundingChunks": [{"web": {"uri": "u", "title": "t"}}]}
    found = answer(
        chunk(text("a"), candidate={"groundingMetadata": {"webSearchQueries": ["q"]}}),
        chunk(candidate={"groundingMetadata": metadata, "citationMetadata": {"citationSources": [{"uri": "u"}]}}),
        chunk(
            finish="STOP", candidate={"safetyRatings": [{"probability": "LOW"}]}, promptFeedback={"safetyRatings": [1]}
        ),
    )
    extra = found.response.extra
    assert extra["groundingMetadata"] == {"webSearchQueries": ["q"]} | metadata
    assert extra["citationMetadata"] == {"citationSources": [{"uri": "u"}]}
    assert extra["safetyRatings"] == [{"probability": "LOW"}]
    assert extra["promptFeedback"] == {"safetyRatings": [1]}
