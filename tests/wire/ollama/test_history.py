"""Histories, also of other formats (QUIRKS L04, L10, K12, K13, K18, K20, A06, R03, SEED7)."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

import pytest

from agdesk.core.ir.blocks import (
    Audio,
    BlobRef,
    Extension,
    File,
    Image,
    ProviderData,
    ProviderFile,
    Text,
    Thinking,
    ToolResult,
    ToolUse,
    Url,
)
from agdesk.core.ir.messages import Assistant, Origin, System, Tool, User, system, user
from agdesk.core.ir.request import MessageRequest
from agdesk.core.providers.base import Dialect, Endpoint, ReasoningReplay
from tests.wire.ollama.lines import ENDPOINT, WIRE

OWN = Origin("ollama", "m1", "ollama")
OTHER = Origin("anthropic", "m2", "anthropic")
PNG = Url("data:image/png;base64,QQ==")


def sent(*messages: Any, at: Endpoint = ENDPOINT) -> tuple[list[dict[str, Any]], tuple[str, ...]]:
    request = MessageRequest("m", tuple(messages))
    wire = WIRE.render_request(request, endpoint=at, api_key=None, is_streaming=True)
    return json.loads(json.dumps(wire.body["messages"])), wire.ledger


def use(call_id="A", name="f", arguments='{"a": 1}', **members) -> ToolUse:
    return ToolUse(call_id, name, json.loads(arguments), arguments, **members)


def result(call_id="A", text="ok", **members) -> ToolResult:
    return ToolResult(call_id, "f", (Text(text),), **members)


def replayed(origin, *blocks, at=ENDPOINT):
    """What is sent of an answer in the middle of a history."""
    messages, ledger = sent(user("a"), Assistant(blocks, origin), user("b"), at=at)
    return messages[1:-1], ledger


def test_SEED7_system_messages_stay_in_their_places():
    messages, ledger = sent(system("One."), user("a"), System((Text("Two."), Text("Three."))), user("b"))
    assert [(m["role"], m["content"]) for m in messages] == [
        ("system", "One."),
        ("user", "a"),
        ("system", "Two.\n\nThree."),
        ("user", "b"),
    ]
    assert ledger == ()


def test_L10_images_are_bare_base64():
    messages, ledger = sent(User((Text("See:"), Image(PNG, "image/png"), Text("And?"))))
    assert messages == [{"role": "user", "content": "See:\n\nAnd?", "images": ["QQ=="]}]
    assert ledger == ()
    unencoded = Image(Url("data:image/svg+xml,%41"), "image/svg+xml", "a.svg")
    messages, ledger = sent(User((unencoded,)))
    assert messages == [{"role": "user", "content": "", "images": ["QQ=="]}]
    assert ledger == ("message 1: the name of an image was left out",)


@pytest.mark.parametrize(
    "block",
    [
        Image(Url("https://x/i.png"), "image/png"),
        Image(BlobRef("0", 1), "image/png"),
        Image(ProviderFile("openai", "f"), "image/png"),
        Audio(Url("data:audio/wav;base64,QQ=="), "audio/wav"),
        File(Url("data:application/pdf;base64,QQ=="), "application/pdf"),
    ],
)
def test_what_no_message_can_hold_is_left_out_and_noted(block):
    messages, ledger = sent(User((Text("See:"), block)))
    assert messages == [{"role": "user", "content": "See:"}]
    assert len(ledger) == 1 and "was left out" in ledger[0]


def test_A07_a_message_of_nothing_that_can_be_sent_still_stands_after_the_answer_before():
    clip = Audio(Url("data:audio/wav;base64,QQ=="), "audio/wav")
    messages, ledger = sent(user("a"), Assistant((Text("b"),)), User((clip,)))
    assert messages[2:] == [{"role": "user", "content": "[left out]"}]
    assert ledger[-1] == "message 3: '[left out]' stands for a message of which nothing could be sent"


def test_the_order_of_a_foreign_answer_is_noted_if_it_changes():
    _, ledger = sent(user("a"), Assistant((use(), Text("b"))), Tool((result(),)))
    assert ledger == ("message 2: the order of thinking, text and calls is not kept",)


def test_R10_hidden_thinking_of_another_model_is_left_out_with_a_note():
    hidden = Thinking("", "SIGNATURE")
    _, ledger = sent(user("a"), Assistant((hidden, Text("b"))), user("c"))
    assert ledger == ("message 2: thinking was left out: it is not from this provider",)


def test_an_own_answer_goes_back_as_it_came():
    blocks = (Thinking("hm"), Text("I "), Thinking("."), Text("look."), use())
    messages, ledger = sent(user("a"), Assistant(blocks, OWN), Tool((result(),)))
    assert messages[1:] == [
        {
            "role": "assistant",
            "content": "I look.",
            "thinking": "hm.",
            "tool_calls": [{"id": "A", "function": {"name": "f", "arguments": {"a": 1}}}],
        },
        {"role": "tool", "content": "ok", "tool_name": "f", "tool_call_id": "A"},
    ]
    assert ledger == ()


def test_L04_L03_results_of_one_tool_called_twice_are_told_apart():
    calls = Assistant((use("A"), use("B")), OWN)
    messages, _ = sent(user("a"), calls, Tool((result("B", "b"), result("A", "a"))))
    assert [(m["content"], m["tool_name"], m["tool_call_id"]) for m in messages[2:]] == [
        ("a", "f", "A"),
        ("b", "f", "B"),
    ]


def test_a_call_without_an_id_has_none_and_its_result_neither():
    messages, _ = sent(user("a"), Assistant((use(""),), OWN), Tool((result(""),)))
    assert messages[1]["tool_calls"] == [{"function": {"name": "f", "arguments": {"a": 1}}}]
    assert messages[2] == {"role": "tool", "content": "ok", "tool_name": "f"}


def test_K20_a_call_without_a_result_gets_one_and_a_result_without_a_call_goes():
    messages, ledger = sent(user("a"), Assistant((use("A"),), OWN), Tool((result("Z"),)), user("b"))
    assert [m["role"] for m in messages] == ["user", "assistant", "tool", "user"]
    assert messages[2]["content"] == "[cancelled]"
    assert len(ledger) == 2


def test_a_failed_tool_says_so_before_its_result_and_images_of_results_go_along():
    failed = ToolResult("A", "f", (Text("no"), Image(PNG, "image/png")), is_error=True)
    messages, ledger = sent(user("a"), Assistant((use(),), OWN), Tool((failed,)))
    assert messages[2] == {
        "role": "tool", "content": "Error: no", "images": ["QQ=="], "tool_name": "f", "tool_call_id": "A",
    }  # fmt: skip
    assert len(ledger) == 1


def test_K12_K13_arguments_are_always_an_object():
    blocks = (ToolUse("A", "f", None, '{"a": tru', "cut"), ToolUse("B", "", {}, "", None))
    (answer, *_), ledger = replayed(OWN, *blocks)
    assert [call["function"] for call in answer["tool_calls"]] == [
        {"name": "f", "arguments": {"INVALID_JSON": '{"a": tru'}},
        {"name": "unnamed", "arguments": {}},
    ]
    assert any("INVALID_JSON" in line for line in ledger)


def test_opaque_data_of_other_providers_does_not_leave():
    blocks = (
        Thinking("hm", "SIG", ProviderData("anthropic", {"x": 1})),
        Text("a", provider_data=ProviderData("anthropic", {"x": 1})),
        Extension("anthropic", "redacted_thinking", {"data": "D"}),
        use(provider_data=ProviderData("anthropic", {"x": 1})),
    )
    (answer, _), ledger = replayed(OTHER, *blocks)
    assert answer == {
        "role": "assistant",
        "content": "a",
        "tool_calls": [{"id": "A", "function": {"name": "f", "arguments": {"a": 1}}}],
    }
    said = "\n".join(ledger)
    for words in ("thinking was left out", "'redacted_thinking' of anthropic", "data of a text", "data of a call"):
        assert words in said


@pytest.mark.parametrize("origin", [None, Origin("other", "m1", "ollama"), Origin("ollama", "m1", "openai_chat")])
def test_what_only_its_provider_understands_stays_here(origin):
    blocks = (Extension("ollama", "images", ["QQ=="]), Text("a"), use(provider_data=ProviderData("ollama", {"s": {}})))
    (answer, _), ledger = replayed(origin, *blocks)
    assert "images" not in answer and "s" not in answer["tool_calls"][0]
    assert len([line for line in ledger if "not from this provider" in line]) == 2


@pytest.mark.parametrize(("replay", "goes"), [("never", False), ("tool_turns", True), ("always", True)])
def test_R03_thinking_of_others_goes_where_the_dialect_says_so(replay, goes):
    at = replace(ENDPOINT, dialect=Dialect(reasoning_replay=ReasoningReplay(replay)))
    (answer, _), _ = replayed(OTHER, Thinking("hm", "SIG"), Text("a"), use(), at=at)
    assert ("thinking" in answer) is goes
    (answer,), ledger = replayed(OTHER, Thinking("hm", "SIG"), Text("a"), at=at)
    assert ("thinking" in answer) is (replay == "always")
    assert len(ledger) == 1


def test_A06_answers_of_nothing_are_not_sent():
    for blocks in ((), (Text(" "),), (Thinking("hm"),), (Thinking(""),)):
        messages, ledger = replayed(OWN, *blocks)
        assert messages == []
        assert ledger == ("message 2: an answer without text and calls was left out",)


def test_an_own_member_cannot_take_the_place_of_a_known_one():
    (answer,), ledger = replayed(OWN, Extension("ollama", "content", ["x"]), Text("a"))
    assert (answer, len(ledger)) == ({"role": "assistant", "content": "a"}, 1)
