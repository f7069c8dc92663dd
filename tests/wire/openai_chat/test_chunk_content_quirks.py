"""What chunks carry: parts, refusals, cut calls, text after calls, and what stands beside them (class C)."""

from __future__ import annotations

import json

import pytest

from agdesk.core.ir.blocks import Extension, Text
from agdesk.core.ir.stream import (
    TextDelta,
)
from agdesk.core.providers.base import Frame
from agdesk.core.providers.wire.openai_chat.decoder import OpenAiChatDecoder
from tests.wire.openai_chat.streams import ENDPOINT, WIRE, answer, call, calls, chunk, text

USAGE = {"prompt_tokens": 5, "completion_tokens": 2, "total_tokens": 7}
CALL = call('{"a": 1}', "f", index=0, id="A")


def test_C13_content_may_be_a_list_of_typed_parts():
    thought = [{"type": "thinking", "thinking": [{"type": "text", "text": word}]} for word in ("hm ", "so")]
    reference = {"type": "reference", "reference_ids": [1]}
    found = answer(
        *(chunk({"content": [part]}) for part in thought),
        chunk({"content": [{"type": "text", "text": "a"}, reference, {"type": "text", "text": "b"}]}),
        chunk({"content": None}),
        chunk({"content": "c"}, "stop"),
    )
    assert (found.thinking, found.text) == ("hm so", "abc")
    assert found.response.message.content[2] == Extension("openai_chat", "content_part", reference)
    assert found.kinds == ["Thinking", "Text", "Extension"]


def test_C13_what_is_no_text_inside_a_thought_is_kept():
    cited = {"type": "reference", "reference_ids": [1]}
    part = {"type": "thinking", "thinking": [{"type": "text", "text": "hm"}, cited]}
    found = answer(chunk({"content": [part]}), text("ok"), chunk(finish="stop"))
    assert (found.thinking, [block.raw for block in found.extensions]) == ("hm", [cited])


def test_C13_a_part_without_a_type_says_its_text():
    assert answer(chunk({"content": [{"text": "a"}, {"text": "b"}]}, "stop")).text == "ab"


def test_C13_a_thought_in_summaries_is_one_block_with_its_signature():
    pieces = [{"text": "hm ", "signature": ""}, {"text": "so", "signature": ""}, {"text": "", "signature": "SIG"}]
    parts = [{"type": "reasoning", "summary": [{"type": "summary_text"} | piece]} for piece in pieces]
    found = answer(*(chunk({"content": [part]}) for part in parts), text("ok"), chunk(finish="stop"))
    thought, spoken = found.response.message.content
    assert (thought.text, thought.signature, spoken.text) == ("hm so", "SIG", "ok")


def test_C13_parts_of_any_other_form_are_kept_or_passed_over():
    odd = [{"type": "text"}, {"type": "output_text", "text": "b"}, "c", 7, None, {"type": "refusal", "refusal": "no"}]
    found = answer(chunk({"content": {"type": "text", "text": "a"}}), chunk({"content": odd}), chunk(finish="stop"))
    assert found.text == "abc"
    assert [block.raw for block in found.extensions] == [{"type": "text"}]
    assert found.stop == "refusal"


def test_C15_members_nobody_knows_change_nothing():
    odd = {"obfuscation": "xx", "p": "abc", "created": 0.5, "token_ids": [1, 2], "copilot_usage": {"n": 1}}
    found = answer(
        chunk({"content": "a", "token_id": 16, "invented": "word", "channel": 7}, choice={"token_ids": [3]}, **odd),
        chunk(finish="stop"),
    )
    assert (found.text, found.kinds) == ("a", ["Text"])
    assert found.response.extra["copilot_usage"] == {"n": 1}


def test_C16_refusals_stream_like_text_and_end_the_answer_as_one():
    found = answer(
        chunk({"refusal": None, "content": ""}), *(chunk({"refusal": w}) for w in ("I ", "can't")), chunk(finish="stop")
    )
    assert found.response.message.content == (Text("I can't", is_refusal=True),)
    assert (found.stop, found.text) == ("refusal", "")


