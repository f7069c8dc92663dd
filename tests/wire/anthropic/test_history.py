"""Any history → messages that this format takes."""

from __future__ import annotations

from dataclasses import replace

import pytest

from agdesk.core.ir.blocks import Audio, Extension, ProviderData, Text, Thinking, Url
from agdesk.core.ir.messages import Assistant, System, Tool, User, system, user
from agdesk.core.providers.base import Dialect, ReasoningReplay
from tests.wire.anthropic.histories import (
    HELLO,
    OTHER_PROVIDER,
    OTHER_WIRE,
    SENT_HELLO,
    answered,
    own,
    rendered,
    result,
    said,
    sent,
    use,
)
from tests.wire.anthropic.streams import ENDPOINT, call, delta, opened, stopped, text, thought


def test_A02_thoughts_go_back_each_with_its_signature_in_its_place_with_its_exact_text():
    message = answered(
        *thought(" hm\n", "S0"),
        *call('{"a": 1}', call_id="A", index=1),
        *thought("so ", "S2", index=2),
        *call("{}", call_id="B", index=3),
        *text(" done ", 4),
        reason="tool_use",
    )
    messages, ledger = sent(*HELLO, message, Tool((result("A"), result("B", "two"))))
    assert messages[1]["content"] == [
        {"type": "thinking", "thinking": " hm\n", "signature": "S0"},
        {"type": "tool_use", "id": "A", "name": "f", "input": {"a": 1}},
        {"type": "thinking", "thinking": "so ", "signature": "S2"},
        {"type": "tool_use", "id": "B", "name": "f", "input": {}},
        said(" done "),
    ]
    assert ledger == ()


def test_A03_A04_empty_and_redacted_thinking_go_back_as_they_came():
    message = answered(*thought("", "S"), opened(1, "redacted_thinking", data="OPAQUE"), stopped(1), *text("ok", 2))
    messages, ledger = sent(*HELLO, message, *HELLO)
    assert messages[1]["content"] == [
        {"type": "thinking", "thinking": "", "signature": "S"},
        {"type": "redacted_thinking", "data": "OPAQUE"},
        said("ok"),
    ]
    assert ledger == ()


@pytest.mark.parametrize("origin", [None, OTHER_PROVIDER, OTHER_WIRE])
def test_A04_PROV7_foreign_opaque_data_does_not_leave_and_that_is_said(origin):
    data = ProviderData("gemini", {"thoughtSignature": "X"})
    blocks = (
        Thinking("h", "S"),
        Extension("anthropic", "redacted_thinking", {"type": "redacted_thinking", "data": "X"}),
        Text("a", citations=({"u": 1},), provider_data=data),
        use(provider_data=data),
    )
    messages, ledger = sent(*HELLO, Assistant(blocks, origin), Tool((result(),)))
    assert messages[1]["content"] == [said("a"), {"type": "tool_use", "id": "A", "name": "f", "input": {"a": 1}}]
    assert ledger == (
        "message 2: thinking was left out: it is not from this provider",
        "message 2: a block 'redacted_thinking' of anthropic was left out: it is not from this provider",
        "message 2: opaque data of a text was left out: it is not from this provider",
        "message 2: citations of a text were left out",
        "message 2: opaque data of a call was left out: it is not from this provider",
    )


def test_R09_thinking_without_its_signature_is_left_out_and_that_is_said():
    messages, ledger = sent(*HELLO, own(Thinking("half"), Text("a")), *HELLO)
    assert messages[1]["content"] == [said("a")]
    assert ledger == ("message 2: thinking without its signature was left out",)


@pytest.mark.parametrize(
    ("policy", "goes"),
    [(ReasoningReplay.NEVER, [False, False]), (ReasoningReplay.TOOL_TURNS, [False, True]), ("always", [True, True])],
)
def test_R03_servers_that_sign_nothing_get_thinking_back_as_their_row_says(policy, goes):
    at = replace(ENDPOINT, dialect=Dialect(reasoning_replay=ReasoningReplay(policy)))
    plain, with_call = own(Thinking("h"), Text("a")), own(Thinking("h"), use())
    messages, _ = sent(*HELLO, plain, *HELLO, with_call, Tool((result(),)), at=at)
    assert [messages[place]["content"][0]["type"] == "thinking" for place in (1, 3)] == goes


def test_thinking_at_the_end_of_an_answer_is_left_out():
    messages, ledger = sent(*HELLO, own(Text("a"), Thinking("h", "S")), own(Thinking("h", "S")), *HELLO)
    assert messages[1]["content"] == [said("a")]
    assert ledger == (
        "message 2: thinking at the end of an answer was left out: something must follow it",
        "message 3: an answer without text and calls was left out",
    )


def test_roles_alternate():
    messages, _ = sent(user("a"), user("b"), own(Text("c")), own(Text("d")), user("e"))
    assert messages == [
        {"role": "user", "content": [said("a"), said("b")]},
        {"role": "assistant", "content": [said("c"), said("d")]},
        {"role": "user", "content": [said("e")]},
    ]


