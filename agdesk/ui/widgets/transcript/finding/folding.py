"""What a search takes for equal: the same letters in either case, however they are put together.

Canonically equivalent texts are equal ("é" in one character or in two), and a letter is not equal to itself with a mark
on it. Unless case matters, texts are compared by their full case folding ("ß" is "ss"). A line end is a space.
"""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterator
from functools import cached_property
from unicodedata import is_normalized, normalize

NEEDLE_CHARS = 200  # of what is searched for

# combining marks of the general blocks and of kana; the vowels and final consonants of a decomposed Hangul syllable
_MARKS = "\u0300-\u036f\u1ab0-\u1aff\u1dc0-\u1dff\u20d0-\u20ff\u3099\u309a\ufe20-\ufe2f\u1160-\u11ff"
_MARK = re.compile(f"[{_MARKS}]")
_SPACES = str.maketrans(dict.fromkeys("\n\u2028\u2029", " "))


class Needle:
    """What is searched for.

    Args:
        text: as typed; one line, up to ``NEEDLE_CHARS``.
        is_case_sensitive: upper and lower case differ.
    """

    def __init__(self, text: str, *, is_case_sensitive: bool = False) -> None:
        self.text = text
        self.is_case_sensitive = is_case_sensitive
        self.decomposed = _decompose(text, is_case_sensitive)
        composed = normalize("NFC", text)
        self.composed = normalize("NFC", composed if is_case_sensitive else composed.casefold())

    @cached_property
    def composed_pattern(self) -> re.Pattern[str]:
        """The composed needle, no mark behind it."""
        return re.compile(f"{re.escape(self.composed)}(?![{_MARKS}])")

    @cached_property
    def decomposed_pattern(self) -> re.Pattern[str]:
        """The decomposed needle, no mark behind it."""
        return re.compile(f"{re.escape(self.decomposed)}(?![{_MARKS}])")


class FoldedText:
    """A text made ready to be searched again and again.

    Almost every text is folded character by character, so that a place in it is one in its source; the source of others
    is kept, to find the place.

    Args:
        source: the text.
        tail: what follows it: a match may end there, but begins in the source.
        is_case_sensitive: as of the needles to come.
    """

    __slots__ = ("_bounds", "_end", "_has_marks", "_is_case_sensitive", "_source", "_text")

    def __init__(self, source: str, tail: str = "", *, is_case_sensitive: bool) -> None:
        whole = source + tail if tail else source
        self._is_case_sensitive = is_case_sensitive
        self._source: str | None = None
        self._bounds: list[int] | None = None
        self._has_marks = False
        self._end = len(source)
        if whole.isascii():
            text = whole if is_case_sensitive else whole.lower()
        else:
            text = whole if is_case_sensitive else whole.casefold()
            is_plain = len(text) == len(whole) and is_normalized("NFC", whole) and is_normalized("NFC", text)
            if not is_plain:
                text = _decompose(whole, is_case_sensitive)
                self._source = whole
                self._end = len(_decompose(source, is_case_sensitive)) if tail else len(text)
            self._has_marks = _MARK.search(text) is not None
            text = text.translate(_SPACES) if "\u2028" in text or "\u2029" in text else text
        self._text = text.replace("\n", " ") if "\n" in text else text

    def count(self, needle: Needle) -> int:
        """How many matches begin in the source; they do not overlap."""
        if not self._has_marks:
            text = needle.composed if self._source is None else needle.decomposed
            return self._text.count(text, 0, self._end + len(text) - 1)
        return sum(1 for _ in self._found(needle))

    def spans(self, needle: Needle) -> list[tuple[int, int]]:
        """Start and end in the source of every match, in characters."""
        if self._source is None:
            return [found.span() for found in self._found(needle)]
        bounds = self._make_bounds(self._source)
        return [
            (bisect_right(bounds, found.start()) - 1, bisect_left(bounds, found.end())) for found in self._found(needle)
        ]

    def _found(self, needle: Needle) -> Iterator[re.Match[str]]:
        is_whole = self._source is None
        pattern = needle.composed_pattern if is_whole else needle.decomposed_pattern
        size = len(needle.composed if is_whole else needle.decomposed)
        if self._end == len(self._text):
            return pattern.finditer(self._text)
        # of a match that ends where it may, the mark behind it must be seen
        found = pattern.finditer(self._text, 0, self._end + size)
        return (match for match in found if match.start() < self._end)

    def _make_bounds(self, source: str) -> list[int]:
        """Where each character of the source begins in the folded text, and the end of that."""
        if self._bounds is None:
            bounds = [0]
            for character in source:
                bounds.append(bounds[-1] + len(_decompose(character, self._is_case_sensitive)))
            self._bounds = bounds
        return self._bounds


def _decompose(text: str, is_case_sensitive: bool) -> str:
    """Characters and marks each on their own. The length is the sum of those of the characters."""
    decomposed = normalize("NFD", text)
    return decomposed if is_case_sensitive else normalize("NFD", decomposed.casefold())
