"""SEC1, INSP1: no secret gets into a record, and redaction moves no offset."""

import itertools
import json
import re
from urllib.parse import quote

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from agdesk.core.trace.redact import ResponseRedactor, Secrets, is_secret_header, token_for

KEY = "sk-canary/0123456789+abc"


def stream(secrets: Secrets, body: bytes, cuts: list[int]) -> bytes:
    redactor = ResponseRedactor(secrets)
    places = sorted({0, len(body), *(cut % (len(body) + 1) for cut in cuts)})
    pieces = [body[start:end] for start, end in itertools.pairwise(places)]
    return b"".join(map(redactor.feed, pieces)) + redactor.finish()


def test_a_secret_becomes_a_token_of_its_own_length():
    redacted = Secrets([KEY]).redact(f"before {KEY} after".encode())
    assert KEY.encode() not in redacted
    assert redacted.startswith(b"before key-") and redacted.endswith(b" after")
    assert len(redacted) == len(f"before {KEY} after")


def test_the_same_secret_has_the_same_token_in_headers_and_bodies_and_in_every_run():
    secrets = Secrets([KEY])
    token = secrets.redact_text(KEY)
    assert secrets.redact_headers([("Authorization", f"Bearer {KEY}")]) == (("Authorization", f"Bearer {token}"),)
    assert secrets.redact_headers([("X-Request-Id", f"id-{KEY}")]) == (("X-Request-Id", f"id-{token}"),)
    assert Secrets(["another secret", KEY]).redact_text(KEY) == token
    assert token == token_for(KEY.encode(), len(KEY)).decode()


def test_different_secrets_have_different_tokens():
    secrets = Secrets(["first-secret", "other-secret"])
    assert secrets.redact_text("first-secret") != secrets.redact_text("other-secret")


@pytest.mark.parametrize(
    "spelling",
    [
        lambda value: value,
        lambda value: json.dumps(value)[1:-1],
        lambda value: json.dumps(value, ensure_ascii=False)[1:-1],
        lambda value: json.dumps(value)[1:-1].replace("/", "\\/"),
        lambda value: quote(value, safe=""),
        lambda value: quote(value),
        lambda value: re.sub("%..", lambda match: match[0].lower(), quote(value, safe="")),
    ],
)
def test_a_secret_is_found_in_every_spelling_and_the_length_stays(spelling):
    value = 'sk/"quoted"\\é-0123'
    text = f"x={spelling(value)}&y"
    redacted = Secrets([value]).redact_text(text)
    assert spelling(value) not in redacted
    assert redacted.startswith("x=key-") and redacted.endswith("&y")
    assert len(redacted.encode()) == len(text.encode())


def test_a_value_too_short_to_be_a_secret_is_left_in_the_text_but_not_in_credential_headers():
    secrets = Secrets(["none", ""])
    assert secrets.redact(b"none of it") == b"none of it"
    assert secrets.redact_headers([("x-api-key", "none")]) == (("x-api-key", "****"),)


def test_text_without_a_secret_is_the_same_object():
    body = b"x" * 1000
    assert Secrets([KEY]).redact(body) is body


@pytest.mark.parametrize(
    "name",
    [
        "Authorization",
        "proxy-authorization",
        "x-api-key",
        "api-key",
        "X-Goog-Api-Key",
        "Cookie",
        "set-cookie",
        "x-amz-security-token",
        "x-auth-token",
        "client_secret",
        "X-Custom-Accesskey",
    ],
)
def test_credential_headers_are_masked_though_nobody_knows_their_value(name):
    assert is_secret_header(name)
    ((_, value),) = Secrets().redact_headers([(name, "an-unknown-credential-0123")])
    assert "unknown" not in value and len(value) == len("an-unknown-credential-0123")


@pytest.mark.parametrize(
    "name",
    [
        "x-ratelimit-remaining-tokens",
        "anthropic-ratelimit-tokens-reset",
        "content-type",
        "retry-after",
        "openai-organization",
        "www-authenticate",
        "x-request-id",
    ],
)
def test_headers_that_carry_no_credential_stay_readable(name):
    assert not is_secret_header(name)
    assert Secrets().redact_headers([(name, "value-0123456789")]) == ((name, "value-0123456789"),)


def test_the_scheme_of_an_authorization_stays_and_the_rest_does_not():
    ((_, bearer), (_, digest)) = Secrets().redact_headers(
        [("authorization", "Basic dXNlcjpwYXNzd29yZA=="), ("authorization", 'Digest username="u", response="0123"')]
    )
    assert bearer.startswith("Basic key-") and "dXNl" not in bearer
    assert "username" not in digest and "0123" not in digest


def test_a_secret_that_becomes_known_in_the_middle_of_a_body_is_redacted_from_then_on():
    secrets = Secrets()
    redactor = ResponseRedactor(secrets)
    assert redactor.feed(b"sk-") == b"sk-"
    secrets.add(KEY)
    assert KEY.encode() not in redactor.feed(KEY.encode()) + redactor.finish()


def test_only_a_tail_that_may_be_the_beginning_of_a_secret_is_held_back():
    redactor = ResponseRedactor(Secrets([KEY]))
    assert redactor.feed(b"data: {}\n\n") == b"data: {}\n\n"
    assert redactor.feed(b"data: sk-can") == b"data: "
    assert redactor.feed(b"opener\n\n") == b"sk-canopener\n\n"
    assert redactor.feed(b"ends with s") == b"ends with "
    assert redactor.finish() == b"s"


def test_a_secret_cut_at_every_place_is_found():
    secrets = Secrets([KEY])
    body = f'data: {{"a":"{KEY}"}}\n\n'.encode()
    for cut in range(len(body)):
        assert stream(secrets, body, [cut]) == secrets.redact(body)
    assert stream(secrets, body, list(range(len(body)))) == secrets.redact(body)


@given(
    st.lists(st.text("ab", min_size=8, max_size=12), min_size=1, max_size=4),
    st.lists(st.text("ab", max_size=20), max_size=6),
    st.lists(st.integers(0, 400), max_size=20),
    st.data(),
)
def test_the_outcome_does_not_depend_on_where_the_pieces_are_cut(values, fillings, cuts, data):
    """Secrets over two letters overlap, begin each other and hide in the text between them."""
    secrets = Secrets(values)
    parts = [part for filling in fillings for part in (filling, data.draw(st.sampled_from(values)))]
    body = "".join(parts).encode()
    redacted = secrets.redact(body)
    assert stream(secrets, body, cuts) == redacted
    assert len(redacted) == len(body)


@given(st.text(min_size=7, max_size=30), st.text(max_size=20), st.text(max_size=20))
@example('\x00\x1f\x7f\\"/%+é😀', "", "")
def test_no_value_whatever_its_characters_survives_in_json(rest, before, after):
    value, before, after = (text.encode("utf-8", "replace").decode() for text in ("s" + rest, before, after))
    secrets = Secrets([value])
    for ensure_ascii in (True, False):
        document = json.dumps({"text": before + value + after}, ensure_ascii=ensure_ascii)
        read_back = json.loads(secrets.redact_text(document))["text"]
        assert value not in read_back
