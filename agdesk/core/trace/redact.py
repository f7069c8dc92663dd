"""Takes secrets out of everything that is recorded, before it is recorded (SEC1, INSP1).

A secret is replaced by a token derived from it: the same secret gives the same token everywhere, and the token has the
length of what it replaces, so that no offset into a body moves (D4).
"""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Iterable, Mapping
from urllib.parse import quote, quote_plus

MIN_SECRET_CHARS = 8
"""Shorter values are not looked for: they would turn up in ordinary text."""

_HEAD_BYTES = 6
_RARE_BYTES = b"QZJXVKYWUGHqjPFBNLzMDRO"  # in streams of English and JSON, the rarest first
_SECRET_WORDS = ("token", "secret", "key", "auth", "authorization", "password", "credential", "credentials", "cookie")
_SCHEME_AND_VALUE = re.compile(r"([A-Za-z]+) (\S+)")


def is_secret_header(name: str) -> bool:
    """Whether a header carries a credential by its name: ``x-api-key`` does, ``x-ratelimit-limit-tokens`` does not."""
    return any(word.endswith(_SECRET_WORDS) for word in re.split(r"[-_.]", name.lower()))


def token_for(secret: bytes, size_bytes: int) -> bytes:
    """What stands for ``secret`` in a record: ``key-`` and a digest, cut or filled to ``size_bytes``."""
    if size_bytes < MIN_SECRET_CHARS:
        return b"*" * size_bytes
    digest = hashlib.blake2b(secret, digest_size=4, person=b"agdesk").hexdigest().encode()
    return (b"key-" + digest).ljust(size_bytes, b"*")[:size_bytes]


class Secrets:
    """Every secret value the program knows. Values can be added at any time and are never given out."""

    __slots__ = ("_tokens", "table")

    def __init__(self, values: Iterable[str] = ()) -> None:
        self._tokens: dict[bytes, bytes] = {}
        self.table = SecretTable({})
        for value in values:
            self.add(value)

    def add(self, value: str) -> None:
        """Makes a value known; one below ``MIN_SECRET_CHARS`` is left out."""
        secret = value.encode("utf-8", "replace")
        if len(value) < MIN_SECRET_CHARS or secret in self._tokens:
            return
        self._tokens |= {form: token_for(secret, len(form)) for form in _spellings(value)}
        self.table = SecretTable(self._tokens)

    def add_credentials(self, headers: Mapping[str, str]) -> None:
        """Makes the values of credential headers known, without their scheme."""
        for name, value in headers.items():
            if is_secret_header(name):
                self.add(_credential_in(value)[1])

    def redact(self, content: bytes) -> bytes:
        """``content`` with every known secret replaced, of the same length."""
        return self.table.replace(content)

    def redact_text(self, text: str) -> str:
        """``text`` with every known secret replaced."""
        return self.table.replace(text.encode("utf-8", "surrogatepass")).decode("utf-8", "surrogatepass")

    def redact_headers(self, headers: Iterable[tuple[str, str]]) -> tuple[tuple[str, str], ...]:
        """Headers with known secrets replaced and the values of credential headers masked, their scheme kept."""
        return tuple((name, self._redact_header(name, value)) for name, value in headers)

    def _redact_header(self, name: str, value: str) -> str:
        if not is_secret_header(name):
            return self.redact_text(value)
        scheme, credential = _credential_in(value)
        encoded = credential.encode("utf-8", "replace")
        return scheme + token_for(encoded, len(encoded)).decode("ascii")


