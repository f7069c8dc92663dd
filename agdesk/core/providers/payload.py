"""The data of one frame → JSON documents, as forgiving as the wire demands (T10, T12, T14, T25, T27)."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Any

from pydantic_core import from_json

DONE = b"[DONE]"
_DEPTH_LIMIT = 200  # pydantic's; what is deeper overflows the stack of whoever walks through it


@dataclass(frozen=True, slots=True)
class Payload:
    """What one frame holds.

    Attributes:
        documents: the JSON values in it, in order.
        is_done: the marker ``[DONE]`` stands after them.
        broken: text that is no JSON; empty if there is none.
        is_odd: strings may hold lone surrogates.
    """

    documents: tuple[Any, ...] = ()
    is_done: bool = False
    broken: str = ""
    is_odd: bool = False


def read_payload(data: bytes) -> Payload:
    """Reads the data of a frame that is not simply one JSON document.

    Several documents may stand on lines of their own. Empty data and comments are nothing (T10); what follows the
    marker is not looked at.
    """
    whole = _read_unit(data)
    lines = data.splitlines()
    if not whole.broken or len(lines) < 2:
        return whole
    documents: list[Any] = []
    is_odd = False
    for line in lines:
        unit = _read_unit(line)
        if unit.broken:
            # one document over several lines, or several of which one is no JSON: the whole is what failed
            return whole if not documents else Payload(tuple(documents), broken=unit.broken, is_odd=is_odd)
        documents.extend(unit.documents)
        is_odd = is_odd or unit.is_odd
        if unit.is_done:
            return Payload(tuple(documents), is_done=True, is_odd=is_odd)
    return Payload(tuple(documents), is_odd=is_odd)


def _read_unit(data: bytes) -> Payload:
    stripped = data.strip()
    if not stripped or stripped.startswith(b":"):
        return Payload()
    if stripped.startswith(DONE):
        return Payload(is_done=True)
    try:
        return Payload((from_json(stripped),))
    except ValueError:
        text = stripped.decode("utf-8", "replace")
    try:
        # pydantic's parser refuses lone surrogates, odd UTF-8 and control characters in strings; this one takes them
        document = json.loads(text, strict=False)
    except (ValueError, RecursionError):
        return Payload(broken=text)
    return Payload((document,), is_odd=True) if is_shallow(document) else Payload(broken=text)


def is_shallow(document: Any) -> bool:
    """Whether a document is nested no deeper than what every reader of it bears."""
    level, depth = [document], 0
    while level and depth <= _DEPTH_LIMIT:
        depth += 1
        containers = [item for item in level if isinstance(item, dict | list)]
        level = [child for item in containers for child in (item.values() if isinstance(item, dict) else item)]
    return depth <= _DEPTH_LIMIT
