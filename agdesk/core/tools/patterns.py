"""Patterns of rules: ``*`` is any text, ``?`` any one character, a backslash makes the next character literal.

Brackets and braces mean different things in different programs: unescaped they make a pattern broken, not literal. Else
a rule that was meant to deny would silently deny nothing.
"""

from __future__ import annotations

import re
from typing import NamedTuple

_TOKEN = re.compile(r"\\(.)|([*?])|([^\\*?\[\]{}:])|(:)", re.DOTALL)
_SPECIAL = re.compile(r"[\\*?\[\]{}:]")


class BrokenPattern(ValueError):
    """A pattern that cannot be understood; says why."""


class CallPattern(NamedTuple):
    """A pattern of calls, ready to be applied.

    Attributes:
        server, tool: each matches a whole name.
        is_one_server, is_one_tool: it has no wildcard there.
    """

    server: re.Pattern[str]
    tool: re.Pattern[str]
    is_one_server: bool
    is_one_tool: bool


def parse_call_pattern(text: str) -> CallPattern:
    """Reads ``server:tool``.

    Raises:
        BrokenPattern: it is not two patterns with a colon between them.
    """
    halves: list[list[str]] = [[]]
    for token in _tokens(text):
        if token == ":":
            halves.append([])
        else:
            halves[-1].append(token)
    if len(halves) != 2 or not all(halves):
        raise BrokenPattern("a pattern is server:tool; a colon in a name needs a backslash before it")
    server, tool = halves
    return CallPattern(_compiled(server), _compiled(tool), not _WILDCARDS & {*server}, not _WILDCARDS & {*tool})


def parse_glob(text: str) -> re.Pattern[str]:
    """Reads a pattern of a text; a colon is nothing special in it.

    Raises:
        BrokenPattern: it is empty, or cannot be understood.
    """
    tokens = _tokens(text)
    if not tokens:
        raise BrokenPattern("the pattern is empty")
    return _compiled(tokens)


def literal(name: str) -> str:
    """The pattern that matches this name and nothing else."""
    return _SPECIAL.sub(r"\\\g<0>", name)


_WILDCARDS = frozenset("*?")


def _tokens(text: str) -> list[str]:
    """``*``, ``?`` and ``:`` as they are, every literal character with a backslash before it."""
    tokens: list[str] = []
    place = 0
    while place < len(text):
        found = _TOKEN.match(text, place)
        if found is None:
            raise BrokenPattern(f"{text[place]} at character {place + 1} has no meaning of its own")
        escaped, wildcard, plain, colon = found.groups()
        tokens.append(wildcard or colon or f"\\{escaped or plain}")
        place = found.end()
    return tokens


def _compiled(tokens: list[str]) -> re.Pattern[str]:
    """Atomic groups keep the search short: what a star took for the piece after it is never tried again."""
    pieces = [""]
    for token in tokens:
        if token == "*":
            pieces.append("")
        else:
            pieces[-1] += "." if token == "?" else re.escape(token[-1])
    first, *others = pieces
    middle = "".join(f"(?>.*?{piece})" for piece in others[:-1])
    last = f".*{others[-1]}" if others else ""
    return re.compile(f"{first}{middle}{last}", re.DOTALL)
