"""When to come back, the request's id, and errors as records (QUIRKS E04, A19, T23, T24)."""

import json
from collections.abc import Mapping

import pytest

from agdesk.core.errors import (
    ConfigurationError,
    ErrorCategory,
    ErrorRecord,
    LlmError,
    ProtocolError,
    ProviderRejection,
    TransportError,
)
from agdesk.core.providers.errors import (
    classify_rejection,
    error_document,
    error_from_event,
    error_from_record,
    with_header_facts,
)

NOON_S = 1796040000.0  # 2026-11-30T12:00:00Z
TOO_FAST = {"error": {"message": "slow down", "code": "rate_limit_exceeded"}}


def rejection(headers: Mapping[str, str], body: object = TOO_FAST, status: int = 429) -> ProviderRejection:
    return classify_rejection(status, headers=headers, body=json.dumps(body).encode(), now_s=NOON_S)


@pytest.mark.parametrize(
    ("headers", "expected_s"),
    [
        ({}, None),
        ({"Retry-After": "2"}, 2.0),
        ({"retry-after": "1.25"}, 1.2),
        ({"retry-after": "-3"}, 0.0),
        ({"retry-after": "soon"}, None),
        ({"retry-after": "nan"}, None),
        ({"retry-after": ""}, None),
        ({"retry-after": f"Fri, 1 Jan {'9' * 30} 00:00:00 GMT"}, None),
        ({"retry-after": f"Fri, 1 Jan 2026 00:00:00 +{'9' * 30}"}, None),
        ({"ratelimit": f'"api";r={"9" * 5000};t=218'}, 218.0),
        ({"retry-after": "2", "retry-after-ms": "1500"}, 1.5),
        ({"retry-after": "2", "retry-after-ms": "x"}, 2.0),
        ({"retry-after": "Mon, 30 Nov 2026 12:00:30 GMT"}, 30.0),
        ({"retry-after": "Mon, 30 Nov 2026 12:00:30 GMT", "date": "Mon, 30 Nov 2026 12:00:20 GMT"}, 10.0),
        ({"retry-after": "Mon, 30 Nov 2026 11:00:00 GMT"}, 0.0),
        ({"retry-after": "2", "x-ratelimit-reset-tokens": "6m0s"}, 2.0),
        ({"x-ratelimit-reset-tokens": "6m0.5s"}, 360.5),
        ({"x-ratelimit-reset-requests": "17.39s"}, 17.4),
        ({"x-ratelimit-reset-requests": "26ms"}, 0.0),
        ({"x-ratelimit-reset-requests": "1h2m3s"}, 3723.0),
        ({"x-ratelimit-reset": "2"}, 2.0),
        ({"x-ratelimit-reset": "0"}, 0.0),
        ({"x-ratelimit-reset": str(int(NOON_S) + 5)}, 5.0),
        ({"x-ratelimit-reset": str(int(NOON_S) * 1000 + 5500)}, 5.5),
        ({"anthropic-ratelimit-tokens-reset": "2026-11-30T12:00:07Z"}, 7.0),
        ({"ratelimit": '"api";r=499;t=218'}, 218.0),
        ({"ratelimit": '"api";r=0;t=20, "resolvers";r=9;t=300'}, 20.0),
        # the exhausted budget counts; if none is known to be exhausted, the last one to come back
        (
            {
                "x-ratelimit-remaining-requests": "0",
                "x-ratelimit-reset-requests": "3s",
                "x-ratelimit-remaining-tokens": "900",
                "x-ratelimit-reset-tokens": "6m0s",
            },
            3.0,
        ),
        ({"x-ratelimit-reset-requests": "3s", "x-ratelimit-reset-tokens": "6m0s"}, 360.0),
    ],
)
def test_e04_every_form_of_retry_after_is_read(headers, expected_s):
    assert rejection(headers).retry_after_s == expected_s


def test_g11_the_delay_of_a_body_is_read_when_no_header_tells():
    detail = {"@type": "type.googleapis.com/google.rpc.RetryInfo", "retryDelay": "34.4s"}
    body = [{"error": {"code": 429, "message": "quota", "status": "RESOURCE_EXHAUSTED", "details": [detail]}}]
    assert rejection({}, body).retry_after_s == 34.4
    assert rejection({"x-ratelimit-reset": "99"}, body).retry_after_s == 34.4
    assert rejection({"retry-after": "3"}, body).retry_after_s == 3.0


@pytest.mark.parametrize(
    ("words", "expected_s"),
    [
        ("Rate limit reached for m in organization o. Limit 3, used 3. Please try again in 20s. Visit a.example", 20.0),
        ("Please try again in 1m12.5s.", 72.5),
        ("Please try again in 640ms.", 0.6),
        ("Requests have exceeded the call rate limit. Please retry after 6 seconds.", 6.0),
        ("You exceeded your current quota. Please retry in 34.42s.", 34.4),
        ("Too many requests, wait 2 minutes, 5 seconds", 125.0),
        ("Please try again in 2h0m1s", 7201.0),
        ("Please try again later", None),
        ("Please retry after 6 attempts", None),
        ("Try again in 3 months", None),
        (f"Please try again in {'9' * 5000}s", None),
    ],
)
def test_e04_a_wait_that_stands_in_the_words_only(words, expected_s):
    assert rejection({}, {"error": {"message": words}}).retry_after_s == expected_s
    plain = classify_rejection(429, headers={}, body=words.encode(), now_s=NOON_S)
    assert plain.retry_after_s == expected_s


