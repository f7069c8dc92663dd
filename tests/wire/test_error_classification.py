"""Error answers of real providers and what they are (QUIRKS E01, E03, E05, E06, E08, E11, L11)."""

import json
from collections.abc import Mapping

import pytest

from agdesk.core.errors import ErrorCategory, ProviderRejection
from agdesk.core.providers.error_category import HEADLINES, HINTS
from agdesk.core.providers.errors import classify_rejection

AUTH, PERMISSION, NOT_FOUND = ErrorCategory.AUTH, ErrorCategory.PERMISSION, ErrorCategory.NOT_FOUND
INVALID_REQUEST, CONTEXT_OVERFLOW = ErrorCategory.INVALID_REQUEST, ErrorCategory.CONTEXT_OVERFLOW
RATE_LIMIT, OVERLOADED, QUOTA = ErrorCategory.RATE_LIMIT, ErrorCategory.OVERLOADED, ErrorCategory.QUOTA
CONTENT_FILTER, SERVER, UNKNOWN = ErrorCategory.CONTENT_FILTER, ErrorCategory.SERVER, ErrorCategory.UNKNOWN


def rejection(status: int, body: object, headers: Mapping[str, str] | None = None) -> ProviderRejection:
    raw = body if isinstance(body, bytes) else json.dumps(body).encode()
    return classify_rejection(status, headers=headers or {}, body=raw, now_s=0.0)


def openai(message: str, code: str | int | None = None, kind: str = "invalid_request_error") -> dict[str, object]:
    return {"error": {"message": message, "type": kind, "param": None, "code": code}}


