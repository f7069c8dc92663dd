"""The same answer in every wire format, as its servers write it: text deltas between a beginning and an end."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

_WORDS = (" the", " model", " streams", " tokens", ".\n\n", " into", " a", " window", " and", " so", " on", ",")
_NOISE = "q7RkXw2pVn9LsTzB"
_READ_BYTES = 16384
_PROMPT_TOKENS = 12
_GEMINI_END = b"\r\n\r\n"


@dataclass(frozen=True, slots=True)
class Wire:
    """How a format is written.

    Attributes:
        body: the bytes of an answer of so many text deltas.
        end: what closes one event.
        text_of: the text in one document of the stream; None if it has none.
    """

    body: Callable[[int], bytes]
    end: bytes
    text_of: Callable[[dict[str, Any]], str | None]

    def reads(self, data: bytes, *, is_one_event_a_read: bool) -> list[bytes]:
        """The body as network reads: one event each, or 16 kB each."""
        if is_one_event_a_read:
            return [part + self.end for part in data.split(self.end) if part]
        return [data[i : i + _READ_BYTES] for i in range(0, len(data), _READ_BYTES)]


def text(events: int) -> str:
    """What every body says."""
    return "".join(_word(i) for i in range(events))


def _word(number: int) -> str:
    return _WORDS[number % len(_WORDS)]


def _padding(word: str) -> str:
    """What OpenAI makes every delta equally long with, so that nobody can guess its words from outside."""
    return _NOISE[len(word) :]


def _compact(document: dict[str, Any]) -> bytes:
    return json.dumps(document, separators=(",", ":")).encode()


def _openai_chat(events: int) -> bytes:
    def chunk(delta: dict[str, Any], finish_reason: str | None) -> dict[str, Any]:
        choice = {"index": 0, "delta": delta, "logprobs": None, "finish_reason": finish_reason}
        return {**head, "choices": [choice], "usage": None, "obfuscation": _padding(delta.get("content") or "")}

    head = {
        "id": "chatcmpl-CfA1bQ7xYp0Wk3mZ",
        "object": "chat.completion.chunk",
        "created": 1764500000,
        "model": "gpt-5.1-2025-11-13",
        "service_tier": "default",
        "system_fingerprint": "fp_3f0c1a7b2d",
    }
    usage = {"prompt_tokens": _PROMPT_TOKENS, "completion_tokens": events, "total_tokens": events + _PROMPT_TOKENS}
    frames = [
        chunk({"role": "assistant", "content": "", "refusal": None}, None),
        *(chunk({"content": _word(i)}, None) for i in range(events)),
        chunk({}, "stop"),
        {**head, "choices": [], "usage": usage},
    ]
    return b"".join(b"data: " + _compact(frame) + b"\n\n" for frame in frames) + b"data: [DONE]\n\n"


def _openai_responses(events: int) -> bytes:
    item_id = "msg_0a9c4d2e8b7f6150"
    place = {"item_id": item_id, "output_index": 0, "content_index": 0}
    part = {"type": "output_text", "annotations": [], "logprobs": [], "text": ""}
    full_part = part | {"text": text(events)}
    item = {"id": item_id, "type": "message", "status": "in_progress", "content": [], "role": "assistant"}
    full_item = item | {"status": "completed", "content": [full_part]}
    response = {
        "id": "resp_0a9c4d2e8b7f6149",
        "object": "response",
        "created_at": 1764500000,
        "status": "in_progress",
        "error": None,
        "incomplete_details": None,
        "instructions": None,
        "max_output_tokens": None,
        "model": "gpt-5.1-2025-11-13",
        "output": [],
        "parallel_tool_calls": True,
        "previous_response_id": None,
        "reasoning": {"effort": "none", "summary": None},
        "service_tier": "default",
        "store": True,
        "temperature": 1.0,
        "text": {"format": {"type": "text"}, "verbosity": "medium"},
        "tool_choice": "auto",
        "tools": [],
        "top_p": 1.0,
        "truncation": "disabled",
        "usage": None,
        "metadata": {},
    }
    usage = {
        "input_tokens": _PROMPT_TOKENS,
        "input_tokens_details": {"cached_tokens": 0},
        "output_tokens": events,
        "output_tokens_details": {"reasoning_tokens": 0},
        "total_tokens": events + _PROMPT_TOKENS,
    }
    delta = "response.output_text.delta"
    frames: list[dict[str, Any]] = [
        {"type": "response.created", "response": response},
        {"type": "response.in_progress", "response": response},
        {"type": "response.output_item.added", "output_index": 0, "item": item},
        {"type": "response.content_part.added", **place, "part": part},
        *(
            {"type": delta, **place, "delta": word, "logprobs": [], "obfuscation": _padding(word)}
            for word in map(_word, range(events))
        ),
        {"type": "response.output_text.done", **place, "text": text(events), "logprobs": []},
        {"type": "response.content_part.done", **place, "part": full_part},
        {"type": "response.output_item.done", "output_index": 0, "item": full_item},
        {
            "type": "response.completed",
            "response": response | {"status": "completed", "output": [full_item], "usage": usage},
        },
    ]
    numbered = ({"type": frame["type"], "sequence_number": i, **frame} for i, frame in enumerate(frames))
    return b"".join(map(_named, numbered))


def _anthropic(events: int) -> bytes:
    usage: dict[str, Any] = {
        "input_tokens": _PROMPT_TOKENS,
        "cache_creation_input_tokens": 0,
        "cache_read_input_tokens": 0,
        "cache_creation": {"ephemeral_5m_input_tokens": 0, "ephemeral_1h_input_tokens": 0},
        "output_tokens": 1,
        "service_tier": "standard",
    }
    message: dict[str, Any] = {
        "model": "claude-sonnet-4-5-20250929",
        "id": "msg_01XFDUDYJgAACzvnptvVoYEL",
        "type": "message",
        "role": "assistant",
        "content": [],
        "stop_reason": None,
        "stop_sequence": None,
        "usage": usage,
    }
    counts = {name: usage[name] for name in ("input_tokens", "cache_creation_input_tokens", "cache_read_input_tokens")}
    frames: list[dict[str, Any]] = [
        {"type": "message_start", "message": message},
        {"type": "content_block_start", "index": 0, "content_block": {"type": "text", "text": ""}},
        {"type": "ping"},
        *(
            {"type": "content_block_delta", "index": 0, "delta": {"type": "text_delta", "text": _word(i)}}
            for i in range(events)
        ),
        {"type": "content_block_stop", "index": 0},
        {
            "type": "message_delta",
            "delta": {"stop_reason": "end_turn", "stop_sequence": None},
            "usage": counts | {"output_tokens": events},
        },
        {"type": "message_stop"},
    ]
    return b"".join(_named(frame) for frame in frames)


def _named(frame: dict[str, Any]) -> bytes:
    return f"event: {frame['type']}\ndata: ".encode() + _compact(frame) + b"\n\n"


def _gemini(events: int) -> bytes:
    frames = []
    for i in range(events):
        candidate: dict[str, Any] = {"content": {"parts": [{"text": _word(i)}], "role": "model"}, "index": 0}
        if i == events - 1:
            candidate["finishReason"] = "STOP"
        usage = {
            "promptTokenCount": _PROMPT_TOKENS,
            "candidatesTokenCount": i + 1,
            "totalTokenCount": _PROMPT_TOKENS + i + 1,
            "promptTokensDetails": [{"modality": "TEXT", "tokenCount": _PROMPT_TOKENS}],
        }
        frames.append(
            {
                "candidates": [candidate],
                "usageMetadata": usage,
                "modelVersion": "gemini-2.5-flash",
                "responseId": "q1UsaZ-3Ho2xkdUPw6mO8Aw",
            }
        )
    return b"".join(b"data: " + json.dumps(frame).encode() + _GEMINI_END for frame in frames)


def _ollama(events: int) -> bytes:
    def line(number: int, content: str, *, is_done: bool) -> dict[str, Any]:
        created_at = f"2026-11-30T12:{number // 6000 % 60:02}:{number // 100 % 60:02}.{number % 100:02}4150982Z"
        message = {"role": "assistant", "content": content}
        return {"model": "llama3.2", "created_at": created_at, "message": message, "done": is_done}

    figures = {
        "done_reason": "stop",
        "total_duration": 4883583458,
        "load_duration": 1334875,
        "prompt_eval_count": _PROMPT_TOKENS,
        "prompt_eval_duration": 342546000,
        "eval_count": events,
        "eval_duration": 4535599000,
    }
    lines = [line(i, _word(i), is_done=False) for i in range(events)]
    return b"".join(_compact(each) + b"\n" for each in [*lines, line(events, "", is_done=True) | figures])


def _chat_text(document: dict[str, Any]) -> str | None:
    choices = document["choices"]
    return choices[0]["delta"].get("content") if choices else None


def _anthropic_text(document: dict[str, Any]) -> str | None:
    return document["delta"].get("text") if "delta" in document else None


WIRES = {
    "openai_chat": Wire(_openai_chat, b"\n\n", _chat_text),
    "openai_responses": Wire(_openai_responses, b"\n\n", lambda document: document.get("delta")),
    "anthropic": Wire(_anthropic, b"\n\n", _anthropic_text),
    "gemini": Wire(_gemini, _GEMINI_END, lambda document: document["candidates"][0]["content"]["parts"][0].get("text")),
    "ollama": Wire(_ollama, b"\n", lambda document: document["message"]["content"]),
}
