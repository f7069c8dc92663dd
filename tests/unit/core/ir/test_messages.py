"""The four kinds of message."""

import dataclasses

from agdesk.core.ir.blocks import Image, Text, Thinking, ToolResult, Url
from agdesk.core.ir.messages import System, Tool, User, system, text_of, user
from agdesk.core.ir.request import MessageRequest


def test_system_and_user_make_a_message_of_one_text():
    assert system("be brief") == System((Text("be brief"),))
    assert user("hello") == User((Text("hello"),))


def test_the_text_of_a_message_is_its_text_blocks_joined_refusals_included():
    content = (
        Thinking("not shown"),
        Text("a"),
        Image(Url("https://example.com/a.png"), "image/png"),
        Text("b", is_refusal=True),
        ToolResult("call_1", "look", (Text("nor this"),)),
    )

    assert text_of(content) == "ab"
    assert text_of(()) == ""


def test_a_system_prompt_has_one_entry_only_seed7():
    assert "system" not in {field.name for field in dataclasses.fields(MessageRequest)}


def test_two_results_of_one_tool_are_told_apart_by_the_id_of_the_call():
    round_of_two = Tool((ToolResult("call_1", "look", (Text("a"),)), ToolResult("call_2", "look", (Text("b"),))))

    assert [result.tool_use_id for result in round_of_two.results] == ["call_1", "call_2"]
    assert len({result.name for result in round_of_two.results}) == 1
