"""Reasoning: its members, its opaque data, and tags in the text (class R)."""

from __future__ import annotations

import json
from typing import Any

import pytest

from agdesk.core.ir.blocks import ContentBlock, Text, Thinking
from agdesk.core.ir.stream import ContentBlockEnd, ContentBlockStart, TextDelta, ThinkingDelta, ThinkingType
from tests.wire.openai_chat.streams import answer, call, calls, chunk, endpoint, text

MEMBERS = ["reasoning_content", "reasoning", "reasoning_text"]
TAGGED = endpoint(parses_think_tags=True)
END = chunk(finish="stop")


def detail(kind: str = "text", **members):
    return {"type": f"reasoning.{kind}", **members}


def details(block: ContentBlock):
    assert isinstance(block, Thinking)
    assert block.provider_data is not None
    assert block.provider_data.origin == "openai_chat"
    return block.provider_data.raw["reasoning_details"]


@pytest.mark.parametrize("member", MEMBERS)
def test_R01_thinking_is_read_from_every_member(member):
    found = answer(chunk({member: "hm"}), chunk({member: " so"}), text("ok"), END)
    assert found.response.message.content == (Thinking("hm so"), Text("ok"))


def test_R01_the_same_text_in_several_members_counts_once():
    both = {
        "reasoning": "hm",
        "reasoning_content": "hm",
        "reasoning_details": [detail(text="hm", index=0)],
        "content": "",
    }
    found = answer(chunk(both), text("ok"), END)
    assert (found.thinking, found.text) == ("hm", "ok")


def test_R01_of_two_different_texts_the_first_member_counts():
    assert answer(chunk({"reasoning": "b", "reasoning_content": "a"}), END).thinking == "a"


def test_R01_details_alone_give_the_text():
    found = answer(
        chunk({"reasoning_details": [detail(text="h", index=0)]}),
        chunk({"reasoning_details": [detail("summary", summary="m", index=1)]}),
        END,
    )
    assert found.thinking == "hm"


def test_R02_only_text_opens_and_closes_blocks():
    found = answer(
        chunk({"content": None, "reasoning_content": ""}),
        chunk({"content": None, "reasoning_content": "h"}),
        chunk({"content": "", "reasoning_content": "m"}),
        chunk({"content": "o", "reasoning_content": None}),
        chunk({"content": "k", "reasoning_content": ""}),
        chunk({"content": "", "reasoning_content": None}, "stop"),
    )
    assert found.response.message.content == (Thinking("hm"), Text("ok"))
    assert len([e for e in found.events if isinstance(e, ContentBlockStart)]) == 2


def test_R02_thinking_after_text_is_a_block_of_its_own():
    found = answer(chunk({"reasoning": "a"}), text("b"), chunk({"reasoning": "c"}), text("d"), END)
    assert found.kinds == ["Thinking", "Text", "Thinking", "Text"]


def test_R02_a_plain_thought_ends_when_the_text_begins():
    found = answer(chunk({"reasoning": "a"}), text("b"), END)
    kinds = [type(event) for event in found.events]
    assert kinds.index(ContentBlockEnd) < kinds.index(TextDelta)


def test_R08_details_are_merged_by_index_and_type_and_kept_in_order():
    found = answer(
        chunk({"reasoning": "a", "reasoning_details": [detail(text="a", index=0, format="f1", id=None)]}),
        chunk({"reasoning": "b", "reasoning_details": [detail(text="b", index=0)]}),
        chunk({"reasoning_details": [detail("encrypted", data="X", index=1, id="r1"), detail(signature="S", index=0)]}),
        chunk({"reasoning_details": [detail("encrypted", data="Y", index=1, id="r1")]}),
        text("ok"),
        END,
    )
    thought = found.response.message.content[0]
    assert isinstance(thought, Thinking)
    assert (thought.text, thought.signature) == ("ab", "S")
    assert details(thought) == [
        detail(text="ab", index=0, format="f1", id=None, signature="S"),
        detail("encrypted", data="XY", index=1, id="r1"),
    ]


def test_R08_what_is_known_later_replaces_what_was_null():
    pieces: list[dict[str, Any]] = [{"format": None, "id": None}, {"format": "f", "id": "r1"}, {"format": None}]
    found = answer(*(chunk({"reasoning_details": [detail(text="a", index=0, **piece)]}) for piece in pieces), END)
    (thought,) = found.response.message.content
    assert details(thought) == [detail(text="aaa", index=0, format="f", id="r1")]


