"""Text as a search compares it."""

from __future__ import annotations

import re
import unicodedata

# Accents and points of Latin, Greek, Cyrillic, Hebrew, Arabic and Japanese, as they stand after decomposition
_MARKS = re.compile(
    "[\u0300-\u036f\u0483-\u0489\u0591-\u05bd\u05bf-\u05c7\u064b-\u065f\u0670\u1ab0-\u1aff\u1dc0-\u1dff"
    "\u20d0-\u20f0\u3099\u309a\ufe20-\ufe2f]"
)


def folded(text: str) -> str:
    """A text without what a search should not see: case, accents, and the width of East Asian letters.

    ``é``, ``É`` and ``e`` are the same, so are ``Ａ`` and ``a``. What has no such variants, Chinese say, stays.
    The result may be longer or shorter than the text.
    """
    if text.isascii():
        return text.lower()
    return _MARKS.sub("", unicodedata.normalize("NFKD", text.casefold()))
