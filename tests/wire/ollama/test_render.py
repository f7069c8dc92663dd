"""Requests: what is sent, in which words, and that nothing is sent that was not set (QUIRKS L05, L06, L09, R11)."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

import pytest

from agdesk.core.ir.messages import user
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
from tests.wire.ollama.lines import ENDPOINT, WIRE

TOOL = ToolDefinition("f", "Does f", {"type": "object", "properties": {"a": {"type": "integer"}}})
SCHEMA = {"type": "object", "properties": {"a": {"type": "integer"}}}


def rendered(*, at=ENDPOINT, is_streaming=True, model="m", **parameters) -> tuple[dict[str, Any], tuple[str, ...]]:
    request = MessageRequest(model, (user("Hello"),), **parameters)
    wire = WIRE.render_request(request, endpoint=at, api_key=None, is_streaming=is_streaming)
    assert wire.path == "/chat"
    return json.loads(json.dumps(wire.body)), wire.ledger


@pytest.mark.parametrize("is_streaming", [True, False])
def test_nothing_is_sent_that_was_not_set_but_whether_to_stream(is_streaming):
    messages = [{"role": "user", "content": "Hello"}]
    assert rendered(is_streaming=is_streaming) == ({"model": "m", "messages": messages, "stream": is_streaming}, ())


def test_the_key_is_a_bearer_token_and_absent_without_one():
    def headers(key, at=ENDPOINT):
        request = MessageRequest("m", (user("Hello"),))
        return WIRE.render_request(request, endpoint=at, api_key=key, is_streaming=True).headers

    assert headers("key") == {"Authorization": "Bearer key"}
    assert headers("key", replace(ENDPOINT, key_header="X-Key")) == {"X-Key": "key"}
    assert headers(None) == headers("") == {}


def test_every_parameter_that_is_set_has_its_place():
    sent, ledger = rendered(max_tokens=9, temperature=0.0, top_p=0.5, stop=("a", "b"), seed=0)
    assert sent["options"] == {"num_predict": 9, "temperature": 0.0, "top_p": 0.5, "seed": 0, "stop": ["a", "b"]}
    assert ledger == ()


def test_L06_options_of_row_request_and_extra_merge_one_by_one():
    row = replace(ENDPOINT, defaults={"options": {"num_ctx": 8192, "temperature": 1}, "keep_alive": "5m"})
    sent, _ = rendered(at=row, temperature=0.5, seed=1, extra={"options": {"seed": 2}, "truncate": False})
    assert sent["options"] == {"num_ctx": 8192, "temperature": 0.5, "seed": 2}
    assert (sent["keep_alive"], sent["truncate"]) == ("5m", False)
    assert row.defaults["options"] == {"num_ctx": 8192, "temperature": 1}


def test_extra_has_the_last_word():
    row = replace(ENDPOINT, defaults={"options": {"num_ctx": 8192}, "think": True})
    sent, _ = rendered(at=row, extra={"options": None, "think": "max", "stream": False})
    assert (sent["options"], sent["think"], sent["stream"]) == (None, "max", False)


@pytest.mark.parametrize(
    ("options", "think", "notes"),
    [
        (ThinkingOptions(), None, 0),
        (ThinkingOptions(is_enabled=True), True, 0),
        (ThinkingOptions(is_enabled=False, effort="high"), False, 0),
        (ThinkingOptions(effort="none"), False, 0),
        (ThinkingOptions(effort="low"), "low", 0),
        (ThinkingOptions(is_enabled=True, effort="max"), "max", 0),
        (ThinkingOptions(effort="xhigh"), True, 1),
        (ThinkingOptions(budget_tokens=1024), None, 1),
    ],
)
def test_L05_R11_thinking_is_on_off_or_a_level(options, think, notes):
    sent, ledger = rendered(thinking=options)
    assert (sent.get("think"), len(ledger)) == (think, notes)


def test_the_answer_s_format_is_any_json_or_a_schema():
    assert rendered(response_format=ResponseFormat())[0]["format"] == "json"
    sent, ledger = rendered(response_format=ResponseFormat(SCHEMA))
    assert (sent["format"], ledger) == (SCHEMA, ())
    assert len(rendered(response_format=ResponseFormat(SCHEMA, is_strict=True))[1]) == 1


@pytest.mark.parametrize(
    ("model", "base_url", "is_cloud"),
    [
        ("m", "http://127.0.0.1:11434/api", False),
        ("m:120b-cloud", "http://127.0.0.1:11434/api", True),
        ("m", "https://ollama.com/api", True),
        ("m", "https://notollama.com/api", False),
    ],
)
def test_L09_the_cloud_does_not_hold_itself_to_a_schema(model, base_url, is_cloud):
    at = replace(ENDPOINT, base_url=base_url)
    assert bool(rendered(at=at, model=model, response_format=ResponseFormat(SCHEMA))[1]) is is_cloud
    assert rendered(at=at, model=model)[1] == ()


@pytest.mark.parametrize(("choice", "notes"), [(Auto(), 0), (Required(), 1), (SpecificTool("f"), 1)])
def test_tools_are_sent_and_what_cannot_be_said_about_them_is_noted(choice, notes):
    sent, ledger = rendered(tools=(TOOL,), tool_choice=choice)
    function = {"name": "f", "description": "Does f", "parameters": dict(TOOL.input_schema)}
    assert sent["tools"] == [{"type": "function", "function": function}]
    assert set(sent) == {"model", "messages", "stream", "tools"}
    assert len(ledger) == notes
    assert len(rendered(tools=(TOOL,), tool_choice=choice, parallel_tool_calls=False)[1]) == notes + 1


def test_tools_that_may_not_be_called_are_left_out():
    sent, ledger = rendered(tools=(TOOL,), tool_choice=None_())
    assert "tools" not in sent
    assert "so that none is called" in ledger[0]


@pytest.mark.parametrize("parameters", [{"parallel_tool_calls": True}, {"tool_choice": Required()}])
def test_E07_nothing_about_tools_is_sent_without_tools(parameters):
    sent, ledger = rendered(**parameters)
    assert (set(sent), len(ledger)) == ({"model", "messages", "stream"}, 1)


def test_T27_halves_of_pairs_are_not_sent():
    assert rendered(stop=("\ud83d",))[0]["options"]["stop"] == ["\ufffd"]