@pytest.mark.parametrize("refusal", [None, "", {"x": 1}, ["no"], 7])
def test_C16_a_refusal_of_any_other_form_is_none(refusal):
    assert answer(chunk({"content": "a", "refusal": refusal}), chunk(finish="stop")).stop == "end_turn"


def test_C17_a_filtered_answer_keeps_what_came():
    found = answer(text("half"), chunk(finish="content_filter"))
    assert (found.text, found.stop) == ("half", "content_filter")


@pytest.mark.parametrize("arguments", ['{"note": "The', "", '{"a": 1}', "{}"])
def test_C18_no_call_of_an_answer_cut_by_length_runs(arguments):
    found = answer(calls(call(arguments, "write", index=0, id="A")), chunk(finish="length"))
    (tool,) = found.tools
    assert (found.stop, tool.input, tool.raw_arguments) == ("max_tokens", None, arguments)
    assert tool.input_error


def test_C18_a_server_that_hides_the_cut_leaves_a_call_that_cannot_run():
    found = answer(calls(call('{"path": "a"', "write", index=0, id="A")), chunk(finish="tool_calls"))
    assert found.stop == "tool_use"
    assert found.tools[0].input is None
    assert found.tools[0].input_error


def test_C19_text_after_calls_is_a_block_of_its_own():
    found = answer(text("before"), calls(CALL), text("after"), text("!"), chunk(finish="stop"))
    assert found.kinds == ["Text", "ToolUse", "Text"]
    assert found.response.message.content[2] == Text("after!")


def test_C19_a_call_that_goes_on_does_not_split_the_text_that_follows_it():
    found = answer(
        calls(call('{"a"', "f", index=0, id="A")),
        text("x"),
        calls(call(": 1}", index=0)),
        text("y"),
        chunk(finish="stop"),
    )
    assert found.kinds == ["ToolUse", "Text"]
    assert (found.text, found.tools[0].input) == ("xy", {"a": 1})


def test_C23_annotations_and_images_are_kept_and_do_not_split_the_text():
    cited = [{"type": "url_citation", "url_citation": {"url": "u"}}]
    image = [{"type": "image_url", "image_url": {"url": "data:image/png;base64,AA"}}]
    found = answer(
        text("a"),
        chunk({"content": "b", "annotations": cited}),
        chunk({"images": image}),
        text("c"),
        chunk(finish="stop"),
    )
    assert (found.text, found.kinds) == ("abc", ["Text", "Extension", "Extension"])
    assert [(block.kind, block.raw) for block in found.extensions] == [("annotations", cited), ("images", image)]


def test_C23_the_same_annotations_in_every_chunk_are_one_block():
    cited = [{"type": "url_citation"}]
    found = answer(*(chunk({"content": w, "annotations": cited}) for w in "ab"), chunk(finish="stop"))
    assert found.kinds == ["Text", "Extension"]


def test_C23_cumulative_citations_are_one_block_at_the_end_with_the_last_value():
    found = answer(
        text("a", citations=["u1"], search_results=[{"url": "u1"}]),
        text("b", citations=["u1", "u2"]),
        chunk(finish="stop", citations=["u1", "u2"]),
    )
    assert found.kinds == ["Text", "Extension", "Extension"]
    assert [(block.kind, block.raw) for block in found.extensions] == [
        ("citations", ["u1", "u2"]),
        ("search_results", [{"url": "u1"}]),
    ]


def test_C23_audio_comes_in_pieces_and_is_one_block():
    pieces = [
        {"id": "au"},
        {"transcript": "he"},
        {"data": "QQ=="},
        {"transcript": "y", "data": "Qg=="},
        {"expires_at": 9},
    ]
    found = answer(*(chunk({"audio": piece}) for piece in pieces), chunk(finish="stop"))
    assert [(block.kind, block.raw) for block in found.extensions] == [
        ("audio", {"id": "au", "transcript": "hey", "data": ["QQ==", "Qg=="], "expires_at": 9})
    ]


