"""Refusals with an error status (G11, E01, E03, E04, E06)."""

from __future__ import annotations

import json

import pytest

from agdesk.core.errors import ErrorCategory
from tests.wire.gemini.streams import READING, WIRE


def body_of(code, status, message, *details, is_array=False):
    error = {"error": {"code": code, "message": message, "status": status, "details": list(details)}}
    return json.dumps([error] if is_array else error, indent=2).encode()


def info(kind, **members):
    return {"@type": f"type.googleapis.com/google.rpc.{kind}"} | members


def classified(status, body):
    return WIRE.classify_error(status, headers={}, body=body, now_s=0.0)


@pytest.mark.parametrize("is_array", [False, True])
def test_G11_E04_the_time_to_wait_stands_in_the_body(is_array):
    delay = info("RetryInfo", retryDelay="34.4s")
    error = classified(429, body_of(429, "RESOURCE_EXHAUSTED", "slow down", delay, is_array=is_array))
    assert (error.category, error.is_retryable, error.retry_after_s) == (ErrorCategory.RATE_LIMIT, True, 34.4)
    assert error.provider_message == "slow down"


def test_E01_a_wrong_key_is_a_400():
    reason = info("ErrorInfo", reason="API_KEY_INVALID", domain="googleapis.com")
    error = classified(400, body_of(400, "INVALID_ARGUMENT", "API key not valid.", reason))
    assert error.category is ErrorCategory.AUTH


def test_E03_too_many_tokens_are_a_context_overflow():
    words = "The input token count (2000000) exceeds the maximum number of tokens allowed (1048576)."
    assert classified(400, body_of(400, "INVALID_ARGUMENT", words)).category is ErrorCategory.CONTEXT_OVERFLOW


def test_E06_an_unknown_model_is_not_found():
    words = "models/x is not found for API version v1beta, or is not supported for generateContent."
    assert classified(404, body_of(404, "NOT_FOUND", words)).category is ErrorCategory.NOT_FOUND


def test_G01_a_missing_signature_is_a_refused_request():
    error = classified(400, body_of(400, "INVALID_ARGUMENT", "Function call is missing a thought_signature."))
    assert (error.category, error.is_retryable) == (ErrorCategory.INVALID_REQUEST, False)


def test_T22_an_error_with_a_status_of_success_is_an_error():
    found = READING.read(body_of(503, "UNAVAILABLE", "overloaded", is_array=True))
    assert found.error is not None
    assert found.error.category is ErrorCategory.OVERLOADED
