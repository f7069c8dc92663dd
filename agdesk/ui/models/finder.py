"""Finds models by what was typed, among thousands, for every key."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from typing import TypeAlias

from agdesk.core.providers.catalogue import ModelRow
from agdesk.ui.models.filters import ModelFilter
from agdesk.ui.widgets.folding import folded
from agdesk.ui.widgets.matching import Target, has_letters, hit_places, quick_rank, rank

_GAP = re.compile(r"[\W_]+")
_RANKED = 100  # if more than that have the letters just somewhere, what was typed cannot tell them apart


_Searched: TypeAlias = tuple[ModelRow, Target]
_REFERENCE, _AS_TYPED, _WORDS, _LETTERS = range(4)  # how a model fits what was typed, the best first


@dataclass(frozen=True, slots=True)
class Found:
    """What is shown, in order.

    Attributes:
        rows: the models.
        unknown_from: index of the first of which nobody knows whether it passes the filter.
        hidden_unknown: how many more there are of which nobody knows that.
        is_as_typed: the first of them has what was typed in one piece.
    """

    rows: tuple[ModelRow, ...] = ()
    unknown_from: int = 0
    hidden_unknown: int = 0
    is_as_typed: bool = True


class ModelFinder:
    """The models that pass a filter and fit what was typed; the usable ones come first.

    A text is looked for in the provider's name and id, the model's id and its display name.
    """

    def __init__(self) -> None:
        self._filter = ModelFilter()
        self._targets: dict[str, Target] = {}
        self._all: list[_Searched] = []
        self._fitting: list[_Searched] = []
        self._unknown: list[_Searched] = []
        self._query = ""
        self._misses: set[str] = set()  # references that do not fit the query, and so fit none that begins with it

    @property
    def filter(self) -> ModelFilter:
        """What is in force."""
        return self._filter

    def set_rows(self, rows: Iterable[ModelRow]) -> None:
        """Searches other models; among equals, their order stays."""
        before, self._targets = self._targets, {}
        self._all = []
        for row in sorted(rows, key=lambda row: not row.is_usable):
            text = _text(row)
            target = self._targets[text] = before.get(text) or Target(text)
            self._all.append((row, target))
        self._apply()

    def set_filter(self, model_filter: ModelFilter) -> None:
        """Shows other models of these."""
        self._filter = model_filter
        self._apply()

    def find(self, query: str) -> Found:
        """The models that fit, the best first; all in their order if there is nothing to look for."""
        if not query.startswith(self._query) or not self._query:
            self._misses = set()
        self._query = query
        fitting = self._found(query, self._fitting)
        unknown = self._found(query, self._unknown)
        shown = [*fitting, *unknown] if self._filter.includes_unknown else fitting
        return Found(
            tuple(row for row, _ in shown),
            len(fitting),
            len(unknown) if shown is fitting else 0,
            bool(shown) and folded(query).strip() in shown[0][1].folded,
        )

    def hits(self, query: str, text: str) -> frozenset[int]:
        """Which letters of a shown text were looked for; none where folding has moved the letters."""
        target = Target(text)
        if len(target.folded) != len(text):
            return frozenset()
        words = _words(query)
        return frozenset().union(*(hit_places((word,), target) for word in words if word in target.folded))

    def _apply(self) -> None:
        self._fitting, self._unknown = [], []
        for searched in self._all:
            is_met = self._filter.is_met(searched[0])
            if is_met is not False:
                (self._fitting if is_met else self._unknown).append(searched)
        self._query = ""

    def _found(self, query: str, candidates: list[_Searched]) -> list[_Searched]:
        words = _words(query)
        if not words:
            return candidates
        typed = folded(query).strip()
        whole = f"{typed} "  # a text begins with the reference
        found: list[tuple[int, bool, int, int, int]] = []  # what is sorted by, and then the place in ``candidates``
        others: list[int] = []
        misses = self._misses
        for at, (row, target) in enumerate(candidates):
            if target.folded in misses:
                continue
            points = quick_rank(words, target)
            if typed in target.folded:
                fit = _REFERENCE if target.folded.startswith(whole) else _AS_TYPED
                found.append((fit, not row.is_usable, -(points or 0), len(target.folded), at))
            elif points is not None:
                found.append((_WORDS, not row.is_usable, -points, len(target.folded), at))
            elif has_letters(words, target):
                others.append(at)
            else:
                misses.add(target.folded)
        is_telling = len(others) <= _RANKED
        for at in others:
            row, target = candidates[at]
            points = rank(words, target) if is_telling else 0
            found.append((_LETTERS, not row.is_usable, -points, len(target.folded), at))
        found.sort()
        return [candidates[at] for *_, at in found]


def _words(query: str) -> tuple[str, ...]:
    return tuple(_GAP.sub(" ", folded(query)).split())


def _text(row: ModelRow) -> str:
    name = "" if row.model.display_name == row.model.id else row.model.display_name
    return f"{row.ref} {row.provider_name} {name}"
