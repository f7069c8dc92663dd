"""JSON from a file: one document, or one on each line, with the lines that errors name."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any, NamedTuple

from agdesk.core.errors import CompactError
from agdesk.core.ir.surrogates import mend

MOST_BYTES = 32_000_000
_HALF = re.compile(r"\\u[dD][89a-fA-F]")
_SPACE = re.compile(r"[\s,:]*")


class Numbered(NamedTuple):
    """A document and the line it begins on, from 1; 0: not known."""

    line: int
    document: Any


def read_documents(path: Path) -> tuple[str, list[Numbered]]:
    """The text of a file and the JSON in it; halves of UTF-16 pairs in it become U+FFFD (T27).

    Raises:
        CompactError: it cannot be read, is too large, is not UTF-8 or not JSON.
    """
    text = _text(path)
    try:
        try:
            found = [Numbered(1, json.loads(text))]
        except json.JSONDecodeError as error:
            if not error.msg.startswith("Extra data"):
                raise
            found = _each_line(path, text)
        return text, mend(found) if _HALF.search(text) else found
    except json.JSONDecodeError as error:
        raise CompactError(
            f"{path}, line {error.lineno}, column {error.colno}: this is not JSON ({error.msg})",
            "Mend the file there, or export the conversation again.",
        ) from error
    except ValueError as error:
        raise CompactError(f"{path} holds a number that is too long to be read", "Write it as a text.") from error


def line_of_message(text: str, at: int) -> int | None:
    """The line on which a message begins, of a list or of the member ``messages`` of an object; None if it is not
    found. Only errors ask for it: the text is read again.
    """
    decoder = json.JSONDecoder()
    place = _after_space(text, 0)
    if text[place : place + 1] == "{":
        place = _after_space(text, place + 1)
        while text[place : place + 1] == '"':
            name, place = decoder.raw_decode(text, place)
            place = _after_space(text, place)
            if name == "messages":
                break
            place = _after_space(text, decoder.raw_decode(text, place)[1])
    if text[place : place + 1] != "[":
        return None
    place = _after_space(text, place + 1)
    for _ in range(at):
        place = _after_space(text, decoder.raw_decode(text, place)[1])
    return text.count("\n", 0, place) + 1


def _text(path: Path) -> str:
    try:
        with path.open("rb") as file:
            raw = file.read(MOST_BYTES + 1)
    except OSError as error:
        raise CompactError(
            f"{path} cannot be read: {error.strerror or error}", "Name a file that holds a conversation as JSON."
        ) from error
    if len(raw) > MOST_BYTES:
        raise CompactError(
            f"{path} is larger than {MOST_BYTES // 1_000_000} MB",
            "Leave out attachments: their bytes are never compacted, so nothing is missed.",
        )
    try:
        return raw.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = raw.count(b"\n", 0, error.start) + 1
        raise CompactError(f"{path}, line {line}: this is not UTF-8", "Save the file as UTF-8.") from error


def _each_line(path: Path, text: str) -> list[Numbered]:
    found = []
    for line, part in enumerate(text.split("\n"), start=1):
        if not part.strip():
            continue
        try:
            found.append(Numbered(line, json.loads(part)))
        except json.JSONDecodeError as error:
            raise CompactError(
                f"{path}, line {line}, column {error.colno}: this is not JSON ({error.msg})",
                "The file has to be one JSON document, or one on each line.",
            ) from error
    return found


def _after_space(text: str, place: int) -> int:
    found = _SPACE.match(text, place)
    return found.end() if found else place
