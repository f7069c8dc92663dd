"""Ollama's own format: one JSON object a line, calls in one piece, the counts in the last line."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, assert_never

from typing_extensions import override

from agdesk.core.errors import ErrorCategory
from tests.contract.dialects.abstract import (
    Answer,
    Call,
    Part,
    Refuse,
    Rejection,
    Say,
    Stream,
    Think,
    Writer,
    joined,
    packed,
)


def line(message: dict[str, Any], **members: Any) -> bytes:
    head = {"model": "model-1-real", "created_at": "2026-01-01T00:00:00Z"}
    whole = {"role": "assistant", "content": "", **message}
    return packed({**head, "message": whole, "done": False, **members}) + b"\n"


def end_of(answer: Answer) -> dict[str, Any]:
    times = {"total_duration": 9, "load_duration": 1, "prompt_eval_duration": 2, "eval_duration": 3}
    counts = {"prompt_eval_count": answer.counts.prompt, "eval_count": answer.counts.completion}
    # "stop" for calls too (L02)
    return {"done": True, "done_reason": "length" if answer.is_cut else "stop", **times, **counts}


def call_of(call: Call, index: int) -> dict[str, Any]:
    return {"id": call.id, "function": {"index": index, "name": call.name, "arguments": call.arguments}}


def messages_of(part: Part, calls: tuple[Call, ...]) -> Iterator[dict[str, Any]]:
    match part:
        case Say(pieces) | Refuse(pieces):
            yield from ({"content": piece} for piece in pieces)
        case Think(pieces):
            yield from ({"thinking": piece} for piece in pieces)
        case Call():
            yield {"tool_calls": [call_of(part, calls.index(part))]}
        case _:
            assert_never(part)


class OllamaWriter(Writer):
    wire = "ollama"
    base_path = "/api"
    content_type = "application/x-ndjson"
    refuses = False
    tells_details = False
    has_marker = True

    @override
    def stream(self, answer: Answer) -> Stream:
        lines = [line(message) for part in answer.parts for message in messages_of(part, answer.calls)]
        lines.append(line({}, **end_of(answer)))
        return Stream(tuple(lines), stop_at=len(lines) - 1)

    @override
    def document(self, answer: Answer) -> bytes:
        message: dict[str, Any] = {"content": joined(answer, Say)}
        message |= {"thinking": text} if (text := joined(answer, Think)) else {}
        calls = [call_of(call, index) for index, call in enumerate(answer.calls)]
        return line(message | ({"tool_calls": calls} if calls else {}), **end_of(answer))

    @override
    def overloaded(self) -> bytes:
        return failure("server busy, please try again. maximum pending requests exceeded")

    @override
    def rejections(self) -> tuple[Rejection, ...]:
        return (
            Rejection(400, failure('"model-1" does not support thinking'), ErrorCategory.INVALID_REQUEST),
            Rejection(401, failure("unauthorized"), ErrorCategory.AUTH),
            Rejection(404, failure("model 'model-1' not found"), ErrorCategory.NOT_FOUND),
            Rejection(429, failure("you have reached your hourly limit"), ErrorCategory.RATE_LIMIT),
            Rejection(500, failure("llama runner process has terminated: exit status 2"), ErrorCategory.SERVER),
            Rejection(
                503,
                failure("server busy, please try again. maximum pending requests exceeded"),
                ErrorCategory.OVERLOADED,
            ),
        )

    @override
    def overflow(self) -> Rejection:
        body = failure("prompt too long; exceeded max context length by 23 tokens")
        return Rejection(400, body, ErrorCategory.CONTEXT_OVERFLOW)


def failure(words: str) -> bytes:
    return packed({"error": words}) + b"\n"