CATEGORIES = [
    # E01: not only 401
    (401, openai("Incorrect API key provided: sk-x.", "invalid_api_key"), AUTH),
    (401, {"type": "error", "error": {"type": "authentication_error", "message": "invalid x-api-key"}}, AUTH),
    (400, {"code": "invalid-argument", "error": "Incorrect API key provided: xx"}, AUTH),
    (400, {"code": "InvalidApiKey", "message": "Invalid API-key provided.", "request_id": "r"}, AUTH),
    (403, {"error": {"message": "No auth credentials found", "code": 403}}, AUTH),
    (
        400,
        {
            "error": {
                "code": 400,
                "message": "API key not valid. Please pass a valid API key.",
                "status": "INVALID_ARGUMENT",
                "details": [{"@type": "type.googleapis.com/google.rpc.ErrorInfo", "reason": "API_KEY_INVALID"}],
            }
        },
        AUTH,
    ),
    (402, openai("Insufficient Balance", "invalid_request_error"), QUOTA),
    (429, openai("You exceeded your current quota", "insufficient_quota", "insufficient_quota"), QUOTA),
    (429, {"error": {"code": "1113", "message": "Insufficient balance or no resource package."}}, QUOTA),
    (
        400,
        {"type": "error", "error": {"type": "invalid_request_error", "message": "Your credit balance is too low"}},
        QUOTA,
    ),
    (402, {"error": {"message": "This request requires more credits", "code": 402}}, QUOTA),
    (400, {"code": "Arrearage", "message": "Access denied, make sure your account is in good standing."}, QUOTA),
    (403, {"error": {"code": 403, "message": "Access to model denied", "status": "PERMISSION_DENIED"}}, PERMISSION),
    (403, openai("Country, region, or territory not supported", "unsupported_country_region_territory"), PERMISSION),
    # E03: the nine spellings of a context overflow, and three more
    (400, openai("This model's maximum context length is 8192 tokens.", "context_length_exceeded"), CONTEXT_OVERFLOW),
    (
        400,
        {"error": {"type": "invalid_request_error", "message": "prompt is too long: 2 tokens > 1 maximum"}},
        CONTEXT_OVERFLOW,
    ),
    (
        400,
        {
            "error": {
                "code": 400,
                "message": "The input token count (9) exceeds the maximum",
                "status": "INVALID_ARGUMENT",
            }
        },
        CONTEXT_OVERFLOW,
    ),
    (400, openai("This model's maximum context length is 65536 tokens.", "invalid_request_error"), CONTEXT_OVERFLOW),
    (
        400,
        {"error": {"code": 400, "type": "exceed_context_size_error", "message": "too large", "n_ctx": 4}},
        CONTEXT_OVERFLOW,
    ),
    (400, {"error": {"code": 400, "message": "This endpoint's maximum context length is 4 tokens."}}, CONTEXT_OVERFLOW),
    (400, {"error": "prompt too long; exceeded max context length by 5 tokens"}, CONTEXT_OVERFLOW),
    (400, {"error": {"type": "too_many_prompt_tokens", "message": "Too many", "code": 400}}, CONTEXT_OVERFLOW),
    (400, openai("Your input exceeds the context window of this model."), CONTEXT_OVERFLOW),
    (
        413,
        {"type": "error", "error": {"type": "request_too_large", "message": "Request exceeds the maximum size"}},
        CONTEXT_OVERFLOW,
    ),
    (413, b"", CONTEXT_OVERFLOW),
    (400, {"error": "This model's maximum prompt length is 131072 but the request contains 9."}, CONTEXT_OVERFLOW),
    # E06: a missing model is not always 404
    (404, openai("The model `x` does not exist or you do not have access to it.", "model_not_found"), NOT_FOUND),
    (404, {"type": "error", "error": {"type": "not_found_error", "message": "model: x"}}, NOT_FOUND),
    (404, {"error": "model 'x' not found, try pulling it first"}, NOT_FOUND),
    (404, {"error": {"code": "DeploymentNotFound", "message": "The API deployment does not exist."}}, NOT_FOUND),
    (400, openai("The requested model 'x' does not exist.", "model_not_found"), NOT_FOUND),
    (400, openai("Model Not Exist", "invalid_request_error"), NOT_FOUND),
    (400, {"object": "error", "message": "Invalid model: x", "type": "invalid_model", "code": "1500"}, NOT_FOUND),
    (400, {"error": {"message": "x is not a valid model ID", "code": 400}}, NOT_FOUND),
    (200, {"error": "Unexpected endpoint or method. (POST /v1/x)"}, NOT_FOUND),
    # limits and load
    (429, {"error": {"code": "RateLimitReached", "message": "x"}}, RATE_LIMIT),
    (429, b"", RATE_LIMIT),
    (
        413,
        openai("Request too large for model on tokens per minute (TPM)", "rate_limit_exceeded", "tokens"),
        RATE_LIMIT,
    ),
    (
        429,
        {"type": "error", "error": {"type": "rate_limit_error", "message": "over 30,000 input tokens per minute"}},
        RATE_LIMIT,
    ),
    (429, {"code": "Throttling.RateQuota", "message": "Requests rate limit exceeded"}, RATE_LIMIT),
    (
        429,
        {
            "error": {
                "code": 429,
                "message": "You exceeded your current quota, please check your plan and billing details.",
                "status": "RESOURCE_EXHAUSTED",
            }
        },
        RATE_LIMIT,
    ),
    (529, {"type": "error", "error": {"type": "overloaded_error", "message": "Overloaded"}}, OVERLOADED),
    (529, b"", OVERLOADED),
    (503, {"error": {"code": 503, "message": "The model is overloaded.", "status": "UNAVAILABLE"}}, OVERLOADED),
    (503, {"error": "server busy, please try again.  maximum pending requests exceeded"}, OVERLOADED),
    (429, openai("The engine is currently overloaded", None, "engine_overloaded_error"), OVERLOADED),
    # E08, E11 and the rest
    (
        400,
        {
            "error": {
                "code": "content_filter",
                "message": "The response was filtered",
                "status": 400,
                "innererror": {"code": "ResponsibleAIPolicyViolation"},
            }
        },
        CONTENT_FILTER,
    ),
    (400, {"code": "DataInspectionFailed", "message": "Input data may contain inappropriate content."}, CONTENT_FILTER),
    (
        403,
        {
            "error": {
                "code": 403,
                "message": "Your input was flagged",
                "metadata": {"reasons": ["x"], "flagged_input": "y"},
            }
        },
        CONTENT_FILTER,
    ),
    (
        400,
        {
            "error": {
                "message": "Failed to call a function.",
                "type": "invalid_request_error",
                "code": "tool_use_failed",
                "failed_generation": "<f>",
            }
        },
        INVALID_REQUEST,
    ),
    (400, openai("Unsupported parameter: 'max_tokens'", "unsupported_parameter"), INVALID_REQUEST),
    (422, {"detail": [{"loc": ["body", "messages"], "msg": "field required", "type": "value_error"}]}, INVALID_REQUEST),
    (409, openai("conflict"), INVALID_REQUEST),
    (418, b"I am a teapot", INVALID_REQUEST),
    (500, openai("The server had an error", None, "server_error"), SERVER),
    (500, {"type": "error", "error": {"type": "api_error", "message": "Internal server error"}}, SERVER),
    (502, b"<html><head><title>502 Bad Gateway</title></head></html>", SERVER),
    (504, b"upstream request timeout", SERVER),
    (408, b"", SERVER),
    # L11
    (
        500,
        {
            "error": {
                "code": 500,
                "message": "image input is not supported - hint: provide an mmproj",
                "type": "server_error",
            }
        },
        INVALID_REQUEST,
    ),
    (
        500,
        {"error": {"code": 500, "message": "tools param requires --jinja flag", "type": "server_error"}},
        INVALID_REQUEST,
    ),
    (400, {"error": '"qwen" does not support thinking'}, INVALID_REQUEST),
    # status 200, the body says what it is
    (200, {"code": "Client specified an invalid argument", "error": "bad request"}, INVALID_REQUEST),
    (200, {"error": {"message": "x", "code": 401}}, AUTH),
    (200, {"error": {"message": "x", "type": "server_error"}}, SERVER),
    (200, {"error": "something"}, UNKNOWN),
]


@pytest.mark.parametrize(("status", "body", "category"), CATEGORIES)
def test_e01_e03_e06_an_error_has_the_category_of_its_meaning(status, body, category):
    assert rejection(status, body).category is category


def test_e05_what_may_succeed_later_is_retryable_and_nothing_else():
    for status, body, category in CATEGORIES:
        expected = category in (RATE_LIMIT, OVERLOADED, SERVER) or status == 409
        assert rejection(status, body).is_retryable is expected, body


@pytest.mark.parametrize(
    ("status", "body", "header", "expected"),
    [
        (400, openai("x"), "true", True),
        (500, openai("x"), "false", False),
        (429, openai("x", "insufficient_quota"), "true", False),
        (500, {"error": {"message": "image input is not supported"}}, "true", False),
    ],
)
def test_e05_should_retry_overrides_all_but_a_spent_quota_and_what_can_never_work(status, body, header, expected):
    assert rejection(status, body, {"X-Should-Retry": header}).is_retryable is expected


def test_every_category_has_a_headline_and_a_next_step():
    assert set(HEADLINES) == set(HINTS) == set(ErrorCategory)
