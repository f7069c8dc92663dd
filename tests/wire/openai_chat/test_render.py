"""Requests: what is sent, in which words, and that nothing is sent that was not set."""

from __future__ import annotations

import json
from typing import Any

import pytest

from agdesk.core.ir.blocks import Image, Text, Url
from agdesk.core.ir.messages import System, User, system, user
from agdesk.core.ir.request import (
    Auto,
    MessageRequest,
    None_,
    Required,
    ResponseFormat,
    SpecificTool,
    ThinkingOptions,
    ToolDefinition,
)
from tests.wire.openai_chat.histories import HELLO, rendered
from tests.wire.openai_chat.streams import ENDPOINT, WIRE, endpoint

TOOL = ToolDefinition("f", "Does f", {"type": "object", "properties": {"a": {"type": "integer"}}})


def body(*messages, at=ENDPOINT, is_streaming=False, **parameters) -> dict[str, Any]:
    return rendered(*messages, at=at, is_streaming=is_streaming, **parameters)[0]


def test_nothing_is_sent_that_was_not_set():
    assert rendered() == ({"model": "m", "messages": [{"role": "user", "content": "Hello"}]}, ())


def test_the_key_is_a_bearer_token_and_absent_without_one():
    request = MessageRequest("m", HELLO)
    with_key = WIRE.render_request(request, endpoint=ENDPOINT, api_key="key", is_streaming=True)
    without = WIRE.render_request(request, endpoint=ENDPOINT, api_key=None, is_streaming=True)
    assert with_key.headers == {"Authorization": "Bearer key"}
    assert without.headers == {}


def test_U05_a_stream_asks_for_usage_where_the_server_understands_it():
    assert body(is_streaming=True)["stream"] is True
    assert body(is_streaming=True)["stream_options"] == {"include_usage": True}
    assert "stream_options" not in body(is_streaming=True, at=endpoint(sends_usage_option=False))


def test_every_parameter_that_is_set_has_its_place():
    sent = body(
        max_tokens=9,
        temperature=0.0,
        top_p=0.5,
        stop=("a", "b"),
        seed=0,
        thinking=ThinkingOptions(effort="high"),
        response_format=ResponseFormat({"type": "object"}, "person", is_strict=True),
    )
    del sent["model"], sent["messages"]
    assert sent == {
        "max_tokens": 9,
        "temperature": 0.0,
        "top_p": 0.5,
        "stop": ["a", "b"],
        "seed": 0,
        "reasoning_effort": "high",
        "response_format": {
            "type": "json_schema",
            "json_schema": {"name": "person", "schema": {"type": "object"}, "strict": True},
        },
    }


def test_the_dialect_names_the_output_limit_and_the_system_role():
    sent = body(
        system("Be brief."),
        *HELLO,
        max_tokens=9,
        at=endpoint(max_tokens_field="max_completion_tokens", system_role="developer"),
    )
    assert sent["max_completion_tokens"] == 9
    assert "max_tokens" not in sent
    assert sent["messages"][0] == {"role": "developer", "content": "Be brief."}


def test_any_json_object_is_a_response_format():
    assert body(response_format=ResponseFormat())["response_format"] == {"type": "json_object"}


@pytest.mark.parametrize(
    ("choice", "sent"),
    [
        (Auto(), None),
        (None_(), "none"),
        (Required(), "required"),
        (SpecificTool("f"), {"type": "function", "function": {"name": "f"}}),
    ],
)
def test_tools_and_the_choice_among_them(choice, sent):
    made = body(tools=(TOOL,), tool_choice=choice, parallel_tool_calls=False)
    function = {"name": "f", "description": "Does f", "parameters": dict(TOOL.input_schema)}
    assert made["tools"] == [{"type": "function", "function": function}]
    assert made.get("tool_choice") == sent
    assert made["parallel_tool_calls"] is False


@pytest.mark.parametrize("parameters", [{"parallel_tool_calls": True}, {"tool_choice": Required()}])
def test_E07_nothing_about_tools_is_sent_without_tools(parameters):
    sent, ledger = rendered(**parameters)
    assert set(sent) == {"model", "messages"}
    assert len(ledger) == 1


def test_thinking_options_without_a_word_for_them_are_said_to_be_left_out():
    sent, ledger = rendered(thinking=ThinkingOptions(is_enabled=True, budget_tokens=1024))
    assert "reasoning_effort" not in sent
    assert "thinking" in ledger[0]


def test_extra_has_the_last_word():
    sent = body(temperature=0.5, is_streaming=True, extra={"temperature": 1, "top_k": 3, "stream_options": None})
    assert (sent["temperature"], sent["top_k"], sent["stream_options"]) == (1, 3, None)


def test_a_row_s_own_system_text_is_sent_only_if_there_is_none():
    row = endpoint(default_system="Be kind.")
    sent, ledger = rendered(at=row)
    assert sent["messages"][0] == {"role": "system", "content": "Be kind."}
    assert len(ledger) == 1
    assert [m["content"] for m in body(system("Mine."), *HELLO, at=row)["messages"]] == ["Mine.", "Hello"]


def test_SEED7_each_system_message_stays_in_its_place_and_what_is_not_text_is_dropped():
    image = Image(Url("https://x/i.png"), "image/*")
    sent, ledger = rendered(System((Text("One."), Text("Two."), image)), *HELLO, system("Three."))
    assert sent["messages"] == [
        {"role": "system", "content": "One.\n\nTwo."},
        {"role": "user", "content": "Hello"},
        {"role": "system", "content": "Three."},
    ]
    assert ledger == ("message 1: what is not text in a system message was left out",)


def test_images_and_files_are_parts():
    pixel = "data:image/png;base64,AA=="
    message = User((Text("See:"), Image(Url(pixel), "image/png")))
    assert body(message)["messages"][0]["content"] == [
        {"type": "text", "text": "See:"},
        {"type": "image_url", "image_url": {"url": pixel}},
    ]


def test_T27_no_half_of_a_pair_reaches_the_body():
    request = MessageRequest("m", (user("a\ud83db\ud83d\ude00"),), extra={"user": "\ude00"})
    wire = WIRE.render_request(request, endpoint=ENDPOINT, api_key=None, is_streaming=False)
    assert wire.body["messages"][0]["content"] == "a\ufffdb😀"
    json.dumps(wire.body, ensure_ascii=False).encode("utf-8")