class SecretTable:
    """The spellings of all known secrets and what each is replaced by; immutable.

    The leftmost secret is replaced first, the longest of those that begin at the same byte.
    """

    __slots__ = ("_forms", "_last_bytes", "_marks", "_pattern", "_tokens")

    def __init__(self, tokens: dict[bytes, bytes]) -> None:
        self._tokens = dict(tokens)
        self._forms = tuple(sorted(tokens, key=len, reverse=True))
        # every text with the secret holds a rare byte, which as a number is looked for in a tenth of the time that
        # a needle takes, and this needle, no longer than tells
        self._marks = tuple({(_rarest_byte(form), form[:_HEAD_BYTES]) for form in self._forms})
        self._last_bytes = frozenset(byte for form in self._forms for byte in form[:-1])
        self._pattern = re.compile(b"|".join(re.escape(form) for form in self._forms))

    def is_clean(self, content: bytes) -> bool:
        """Whether ``content`` surely holds no secret, nor the beginning of one at its end."""
        if not content or content[-1] in self._last_bytes:
            return not content
        for byte, head in self._marks:  # noqa: SIM110 - all() with a generator takes three times as long
            if byte in content and content.find(head) >= 0:  # ``in`` takes half as long again for a needle
                return False
        return True

    def replace(self, content: bytes) -> bytes:
        """``content`` with every secret replaced."""
        for byte, head in self._marks:
            if byte in content and head in content:
                return self._pattern.sub(lambda match: self._tokens[match[0]], content)
        return content

    def split(self, content: bytes) -> tuple[bytes, bytes]:
        """``content`` in two: what is settled, already replaced, and a tail that more bytes could make a secret."""
        if not content or content[-1] not in self._last_bytes:
            return self.replace(content), b""
        tail = self._tail_start(content, 0)
        if tail < len(content):
            for match in self._pattern.finditer(content):
                if match.start() >= tail:
                    break
                if match.end() > tail:
                    tail = self._tail_start(content, match.end())
        return self.replace(content[:tail]), content[tail:]

    def _tail_start(self, content: bytes, start: int) -> int:
        """The first place from ``start`` on where an unfinished secret may begin; the length if there is none."""
        tail = len(content)
        for form in self._forms:
            place = max(start, len(content) - len(form) + 1)
            while (place := content.find(form[:1], place, tail)) != -1:
                if form.startswith(content[place:]):
                    tail = place
                    break
                place += 1
        return tail


class ResponseRedactor:
    """Redacts a body that arrives in pieces. What comes out does not depend on where the pieces are cut."""

    __slots__ = ("_held", "_secrets")

    def __init__(self, secrets: Secrets) -> None:
        self._secrets = secrets
        self._held = b""

    def feed(self, chunk: bytes) -> bytes:
        """Takes the next piece; gives what is settled, perhaps nothing."""
        table = self._secrets.table
        if not self._held and table.is_clean(chunk):  # nearly every piece
            return chunk
        settled, self._held = table.split(self._held + chunk)
        return settled

    def finish(self) -> bytes:
        """What was still held back at the end of the body."""
        held, self._held = self._held, b""
        return self._secrets.redact(held)


def _rarest_byte(form: bytes) -> int:
    rare = _RARE_BYTES.find
    return min(form, key=lambda byte: rare(byte) % 256)  # one that is not listed, at -1, comes last


def _credential_in(value: str) -> tuple[str, str]:
    """``Bearer abc`` → its scheme with the space, and the credential."""
    match = _SCHEME_AND_VALUE.fullmatch(value)
    return (match[1] + " ", match[2]) if match else ("", value)


def _spellings(value: str) -> set[bytes]:
    """A secret as it may stand in JSON (either escaping, either slash), in a URL (either hex case) and plain."""
    quoted = {json.dumps(value)[1:-1], json.dumps(value, ensure_ascii=False)[1:-1]}
    escaped = quoted | {text.replace("/", "\\/") for text in quoted}
    percent = {
        quote(value, safe="", errors="replace"),
        quote(value, errors="replace"),
        quote_plus(value, errors="replace"),
    }
    percent |= {re.sub("%..", lambda match: match[0].lower(), text) for text in percent}
    return {text.encode("utf-8", "replace") for text in {value} | escaped | percent}
