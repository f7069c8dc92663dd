"""What of a history goes back to whom: texts, thinking, opaque data, blocks of others (A06, R03, R04, R08, PROV7)."""

from __future__ import annotations

import pytest

from agdesk.core.ir.blocks import BlobRef, Extension, File, Image, ProviderData, Text, Thinking, ToolUse, Url
from agdesk.core.ir.messages import Assistant, Tool, User, user
from agdesk.core.providers.base import ReasoningReplay
from tests.wire.openai_chat.histories import HELLO, OTHER_PROVIDER, OTHER_WIRE, OWN, result, sent, use
from tests.wire.openai_chat.streams import endpoint

THOUGHT = Thinking("hm", "SIG")
TOOL_TURN = (
    user("q"),
    Assistant((THOUGHT, use()), OWN),
    Tool((result(),)),
    Assistant((Thinking("so"), Text("1")), OWN),
)
PLAIN_TURN = (user("p"), Assistant((Thinking("well"), Text("2")), OWN))


def thoughts(messages):
    return [m.get("reasoning_content") for m in messages if m["role"] == "assistant"]


DETAILS = [
    {"type": "reasoning.text", "text": "hm", "signature": "SIG", "index": 0},
    {"type": "reasoning.encrypted", "data": "X"},
]
DETAILED = Thinking("hm", "SIG", ProviderData("openai_chat", {"reasoning_details": DETAILS}))


def test_A06_empty_texts_and_messages_are_not_sent():
    messages, ledger = sent(
        User((Text(" "), Text("q"))),
        User((Text(""),)),
        Assistant((Text("\n"),)),
        Assistant((Thinking("hm"),)),
        user("r"),
    )
    assert [m["content"] for m in messages] == ["q", "r"]
    assert any("empty message" in line for line in ledger)


def test_texts_of_an_answer_are_one_with_a_blank_line_between():
    messages, _ = sent(Assistant((Text("a"), use(), Text("b"))), Tool((result(),)))
    assert messages[0]["content"] == "a\n\nb"


@pytest.mark.parametrize(
    ("replay", "expected"),
    [
        (ReasoningReplay.NEVER, [None, None, None]),
        (ReasoningReplay.TOOL_TURNS, ["hm", "so", None]),
        (ReasoningReplay.ALWAYS, ["hm", "so", "well"]),
    ],
)
def test_R03_R04_thinking_goes_back_as_the_dialect_says(replay, expected):
    messages, ledger = sent(*TOOL_TURN, *PLAIN_TURN, at=endpoint(reasoning_replay=replay))
    assert thoughts(messages) == expected
    assert any("thinking" in line for line in ledger)


@pytest.mark.parametrize("replay", list(ReasoningReplay))
def test_R08_details_go_back_verbatim_to_where_they_came_from(replay):
    messages, ledger = sent(user("q"), Assistant((DETAILED, Text("a")), OWN), at=endpoint(reasoning_replay=replay))
    assert messages[1]["reasoning_details"] == DETAILS
    assert "reasoning_content" not in messages[1]
    assert ledger == ()


@pytest.mark.parametrize("origin", [OTHER_PROVIDER, OTHER_WIRE, None])
def test_R08_details_go_nowhere_else(origin):
    row = endpoint(reasoning_replay=ReasoningReplay.ALWAYS)
    messages, ledger = sent(user("q"), Assistant((DETAILED, Text("a")), origin), at=row)
    assert "reasoning_details" not in messages[1]
    assert messages[1]["reasoning_content"] == "hm"
    assert any("signature" in line for line in ledger)


def test_R10_a_hidden_thought_goes_back_too():
    hidden = Thinking("", None, ProviderData("openai_chat", {"reasoning_details": DETAILS[1:]}))
    messages, _ = sent(user("q"), Assistant((hidden, Text("a")), OWN))
    assert messages[1]["reasoning_details"] == DETAILS[1:]


def test_G01_the_signature_of_a_call_goes_back_only_to_its_provider():
    signature = {"google": {"thought_signature": "SIG"}}
    call = use(provider_data=ProviderData("openai_chat", {"extra_content": signature}))
    own, _ = sent(Assistant((call,), OWN))
    foreign, ledger = sent(Assistant((call,), OTHER_PROVIDER))
    assert own[0]["tool_calls"][0]["extra_content"] == signature
    assert "extra_content" not in foreign[0]["tool_calls"][0]
    assert any("opaque" in line for line in ledger)


