"""What a body is, told by its first bytes, never by its content type or by what was asked for (T22, T26)."""

from __future__ import annotations

import json
import re
from enum import Enum

BLANK = b" \t\r\n\xef\xbb\xbf"  # white space and the bytes of the byte order mark
_LINE_END = re.compile(rb"[\r\n]")
_FIELDS = (b"data:", b"event:", b"id:", b"retry:", b":")


class BodyKind(Enum):
    """How a body is to be read, or what is needed to tell."""

    EVENTS = 1
    LINES = 2
    DOCUMENT = 3  # also a web page: whatever is read whole
    NEEDS_BYTES = 4
    NEEDS_LINE = 5


def body_kind(head: bytes, *, is_ndjson: bool) -> BodyKind:
    """The kind of a body that begins with ``head``: the same for every longer beginning, once it is told.

    A format of lines also comes as server-sent events, from gateways, or as one document over several lines.

    Args:
        head: without the ``BLANK`` bytes before it; not empty.
        is_ndjson: whether the format streams lines of JSON.
    """
    is_json = head.startswith((b"{", b"["))
    if head.startswith(b"<") or (is_json and not is_ndjson):
        return BodyKind.DOCUMENT
    if not is_ndjson or head.startswith(_FIELDS):
        return BodyKind.EVENTS
    if not is_json:
        return BodyKind.NEEDS_BYTES if any(field.startswith(head) for field in _FIELDS) else BodyKind.LINES
    end = _LINE_END.search(head)
    if end is None:
        return BodyKind.NEEDS_LINE
    return BodyKind.DOCUMENT if _goes_on(head[: end.start()]) else BodyKind.LINES


def _goes_on(line: bytes) -> bool:
    """Whether JSON ends with ``line`` but is not at its end: all of it is right, and something is missing."""
    text = line.decode("utf-8", "replace").rstrip()
    try:
        json.loads(text, strict=False)
    except json.JSONDecodeError as error:
        return error.pos == len(text)
    except (ValueError, RecursionError):
        return False
    return False
