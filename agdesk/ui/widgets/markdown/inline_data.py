"""The bytes of images that stand in a text: long runs of characters that mean nothing to a parser, and cost it a lot.

A parser is given something short in their place, and they are put back into what it found.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from markdown_it.token import Token

LONGEST_HEAD = 64
_HEAD = re.compile(r"data:image/[a-z+.-]{3,8};base64,", re.IGNORECASE)
_RUN = re.compile(r"[A-Za-z0-9+/=]*")
_LONG = re.compile(rf"({_HEAD.pattern})([A-Za-z0-9+/=]{{256,}})", re.IGNORECASE)
_SHORT = re.compile(rf"{_HEAD.pattern}\d+\.\d+", re.IGNORECASE)


class OpenData:
    """The bytes of images in a text that grows at its end and loses its beginning. They count for nothing there.

    Attributes:
        is_open: what comes next goes on a run; until that ends it is kept apart, so that adding to it costs nothing.
    """

    def __init__(self) -> None:
        self.is_open = False
        self._parts: list[str] = []
        self._spans: list[tuple[int, int]] = []

    @property
    def size(self) -> int:
        """How many characters of the text are such bytes."""
        return sum(end - start for start, end in self._spans)

    def take(self, text: str, start: int, *, at: int) -> tuple[str, int]:
        """Takes what goes on the run; gives what is to be added to the text, once the run ends, and where that is.

        Args:
            text: what comes.
            start: its first character that is not taken yet.
            at: the size of the text so far.
        """
        found = _RUN.match(text, start)
        end = found.end() if found is not None else start
        self._parts.append(text[start:end])
        if end == len(text):
            return "", end
        data = "".join(self._parts)
        self._parts, self.is_open = [], False
        self._spans.append((at, at + len(data)))
        return data, end

    def drop(self, size: int) -> None:
        """The text loses its beginning."""
        spans = ((start - size, end - size) for start, end in self._spans)
        self._spans = [(max(0, start), end) for start, end in spans if end > 0]


def head_end(before: str, text: str, start: int, end: int) -> int | None:
    """Where the first run begins in a part of a text; None if none does.

    Args:
        before: what comes before the part; its end counts for a beginning that is split.
        text: the part is in it.
        start, end: of the part.
    """
    known = before[-LONGEST_HEAD:]
    for found in _HEAD.finditer(known + text[start:end]):
        if found.end() > len(known):
            return start + found.end() - len(known)
    return None


def shortened(source: str) -> tuple[str, dict[str, str]]:
    """A text with something short in place of every long run, and for each of these what it stands for."""
    long: dict[str, str] = {}

    def shorten(found: re.Match[str]) -> str:
        short = f"{found[1]}{len(long)}.{len(found[2])}"  # a full stop is in no run
        long[short] = found[0]
        return short

    return (_LONG.sub(shorten, source), long) if ";base64," in source else (source, long)


def restore(tokens: Iterable[Token], long: Mapping[str, str]) -> None:
    """Puts the runs back into what a parser made of a shortened text."""
    for token in tokens:
        token.content = restored(token.content, long)
        for name, value in token.attrs.items():
            if isinstance(value, str):
                token.attrs[name] = restored(value, long)
        restore(token.children or (), long)


def restored(text: str, long: Mapping[str, str]) -> str:
    """A text with the runs back in their places."""
    return _SHORT.sub(lambda found: long.get(found[0], found[0]), text)