@pytest.mark.parametrize("blank", ["", " ", "\n\t"])
def test_A06_blank_texts_are_not_sent(blank):
    messages, _ = sent(user("a"), own(Text(blank), Text("b")), own(Text(blank)), User((Text(blank), Text("c"))))
    assert messages == [
        {"role": "user", "content": [said("a")]},
        {"role": "assistant", "content": [said("b")]},
        {"role": "user", "content": [said("c")]},
    ]


def test_A07_a_history_that_ends_with_the_model_stays_so_without_white_space_at_its_end():
    messages, ledger = sent(*HELLO, own(Text("a \n"), Text("b \n")))
    assert messages[-1] == {"role": "assistant", "content": [said("a \n"), said("b")]}
    assert ledger == ("message 2: white space at the end of the last answer was left out",)


def test_A11_citations_go_back_with_their_text():
    cited = {"type": "web_search_result_location", "encrypted_index": "E"}
    message = answered(opened(0, "text", text="a"), delta(0, "citations_delta", citation=cited), stopped(0))
    assert sent(*HELLO, message, *HELLO)[0][1]["content"] == [{**said("a"), "citations": [cited]}]


def test_A12_PROV4_blocks_and_members_nobody_knows_go_back_unchanged_in_place():
    units = [
        opened(0, "invented", x={"y": [1]}),
        stopped(0),
        opened(1, "text", text="a", meta={"k": 1}),
        stopped(1),
        opened(2, "compaction", content=None),
        delta(2, "compaction_delta", content="c"),
        stopped(2),
        opened(3, "tool_use", id="A", name="f", input={}, caller={"type": "direct"}),
        stopped(3),
    ]
    messages, ledger = sent(*HELLO, answered(*units, reason="tool_use"), Tool((result(),)))
    assert messages[1]["content"] == [
        {"type": "invented", "x": {"y": [1]}},
        {"type": "text", "text": "a", "meta": {"k": 1}},
        {"type": "compaction", "content": "c"},
        {"type": "tool_use", "id": "A", "name": "f", "input": {}, "caller": {"type": "direct"}},
    ]
    assert ledger == ()


def test_an_extension_that_is_no_object_is_left_out():
    messages, ledger = sent(*HELLO, own(Text("a"), Extension("anthropic", "odd", [1])), *HELLO)
    assert messages[1]["content"] == [said("a")]
    assert ledger == ("message 2: a block 'odd' that is no object was left out",)


def test_A20_SEED7_every_system_text_is_joined_in_front():
    body, ledger = rendered(system("one"), *HELLO, System((Text("two"), Text("three"))))
    assert body["system"] == "one\n\ntwo\n\nthree"
    assert body["messages"] == [SENT_HELLO]
    assert ledger == ("message 3: a system message in the middle was moved to the front",)


def test_A20_without_a_system_text_there_is_no_such_member():
    assert "system" not in rendered()[0]


def test_a_history_that_begins_with_the_model_gets_a_message_in_front():
    messages, ledger = sent(own(Text("a")), *HELLO)
    assert messages[0] == {"role": "user", "content": [said("…")]}
    assert ledger == ("a message of the user was added in front: this format begins with one",)


def test_a_refusal_without_blocks_leaves_no_message():
    messages, ledger = sent(*HELLO, own(), user("b"))
    assert messages == [{"role": "user", "content": [said("Hello"), said("b")]}]
    assert ledger == ("message 2: an answer without text and calls was left out",)


def test_A10_thinking_before_a_call_of_the_providers_own_tool_that_is_left_out_goes_with_it():
    search = Extension("anthropic", "server_tool_use", {"type": "server_tool_use", "id": "s", "name": "w", "input": {}})
    messages, ledger = sent(*HELLO, own(Thinking("hm", "SIG"), search), user("b"))
    assert messages == [{"role": "user", "content": [said("Hello"), said("b")]}]
    assert ledger == (
        "message 2: a call of a provider's own tool was left out: its result never came",
        "message 2: thinking at the end of an answer was left out: something must follow it",
    )


def test_A07_a_message_of_nothing_that_can_be_sent_still_stands_after_the_answer_before():
    clip = Audio(Url("data:audio/wav;base64,QQ=="), "audio/wav")
    messages, ledger = sent(*HELLO, own(Text("a")), User((clip,)))
    assert messages[2] == {"role": "user", "content": [said("[left out]")]}
    assert ledger[-1] == "message 3: '[left out]' stands for a message of which nothing could be sent"


def test_K15_a_name_that_the_model_made_up_is_mended():
    messages, ledger = sent(*HELLO, own(use(name="functions.f")), Tool((result(),)))
    assert messages[1]["content"][0]["name"] == "functions_f"
    assert ledger == ("message 2: the name of a call was changed to one that this provider takes",)


def test_R09_the_signature_of_a_foreign_text_without_words_is_told():
    signed = Text(" ", provider_data=ProviderData("gemini", {"text": "", "thoughtSignature": "SIG"}))
    _, ledger = sent(*HELLO, Assistant((signed, Text("a"))), user("b"))
    assert ledger == ("message 2: opaque data of a text was left out: it is not from this provider",)
