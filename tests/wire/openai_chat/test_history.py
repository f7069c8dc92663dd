"""Histories of any origin made fit to be sent (K12, K13, K17, K20, A06, R03, R04, R08)."""

from __future__ import annotations

import json
import re

import pytest

from agdesk.core.ir.blocks import BlobRef, Extension, Image, ProviderData, Text, Thinking, ToolResult, ToolUse, Url
from agdesk.core.ir.messages import Assistant, Origin, Tool, User, user
from agdesk.core.providers.base import ReasoningReplay
from tests.wire.openai_chat.streams import ENDPOINT, endpoint
from tests.wire.openai_chat.test_render import rendered

OWN = Origin("acme", "m1", "openai_chat")
OTHER_PROVIDER = Origin("other", "m1", "openai_chat")
OTHER_WIRE = Origin("acme", "m1", "anthropic")


def use(call_id="A", name="f", arguments='{"a": 1}', **members) -> ToolUse:
    return ToolUse(call_id, name, json.loads(arguments), arguments, **members)


def result(call_id="A", text="ok", **members) -> ToolResult:
    return ToolResult(call_id, "f", (Text(text),), **members)


def sent(*messages, at=ENDPOINT):
    body, ledger = rendered(*messages, at=at)
    return body["messages"], ledger


def roles(messages):
    return [(message["role"], message.get("tool_call_id")) for message in messages]


# --- K20: calls and results ---


def test_K20_a_round_of_calls_and_results_goes_out_as_it_is():
    messages, ledger = sent(
        user("q"), Assistant((Text("Let me see."), use())), Tool((result(),)), Assistant((Text("1"),))
    )
    assert messages[1:] == [
        {
            "role": "assistant",
            "content": "Let me see.",
            "tool_calls": [{"id": "A", "type": "function", "function": {"name": "f", "arguments": '{"a": 1}'}}],
        },
        {"role": "tool", "tool_call_id": "A", "content": "ok"},
        {"role": "assistant", "content": "1"},
    ]
    assert ledger == ()


def test_K20_a_call_without_a_result_gets_one():
    messages, ledger = sent(user("q"), Assistant((use("A"), use("B"))), Tool((result("B"),)), user("next"))
    assert roles(messages) == [("user", None), ("assistant", None), ("tool", "A"), ("tool", "B"), ("user", None)]
    assert messages[2]["content"] == "[cancelled]"
    assert ledger == ("message 2: a call without a result got the result [cancelled]",)


def test_K20_a_history_that_ends_in_a_call_gets_its_result():
    messages, _ = sent(user("q"), Assistant((use("A"),)))
    assert roles(messages)[-1] == ("tool", "A")


def test_K20_results_of_no_call_are_dropped():
    messages, ledger = sent(
        Tool((result("Z"),)), user("q"), Tool((result("Y"),)), Assistant((use("A"),)), Tool((result("X"), result("A")))
    )
    assert roles(messages) == [("user", None), ("assistant", None), ("tool", "A")]
    assert ledger == ("message 1, 3, 4: results of calls that are not there were left out",)


def test_K20_results_stand_before_what_the_user_said_meanwhile():
    messages, _ = sent(Assistant((use("A"),)), user("wait"), Tool((result("A"),)))
    assert roles(messages) == [("assistant", None), ("tool", "A"), ("user", None)]


def test_K20_results_come_in_the_order_of_the_calls_and_once():
    messages, ledger = sent(
        Assistant((use("A"), use("B"))), Tool((result("B", "b"), result("A", "a"), result("A", "again")))
    )
    assert [(m["tool_call_id"], m["content"]) for m in messages[1:]] == [("A", "a"), ("B", "b")]
    assert len(ledger) == 1


def test_K20_results_inside_other_messages_move_to_their_call():
    messages, _ = sent(Assistant((use("A"), result("A", "inside"))), User((Text("and"),)))
    assert roles(messages) == [("assistant", None), ("tool", "A"), ("user", None)]
    messages, _ = sent(Assistant((use("A"),)), User((result("A", "inside"), Text("and"))))
    assert [(m["role"], m["content"]) for m in messages[1:]] == [("tool", "inside"), ("user", "and")]


def test_K18_the_same_id_in_two_rounds_is_answered_in_each():
    round_trip = (Assistant((use("f:0"),)), Tool((result("f:0"),)))
    messages, ledger = sent(user("q"), *round_trip, *round_trip)
    assert roles(messages)[1:] == [("assistant", None), ("tool", "f:0")] * 2
    assert ledger == ()


def test_two_calls_with_one_id_in_one_message_are_told_apart():
    messages, _ = sent(Assistant((use("A"), use("A"))), Tool((result("A", "1"), result("A", "2"))))
    ids = [call["id"] for call in messages[0]["tool_calls"]]
    assert len(set(ids)) == 2
    assert [(m["tool_call_id"], m["content"]) for m in messages[1:]] == [(ids[0], "1"), (ids[1], "2")]


def test_a_failed_tool_says_so_in_its_text():
    messages, ledger = sent(Assistant((use(),)), Tool((result(text="no such file", is_error=True),)))
    assert messages[1]["content"] == "Error: no such file"
    assert len(ledger) == 1


