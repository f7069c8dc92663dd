"""OpenAI Chat Completions: nameless events, usage after the last choice, ``[DONE]``."""

from __future__ import annotations

from typing import Any, assert_never

from typing_extensions import override

from agdesk.core.errors import ErrorCategory
from tests.contract.dialects.abstract import (
    Answer,
    Call,
    Counts,
    Refuse,
    Rejection,
    Say,
    Stream,
    Think,
    Writer,
    data,
    joined,
    packed,
)


def chunk(**members: Any) -> bytes:
    head = {"id": "answer-1", "object": "chat.completion.chunk", "created": 1, "model": "model-1-real"}
    return data({**head, **members})


def choice(delta: dict[str, Any], finish: str | None = None) -> bytes:
    return chunk(choices=[{"index": 0, "delta": delta, "finish_reason": finish}], usage=None)


def usage_of(counts: Counts) -> dict[str, Any]:
    return {
        "prompt_tokens": counts.prompt,
        "completion_tokens": counts.completion,
        "total_tokens": counts.prompt + counts.completion,
        "prompt_tokens_details": {"cached_tokens": counts.cached},
        "completion_tokens_details": {"reasoning_tokens": counts.thinking},
    }


def finish_of(answer: Answer) -> str:
    return "length" if answer.is_cut else "tool_calls" if answer.calls else "stop"


class ChatWriter(Writer):
    wire = "openai_chat"
    base_path = "/v1"
    content_type = "text/event-stream"
    refuses = True
    tells_details = True
    has_marker = True

    @override
    def stream(self, answer: Answer) -> Stream:
        frames = [choice({"role": "assistant", "content": None, "refusal": None})]
        call_count = 0
        for part in answer.parts:
            match part:
                case Say(pieces):
                    frames += [choice({"content": piece}) for piece in pieces]
                case Think(pieces):
                    frames += [choice({"reasoning_content": piece}) for piece in pieces]
                case Refuse(pieces):
                    frames += [choice({"refusal": piece}) for piece in pieces]
                case Call():
                    function = {"name": part.name, "arguments": ""}
                    head = {"index": call_count, "id": part.id, "type": "function", "function": function}
                    tail = [{"index": call_count, "function": {"arguments": piece}} for piece in part.pieces]
                    frames += [choice({"tool_calls": [delta]}) for delta in (head, *tail)]
                    call_count += 1
                case _:
                    assert_never(part)
        frames.append(choice({}, finish_of(answer)))
        end = (chunk(choices=[], usage=usage_of(answer.counts)), b"data: [DONE]\n\n")
        return Stream((*frames, *end), stop_at=len(frames) - 1)

    @override
    def document(self, answer: Answer) -> bytes:
        calls = [
            {"id": call.id, "type": "function", "function": {"name": call.name, "arguments": "".join(call.pieces)}}
            for call in answer.calls
        ]
        message: dict[str, Any] = {"role": "assistant", "content": joined(answer, Say) or None}
        message |= {"refusal": joined(answer, Refuse) or None}
        message |= {"reasoning_content": text} if (text := joined(answer, Think)) else {}
        message |= {"tool_calls": calls} if calls else {}
        choices = [{"index": 0, "message": message, "finish_reason": finish_of(answer)}]
        head = {"id": "answer-1", "object": "chat.completion", "created": 1, "model": "model-1-real"}
        return packed({**head, "choices": choices, "usage": usage_of(answer.counts)})

    @override
    def overloaded(self) -> bytes:
        return data({"error": {"message": "The server is overloaded", "type": "server_error", "code": None}})

    @override
    def rejections(self) -> tuple[Rejection, ...]:
        return tuple(
            Rejection(status, error(message, kind, code), category)
            for status, message, kind, code, category in (
                (401, "Incorrect API key provided", "invalid_request_error", "invalid_api_key", ErrorCategory.AUTH),
                (404, "No such model", "invalid_request_error", "model_not_found", ErrorCategory.NOT_FOUND),
                (400, "Not with this model", "x", "unsupported_parameter", ErrorCategory.INVALID_REQUEST),
                (429, "Too many", "requests", "rate_limit_exceeded", ErrorCategory.RATE_LIMIT),
                (429, "Check your plan", "insufficient_quota", "insufficient_quota", ErrorCategory.QUOTA),
                (500, "The server had an error", "server_error", None, ErrorCategory.SERVER),
            )
        )

    @override
    def overflow(self) -> Rejection:
        body = error("Too many messages", "invalid_request_error", "context_length_exceeded")
        return Rejection(400, body, ErrorCategory.CONTEXT_OVERFLOW)


def error(message: str, kind: str, code: str | None) -> bytes:
    return packed({"error": {"message": message, "type": kind, "param": None, "code": code}})
