"""Headers that the user wants sent to a provider beside those of its row: what they may be, and how they are written.

They stand in the settings file, so none may hold a credential: that is the provider's key, which never reaches a file
(SEC1).
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping

from agdesk.core.errors import ConfigurationError
from agdesk.core.trace.redact import is_secret_header

_NAME = re.compile(r"[!#$%&'*+.^_`|~0-9A-Za-z-]+")
_CREDENTIAL = re.compile(r"(basic|bearer|digest|negotiate) \S", re.IGNORECASE)
_OWN = frozenset(
    ("accept-encoding", "connection", "content-length", "content-type", "host", "te", "trailer", "transfer-encoding")
)


def read_headers(text: str) -> dict[str, str]:
    """Headers as they are typed, ``Name: value`` on a line each; empty lines count for nothing.

    Raises:
        ConfigurationError: a line is no header, or two have one name.
    """
    headers: dict[str, str] = {}
    for line in filter(None, map(str.strip, text.splitlines())):
        name, colon, value = line.partition(":")
        name = name.strip()
        if not colon:
            raise ConfigurationError(
                "A line without a colon is no header", "Write a name, a colon and a value, as in X-Title: agdesk."
            )
        if name.lower() in map(str.lower, headers):
            raise ConfigurationError(f"There are two headers {name}", "Leave one of them.")
        headers[name] = value.strip()
    return headers


def write_headers(headers: Mapping[str, str]) -> str:
    """The text that ``read_headers`` reads."""
    return "\n".join(f"{name}: {value}" for name, value in headers.items())


def check_headers(headers: Mapping[str, str], *, redact: Callable[[str], str] = lambda text: text) -> None:
    """Looks whether headers can be sent, and kept in a file. No error quotes a value.

    Args:
        headers: by name.
        redact: takes the keys that are known out of a text.

    Raises:
        ConfigurationError: names the first that cannot.
    """
    for name, value in headers.items():
        if not _NAME.fullmatch(name):
            raise ConfigurationError(
                "A header's name is made of letters, digits and dashes", "Write it as in X-Title: agdesk."
            )
        if is_secret_header(name) or _CREDENTIAL.match(value) or redact(value) != value:
            raise ConfigurationError(
                f"The header {name} would put a key into the settings file",
                "Give it as the provider's key, which is kept in the key store.",
            )
        if name.lower() in _OWN:
            raise ConfigurationError(f"The header {name} is set by agdesk itself", "Leave it out.")
        if not (value.isascii() and value.isprintable()):
            raise ConfigurationError(
                f"The header {name} has a character that cannot be sent", "Use letters, digits and signs of ASCII."
            )


def merged(headers: Mapping[str, str], own: Mapping[str, str]) -> dict[str, str]:
    """A row's headers with the user's, which replace those of the same name in any case."""
    replaced = set(map(str.lower, own))
    return {name: value for name, value in headers.items() if name.lower() not in replaced} | dict(own)
