"""The words and the code of an error, in every wrapping (QUIRKS E02, E09, E10, T27)."""

import json
from collections.abc import Mapping

import pytest

from agdesk.core.errors import ProviderRejection
from agdesk.core.providers.errors import classify_rejection


def rejection(status: int, body: object, headers: Mapping[str, str] | None = None) -> ProviderRejection:
    raw = body if isinstance(body, bytes) else json.dumps(body).encode()
    return classify_rejection(status, headers=headers or {}, body=raw, now_s=0.0)


def openai(message: str, code: str | int | None = None, kind: str = "invalid_request_error") -> dict[str, object]:
    return {"error": {"message": message, "type": kind, "param": None, "code": code}}


WORDS = [
    ({"error": {"message": "plain"}}, "plain"),
    ({"error": "a string"}, "a string"),
    ({"detail": "Invalid API Key"}, "Invalid API Key"),
    ({"detail": {"error": {"message": "deep"}}}, "deep"),
    ({"code": "X", "message": "dashscope", "request_id": "r"}, "dashscope"),
    ({"object": "error", "message": "mistral", "type": "t", "code": "1500", "raw_status_code": 400}, "mistral"),
    ({"object": "error", "message": {"detail": [{"loc": ["body", "foo"], "msg": "extra"}]}}, "body.foo: extra"),
    ({"error": ["one", "two"], "warnings": []}, "one; two"),
    ({"success": False, "errors": [{"code": 10000, "message": "cloud"}]}, "cloud"),
    ([{"error": {"code": 400, "message": "in an array"}}], "in an array"),
    ({"error": {"code": 429, "message": '{"error": {"message": "encoded twice"}}'}}, "encoded twice"),
    ({"error": "Unauthorized", "message": "Invalid token", "status": 401}, "Invalid token"),
    ({"title": "Bad Request", "detail": "problem", "status": 400}, "problem"),
    ({"error": {"message": "Provider returned error", "metadata": {"raw": "upstream words"}}}, "upstream words"),
    (
        {"error": {"message": "Provider returned error", "metadata": {"raw": '{"error":{"message":"inner"}}'}}},
        "inner",
    ),
    ({"error": {"message": "Provider returned error", "metadata": {"provider_name": "P"}}}, "Provider returned error"),
    ({"error": {"message": "broken \ud83d surrogate"}}, "broken \ufffd surrogate"),
    (b"\xef\xbb\xbf  plain text\n", "plain text"),
    (b"", ""),
    ({}, ""),
    (b"[]", ""),
    (b"null", "null"),
]


@pytest.mark.parametrize(("body", "words"), WORDS)
def test_e02_e09_the_provider_s_words_are_found_in_every_wrapping(body, words):
    error = rejection(400, body)
    assert error.provider_message == words
    assert words in error.message


@pytest.mark.parametrize(
    ("body", "code"),
    [
        (openai("x", "model_not_found"), "model_not_found"),
        (openai("x", None, "server_error"), "server_error"),
        ({"type": "error", "error": {"type": "overloaded_error", "message": "x"}}, "overloaded_error"),
        ({"error": {"code": 429, "message": "x", "status": "RESOURCE_EXHAUSTED"}}, "RESOURCE_EXHAUSTED"),
        ({"object": "error", "message": "x", "type": "invalid_model", "code": "1500"}, "1500"),
        ({"error": {"code": 400, "message": "x"}}, None),
        ({"error": {"code": 3051, "message": "x"}}, "3051"),
        (
            {"error": {"code": 429, "message": "x", "metadata": {"raw": '{"error":{"code":"too_fast"}}'}}},
            "too_fast",
        ),
        ({"error": "Unauthorized", "message": "x"}, "Unauthorized"),
        (b"text", None),
    ],
)
def test_e02_the_code_is_the_most_telling_word(body, code):
    assert rejection(400, body).code == code


def test_e10_a_web_page_is_named_and_not_shown():
    page = b"<!doctype html><html><title>502 Bad\n Gateway</title><body>" + b"x" * 50_000
    error = rejection(502, page, {"content-type": "text/html"})
    assert error.message == "The provider failed (HTTP 502): an HTML page titled “502 Bad Gateway”"
    assert len(error.body) == 16 * 1024
    assert rejection(502, b"<html>" + b"x" * 50_000).message == "The provider failed (HTTP 502): an HTML page"


def test_a_long_message_is_cut():
    assert len(rejection(400, openai("x" * 50_000)).message) < 2100


def test_a_message_says_what_failed_the_status_the_code_and_the_provider_s_words():
    error = rejection(429, openai("slow down", "rate_limit_exceeded"))
    assert error.message == "The rate limit was hit (HTTP 429, rate_limit_exceeded): slow down"
    assert rejection(503, b"").message == "The provider is overloaded (HTTP 503): Service Unavailable"
    assert rejection(599, b"").message == "The provider failed (HTTP 599)"


def test_hostile_nesting_is_read_to_a_bound():
    body = b'{"error":' * 500 + b'"x"' + b"}" * 500
    assert isinstance(rejection(400, body), ProviderRejection)
    assert isinstance(rejection(400, b"[" * 100_000), ProviderRejection)


def test_t27_neither_words_nor_codes_nor_ids_hold_half_a_surrogate_pair():
    error = rejection(400, {"error": {"message": "a\ud83d", "code": "b\ud83d"}, "request_id": "c\ud83d"})
    assert (error.provider_message, error.code, error.request_id) == ("a\ufffd", "b\ufffd", "c\ufffd")