def test_K19_a_call_of_a_custom_tool_goes_back_as_one():
    call = ToolUse(
        "A", "sql", {"input": "SELECT"}, '{"input": "SELECT"}', None, ProviderData("openai_chat", {"type": "custom"})
    )
    own, _ = sent(Assistant((call,), OWN))
    foreign, _ = sent(Assistant((call,), None))
    assert own[0]["tool_calls"][0] == {"id": "A", "type": "custom", "custom": {"name": "sql", "input": "SELECT"}}
    assert foreign[0]["tool_calls"][0]["type"] == "function"


def test_a_block_of_the_same_provider_goes_back_and_of_others_is_named():
    cited = Extension("openai_chat", "annotations", [{"type": "url_citation"}])
    part = Extension("openai_chat", "content_part", {"type": "reference", "reference_ids": [1]})
    searched = Extension("anthropic", "web_search_tool_result", {})
    content = (Text("a"), part, cited, searched)
    own, ledger = sent(Assistant(content, OWN))
    foreign, _ = sent(Assistant(content, OTHER_PROVIDER))
    assert own[0]["annotations"] == cited.raw
    assert own[0]["content"] == [{"type": "text", "text": "a"}, part.raw]
    assert foreign == [{"role": "assistant", "content": "a"}]
    assert ledger == (
        "message 1: a block 'web_search_tool_result' of anthropic was left out: it is not from this provider",
    )


def test_an_answer_of_audio_alone_is_sent_and_one_of_annotations_alone_is_not():
    spoken = Assistant((Extension("openai_chat", "audio", {"id": "au"}),), OWN)
    noted = Assistant((Extension("openai_chat", "annotations", [{"u": 1}]),), OWN)
    assert sent(spoken)[0] == [{"role": "assistant", "content": None, "audio": {"id": "au"}}]
    assert sent(noted)[0] == []


def test_citations_beside_an_answer_are_not_sent_back():
    own, ledger = sent(Assistant((Text("a"), Extension("openai_chat", "citations", ["u"])), OWN))
    assert own == [{"role": "assistant", "content": "a"}]
    assert "citations" in ledger[0]


def test_a_refusal_is_one_for_its_own_provider_and_text_for_others():
    refused = Assistant((Text("I can't", is_refusal=True),), OWN)
    assert sent(refused)[0] == [{"role": "assistant", "content": None, "refusal": "I can't"}]
    foreign = Assistant(refused.content, OTHER_WIRE)
    assert sent(foreign)[0] == [{"role": "assistant", "content": "I can't"}]


def test_media_of_an_answer_are_named():
    messages, ledger = sent(Assistant((Text("a"), Image(Url("data:image/png;base64,AA=="), "image/png"))))
    assert messages == [{"role": "assistant", "content": "a"}]
    assert ledger == ("message 1: an image has no place in this message and was left out",)


def test_what_cannot_be_sent_is_named_by_its_message():
    lost = User((Text("see"), Image(BlobRef("0" * 64, 9), "image/png")))
    messages, ledger = sent(user("q"), lost, at=endpoint(default_system="s"))
    assert messages[-1]["content"] == [{"type": "text", "text": "see"}]
    assert "message 2: an image was left out: its bytes are not at hand" in ledger


def test_a_file_without_a_name_gets_one_and_an_image_of_another_type_does_not_go():
    pdf = File(Url("data:application/pdf;base64,QQ=="), "application/pdf")
    bmp = Image(Url("data:image/bmp;base64,QQ=="), "image/bmp")
    messages, ledger = sent(User((pdf, bmp)))
    file = {"file_data": "data:application/pdf;base64,QQ==", "filename": "file.pdf"}
    assert messages[0]["content"] == [{"type": "file", "file": file}]
    assert ledger == ("message 1: an image of type image/bmp was left out: this format takes JPEG, PNG, GIF and WebP",)


def test_R10_hidden_thinking_of_another_model_is_left_out_with_a_note():
    _, ledger = sent(*HELLO, Assistant((Thinking("", "SIGNATURE"), Text("a"))), *HELLO)
    assert ledger == ("message 2: thinking was left out: this provider does not take it back",)


def test_C19_the_order_of_a_foreign_answer_is_noted_if_it_changes():
    history = (*HELLO, Assistant((use(), Text("a"))), Tool((result(),)))
    messages, ledger = sent(*history)
    assert messages[1]["content"] == "a" and len(messages[1]["tool_calls"]) == 1
    assert ledger == ("message 2: the order of thinking, text and calls is not kept",)
    assert sent(*HELLO, Assistant((use(), Text("a")), OWN), Tool((result(),)))[1] == ()


def test_citations_of_a_foreign_text_are_told():
    _, ledger = sent(*HELLO, Assistant((Text("a", citations=({"u": 1},)),)), *HELLO)
    assert ledger == ("message 2: citations of a text were left out",)
