"""Headers of the user's own: how they are typed, what may be sent, and that none is a key."""

import pytest

from agdesk.core.errors import ConfigurationError
from agdesk.core.providers.headers import check_headers, merged, read_headers, write_headers

CANARY = "sk-canary-0123456789"


def told(call, *arguments, **options):
    with pytest.raises(ConfigurationError) as caught:
        call(*arguments, **options)
    return f"{caught.value.message}. {caught.value.hint}"


def test_headers_are_read_a_line_each_and_written_the_same_way():
    text = "X-Title: agdesk\n\n  HTTP-Referer :  https://example.org:8080/a  \nX-Empty:"
    headers = read_headers(text)
    assert headers == {"X-Title": "agdesk", "HTTP-Referer": "https://example.org:8080/a", "X-Empty": ""}
    assert read_headers(write_headers(headers)) == headers
    assert read_headers(" \n") == {}


def test_what_is_no_header_is_refused_without_quoting_it():
    assert CANARY not in told(read_headers, CANARY)
    assert "two headers x-title" in told(read_headers, "X-Title: a\nx-title: b")


@pytest.mark.parametrize(
    "headers",
    [
        {"OpenAI-Organization": "org-1", "OpenAI-Project": "proj_1"},
        {"HTTP-Referer": "https://example.org", "X-Title": "A title: with a colon"},
        {"anthropic-beta": "context-1m-2025-08-07", "x-goog-user-project": "p"},
        {"X-Author": "token holder", "X-Tokens": "5"},
    ],
)
def test_what_providers_ask_for_can_be_sent(headers):
    check_headers(headers)


@pytest.mark.parametrize(
    "name",
    ["Authorization", "proxy-authorization", "X-API-Key", "api-key", "x-goog-api-key", "Cookie", "cf-access-token"],
)
def test_a_header_that_is_a_key_by_its_name_is_refused_with_the_place_for_it(name):
    words = told(check_headers, {"X-Title": "agdesk", name: CANARY})
    assert name in words and "the provider's key" in words and CANARY not in words


@pytest.mark.parametrize("value", [f"Bearer {CANARY}", "basic dXNlcjpwYXNz"])
def test_a_value_that_is_a_credential_is_refused_under_any_name(value):
    words = told(check_headers, {"X-Whatever": value})
    assert "X-Whatever" in words and value not in words


def test_a_key_that_is_known_is_refused_wherever_it_stands():
    words = told(check_headers, {"X-Note": f"my {CANARY}!"}, redact=lambda text: text.replace(CANARY, "key-"))
    assert "X-Note" in words and CANARY not in words


@pytest.mark.parametrize(
    ("headers", "words"),
    [
        ({"Host": "other.example"}, "set by agdesk itself"),
        ({"content-length": "3"}, "set by agdesk itself"),
        ({"Transfer-Encoding": "chunked"}, "set by agdesk itself"),
        ({"X Title": "a"}, "letters, digits and dashes"),
        ({"": "a"}, "letters, digits and dashes"),
        ({"X-Title": "agdesk\r\nX-Other: 1"}, "cannot be sent"),
        ({"X-Title": "工作"}, "cannot be sent"),
    ],
)
def test_what_would_break_the_request_is_refused(headers, words):
    assert words in told(check_headers, headers)


def test_the_users_headers_replace_those_of_the_row_in_any_case():
    assert merged({"X-Title": "row", "X-Other": "row"}, {"x-title": "mine"}) == {"X-Other": "row", "x-title": "mine"}
