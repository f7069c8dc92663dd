"""Ids of calls as an endpoint takes them (K17): the same for a call and for its result, and the same each time."""

from __future__ import annotations

import hashlib
import itertools
import re
from dataclasses import dataclass

_DIGEST_CHARACTERS = 8


@dataclass(frozen=True, slots=True)
class IdRule:
    """Which ids an endpoint takes.

    Attributes:
        max_characters: the longest id.
        is_plain: only letters, digits, ``_`` and ``-``.
        exact_length: exactly so many letters and digits; None: as the two above say.
    """

    max_characters: int = 64
    is_plain: bool = True
    exact_length: int | None = None


class CallIds:
    """Gives ids that are taken, each once."""

    __slots__ = ("_rule", "_taken")

    def __init__(self, rule: IdRule) -> None:
        self._rule = rule
        self._taken: set[str] = set()

    def sendable(self, call_id: str) -> str:
        """``call_id`` if it fits and was not given before, else one made from it."""
        found = first = _fitting(call_id, self._rule)
        numbers = itertools.count(2)
        while found in self._taken:
            found = _fitting(f"{first}_{next(numbers)}", self._rule)
        self._taken.add(found)
        return found


def _fitting(call_id: str, rule: IdRule) -> str:
    digest = hashlib.sha256(call_id.encode("utf-8", "replace")).hexdigest()
    if (length := rule.exact_length) is not None:
        return call_id if re.fullmatch(f"[A-Za-z0-9]{{{length}}}", call_id) else digest[:length]
    text = re.sub(r"[^A-Za-z0-9_-]", "_", call_id) if rule.is_plain else call_id
    if text == call_id and len(text) <= rule.max_characters:
        return call_id
    return f"{text[: rule.max_characters - _DIGEST_CHARACTERS - 1]}_{digest[:_DIGEST_CHARACTERS]}"
