"""Histories of any origin made fit to be sent: calls, results, ids, arguments (K12, K13, K17, K18, K20)."""

from __future__ import annotations

import json
import re

import pytest

from agdesk.core.ir.blocks import Image, Text, ToolResult, ToolUse, Url
from agdesk.core.ir.messages import Assistant, Tool, User, user
from tests.wire.openai_chat.histories import result, roles, sent, use
from tests.wire.openai_chat.streams import endpoint


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


def test_K17_long_ids_are_shortened_the_same_way_in_call_and_result():
    long = "toolu_" + "x" * 60
    other = long + "y"
    messages, ledger = sent(Assistant((use(long), use(other))), Tool((result(other), result(long))))
    again, _ = sent(Assistant((use(long), use(other))), Tool((result(other), result(long))))
    ids = [call["id"] for call in messages[0]["tool_calls"]]
    assert ledger == ("message 1: the id of a call was changed to one that this provider takes",)
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
