"""Rejections (QUIRKS E02, E03, E06, L05, L06)."""

from __future__ import annotations

import json
from typing import Any

import pytest

from agdesk.core.errors import ErrorCategory, LlmError
from tests.wire.ollama.lines import READING, WIRE


def refused(status: int, words: Any, **members: Any) -> LlmError:
    body = json.dumps({"error": words, **members}).encode()
    return WIRE.classify_error(status, headers={}, body=body, now_s=0.0)


@pytest.mark.parametrize(
    ("status", "words", "category"),
    [
        (400, "prompt too long; exceeded max context length by 23 tokens", ErrorCategory.CONTEXT_OVERFLOW),
        (400, '"m" does not support thinking', ErrorCategory.INVALID_REQUEST),
        (400, "registry.ollama.ai/library/m does not support tools", ErrorCategory.INVALID_REQUEST),
        (401, "unauthorized", ErrorCategory.AUTH),
        (404, 'model "m" not found, try pulling it first', ErrorCategory.NOT_FOUND),
        (429, "you've reached your hourly usage limit", ErrorCategory.RATE_LIMIT),
        (500, "no user query found in messages", ErrorCategory.SERVER),
        (503, "server busy, please try again.  maximum pending requests exceeded", ErrorCategory.OVERLOADED),
    ],
)
def test_E02_E03_E06_errors_are_told_apart_by_status_and_words(status, words, category):
    error = refused(status, words)
    assert (error.category, words.split()[0] in error.message) == (category, True)


def test_a_model_of_the_cloud_names_the_page_to_sign_in_on():
    error = refused(401, "unauthorized", signin_url="https://ollama.com/connect?name=x")
    assert "https://ollama.com/connect?name=x" in error.hint


@pytest.mark.parametrize("url", ["javascript:alert(1)", 7, None])
def test_a_page_that_is_none_is_not_named(url):
    assert refused(401, "unauthorized", signin_url=url).hint == refused(401, "unauthorized").hint


def test_E10_an_error_that_is_no_json_keeps_its_words():
    assert "bad gateway" in WIRE.classify_error(502, headers={}, body=b"bad gateway", now_s=0.0).message


def test_a_rejection_is_read_whatever_its_framing():
    found = READING.read(b'{"error":"model not found"}\n', status=404)
    assert found.error.category is ErrorCategory.NOT_FOUND
