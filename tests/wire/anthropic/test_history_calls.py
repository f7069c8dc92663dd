"""Calls, results and the provider's own tools on their way back."""

from __future__ import annotations

import re

from agdesk.core.ir.blocks import Extension, Text, ToolResult, ToolUse
from agdesk.core.ir.messages import Tool, user
from tests.wire.anthropic.histories import (
    HELLO,
    SENT_HELLO,
    answered,
    own,
    result,
    said,
    sent,
    use,
)
from tests.wire.anthropic.streams import call, text


def test_A05_results_stand_first_in_one_message_of_the_user():
    messages, ledger = sent(
        *HELLO, own(use("A"), use("B")), Tool((result("B", "two"),)), Tool((result("A", "one"),)), user("and?")
    )
    assert [message["role"] for message in messages] == ["user", "assistant", "user"]
    assert messages[2]["content"] == [
        {"type": "tool_result", "tool_use_id": "A", "content": "one"},
        {"type": "tool_result", "tool_use_id": "B", "content": "two"},
        said("and?"),
    ]
    assert ledger == ()


def test_A05_a_result_inside_the_models_own_message_moves_behind_it():
    messages, _ = sent(*HELLO, own(use("A"), result("A"), Text("b")))
    assert [part["type"] for part in messages[1]["content"]] == ["tool_use", "text"]
    assert messages[2]["content"] == [{"type": "tool_result", "tool_use_id": "A", "content": "ok"}]


def test_A05_K20_a_call_without_a_result_gets_one_and_a_result_without_a_call_goes():
    messages, ledger = sent(*HELLO, own(use("A")), user("stop"), Tool((result("Z"),)))
    assert messages[2]["content"] == [
        {"type": "tool_result", "tool_use_id": "A", "content": "[cancelled]"},
        said("stop"),
    ]
    assert len(ledger) == 2


def test_A15_a_paused_turn_goes_back_as_it_is():
    waiting = {"type": "server_tool_use", "id": "W", "name": "s", "input": {"q": 1}}
    message = own(Text("a "), Extension("anthropic", "server_tool_use", waiting))
    assert sent(*HELLO, message) == ([SENT_HELLO, {"role": "assistant", "content": [said("a "), waiting]}], ())


def test_A15_a_turn_that_was_gone_on_with_is_one_message():
    waiting = {"type": "server_tool_use", "id": "W", "name": "s", "input": {}}
    came = {"type": "web_search_tool_result", "tool_use_id": "W", "content": []}
    messages, ledger = sent(
        *HELLO,
        own(Extension("anthropic", "server_tool_use", waiting)),
        own(Extension("anthropic", "web_search_tool_result", came), Text("b")),
        *HELLO,
    )
    assert messages[1]["content"] == [waiting, came, said("b")]
    assert ledger == ()


def test_A10_a_server_tool_whose_result_never_came_and_a_result_without_its_call_are_left_out():
    waiting = {"type": "server_tool_use", "id": "W", "name": "s", "input": {}}
    lost = {"type": "web_search_tool_result", "tool_use_id": "Z", "content": []}
    messages, ledger = sent(
        *HELLO,
        own(Text("a"), Extension("anthropic", "server_tool_use", waiting)),
        user("b"),
        own(Extension("anthropic", "web_search_tool_result", lost), Text("c")),
        user("d"),
    )
    assert [message["content"] for message in messages[1:]] == [[said("a")], [said("b")], [said("c")], [said("d")]]
    assert ledger == (
        "message 2: a call of a provider's own tool was left out: its result never came",
        "message 4: a result of a provider's own tool was left out: its call is not there",
    )


def test_A09_a_server_tool_may_wait_while_it_calls_one_of_ours():
    running = {"type": "server_tool_use", "id": "W", "name": "code_execution", "input": {}}
    message = own(Extension("anthropic", "server_tool_use", running), use("A"))
    messages, ledger = sent(*HELLO, message, Tool((result("A"),)))
    assert messages[1]["content"][0] == running
    assert ledger == ()


def test_A09_a_server_tool_that_was_cut_is_left_out():
    message = answered(*call('{"q', kind="server_tool_use"), *text("a", 1))
    messages, ledger = sent(*HELLO, message, *HELLO)
    assert messages[1]["content"] == [said("a")]
    assert ledger == ("message 2: a call of a provider's own tool was left out: its arguments were cut",)


def test_K12_invalid_arguments_go_back_in_an_object():
    broken = ToolUse("A", "f", None, '{"a": tru', "not valid")
    messages, ledger = sent(*HELLO, own(broken), Tool((result(is_error=True),)))
    assert messages[1]["content"][0]["input"] == {"INVALID_JSON": '{"a": tru'}
    assert messages[2]["content"][0]["is_error"] is True
    assert len(ledger) == 1


def test_K17_K18_ids_are_what_the_format_takes_and_each_stands_once():
    messages, ledger = sent(
        *HELLO,
        own(use("call_0"), use("fc|x:" + "y" * 90)),
        Tool((result("call_0"), result("fc|x:" + "y" * 90))),
        own(use("call_0")),
        Tool((result("call_0", "again"),)),
    )
    ids = [part["id"] for message in messages for part in message["content"] if part["type"] == "tool_use"]
    results = [part["tool_use_id"] for message in messages for part in message["content"] if "tool_use_id" in part]
    assert ids == results
    assert len(set(ids)) == 3 and ids[0] == "call_0"
    assert all(re.fullmatch("[a-zA-Z0-9_-]{1,64}", call_id) for call_id in ids)
    assert ledger == ("message 2, 4: the id of a call was changed to one that this provider takes",)


def test_the_result_of_a_call_may_be_empty_or_several_texts():
    several = ToolResult("B", "f", (Text("a"), Text(" "), Text("b")))
    messages, _ = sent(*HELLO, own(use("A"), use("B")), Tool((ToolResult("A", "f", ()), several)))
    assert messages[2]["content"] == [
        {"type": "tool_result", "tool_use_id": "A"},
        {"type": "tool_result", "tool_use_id": "B", "content": [said("a"), said("b")]},
    ]


def test_a_call_without_a_name_is_sent_with_one():
    messages, _ = sent(*HELLO, own(use(name="")), Tool((result(),)))
    assert messages[1]["content"][0]["name"] == "unnamed"
