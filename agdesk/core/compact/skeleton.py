"""A text cut to its first characters, and JSON cut to its skeleton (``Truncate``, ``TruncateStructured``)."""

from __future__ import annotations

import json
from typing import Any

from agdesk.core.compact.markers import characters_cut, items_cut, more_items
from agdesk.core.ir.surrogates import mend

_encode = json.JSONEncoder(ensure_ascii=False, allow_nan=False, separators=(",", ":")).encode
_ELLIPSIS = "…"
_MEASURES = ((3, 40), (2, 40), (1, 40), (1, 20), (1, 10))
"""Items of a list and characters of a string that stay: the first pair whose skeleton fits is taken."""


def truncated(text: str, keep: int) -> str:
    """The first ``keep`` characters and how many are gone; a text that is not longer stays."""
    return text if len(text) <= keep else text[:keep] + characters_cut(len(text) - keep)


def structured(document: Any, *, size: int, keep: int) -> str | None:
    """The skeleton of a JSON object or list, at most ``keep`` characters long and JSON again.

    Every member of an object stays, of a list the first items, of a string its beginning. The last item of the whole,
    or its member ``…``, says how many items and characters are gone.

    Args:
        document: the JSON; None if the text is none.
        size: characters of the text.
        keep: how long the skeleton may be, with what it says of the rest.

    Returns:
        None if it is no object or list, or none of its skeletons is short enough.
    """
    if not isinstance(document, dict | list) or (isinstance(document, dict) and _ELLIPSIS in document):
        return None
    for most_items, most_characters in _MEASURES:
        bones = _Bones(most_items, most_characters)
        try:
            written = mend(_encode(bones.of(document)))
        except (ValueError, RecursionError):  # a number that JSON cannot say, nested too deeply
            return None
        gone = _encode(items_cut(bones.items_gone, size - len(written)))
        member = f"{_encode(_ELLIPSIS)}:" if isinstance(document, dict) else ""
        whole = f"{written[:-1]}{',' if document else ''}{member}{gone}{written[-1]}"
        if len(whole) <= keep:
            return whole
    return None


class _Bones:
    """Walks through a document depth first and counts the items that it leaves out."""

    def __init__(self, most_items: int, most_characters: int) -> None:
        self._most_items = most_items
        self._most_characters = most_characters
        self.items_gone = 0

    def of(self, value: Any) -> Any:
        """What stays of a value."""
        if isinstance(value, dict):
            return {key: self.of(item) for key, item in value.items()}
        if isinstance(value, list):
            kept = [self.of(item) for item in value[: self._most_items]]
            if (more := len(value) - len(kept)) > 0:
                self.items_gone += more
                kept.append(more_items(more))
            return kept
        if isinstance(value, str) and len(value) > self._most_characters:
            return value[: self._most_characters] + _ELLIPSIS
        return value
