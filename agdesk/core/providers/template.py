"""Frames that repeat: one differs from the one before in nothing but the text it adds.

A document whose bytes are those of an earlier one, but for one JSON string standing in the same place, says what the
earlier one said, but for that string. So only the string need be parsed, which takes a fifth of the time.
"""

from __future__ import annotations

import re

from pydantic_core import from_json

_STRING = re.compile(rb'\s*("(?:[^"\\]|\\.)*")', re.DOTALL)


def split_at_text(data: bytes, *, member: str, text: str) -> tuple[bytes, bytes] | None:
    """What stands before and after the value of ``member``, if it is surely ``text``; None if it cannot be told.

    Args:
        data: a JSON document that was parsed.
        member: the name of a member, somewhere in it, whose value is ``text``.
        text: not empty.
    """
    name = b'"' + member.encode("ascii") + b'":'  # inside a string its quotes would be escaped
    if data.count(name) != 1:
        return None
    found = _STRING.match(data, data.index(name) + len(name))
    if found is None or from_json(found[1]) != text:
        return None
    return data[: found.start(1)], data[found.end(1) :]
