"""How well a text fits what was typed: its letters in their order, best at the starts of words and side by side."""

from __future__ import annotations

import re
from functools import cached_property, lru_cache
from typing import TypeAlias

from agdesk.ui.widgets.folding import folded

_LETTER = 1
_WORD_START = 8
_NEXT_TO = 9  # more than a word start: letters that were typed together are meant together
_IDEOGRAPHS = "\u2e80"  # from here on, roughly, scripts put no spaces between words: each letter begins one

_GAP = re.compile(r"[\W_]")

Hit: TypeAlias = tuple[int, int, int]  # place in the text, points up to here, which hit of the letter before


class Target:
    """A text that is searched.

    Attributes:
        folded: as ``folding.folded`` gives it.
        before: for each letter of it the one before, a space for all that is neither letter nor digit.
        initials: the first letters of its words.
    """

    def __init__(self, text: str) -> None:
        self.folded = folded(text)
        self.before = " " + _GAP.sub(" ", self.folded)
        self.initials = "".join([part[0] for part in self.before.split()])

    @cached_property
    def worth(self) -> bytes:
        """What each letter counts when it is hit."""
        return bytes(
            _LETTER + _WORD_START * (before == " " or letter >= _IDEOGRAPHS)
            for letter, before in zip(self.folded, self.before, strict=False)
        )


@lru_cache(maxsize=8192)
def target_of(text: str) -> Target:
    """A text prepared for searching; the next key, and the next search, find it prepared."""
    return Target(text)


def has_letters(words: tuple[str, ...], target: Target) -> bool:
    """Whether a text has the letters of each folded word in their order; the words themselves may be in any."""
    text = target.folded
    for word in words:
        place = -1
        for letter in word:
            place = text.find(letter, place + 1)
            if place < 0:
                return False
    return True


def quick_rank(words: tuple[str, ...], target: Target) -> int | None:
    """The points of a text in which each word begins a word or is made of initials; None for all others.

    There is no better way to fit than the first, so that not all of them must be looked at.
    """
    total = 0
    for word in words:
        if " " + word in target.before or (word[0] >= _IDEOGRAPHS and word in target.folded):
            ideographs = sum(letter >= _IDEOGRAPHS for letter in word[1:])
            total += len(word) * _LETTER + (len(word) - 1) * _NEXT_TO + (1 + ideographs) * _WORD_START
        elif word in target.initials:
            total += len(word) * (_LETTER + _WORD_START)
        else:
            return None
    return total


def rank(words: tuple[str, ...], target: Target) -> int:
    """The points of a text that ``has_letters``, of the best way to find them."""
    return sum(max(points for _, points, _ in _find(word, target)[-1]) for word in words)


def hit_places(words: tuple[str, ...], target: Target) -> frozenset[int]:
    """Which letters of the folded text ``rank`` counted; none if it does not fit."""
    places: set[int] = set()
    for word in words:
        layers = _find(word, target)
        if not layers:
            return frozenset()
        best = max(range(len(layers[-1])), key=lambda at: layers[-1][at][1])
        for layer in reversed(layers):
            place, _, best = layer[best]
            places.add(place)
    return frozenset(places)


def _find(word: str, target: Target) -> list[list[Hit]]:
    """For each letter of a word where it can be, with the best way to get there; nothing if one is not there."""
    text, worth = target.folded, target.worth
    layers: list[list[Hit]] = []
    before: list[Hit] = [(-2, 0, 0)]
    for letter in word:
        layer: list[Hit] = []
        passed = best = 0
        place = text.find(letter, max(0, before[0][0] + 1))
        while place >= 0:
            while passed < len(before) and before[passed][0] < place:
                if before[passed][1] > before[best][1]:
                    best = passed
                passed += 1
            last_place, last_points, _ = before[passed - 1]
            if last_place == place - 1 and last_points + _NEXT_TO >= before[best][1]:
                layer.append((place, last_points + _NEXT_TO + worth[place], passed - 1))
            else:
                layer.append((place, before[best][1] + worth[place], best))
            place = text.find(letter, place + 1)
        if not layer:
            return []
        layers.append(layer)
        before = layer
    return layers