def test_R08_two_thoughts_that_are_signed_one_by_one_stay_two_details():
    found = answer(
        chunk({"reasoning_details": [detail(text="a", index=0)]}),
        chunk({"reasoning_details": [detail(signature="S1", index=0)]}),
        chunk({"reasoning_details": [detail(text="b", index=0)]}),
        chunk({"reasoning_details": [detail(signature="S2", index=0)]}),
        END,
    )
    (thought,) = found.response.message.content
    assert details(thought) == [detail(text="a", index=0, signature="S1"), detail(text="b", index=0, signature="S2")]


def test_R08_another_id_under_the_same_index_is_another_detail():
    found = answer(*(chunk({"reasoning_details": [detail(text=t, index=0, id=i)]}) for t, i in ("a1", "b1", "c2")), END)
    (thought,) = found.response.message.content
    assert [entry["text"] for entry in details(thought)] == ["ab", "c"]


def test_R08_what_comes_after_the_text_belongs_to_the_thought_before_it():
    found = answer(
        chunk({"reasoning": "a", "reasoning_details": [detail(text="a", index=0)]}),
        text("b"),
        chunk({"reasoning_details": [detail("encrypted", data="X", index=1)]}),
        END,
    )
    assert found.kinds == ["Thinking", "Text"]
    assert len(details(found.response.message.content[0])) == 2


def test_R08_opaque_values_without_an_index_are_not_run_together():
    found = answer(chunk({"reasoning_details": [detail("encrypted", data="X"), detail("encrypted", data="Y")]}), END)
    (thought,) = found.response.message.content
    assert [entry["data"] for entry in details(thought)] == ["X", "Y"]


def test_R08_thoughts_between_texts_keep_their_own_details():
    found = answer(
        chunk({"reasoning": "a", "reasoning_details": [detail(text="a", index=0, signature="S1")]}),
        text("b"),
        chunk({"reasoning": "c", "reasoning_details": [detail(text="c", index=1, signature="S2")]}),
        text("d"),
        END,
    )
    first, _, second, _ = found.response.message.content
    assert [block.signature for block in (first, second)] == ["S1", "S2"]
    assert [len(details(block)) for block in (first, second)] == [1, 1]


@pytest.mark.parametrize("later", [[], [text("ok")], [text("ok"), calls(call("{}", "f", index=0, id="A"))]])
def test_R09_a_signature_finds_its_thought_however_late_it_comes(later):
    found = answer(
        chunk({"reasoning": "hm", "reasoning_details": [detail(text="hm", index=0)]}),
        *later,
        chunk({"reasoning_details": [detail(signature="SIG", index=0)]}),
        END,
    )
    thought = found.response.message.content[0]
    assert isinstance(thought, Thinking)
    assert (thought.text, thought.signature) == ("hm", "SIG")
    assert found.kinds.count("Thinking") == 1


def test_R09_a_signature_beside_the_parts_of_a_thought_is_kept():
    part = {"type": "thinking", "thinking": [{"type": "text", "text": "hm"}], "signature": "SIG"}
    found = answer(chunk({"content": [part]}), text("ok"), END)
    assert found.response.message.content[0] == Thinking("hm", "SIG")


@pytest.mark.parametrize("signature", [None, "", 7, {}])
def test_R09_a_signature_of_any_other_form_is_none(signature):
    part = {"type": "thinking", "thinking": "hm", "signature": signature}
    found = answer(chunk({"content": [part]}), text("ok"), END)
    assert found.response.message.content[0] == Thinking("hm")
    (thought,) = answer(chunk({"reasoning_details": [detail(signature=signature)]}), END).response.message.content
    assert isinstance(thought, Thinking)
    assert thought.signature is None


def test_R10_hidden_thinking_is_an_empty_block_with_its_payload():
    found = answer(chunk({"reasoning_details": [detail("encrypted", data="X", index=0)]}), text("ok"), END)
    assert found.kinds == ["Thinking", "Text"]
    thought = found.response.message.content[0]
    assert isinstance(thought, Thinking)
    assert thought.text == ""
    assert details(thought) == [detail("encrypted", data="X", index=0)]


