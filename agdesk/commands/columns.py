"""Tables in a terminal."""

from __future__ import annotations

import unicodedata
from collections.abc import Sequence


def table(rows: Sequence[Sequence[str]]) -> list[str]:
    """The rows as lines, each column as wide as its widest cell."""
    widths = [max(_columns(row[i]) for row in rows) for i in range(len(rows[0]))]
    return [
        "  ".join(cell + " " * (width - _columns(cell)) for cell, width in zip(row, widths, strict=True)).rstrip()
        for row in rows
    ]


def _columns(text: str) -> int:
    """How many columns of a terminal a text takes: two for each wide character, as Chinese has them."""
    return sum(2 if unicodedata.east_asian_width(character) in "WF" else 1 for character in text)
