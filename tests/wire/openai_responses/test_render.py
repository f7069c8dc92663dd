"""Requests: what is sent, in which words, and that nothing is sent that was not set (P14)."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

import pytest

from agdesk.core.ir.blocks import Audio, BlobRef, Extension, File, Image, ProviderFile, Text, Url
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
from agdesk.core.providers.base import Dialect
from tests.wire.openai_responses.streams import ENDPOINT, WIRE

TOOL = ToolDefinition("f", "Does f", {"type": "object", "properties": {"a": {"type": "integer"}}})
HELLO = {"role": "user", "content": [{"type": "input_text", "text": "Hello"}]}
STATELESS = {"store": False, "include": ["reasoning.encrypted_content"], "model": "m"}
PNG, PDF, WAV = "data:image/png;base64,QQ==", "data:application/pdf;base64,QQ==", "data:audio/wav;base64,QQ=="


def rendered(*messages, at=ENDPOINT, is_streaming=False, **parameters) -> tuple[dict[str, Any], tuple[str, ...]]:
    request = MessageRequest("m", tuple(messages) or (user("Hello"),), **parameters)
    wire = WIRE.render_request(request, endpoint=at, api_key="key", is_streaming=is_streaming)
    assert wire.path == "/responses"
    return json.loads(json.dumps(wire.body)), wire.ledger


def test_P08_P14_nothing_is_sent_that_was_not_set_but_what_makes_a_request_stateless():
    assert rendered() == ({**STATELESS, "input": [HELLO]}, ())
    assert rendered(is_streaming=True)[0]["stream"] is True


def test_the_row_and_the_user_have_the_last_word():
    row = replace(ENDPOINT, defaults={"store": True, "temperature": 0.5, "text": {"verbosity": "low"}})
    body, _ = rendered(at=row, temperature=0.1, response_format=ResponseFormat(), extra={"include": [], "top_k": 1})
    assert (body["store"], body["temperature"], body["include"], body["top_k"]) == (True, 0.1, [], 1)
    assert body["text"] == {"verbosity": "low", "format": {"type": "json_object"}}
    body, _ = rendered(
        at=replace(ENDPOINT, defaults={"reasoning": {"summary": "auto"}}), thinking=ThinkingOptions(effort="low")
    )
    assert body["reasoning"] == {"summary": "auto", "effort": "low"}


def test_the_key_is_a_bearer_token_and_absent_without_one():
    request = MessageRequest("m", (user("Hello"),))
    with_key = WIRE.render_request(request, endpoint=ENDPOINT, api_key="key", is_streaming=True)
    without = WIRE.render_request(request, endpoint=ENDPOINT, api_key=None, is_streaming=True)
    assert (with_key.headers, without.headers) == ({"Authorization": "Bearer key"}, {})
    row = replace(ENDPOINT, key_header="api-key")
    named = WIRE.render_request(request, endpoint=row, api_key="key", is_streaming=True)
    assert named.headers == {"api-key": "key"}


def test_E07_what_a_row_says_is_refused_is_left_out():
    row = replace(ENDPOINT, dialect=Dialect(refused_parameters=("include", "temperature")))
    body, ledger = rendered(at=row, temperature=0.5)
    assert body == {"store": False, "model": "m", "input": [HELLO]}
    assert ledger == (
        "'include' was left out: this provider refuses it",
        "'temperature' was left out: this provider refuses it",
    )


def test_every_parameter_that_is_set_has_its_place():
    body, ledger = rendered(
        max_tokens=9,
        temperature=0.0,
        top_p=0.5,
        response_format=ResponseFormat({"type": "object"}, "person", is_strict=True),
    )
    schema = {"type": "json_schema", "name": "person", "schema": {"type": "object"}, "strict": True}
    expected = {"max_output_tokens": 9, "temperature": 0.0, "top_p": 0.5, "text": {"format": schema}}
    assert (body, ledger) == ({**STATELESS, "input": [HELLO], **expected}, ())


def test_what_the_format_does_not_have_is_in_the_ledger():
    body, ledger = rendered(stop=("a",), seed=0)
    assert body == {**STATELESS, "input": [HELLO]}
    assert ledger == (
        "the stop sequences were left out: this format has none",
        "the seed was left out: this format has none",
    )


@pytest.mark.parametrize(
    ("options", "sent", "notes"),
    [
        (ThinkingOptions(), None, 0),
        (ThinkingOptions(effort="high"), {"effort": "high"}, 0),
        (ThinkingOptions(is_enabled=True), {"summary": "auto"}, 0),
        (ThinkingOptions(is_enabled=True, effort="low"), {"effort": "low", "summary": "auto"}, 0),
        (ThinkingOptions(is_enabled=False), {"effort": "none"}, 0),
        (ThinkingOptions(is_enabled=False, effort="high"), {"effort": "none"}, 1),
        (ThinkingOptions(budget_tokens=2000), None, 1),
    ],
)
def test_R11_thinking_is_an_effort_and_a_summary(options, sent, notes):
    body, ledger = rendered(thinking=options)
    assert (body.get("reasoning"), len(ledger)) == (sent, notes)


@pytest.mark.parametrize(
    ("choice", "sent"),
    [
        (Auto(), None),
        (None_(), "none"),
        (Required(), "required"),
        (SpecificTool("f"), {"type": "function", "name": "f"}),
    ],
)
def test_tools_are_flat_and_keep_their_schema(choice, sent):
    body, _ = rendered(tools=(TOOL,), tool_choice=choice, parallel_tool_calls=False)
    (tool,) = body["tools"]
    assert tool == {
        "type": "function",
        "name": "f",
        "description": "Does f",
        "parameters": TOOL.input_schema,
        "strict": False,
    }
    assert (body.get("tool_choice"), body["parallel_tool_calls"]) == (sent, False)


def test_E07_nothing_about_tools_is_sent_without_tools():
    body, ledger = rendered(tool_choice=Required(), parallel_tool_calls=True)
    assert body == {**STATELESS, "input": [HELLO]}
    assert ledger == ("how tools are chosen was left out: there are none",)


def test_system_texts_are_items_in_their_place_under_the_role_of_the_row():
    row = replace(ENDPOINT, dialect=Dialect(system_role="developer"))
    body, ledger = rendered(system("Be brief."), user("Hello"), system("Be kind."), user("Hello"), at=row)
    assert [item["role"] for item in body["input"]] == ["developer", "user", "developer", "user"]
    assert body["input"][0]["content"] == [{"type": "input_text", "text": "Be brief."}]
    assert ledger == ()
    body, ledger = rendered(System((Text("Be brief."), Image(Url(PNG), "image/png"))))
    assert (body["input"][0]["role"], len(ledger)) == ("system", 1)


def test_images_files_and_sounds():
    owner = replace(ENDPOINT, catalogue_id="openai")
    content = (
        Text("Look:"),
        Image(Url(PNG), "image/png"),
        Image(ProviderFile("openai", "f1"), "image/png"),
        File(Url(PDF), "application/pdf", "a.pdf"),
        File(Url(PDF), "application/pdf"),
        File(Url("https://example.com/a.pdf"), "application/pdf"),
        File(ProviderFile("acme", "f2"), "application/pdf"),
        Audio(Url(WAV), "audio/wav"),
    )
    body, ledger = rendered(User(content), at=owner)
    assert body["input"][0]["content"] == [
        {"type": "input_text", "text": "Look:"},
        {"type": "input_image", "image_url": PNG, "detail": "auto"},
        {"type": "input_image", "file_id": "f1", "detail": "auto"},
        {"type": "input_file", "filename": "a.pdf", "file_data": PDF},
        {"type": "input_file", "filename": "file.pdf", "file_data": PDF},
        {"type": "input_file", "file_url": "https://example.com/a.pdf"},
        {"type": "input_file", "file_id": "f2"},
        {"type": "input_audio", "input_audio": {"data": "QQ==", "format": "wav"}},
    ]
    assert ledger == ()


def test_PROV7_what_cannot_be_sent_is_in_the_ledger():
    content = (
        Text("Look:"),
        Image(BlobRef("0" * 64, 1), "image/png"),
        Image(ProviderFile("other", "f"), "image/png"),
        Image(Url(PNG), "image/png", "me.png"),
        Audio(Url("https://example.com/a.wav"), "audio/wav"),
        Audio(Url("data:audio/ogg;base64,QQ=="), "audio/ogg"),
        File(ProviderFile("other", "f"), "application/pdf"),
        Extension("openai_responses", "x", {}),
    )
    body, ledger = rendered(User(content))
    assert [part["type"] for part in body["input"][0]["content"]] == ["input_text", "input_image"]
    assert ledger == (
        "message 1: an image was left out: its bytes are not at hand",
        "message 1: an image was left out: this format cannot say where it is",
        "message 1: the name of an image was left out",
        "message 1: an audio clip was left out: this format cannot say where it is",
        "message 1: a file was left out: this format cannot say where it is",
        "message 1: a block 'x' of openai_responses has no place in this message and was left out",
    )


def test_T27_halves_of_pairs_are_not_sent():
    body, _ = rendered(user("a\ud83d"))
    assert body["input"][0]["content"][0]["text"] == "a\ufffd"


def test_the_list_of_models_is_that_of_openai():
    assert WIRE.models_path == "/models"
    assert [model.id for model in WIRE.parse_models({"data": [{"id": "gpt-5"}, {"id": ""}, 1]})] == ["gpt-5"]