def test_e04_a_wait_in_words_gives_way_to_a_header_and_is_surer_than_the_reset_of_a_budget():
    body = {"error": {"message": "Please try again in 20s."}}
    assert rejection({"retry-after": "3"}, body).retry_after_s == 3.0
    assert rejection({"x-ratelimit-reset-tokens": "6m0s"}, body).retry_after_s == 20.0


def test_e04_reset_times_are_no_wait_for_errors_that_are_no_rate_limit():
    headers = {"x-ratelimit-reset-tokens": "6m0s"}
    assert rejection(headers, {"error": {"message": "bad"}}, status=400).retry_after_s is None
    assert rejection({"retry-after": "9"}, {"error": {"message": "x"}}, status=503).retry_after_s == 9.0


@pytest.mark.parametrize(
    ("headers", "in_body", "expected"),
    [
        ({"X-Request-Id": "a", "cf-ray": "z"}, "b", "a"),
        ({"request-id": "a"}, None, "a"),
        ({"apim-request-id": "a"}, None, "a"),
        ({"x-generation-id": "a"}, None, "a"),
        ({"cf-ray": "z"}, "b", "b"),
        ({"cf-ray": "z"}, None, "z"),
        ({}, None, None),
    ],
)
def test_the_request_id_is_the_provider_s_before_the_proxy_s(headers, in_body, expected):
    body = {**TOO_FAST, "request_id": in_body} if in_body else TOO_FAST
    assert rejection(headers, body).request_id == expected


def test_t24_a_status_inside_the_stream_classifies_the_error_but_http_said_200():
    payload = {
        "error": {
            "message": "Failed to call a function.",
            "type": "invalid_request_error",
            "code": "tool_use_failed",
            "failed_generation": "<function=f>",
            "status_code": 400,
        }
    }
    error = error_from_event(payload)
    assert (error.category, error.status, error.code) == (ErrorCategory.INVALID_REQUEST, 200, "tool_use_failed")
    assert error.message == "The provider refused the request (error 400, tool_use_failed): Failed to call a function."


def test_p05_both_shapes_of_an_error_event_and_a_failed_response_are_read():
    words = {"code": "insufficient_quota", "message": "You exceeded your quota"}
    for payload in (
        {"type": "error", **words, "param": None},
        {"type": "error", "error": {"type": "insufficient_quota", **words}},
        {"type": "response.failed", "response": {"id": "r", "status": "failed", "error": words}},
    ):
        error = error_from_event(payload)
        assert (error.category, error.code, error.is_retryable) == (ErrorCategory.QUOTA, "insufficient_quota", False)
        assert error.provider_message == "You exceeded your quota"


def test_t25_an_error_event_may_be_text():
    assert error_from_event("model crashed").provider_message == "model crashed"


ERRORS: list[LlmError] = [
    rejection({"retry-after": "2", "x-request-id": "r"}),
    error_from_event({"error": "x"}),
    TransportError("cut", "again", is_timeout=True),
    ProtocolError("bad", "hint", frame="xx", expected="JSON"),
]


@pytest.mark.parametrize("error", ERRORS)
def test_an_error_survives_its_record(error):
    again = error_from_record(error.to_record())
    assert type(again) is type(error)
    assert again.to_record() == error.to_record()


def test_an_error_of_another_kind_keeps_its_category():
    record = ConfigurationError("no key", "set one").to_record()
    again = error_from_record(record)
    assert (again.category, again.message, again.hint) == (ErrorCategory.INVALID_REQUEST, "no key", "set one")


def test_a19_header_facts_complete_a_record_and_overwrite_nothing():
    record = error_from_event({"error": {"code": 429, "message": "x"}, "request_id": "own"}).to_record()
    full = with_header_facts(record, headers={"X-Request-Id": "r", "Retry-After": "3"}, now_s=NOON_S)
    assert (full.details["request_id"], full.details["retry_after_s"]) == ("own", 3.0)
    assert with_header_facts(full, headers={"retry-after": "9"}, now_s=NOON_S) == full
    assert with_header_facts(record, headers={}, now_s=NOON_S) == record


def test_the_document_of_an_error_has_every_key():
    document = error_document(rejection({"retry-after": "2", "x-request-id": "r"}).to_record())
    assert document == {
        "kind": "provider_rejection",
        "category": "rate_limit",
        "message": "The rate limit was hit (HTTP 429, rate_limit_exceeded): slow down",
        "status": 429,
        "code": "rate_limit_exceeded",
        "retry_after": 2.0,
        "request_id": "r",
        "retryable": True,
    }
    bare = error_document(ErrorRecord("protocol_error", "bad", category=ErrorCategory.PROTOCOL))
    assert bare.keys() == document.keys()
    assert (bare["status"], bare["retry_after"], bare["retryable"]) == (None, None, False)


@pytest.mark.parametrize(
    ("body", "expected_s"),
    [
        ({"error": {"message": "slow down", "code": 429, "retry_after": 7}}, 7.0),
        ({"error": {"message": "slow down", "code": 429}, "retry_after": "1.5"}, 1.5),
        ({"error": {"code": 429, "metadata": {"headers": {"X-RateLimit-Reset": str(int(NOON_S * 1000) + 9000)}}}}, 9.0),
        ({"error": {"code": 429, "metadata": {"headers": {"Retry-After": "3"}}}}, 3.0),
        ({"error": {"message": "slow down", "code": 429, "retry_after": True}}, None),
    ],
)
def test_E04_E09_a_wait_that_only_the_body_tells(body, expected_s):
    assert rejection({}, body).retry_after_s == expected_s


def test_E04_a_number_that_is_no_wait_is_none():
    assert rejection({"retry-after": "9" * 23}).retry_after_s is None
