"""Every row that ships, put to use: any request can be rendered in its dialect, and nothing is sent that nobody set."""

from __future__ import annotations

import itertools
import json

import pytest
from genai_prices.data_snapshot import get_snapshot

from agdesk.core.ir.blocks import Audio, File, Image, Text, Thinking, ToolResult, ToolUse, Url
from agdesk.core.ir.messages import Assistant, Message, Origin, Tool, User, system, user
from agdesk.core.ir.request import (
    Auto,
    MessageRequest,
    None_,
    Required,
    ResponseFormat,
    SpecificTool,
    ThinkingOptions,
    ToolChoice,
    ToolDefinition,
)
from agdesk.core.providers.base import Endpoint, WireRequest
from agdesk.core.providers.presets import normalize_base_url, shipped_endpoints
from agdesk.core.providers.registry import wire_format
from agdesk.core.trace.redact import is_secret_header

ROWS = shipped_endpoints()
CHAT_ROWS = [row for row in ROWS.values() if row.wire == "openai_chat"]
KEY = "sk-0123456789abcdef"
SCHEMA = {"type": "object", "properties": {"a": {"type": "string"}}, "required": ["a"], "additionalProperties": False}
TOOL = ToolDefinition("look", "Looks something up.", SCHEMA)
MEDIA = (
    Image(Url("data:image/png;base64,AA=="), "image/png"),
    Audio(Url("data:audio/wav;base64,AA=="), "audio/wav"),
    File(Url("data:application/pdf;base64,AA=="), "application/pdf", "a.pdf"),
)

every_row = pytest.mark.parametrize("row", [pytest.param(row, id=row.id) for row in ROWS.values()])
every_chat_row = pytest.mark.parametrize("row", [pytest.param(row, id=row.id) for row in CHAT_ROWS])


def history(row: Endpoint) -> tuple[Message, ...]:
    """A conversation with media, thinking, calls and failed calls; one answer is the provider's own."""
    own = Origin(row.id, "m", row.wire)
    call = ToolUse("call_1", "look", {"a": "b"}, '{"a": "b"}')
    other = ToolUse("toolu_2", "look", None, '{"a": ', "not valid JSON")
    return (
        system("Be brief."),
        User((Text("What is this?"), *MEDIA)),
        Assistant((Thinking("Hm.", "SIGNATURE"), call), own),
        Tool((ToolResult("call_1", "look", (Text("found"), MEDIA[0])),)),
        Assistant((Text("A pixel."),), own),
        user("And that?"),
        Assistant((Thinking("So."), Text("Let me see."), other), Origin("another", "n", "another_wire")),
        user("Never mind."),
    )


def render(row: Endpoint, request: MessageRequest) -> WireRequest:
    return wire_format(row.wire).render_request(request, endpoint=row, api_key=KEY, is_streaming=True)


def test_the_presets_are_all_there():
    assert set(ROWS) == {
        *("builtin", "custom", "openai", "openai-responses", "anthropic", "gemini", "deepseek", "qwen", "qwen-cn"),
        *("moonshot", "moonshot-cn", "zai", "mistral", "groq", "xai", "openrouter", "together", "perplexity"),
        *("fireworks", "azure-openai", "ollama", "lm-studio", "llama-cpp", "vllm", "litellm"),
    }


def test_no_two_rows_have_one_name():
    assert len({row.name for row in ROWS.values()}) == len(ROWS)


@every_row
def test_a_row_names_a_provider_that_the_catalogue_knows(row):
    assert row.catalogue_id in {"", *(provider.id for provider in get_snapshot().providers)}


@every_row
def test_l15_the_address_of_a_row_is_in_order_and_is_what_a_bare_host_becomes(row):
    if row.base_url:
        assert normalize_base_url(row.base_url, base_path=row.base_path) == row.base_url
        host = row.base_url.partition("://")[2].partition("/")[0]
        assert normalize_base_url(host, base_path=row.base_path) == row.base_url


