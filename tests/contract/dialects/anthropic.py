"""Anthropic Messages: named events, one block after the other, usage split between the first and the last."""

from __future__ import annotations

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
    event,
    packed,
)

SIGNATURE = "signed=="


def start_usage(answer: Answer) -> dict[str, Any]:
    counts = answer.counts
    cache = {"cache_read_input_tokens": counts.cached, "cache_creation_input_tokens": 0}
    return {"input_tokens": counts.prompt - counts.cached, **cache, "output_tokens": 1}


def end_usage(answer: Answer) -> dict[str, Any]:
    counts = answer.counts
    return {"output_tokens": counts.completion, "output_tokens_details": {"thinking_tokens": counts.thinking}}


def stop_of(answer: Answer) -> str:
    if answer.is_cut:
        return "max_tokens"
    return "refusal" if answer.is_refusal else "tool_use" if answer.calls else "end_turn"


def events_of(part: Part, index: int) -> list[dict[str, Any]]:
    match part:
        case Say(pieces) | Refuse(pieces):
            block: dict[str, Any] = {"type": "text", "text": ""}
            deltas = [{"type": "text_delta", "text": piece} for piece in pieces]
        case Think(pieces):
            block = {"type": "thinking", "thinking": "", "signature": ""}
            deltas = [{"type": "thinking_delta", "thinking": piece} for piece in pieces]
            deltas.append({"type": "signature_delta", "signature": SIGNATURE})
        case Call():
            block = {"type": "tool_use", "id": part.id, "name": part.name, "input": {}}
            # no arguments: one empty piece (A08)
            pieces = part.pieces if part.arguments else ("",)
            deltas = [{"type": "input_json_delta", "partial_json": piece} for piece in pieces]
        case _:
            assert_never(part)
    return [
        {"type": "content_block_start", "index": index, "content_block": block},
        *({"type": "content_block_delta", "index": index, "delta": delta} for delta in deltas),
        {"type": "content_block_stop", "index": index},
    ]


def block_of(part: Part) -> dict[str, Any]:
    match part:
        case Say(pieces) | Refuse(pieces):
            return {"type": "text", "text": "".join(pieces)}
        case Think(pieces):
            return {"type": "thinking", "thinking": "".join(pieces), "signature": SIGNATURE}
        case Call():
            return {"type": "tool_use", "id": part.id, "name": part.name, "input": part.arguments}
        case _:
            assert_never(part)


def message(**members: Any) -> dict[str, Any]:
    head = {"id": "answer-1", "type": "message", "role": "assistant", "model": "model-1-real", "content": []}
    return {**head, "stop_reason": None, "stop_sequence": None, **members}


class AnthropicWriter(Writer):
    wire = "anthropic"
    base_path = "/v1"
    content_type = "text/event-stream; charset=utf-8"
    refuses = True
    tells_details = True
    has_marker = True

    @override
    def stream(self, answer: Answer) -> Stream:
        events: list[dict[str, Any]] = [
            {"type": "message_start", "message": message(usage=start_usage(answer))},
            {"type": "ping"},
        ]
        for index, part in enumerate(answer.parts):
            events += events_of(part, index)
        stop = {"stop_reason": stop_of(answer), "stop_sequence": None}
        events += [{"type": "message_delta", "delta": stop, "usage": end_usage(answer)}, {"type": "message_stop"}]
        return Stream(tuple(map(event, events)), stop_at=len(events) - 2)

    @override
    def document(self, answer: Answer) -> bytes:
        usage = start_usage(answer) | end_usage(answer)
        content = [block_of(part) for part in answer.parts]
        return packed(message(content=content, stop_reason=stop_of(answer), usage=usage))

    @override
    def overloaded(self) -> bytes:
        return event(failure("overloaded_error", "Overloaded"))

    @override
    def rejections(self) -> tuple[Rejection, ...]:
        return tuple(
            Rejection(status, packed(failure(kind, "Words for a person")), category)
            for status, kind, category in (
                (400, "invalid_request_error", ErrorCategory.INVALID_REQUEST),
                (401, "authentication_error", ErrorCategory.AUTH),
                (402, "billing_error", ErrorCategory.QUOTA),
                (403, "permission_error", ErrorCategory.PERMISSION),
                (404, "not_found_error", ErrorCategory.NOT_FOUND),
                (413, "request_too_large", ErrorCategory.CONTEXT_OVERFLOW),
                (429, "rate_limit_error", ErrorCategory.RATE_LIMIT),
                (500, "api_error", ErrorCategory.SERVER),
                (504, "timeout_error", ErrorCategory.SERVER),
                (529, "overloaded_error", ErrorCategory.OVERLOADED),
            )
        )

    @override
    def overflow(self) -> Rejection:
        words = "prompt is too long: 200001 tokens > 200000 maximum"
        return Rejection(400, packed(failure("invalid_request_error", words)), ErrorCategory.CONTEXT_OVERFLOW)


def failure(kind: str, words: str) -> dict[str, Any]:
    return {"type": "error", "error": {"type": kind, "message": words}, "request_id": "request-1"}