def test_C23_audio_stands_where_it_was_first_heard():
    found = answer(
        text("a"),
        chunk({"audio": {"data": "", "transcript": None}}),
        calls(CALL),
        chunk({"audio": {"id": "au"}}),
        text("b"),
    )
    assert found.kinds == ["Text", "ToolUse", "Extension", "Text"]
    assert found.extensions[0].raw == {"id": "au"}


def test_C23_thinking_blocks_in_pieces_are_one_block_that_can_go_back():
    def piece(words, signature=None, **fields):
        blocks = [{"type": "thinking", "thinking": words, "signature": signature}]
        again = {"thinking_blocks": blocks, "reasoning_content": words} | fields
        return chunk({"reasoning_content": words, "thinking_blocks": blocks, "provider_specific_fields": again})

    hidden = {"type": "redacted_thinking", "data": "O"}
    found = answer(
        piece("h"),
        piece("m"),
        piece("", "S1"),
        chunk({"thinking_blocks": [hidden, 7]}),
        piece("x", "S2", citation={"url": "u"}),
        text("ok"),
        chunk(finish="stop"),
    )
    assert (found.thinking, found.text) == ("hmx", "ok")
    whole = [
        {"type": "thinking", "thinking": "hm", "signature": "S1"},
        hidden,
        {"type": "thinking", "thinking": "x", "signature": "S2"},
    ]
    kept = {block.kind: block.raw for block in found.extensions}
    assert kept == {"thinking_blocks": whole, "provider_specific_fields": {"citation": {"url": "u"}}}


def test_C23_tools_that_the_server_ran_and_unknown_structures_are_blocks_and_never_calls():
    ran = [{"index": 0, "type": "search", "arguments": "{}", "output": "x"}]
    found = answer(chunk({"executed_tools": ran, "brand_new": {"x": 1}}), text("a"), chunk(finish="stop"))
    assert [(block.kind, block.raw) for block in found.extensions] == [("executed_tools", ran), ("brand_new", {"x": 1})]
    assert (found.stop, found.tools) == ("end_turn", [])


@pytest.mark.parametrize(
    "logprobs", [None, {"content": None, "refusal": []}, {"content": [{"token": "a"}, {"token": "b"}]}]
)
def test_C24_log_probabilities_change_nothing(logprobs):
    found = answer(chunk({"content": "ab"}, choice={"logprobs": logprobs}), chunk(finish="stop"))
    assert (found.text, found.kinds) == ("ab", ["Text"])


@pytest.mark.parametrize(
    "unit",
    [
        text("b", created=1, usage=None, obfuscation="xx"),
        text("b", provider="Acme") | {"model": ""},
        chunk({"content": "b", "role": "assistant", "reasoning_content": None, "tool_calls": None}),
        chunk({"content": None, "reasoning_content": "b"}),
    ],
)
def test_PERF1_plain_text_takes_the_short_way(unit, monkeypatch):
    decoder = WIRE.decoder(endpoint=ENDPOINT, model="m", seed="s")
    frame = Frame(0, 1, "", json.dumps(unit).encode())
    decoder.decode(frame)
    monkeypatch.setattr(OpenAiChatDecoder, "_take_document", None)
    (event,) = decoder.decode(frame)
    assert event.text == "b"


def test_the_short_way_is_left_for_anything_but_text():
    found = answer(
        text("a"),
        text("b"),
        chunk({"content": "c", "role": "assistant"}),
        chunk({"content": "d", "refusal": "no"}),
        text("e"),
        chunk({"content": ["f"]}),
        chunk({"content": "g"}, "stop"),
    )
    deltas = [event for event in found.events if isinstance(event, TextDelta)]
    assert "".join(delta.text for delta in deltas) == "abcdefg"
    assert found.stop == "refusal"