@every_row
def test_l16_a_row_is_local_if_its_address_is_and_then_waits_for_the_first_byte(row):
    is_loopback = row.base_url.startswith("http://127.0.0.1:") or row.id == "builtin"
    assert row.is_local is is_loopback
    assert (row.first_byte_timeout_s is None) is is_loopback
    assert row.base_url.startswith(("https://", "http://127.0.0.1:")) or not row.base_url
    if is_loopback:
        assert not row.needs_key


@every_row
def test_a_key_is_never_in_the_path_or_the_body_and_its_header_is_masked(row):
    made = render(row, MessageRequest("m", (user("Hello"),)))
    assert KEY not in made.path + json.dumps(made.body)
    names = [name for name, value in made.headers.items() if KEY in value]
    assert names and all(map(is_secret_header, names))


@every_row
@pytest.mark.parametrize("choice", [Auto(), None_(), Required(), SpecificTool("look")], ids=lambda c: type(c).__name__)
def test_any_request_can_be_rendered(row: Endpoint, choice: ToolChoice):
    options = (
        None,
        ThinkingOptions(is_enabled=False),
        ThinkingOptions(is_enabled=True, budget_tokens=2048),
        ThinkingOptions(effort="high"),
    )
    formats = (None, ResponseFormat(), ResponseFormat(SCHEMA, "found", is_strict=True))
    for thinking, response_format in itertools.product(options, formats):
        request = MessageRequest(
            "m",
            history(row),
            tools=(TOOL,),
            tool_choice=choice,
            max_tokens=4096,
            temperature=0.5,
            top_p=0.9,
            stop=("END",),
            thinking=thinking,
            response_format=response_format,
            parallel_tool_calls=False,
            seed=7,
        )
        made = render(row, request)
        json.dumps(made.body, ensure_ascii=False).encode("utf-8")
        assert all(line and not line.endswith(".") for line in made.ledger)


@every_chat_row
def test_nothing_is_sent_that_neither_the_user_nor_the_row_set(row):
    body = dict(
        render(row, MessageRequest("m", (system("S"), user("Hello"), Assistant((Text("Hi"),)), user("?")))).body
    )
    assert body.pop("stream") is True
    assert body.pop("stream_options", None) == ({"include_usage": True} if row.dialect.sends_usage_option else None)
    assert body.pop("model") == "m"
    assert [message["role"] for message in body.pop("messages")] == ["system", "user", "assistant", "user"]
    assert body == dict(row.defaults)


@every_chat_row
def test_every_parameter_is_sent_or_in_the_ledger(row):
    request = MessageRequest("m", (system("S"), user("Hello")), max_tokens=9, temperature=0.5, stop=("x",), seed=7)
    made = render(row, request)
    for name in (row.dialect.max_tokens_field, "temperature", "stop", row.dialect.seed_field):
        assert (name in made.body) is not any(repr(name) in line for line in made.ledger)


@every_chat_row
def test_what_a_dialect_refuses_is_in_no_request(row):
    dialect = row.dialect
    made = render(row, MessageRequest("m", history(row), tools=(TOOL,), tool_choice=Required(), seed=7, stop=("x",)))
    assert not set(dialect.refused_parameters) & set(made.body)
    answers = [message for message in made.body["messages"] if message["role"] == "assistant"]
    ids = [call["id"] for answer in answers for call in answer.get("tool_calls", ())]
    assert len(ids) == 2
    if dialect.call_id_length:
        assert {len(call_id) for call_id in ids} == {dialect.call_id_length}
    if not dialect.takes_null_content:
        assert all(isinstance(answer["content"], str) for answer in answers)
    if dialect.reasoning_replay == "never" and not dialect.needs_reasoning:
        assert not any("reasoning" in member for answer in answers for member in answer)
    if dialect.needs_reasoning:
        assert all(dialect.reasoning_member in answer for answer in answers)
    parts = [part["type"] for message in made.body["messages"] for part in _parts(message["content"])]
    assert ("file" in parts, "input_audio" in parts) == ("file" in dialect.media, "audio" in dialect.media)
    assert ("image_url" in parts) == ("image" in dialect.media)


def _parts(content):
    return content if isinstance(content, list) else []