def test_R10_a_payload_at_the_end_does_not_split_the_text():
    found = answer(
        text("o"), chunk({"content": "k", "reasoning_details": [detail("encrypted", data="X")]}), text("!"), END
    )
    assert found.text == "ok!"
    assert sorted(found.kinds) == ["Text", "Thinking"]


def test_R10_payload_and_signature_survive_a_cut():
    found = answer(chunk({"reasoning_details": [detail(text="h", index=0, signature="S")]}), done=False)
    thought = found.response.message.content[0]
    assert isinstance(thought, Thinking)
    assert (found.stop, thought.signature) == ("incomplete", "S")


def test_R14_a_budget_spent_on_thinking_keeps_thought_and_usage():
    usage = {"prompt_tokens": 1, "completion_tokens": 9, "completion_tokens_details": {"reasoning_tokens": 9}}
    found = answer(chunk({"reasoning_content": "hm"}), chunk({"content": ""}, "length", usage=usage))
    assert (found.kinds, found.stop) == (["Thinking"], "max_tokens")
    assert found.response.usage.completion_tokens == 9


@pytest.mark.parametrize("value", [None, "", [], {}, 7, {"effort": "high"}, [7, None]])
def test_reasoning_of_any_form_never_raises(value):
    found = answer(*(chunk({member: value}) for member in [*MEMBERS, "reasoning_details"]), text("ok"), END)
    assert found.text == "ok"


# --- R05, R06, R07: tags ---


def tagged(*words, done=True):
    return answer(*map(text, words), *([END] if done else []), at=TAGGED, done=done)


def test_R05_tags_are_text_unless_the_dialect_parses_them():
    assert answer(text("<think>hm</think>ok"), END).text == "<think>hm</think>ok"


@pytest.mark.parametrize(
    "words",
    [
        ["<think>hm</think>ok"],
        list("<think>hm</think>ok"),
        ["\n<thi", "nk>\nhm", "</", "think>", "\n\nok"],
        ["<think>h", "m</think", ">o", "k"],
    ],
)
def test_R05_a_thought_in_tags_is_thinking_however_it_is_cut(words):
    found = tagged(*words)
    assert found.response.message.content == (Thinking("hm"), Text("ok"))


def test_R05_a_close_tag_alone_is_left_out():
    found = tagged("hm</th", "ink>ok")
    assert (found.text, found.kinds) == ("hmok", ["Text"])


@pytest.mark.parametrize("words", [["<thinking>ok"], ["a <think>b</think>"], ["<", "b>"], ["  ", "ok"], ["<think"]])
def test_R05_only_a_tag_at_the_start_counts(words):
    found = tagged(*words)
    assert found.thinking == ""
    assert found.text == "".join(words).replace("</think>", "")


def test_R05_what_is_held_back_comes_out_at_the_end():
    assert tagged("<think>hm</thi").thinking == "hm</thi"
    assert tagged("ok</thi").text == "ok</thi"
    found = tagged("<think>hm</thi", done=False)
    assert (found.thinking, found.stop) == ("hm</thi", "incomplete")


def test_R06_only_the_first_close_tag_counts():
    found = tagged("<think>the tag </think> is", " closed by </think>", " <think>x</think>")
    assert found.thinking == "the tag "
    assert found.text == "is closed by </think> <think>x</think>"


def test_R07_thinking_and_text_come_out_as_they_arrive():
    found = tagged("<think>", "a", "b", "</think>", "c", "d")
    parts = [event.text for event in found.events if isinstance(event, TextDelta | ThinkingDelta)]
    assert parts == ["a", "b", "c", "d"]


def test_R07_a_member_for_thinking_works_beside_the_tags():
    found = answer(chunk({"reasoning_content": "hm"}), text("ok"), END, at=TAGGED)
    assert found.response.message.content == (Thinking("hm"), Text("ok"))


def test_an_empty_thought_in_a_whole_answer_opens_no_block():
    found = answer(json.loads('{"choices":[{"message":{"content":"ok","reasoning":""},"finish_reason":"stop"}]}'))
    assert not any(isinstance(e, ContentBlockStart) and isinstance(e.block_type, ThinkingType) for e in found.events)
