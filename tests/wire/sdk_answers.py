"""What the vendors' own SDKs make of a body, and what agdesk makes of it, in the same words."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import pytest

from agdesk.core.ir.blocks import Text, Thinking, ToolUse
from agdesk.core.ir.response import Usage
from tests.wire.reading import Answer


@dataclass(frozen=True)
class Said:
    """An answer. Arguments of calls are parsed; what is no JSON stays text."""

    text: str
    refusal: str
    thoughts: tuple[tuple[str, str], ...]  # with their signatures
    calls: tuple[tuple[str, str, Any], ...]  # id, name and arguments
    stop: str | None
    usage: tuple[int | None, ...] | None  # prompt, completion, cached, reasoning


def of_agdesk(answer: Answer) -> Said:
    """The answer of agdesk's own reader."""
    content = answer.response.message.content
    texts = [block for block in content if isinstance(block, Text)]
    usage = answer.response.usage
    return Said(
        "".join(block.text for block in texts if not block.is_refusal),
        "".join(block.text for block in texts if block.is_refusal),
        tuple((block.text, block.signature or "") for block in content if isinstance(block, Thinking)),
        tuple((block.id, block.name, _parsed(block.raw_arguments)) for block in content if isinstance(block, ToolUse)),
        answer.response.raw_stop_reason,
        None if usage == Usage() else _figures(usage),
    )


def of_chat_sdk(body: bytes) -> Said:
    """What ``chat.completions`` of the ``openai`` SDK puts together."""
    streaming = pytest.importorskip("openai.lib.streaming.chat", reason="the openai SDK is not installed")
    stream = _openai(body).chat.completions.create(model="m", messages=[{"role": "user", "content": "Hi"}], stream=True)
    state = streaming.ChatCompletionStreamState()
    usage = None
    for chunk in stream:
        state.handle_chunk(chunk)
        usage = chunk.usage or usage
    choice = state.current_completion_snapshot.choices[0]
    message = choice.message
    extra = message.model_extra or {}
    thought = extra.get("reasoning_content") or extra.get("reasoning") or ""
    details = None if usage is None else (usage.prompt_tokens_details, usage.completion_tokens_details)
    return Said(
        message.content or "",
        message.refusal or "",
        ((thought, ""),) if thought else (),
        tuple((call.id, call.function.name, _parsed(call.function.arguments)) for call in message.tool_calls or ()),
        choice.finish_reason,
        None
        if usage is None or details is None
        else (
            usage.prompt_tokens,
            usage.completion_tokens,
            details[0] and details[0].cached_tokens,
            details[1] and details[1].reasoning_tokens,
        ),
    )


def of_responses_sdk(body: bytes) -> Said:
    """The final response that ``responses`` of the ``openai`` SDK gives out."""
    pytest.importorskip("openai", reason="the openai SDK is not installed")
    final = None
    for event in _openai(body).responses.create(model="m", input="Hi", stream=True):
        if event.type in ("response.completed", "response.incomplete"):
            final = event.response
    assert final is not None
    parts = [part for item in final.output if item.type == "message" for part in item.content]
    thoughts = [item for item in final.output if item.type == "reasoning"]
    usage = final.usage
    return Said(
        "".join(part.text for part in parts if part.type == "output_text"),
        "".join(part.refusal for part in parts if part.type == "refusal"),
        tuple(("\n\n".join(part.text for part in item.content or item.summary), "") for item in thoughts),
        tuple(
            (item.call_id, item.name, _parsed(item.arguments)) for item in final.output if item.type == "function_call"
        ),
        (final.incomplete_details and final.incomplete_details.reason) or final.status,
        None
        if usage is None
        else (
            usage.input_tokens,
            usage.output_tokens,
            usage.input_tokens_details and usage.input_tokens_details.cached_tokens,
            usage.output_tokens_details and usage.output_tokens_details.reasoning_tokens,
        ),
    )


def of_anthropic_sdk(body: bytes) -> Said:
    """The final message of ``messages.stream`` of the ``anthropic`` SDK."""
    sdk = pytest.importorskip("anthropic", reason="the anthropic SDK is not installed")
    client = sdk.Anthropic(api_key="x", base_url="http://127.0.0.1", http_client=_http_client(body))
    with client.messages.stream(model="m", max_tokens=9, messages=[{"role": "user", "content": "Hi"}]) as stream:
        message = stream.get_final_message()
    usage = message.usage
    details = usage.output_tokens_details
    thinking = details and details.thinking_tokens
    read, written = usage.cache_read_input_tokens or 0, usage.cache_creation_input_tokens or 0
    return Said(
        "".join(block.text for block in message.content if block.type == "text"),
        "",
        tuple((block.thinking, block.signature) for block in message.content if block.type == "thinking"),
        tuple((block.id, block.name, block.input) for block in message.content if block.type == "tool_use"),
        message.stop_reason,
        (usage.input_tokens + read + written, usage.output_tokens, usage.cache_read_input_tokens, thinking),
    )


SDKS: dict[str, Callable[[bytes], Said]] = {
    "openai_chat": of_chat_sdk,
    "openai_responses": of_responses_sdk,
    "anthropic": of_anthropic_sdk,
}
"""By the name of the format."""


def _figures(usage: Usage) -> tuple[int | None, ...]:
    prompt, completion = usage.prompt_tokens_details, usage.completion_tokens_details
    cached = None if prompt is None else prompt.cached_tokens
    reasoning = None if completion is None else completion.reasoning_tokens
    return usage.prompt_tokens, usage.completion_tokens, cached, reasoning


def _parsed(text: str) -> Any:
    try:
        return json.loads(text or "{}")
    except ValueError:
        return text


def _openai(body: bytes) -> Any:
    import openai

    return openai.OpenAI(api_key="x", base_url="http://127.0.0.1/v1", http_client=_http_client(body))


def _http_client(body: bytes) -> Any:
    """A client whose server is this body: nothing goes over a network."""
    http = pytest.importorskip("httpx2", reason="the HTTP library of the SDKs is not installed")
    answer = http.Response(200, headers={"content-type": "text/event-stream"}, content=body)
    return http.Client(transport=http.MockTransport(lambda _request: answer))