def test_texts_of_a_result_are_one_and_its_images_follow_as_a_message_of_the_user():
    pixel = Image(Url("data:image/png;base64,AA=="), "image/png")
    content = (Text("one"), pixel, Text("two"))
    messages, _ = sent(Assistant((use("A"), use("B"))), Tool((ToolResult("A", "f", content), result("B"))))
    assert roles(messages) == [("assistant", None), ("tool", "A"), ("tool", "B"), ("user", None)]
    assert messages[1]["content"] == "one\n\ntwo"
    assert messages[3]["content"][1] == {"type": "image_url", "image_url": {"url": pixel.source.url}}


def test_a_result_without_anything_is_an_empty_text():
    messages, _ = sent(Assistant((use("A"),)), Tool((ToolResult("A", "f", ()),)))
    assert messages[1]["content"] == ""


# --- K12, K13: arguments ---


def test_K12_invalid_arguments_are_sent_as_an_object_that_says_so():
    broken = ToolUse("A", "f", None, '{"a": tru', "not valid JSON")
    messages, ledger = sent(Assistant((broken,)), Tool((result("A", "invalid input", is_error=True),)))
    arguments = messages[0]["tool_calls"][0]["function"]["arguments"]
    assert json.loads(arguments) == {"INVALID_JSON": '{"a": tru'}
    assert any("INVALID_JSON" in line for line in ledger)


@pytest.mark.parametrize(
    ("raw", "value", "sent_text"),
    [
        ("", {}, "{}"),
        ("null", {}, "{}"),
        ('{ "a":1 }', {"a": 1}, '{ "a":1 }'),
        ('"{\\"a\\": 1}"', {"a": 1}, '{"a": 1}'),
        ('{"a": 1}', {"a": 2}, '{"a": 2}'),
    ],
)
def test_K13_arguments_go_out_as_they_came_if_they_say_the_same_object(raw, value, sent_text):
    messages, _ = sent(Assistant((ToolUse("A", "f", value, raw),)), Tool((result(),)))
    assert messages[0]["tool_calls"][0]["function"]["arguments"] == sent_text


def test_a_call_without_a_name_gets_one():
    messages, _ = sent(Assistant((use(name=""),)))
    assert messages[0]["tool_calls"][0]["function"]["name"] == "unnamed"


# --- K17: ids ---


def test_K17_long_ids_are_shortened_the_same_way_in_call_and_result():
    long = "toolu_" + "x" * 60
    other = long + "y"
    messages, _ = sent(Assistant((use(long), use(other))), Tool((result(other), result(long))))
    again, _ = sent(Assistant((use(long), use(other))), Tool((result(other), result(long))))
    ids = [call["id"] for call in messages[0]["tool_calls"]]
    assert messages == again
    assert [len(call_id) for call_id in ids] == [40, 40]
    assert [m["tool_call_id"] for m in messages[1:]] == ids
    assert len(set(ids)) == 2


def test_K17_a_server_that_wants_nine_letters_gets_them():
    row = endpoint(call_id_length=9)
    messages, _ = sent(Assistant((use("call_1"), use("abcDEF123"))), Tool((result("call_1"),)), at=row)
    first, second = (call["id"] for call in messages[0]["tool_calls"])
    assert re.fullmatch("[A-Za-z0-9]{9}", first)
    assert second == "abcDEF123"
    assert [m["tool_call_id"] for m in messages[1:]] == [first, second]


def test_K17_a_missing_id_gets_one():
    messages, _ = sent(Assistant((use(""),)), Tool((result(""),)))
    assert messages[0]["tool_calls"][0]["id"]
    assert messages[1]["tool_call_id"] == messages[0]["tool_calls"][0]["id"]
    assert messages[1]["content"] == "ok"


# --- A06: empty content ---


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


# --- R03, R04, R08, G01: what the model thought ---

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


DETAILS = [
    {"type": "reasoning.text", "text": "hm", "signature": "SIG", "index": 0},
    {"type": "reasoning.encrypted", "data": "X"},
]
DETAILED = Thinking("hm", "SIG", ProviderData("openai_chat", {"reasoning_details": DETAILS}))


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


# --- PROV4, PROV7: blocks of others ---


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


def test_citations_beside_an_answer_are_not_sent_back():
    own, ledger = sent(Assistant((Text("a"), Extension("openai_chat", "citations", ["u"])), OWN))
    assert own == [{"role": "assistant", "content": "a"}]
    assert "citations" in ledger[0]


def test_a_refusal_is_one_for_its_own_provider_and_text_for_others():
    refused = Assistant((Text("I can't", is_refusal=True),), OWN)
    assert sent(refused)[0] == [{"role": "assistant", "content": None, "refusal": "I can't"}]
    foreign = Assistant(refused.content, OTHER_WIRE)
    assert sent(foreign)[0] == [{"role": "assistant", "content": "I can't"}]


def test_what_cannot_be_sent_is_named_by_its_message():
    lost = User((Text("see"), Image(BlobRef("0" * 64, 9), "image/png")))
    messages, ledger = sent(user("q"), lost, at=endpoint(default_system="s"))
    assert messages[-1]["content"] == [{"type": "text", "text": "see"}]
    assert "message 2: an image was left out: its bytes are not at hand" in ledger
