"""A request as a command line for ``curl`` that sends it again, with the key as a variable of the shell.

Quoting is that of POSIX shells. A body that no argument can hold, or that ``curl`` would take for the name of a file,
comes from ``printf`` through a pipe.
"""

from __future__ import annotations

import re
import shlex

from agdesk.core.trace.redact import is_secret_header
from agdesk.core.trace.wire import RequestSent

DEFAULT_VARIABLE = "API_KEY"
_TOKEN = re.compile(r"key-[0-9a-f]{8}\**")  # redact.token_for
_CREDENTIAL = re.compile(r"([A-Za-z]+ )?\S+")
_VARIABLE_NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")
_LONGEST_ARGUMENT = 128 * 1024  # Linux takes no argument of this many bytes; printf is a part of the shell
_PLAIN = frozenset(b"\n\t") | frozenset(range(0x20, 0x7F))


def curl_command(request: RequestSent, body: bytes, *, variable: str = "") -> str:
    """The command line.

    Args:
        request: as recorded, with tokens where the key was.
        body: as recorded.
        variable: name of the environment variable with the key; ``API_KEY`` if it is no name.
    """
    if not _VARIABLE_NAME.fullmatch(variable):
        variable = DEFAULT_VARIABLE
    words = ["curl", "--request", quoted(request.method)]
    if any(character in request.url for character in "[]{}"):
        words.append("--globoff")
    words.append(_with_variable(request.url, variable))
    for name, value in request.headers:
        words += ["--header", _header(name, value, variable)]
    if not body:
        return " ".join(words)
    text = _argument(body)
    if text is not None:
        return " ".join([*words, "--data-binary", quoted(text)])
    return f"printf {quoted(_printf_format(body))} | " + " ".join([*words, "--data-binary", "@-"])


def quoted(text: str) -> str:
    """One word of a POSIX shell that stands for exactly ``text``."""
    return shlex.quote(text)


def _header(name: str, value: str, variable: str) -> str:
    if not value:
        return quoted(f"{name};")  # "name:" would take the header away
    if is_secret_header(name) and (match := _CREDENTIAL.fullmatch(value)) is not None:
        return _joined(f"{name}: {match[1] or ''}", variable, "")
    return _with_variable(f"{name}: {value}", variable)


def _with_variable(text: str, variable: str) -> str:
    """``text`` quoted, with the variable where a secret was taken out."""
    match = _TOKEN.search(text)
    if match is None:
        return quoted(text)
    return _joined(text[: match.start()], variable, text[match.end() :])


def _joined(before: str, variable: str, after: str) -> str:
    return f'{quoted(before) if before else ""}"${variable}"{_with_variable(after, variable) if after else ""}'


def _argument(body: bytes) -> str | None:
    """The body as an argument; None if it cannot be one."""
    if len(body) >= _LONGEST_ARGUMENT or b"\0" in body or body.startswith(b"@"):
        return None
    try:
        return body.decode()
    except UnicodeDecodeError:
        return None


def _printf_format(body: bytes) -> str:
    """A format that makes ``printf`` write exactly ``body``."""
    special = {ord("%"): "%%", ord("\\"): "\\\\"}
    return "".join(special.get(byte) or (chr(byte) if byte in _PLAIN else f"\\{byte:03o}") for byte in body)
