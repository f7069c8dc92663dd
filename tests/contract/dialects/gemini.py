"""Google Gemini: a whole response in each event, CRLF, usage that grows, calls in one piece, no marker at the end."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, assert_never

from typing_extensions import override

from agdesk.core.errors import ErrorCategory
from tests.contract.dialects.abstract import (
    Answer,
    Call,
    Counts,
    Part,
    Refuse,
    Rejection,
    Say,
    Stream,
    Think,
    Writer,
    packed,
)


def data(document: Any) -> bytes:
    return b"data: " + packed(document) + b"\r\n\r\n"  # T04


def usage_of(counts: Counts, share: float = 1.0) -> dict[str, int]:
    """The counts when this share of the answer is there."""
    thoughts = int(counts.thinking * share)
    candidates = int((counts.completion - counts.thinking) * share)
    return {
        "promptTokenCount": counts.prompt,
        "cachedContentTokenCount": counts.cached,
        "candidatesTokenCount": candidates,
        "thoughtsTokenCount": thoughts,
        "totalTokenCount": counts.prompt + candidates + thoughts,
    }


def parts_of(part: Part) -> Iterator[dict[str, Any]]:
    match part:
        case Say(pieces) | Refuse(pieces):
            yield from ({"text": piece} for piece in pieces)
        case Think(pieces):
            yield from ({"text": piece, "thought": True} for piece in pieces)
        case Call():
            call: dict[str, Any] = {"id": part.id, "name": part.name}
            yield {"functionCall": call | ({"args": part.arguments} if part.arguments else {})}  # G14
        case _:
            assert_never(part)


def finish_of(answer: Answer) -> str:
    return "MAX_TOKENS" if answer.is_cut else "SAFETY" if answer.is_refusal else "STOP"  # G03


def response(parts: list[dict[str, Any]], usage: dict[str, int], finish: str | None = None) -> dict[str, Any]:
    candidate: dict[str, Any] = {"index": 0}
    candidate |= {"content": {"role": "model", "parts": parts}} if parts else {}  # G04
    candidate |= {"finishReason": finish} if finish else {}
    tail = {"usageMetadata": usage, "modelVersion": "model-1-real", "responseId": "answer-1"}
    return {"candidates": [candidate], **tail}


class GeminiWriter(Writer):
    wire = "gemini"
    base_path = "/v1beta"
    content_type = "text/event-stream"
    refuses = True
    tells_details = True
    has_marker = False

    @override
    def stream(self, answer: Answer) -> Stream:
        parts = [found for part in answer.parts for found in parts_of(part)]
        counts, size = answer.counts, len(parts) + 1
        frames = [data(response([part], usage_of(counts, place / size))) for place, part in enumerate(parts)]
        frames.append(data(response([], usage_of(counts), finish_of(answer))))
        return Stream(tuple(frames), stop_at=len(frames) - 1)

    @override
    def document(self, answer: Answer) -> bytes:
        parts = [found for part in answer.parts for found in parts_of(part)]
        return packed(response(parts, usage_of(answer.counts), finish_of(answer)))

    @override
    def overloaded(self) -> bytes:
        return data(failure(503, "UNAVAILABLE", "The model is overloaded. Please try again later."))

    @override
    def rejections(self) -> tuple[Rejection, ...]:
        reason = {"@type": "type.googleapis.com/google.rpc.ErrorInfo", "reason": "API_KEY_INVALID"}
        bad_key = failure(400, "INVALID_ARGUMENT", "API key not valid. Please pass a valid API key.", reason)
        wait = {"@type": "type.googleapis.com/google.rpc.RetryInfo", "retryDelay": "34.4s"}
        return (
            Rejection(400, packed(bad_key), ErrorCategory.AUTH),
            Rejection(400, packed([bad_key]), ErrorCategory.AUTH),  # G11
            Rejection(400, packed(failure(400, "INVALID_ARGUMENT", "Bad part")), ErrorCategory.INVALID_REQUEST),
            Rejection(403, packed(failure(403, "PERMISSION_DENIED", "Not you")), ErrorCategory.PERMISSION),
            Rejection(404, packed(failure(404, "NOT_FOUND", "No such model")), ErrorCategory.NOT_FOUND),
            Rejection(429, packed(failure(429, "RESOURCE_EXHAUSTED", "Wait", wait)), ErrorCategory.RATE_LIMIT),
            Rejection(500, packed(failure(500, "INTERNAL", "Oh no")), ErrorCategory.SERVER),
            Rejection(503, packed(failure(503, "UNAVAILABLE", "Busy")), ErrorCategory.OVERLOADED),
        )

    @override
    def overflow(self) -> Rejection:
        words = "The input token count (1200000) exceeds the maximum number of tokens allowed (1048576)."
        return Rejection(400, packed(failure(400, "INVALID_ARGUMENT", words)), ErrorCategory.CONTEXT_OVERFLOW)


def failure(code: int, status: str, words: str, *details: dict[str, Any]) -> dict[str, Any]:
    return {"error": {"code": code, "message": words, "status": status, "details": list(details)}}
