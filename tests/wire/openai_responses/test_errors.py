"""Errors in every place and shape, and answers that are none (P05, P17, P18, T22, T23, T24)."""

from __future__ import annotations

import json

import pytest

from agdesk.core.errors import ErrorCategory, ProtocolError, ProviderRejection
from agdesk.core.ir.stream import StreamError
from tests.wire.openai_responses.streams import (
    CREATED,
    READING,
    added,
    answer,
    ended,
    event,
    read,
    sse,
    text,
    whole,
)

CALL = {"type": "function_call", "call_id": "c", "name": "f", "arguments": "{}"}


NESTED = {"type": "error", "error": {"type": "insufficient_quota", "code": "insufficient_quota", "message": "Quota!"}}
FLAT = {"type": "error", "code": "rate_limit_exceeded", "message": "Slow down", "param": None}


@pytest.mark.parametrize(
    ("error", "category"), [(NESTED, ErrorCategory.QUOTA), (FLAT, ErrorCategory.RATE_LIMIT)], ids=["nested", "flat"]
)
def test_P05_both_shapes_of_an_error_are_one_error(error, category):
    failed = ended("failed", error={"code": "insufficient_quota", "message": "Quota!"})
    found = answer(text("par"), error, failed, end=None)
    errors = [event for event in found.events if isinstance(event, StreamError)]
    assert (len(errors), errors[0].error.category, found.text, found.stop) == (1, category, "par", "error")
    assert found.events[-1] is errors[0]


def test_P05_a_failed_answer_says_why():
    found = answer(
        added(0, "function_call", **CALL | {"arguments": ""}),
        end=ended("failed", error={"code": "server_error", "message": "x"}),
    )
    assert found.response.error.category is ErrorCategory.SERVER
    assert found.tools[0].input is None
    silent = answer(text("a"), end=ended("failed", error=None)).response.error
    assert "does not say why" in silent.message


def test_P05_an_error_before_anything_else_is_raised():
    found = read(sse(NESTED))
    assert isinstance(found.error, ProviderRejection)
    assert found.error.is_retryable is False


def test_T23_an_error_beside_a_delta_comes_first():
    found = answer(text("a"), text("b", error={"message": "boom"}), end=None)
    assert (found.text, found.response.error.details["provider_message"]) == ("a", "boom")


def test_T24_an_event_named_error_is_one_whatever_its_data():
    body = sse(CREATED) + b'event: error\ndata: {"message": "boom", "type": "response.in_progress"}\n\n'
    assert READING.answer(body).response.error.details["provider_message"] == "boom"
    assert READING.answer(sse(CREATED) + b"event: error\ndata: boom\n\n").response.error is not None


def test_an_error_of_a_server_side_call_is_its_own():
    failed = event("mcp_call.failed", output_index=0, error={"message": "x"})
    found = answer(added(0, "mcp_call", id="m"), failed, text("a", 1))
    assert (found.response.error, found.extensions[0].raw["error"]) == (None, {"message": "x"})


def test_P17_the_formats_of_others_are_told_by_name():
    for document, name in (
        ({"object": "chat.completion.chunk", "choices": []}, "Chat Completions"),
        ({"choices": [{"delta": {"content": "a"}}]}, "Chat Completions"),
        ({"type": "message_start", "message": {"id": "m"}}, "Anthropic Messages"),
        ({"candidates": [{"content": {}}]}, "Gemini"),
    ):
        for found in (read(sse(document)), read(json.dumps(document).encode())):
            assert isinstance(found.error, ProtocolError)
            assert name in str(found.error)
            assert "base URL" in found.error.hint


def test_P18_success_without_output_is_a_protocol_error():
    for document in ({"id": "r"}, {"id": "r", "status": "completed", "output": None}, {"object": "response"}, {}):
        for body in (json.dumps(document).encode(), sse(event("completed", response=document))):
            assert isinstance(read(body).error, ProtocolError)
    after = answer(end=event("completed", response={}))
    assert after.response.error.category is ErrorCategory.PROTOCOL
    assert answer().stop == whole().stop == "end_turn"


def test_T22_an_error_with_a_status_of_success():
    found = read(b'{"error": {"message": "context length exceeded"}}')
    assert found.error.category is ErrorCategory.CONTEXT_OVERFLOW
    assert isinstance(read(sse({"detail": "Unauthorized"})).error, ProviderRejection)
