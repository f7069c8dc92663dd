"""OpenAI Responses: named events, items with parts, usage in the terminal event."""

from __future__ import annotations

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
    event,
    packed,
)
from tests.contract.dialects.openai_chat import error

Event = dict[str, Any]


def usage_of(counts: Counts) -> Event:
    return {
        "input_tokens": counts.prompt,
        "input_tokens_details": {"cached_tokens": counts.cached},
        "output_tokens": counts.completion,
        "output_tokens_details": {"reasoning_tokens": counts.thinking},
        "total_tokens": counts.prompt + counts.completion,
    }


def response(status: str, **members: Any) -> Event:
    head = {"id": "answer-1", "object": "response", "created_at": 1, "model": "model-1-real", "error": None}
    return {**head, "status": status, "incomplete_details": None, "output": [], "usage": None, **members}


def item_of(part: Part, place: int, *, status: str = "completed") -> Event:
    """An item as it is when it is whole."""
    match part:
        case Call():
            arguments = "".join(part.pieces)
            call = {"id": f"fc_{place}", "call_id": part.id, "name": part.name, "arguments": arguments}
            return {"type": "function_call", "status": status, **call}
        case Think(pieces):
            summary = [{"type": "summary_text", "text": "".join(pieces)}]
            return {"type": "reasoning", "id": f"rs_{place}", "summary": summary, "encrypted_content": "sealed"}
        case Say(pieces):
            content: Event = {"type": "output_text", "text": "".join(pieces), "annotations": []}
        case Refuse(pieces):
            content = {"type": "refusal", "refusal": "".join(pieces)}
        case _:
            assert_never(part)
    return {"type": "message", "id": f"msg_{place}", "status": status, "role": "assistant", "content": [content]}


def events_of(part: Part, place: int, *, status: str) -> list[Event]:
    """Everything that is sent of one item."""
    whole = item_of(part, place, status=status)
    at = {"item_id": whole["id"], "output_index": place}

    def deltas(kind: str, pieces: tuple[str, ...], **where: int) -> list[Event]:
        return [{"type": f"response.{kind}.delta", **at, **where, "delta": piece} for piece in pieces]

    match part:
        case Call():
            empty = {**whole, "arguments": "", "status": "in_progress"}
            inside = deltas("function_call_arguments", part.pieces)
            inside.append({"type": "response.function_call_arguments.done", **at, "arguments": whole["arguments"]})
        case Think(pieces):
            empty = {**whole, "summary": []}
            where = {"summary_index": 0}
            empty_part: Event = {"type": "summary_text", "text": ""}
            summary = whole["summary"][0]
            inside = [
                {"type": "response.reasoning_summary_part.added", **at, **where, "part": empty_part},
                *deltas("reasoning_summary_text", pieces, **where),
                {"type": "response.reasoning_summary_text.done", **at, **where, "text": summary["text"]},
                {"type": "response.reasoning_summary_part.done", **at, **where, "part": summary},
            ]
        case Say(pieces) | Refuse(pieces):
            empty = {**whole, "content": [], "status": "in_progress"}
            where = {"content_index": 0}
            content = whole["content"][0]
            kind, member = ("output_text", "text") if isinstance(part, Say) else ("refusal", "refusal")
            inside = [
                {"type": "response.content_part.added", **at, **where, "part": {**content, member: ""}},
                *deltas(kind, pieces, **where),
                {"type": f"response.{kind}.done", **at, **where, member: content[member]},
                {"type": "response.content_part.done", **at, **where, "part": content},
            ]
        case _:
            assert_never(part)
    added = {"type": "response.output_item.added", "output_index": place, "item": empty}
    return [added, *inside, {"type": "response.output_item.done", "output_index": place, "item": whole}]


def ended(answer: Answer) -> Event:
    """The response of the terminal event."""
    status = "incomplete" if answer.is_cut else "completed"
    last = len(answer.parts) - 1
    items = [item_of(p, i, status=status if i == last else "completed") for i, p in enumerate(answer.parts)]
    details = {"reason": "max_output_tokens"} if answer.is_cut else None
    return response(status, output=items, usage=usage_of(answer.counts), incomplete_details=details)


class ResponsesWriter(Writer):
    wire = "openai_responses"
    base_path = "/v1"
    content_type = "text/event-stream; charset=utf-8"
    refuses = True
    tells_details = True
    has_marker = True

    @override
    def stream(self, answer: Answer) -> Stream:
        began = response("in_progress")
        events: list[Event] = [{"type": f"response.{name}", "response": began} for name in ("created", "in_progress")]
        end = ended(answer)
        for place, part in enumerate(answer.parts):
            status = end["status"] if place == len(answer.parts) - 1 else "completed"
            events += events_of(part, place, status=status)
        events.append({"type": f"response.{end['status']}", "response": end})
        frames = tuple(event({**found, "sequence_number": number}) for number, found in enumerate(events))
        return Stream(frames, stop_at=len(frames) - 1)

    @override
    def document(self, answer: Answer) -> bytes:
        return packed(ended(answer))

    @override
    def overloaded(self) -> bytes:
        words = {"code": "server_is_overloaded", "message": "Our servers are currently overloaded"}
        failed = {"type": "response.failed", "response": response("failed", error=words), "sequence_number": 91}
        return event({"type": "error", **words, "param": None, "sequence_number": 90}) + event(failed)

    @override
    def rejections(self) -> tuple[Rejection, ...]:
        return (
            Rejection(401, error("Incorrect API key", "x", "invalid_api_key"), ErrorCategory.AUTH),
            # unlike Chat Completions (E06)
            Rejection(400, error("No such model", "x", "model_not_found"), ErrorCategory.NOT_FOUND),
            Rejection(404, error("No such response", "x", "previous_response_not_found"), ErrorCategory.NOT_FOUND),
            Rejection(429, error("Slow down", "tokens", "rate_limit_exceeded"), ErrorCategory.RATE_LIMIT),
            Rejection(500, error("We had an error", "server_error", "server_error"), ErrorCategory.SERVER),
        )

    @override
    def overflow(self) -> Rejection:
        body = error("Your input exceeds the context window of this model.", "invalid_request_error", None)
        return Rejection(400, body, ErrorCategory.CONTEXT_OVERFLOW)
