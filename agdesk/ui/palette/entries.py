"""What the palette offers, and what of it fits."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from operator import itemgetter

from PySide6.QtGui import QKeySequence

from agdesk.ui.actions import ActionRegistry
from agdesk.ui.widgets.folding import folded
from agdesk.ui.widgets.matching import Target, has_letters, hit_places, quick_rank, rank, target_of
from agdesk.ui.widgets.text import safe_text

_RANKED_TEXTS = 400  # if more than that have the letters just somewhere, what was typed cannot tell them apart


@dataclass(frozen=True, slots=True)
class Entry:
    """Something that can be chosen.

    Attributes:
        text: what is searched and shown.
        detail: what it belongs to.
        run: what choosing it does.
        keys: the shortcut, as people read it.
        is_enabled: whether it can be chosen now.
        action_id: of the action that it is, empty for anything else.
    """

    text: str
    detail: str
    run: Callable[[], None]
    keys: str = ""
    is_enabled: bool = True
    action_id: str = ""


class EntrySearch:
    """Finds entries, of which there may be thousands, for each key that is typed."""

    def __init__(self) -> None:
        self._query = ""
        self._misses: set[str] = set()  # texts that do not fit the query, and so fit none that begins with it

    def find(self, query: str, entries: Iterable[Entry]) -> list[Entry]:
        """The entries that fit, the best first; all in their order if there is nothing to look for."""
        words = tuple(folded(query).split())
        if not words:
            return list(entries)
        if not query.startswith(self._query):
            self._misses = set()
        self._query = query
        found: list[tuple[int, bool, int, Entry]] = []
        others: list[tuple[Target, Entry]] = []
        for entry in entries:
            if entry.text in self._misses:
                continue
            target = target_of(entry.text)
            if (points := quick_rank(words, target)) is not None:
                found.append((-points, not target.folded.startswith(words[0]), len(target.folded), entry))
            elif has_letters(words, target):
                others.append((target, entry))
            else:
                self._misses.add(entry.text)
        is_telling = len(others) <= _RANKED_TEXTS
        for target, entry in others:
            found.append((-rank(words, target) if is_telling else 0, True, len(target.folded), entry))
        found.sort(key=itemgetter(0, 1, 2))
        return [entry for *_, entry in found]

    def hits(self, query: str, text: str) -> frozenset[int]:
        """Which letters of a text of the results were hit; none where folding has moved the letters."""
        target = target_of(text)
        if len(target.folded) != len(text):
            return frozenset()
        return hit_places(tuple(folded(query).split()), target)


def action_entries(registry: ActionRegistry) -> list[Entry]:
    """The actions as they are now, in the order of the registry."""
    return [
        Entry(
            text=safe_text(action.text()),
            detail=registry.group(action.objectName()),
            run=action.trigger,
            keys=native_text(registry.shortcut(action.objectName())),
            is_enabled=action.isEnabled(),
            action_id=action.objectName(),
        )
        for action in registry
    ]


def native_text(keys: str) -> str:
    """Keys as the platform writes them."""
    return QKeySequence(keys).toString(QKeySequence.SequenceFormat.NativeText)
