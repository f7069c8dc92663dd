"""What single servers do beside the formats: errors of Azure, OpenRouter, Groq and llama.cpp, members of vLLM."""

import json

import pytest

from agdesk.core.errors import ErrorCategory
from agdesk.core.providers.errors import classify_rejection
from tests.wire.openai_chat.streams import answer, chunk, read, text
from tests.wire.reading import sse


def rejection(status, error, **headers):
    return classify_rejection(status, headers=headers, body=json.dumps({"error": error}).encode(), now_s=0.0)


def test_E08_a_deployment_of_azure_that_is_not_there_is_not_found_and_its_limit_is_a_limit():
    missing = rejection(404, {"code": "DeploymentNotFound", "message": "The API deployment does not exist."})
    assert (missing.category, missing.code) == (ErrorCategory.NOT_FOUND, "DeploymentNotFound")
    limited = rejection(429, {"code": "RateLimitReached", "message": "x"}, **{"retry-after-ms": "1500"})
    assert (limited.category, limited.retry_after_s) == (ErrorCategory.RATE_LIMIT, 1.5)


def test_E09_the_words_of_the_provider_behind_openrouter_are_told():
    raw = json.dumps({"error": {"message": "slow down"}})
    error = rejection(
        429, {"code": 429, "message": "Provider returned error", "metadata": {"raw": raw, "provider_name": "Acme"}}
    )
    assert error.category is ErrorCategory.RATE_LIMIT and "slow down" in error.message


def test_E09_an_answer_inside_provider_is_the_answer():
    inner = {"id": "c1", "choices": [{"message": {"content": "Hi"}, "finish_reason": "stop"}]}
    assert read(json.dumps({"id": None, "choices": None, "provider": inner}).encode()).text == "Hi"


def test_E11_what_groq_could_not_read_as_a_call_is_kept_with_the_error():
    error = {"message": "Failed to call a function.", "code": "tool_use_failed", "failed_generation": "<f>{}</f>"}
    record = answer(text("a"), {"error": error}).response.error
    assert record is not None and record.details["code"] == "tool_use_failed"
    assert "<f>{}</f>" in str(record.details["body"])


@pytest.mark.parametrize("words", ["image input is not supported", "tools param requires --jinja flag"])
def test_L11_what_llama_cpp_cannot_do_is_no_fault_of_the_server_though_it_says_500(words):
    error = rejection(500, {"code": 500, "message": words, "type": "server_error"})
    assert error.category is ErrorCategory.INVALID_REQUEST and not error.is_retryable


def test_L13_the_members_that_vllm_adds_are_no_text():
    first = chunk({"reasoning": "Hm", "reasoning_content": "Hm"}, choice={"token_ids": [1], "stop_reason": None})
    last = chunk({"content": "Hi"}, "stop", choice={"stop_reason": 128009})
    found = answer(first, last)
    assert (found.thinking, found.text, found.stop) == ("Hm", "Hi", "end_turn")
    assert found.response.extra["stop_reason"] == 128009


def test_T21_an_error_that_comes_as_a_stream_is_an_error():
    found = read(sse({"error": {"message": "slow down"}}), status=429)
    assert found.error is not None and found.error.category is ErrorCategory.RATE_LIMIT
