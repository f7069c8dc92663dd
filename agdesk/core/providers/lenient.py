"""Reads JSON of which nothing is certain: what is not of the wanted kind is nothing."""

from __future__ import annotations

import math
from typing import Any

MAX_COUNT = 2**53


def object_of(value: Any) -> dict[str, Any]:
    """``value`` if it is an object, else an empty one."""
    return value if isinstance(value, dict) else {}


def objects_of(value: Any) -> list[dict[str, Any]]:
    """The objects of an array, what else is in it left out."""
    return [item for item in value if isinstance(item, dict)] if isinstance(value, list) else []


def text_in(value: Any) -> str:
    """``value`` if it is a string, else an empty one."""
    return value if isinstance(value, str) else ""


def first_count(*values: Any) -> int | None:
    """The first that is a whole number above 0 and not absurd, as limits of models are."""
    for value in values:
        if isinstance(value, int) and not isinstance(value, bool) and 0 < value <= MAX_COUNT:
            return value
    return None


def token_count(value: Any) -> int | None:
    """A number of tokens, or None for what cannot be one: null, text, fractions, overflown counters (U03, U08)."""
    if type(value) is int:  # nearly always
        return value if 0 <= value <= MAX_COUNT else None
    number = amount(value)
    return int(number) if number is not None and number <= MAX_COUNT and number == int(number) else None


def amount(value: Any) -> float | int | None:
    """A finite number that is not negative, also when it comes as text."""
    if isinstance(value, str):
        try:
            value = float(value)
        except ValueError:
            return None
    if isinstance(value, float):
        return value if math.isfinite(value) and value >= 0 else None
    return value if isinstance(value, int) and not isinstance(value, bool) and value >= 0 else None
