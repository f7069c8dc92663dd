"""Characters that draw nothing, or change the order of what is drawn: text of a model can hide in them (TOOL4)."""

from __future__ import annotations

import unicodedata

_SEEN_ANYWAY = frozenset("\n\t")
_HIDDEN_CATEGORIES = frozenset({"Cc", "Cf", "Cn", "Co", "Cs", "Zl", "Zp"})
# letters and marks that draw nothing: fillers of Hangul, vowels of Khmer, the empty Braille cell …
_BLANK = frozenset("\u034f\u115f\u1160\u17b4\u17b5\u180b\u180c\u180d\u180f\u2800\u3164\uffa0\ufffc")
_SELECTORS = ("\ufe00", "\ufe0f"), ("\U000e0100", "\U000e01ef")


def is_hidden(character: str) -> bool:
    """Whether a character cannot be seen, looks like a space and is none, or is none that Qt can hold."""
    category = unicodedata.category(character)
    return (
        (category in _HIDDEN_CATEGORIES and character not in _SEEN_ANYWAY)
        or (category == "Zs" and character != " ")
        or character in _BLANK
        or any(first <= character <= last for first, last in _SELECTORS)
    )


class _Marks(dict[int, str]):
    """Filled as characters are met: Unicode has a million."""

    def __missing__(self, code: int) -> str:
        character = chr(code)
        self[code] = mark = f"‹U+{code:04X}›" if is_hidden(character) else character
        return mark


class _Escapes(dict[int, str]):
    def __missing__(self, code: int) -> str:
        character = chr(code)
        self[code] = shown = _escaped(code) if is_hidden(character) else character
        return shown


def _escaped(code: int) -> str:
    if code <= 0xFFFF:
        return f"\\u{code:04x}"
    high, low = divmod(code - 0x10000, 0x400)
    return f"\\u{0xD800 + high:04x}\\u{0xDC00 + low:04x}"


_MARKS, _ESCAPES = _Marks(), _Escapes()


def revealed(text: str) -> str:
    """A text in which every hidden character stands as its number: ``‹U+202E›``."""
    return text if _is_plain(text) else text.translate(_MARKS)


def escaped(text: str) -> str:
    """JSON in which every hidden character stands as its escape, ``\\u202e``: the same JSON."""
    return text if _is_plain(text) else text.translate(_ESCAPES)


def has_hidden(text: str) -> bool:
    """Whether a text has a character that ``revealed`` would show as its number."""
    return not _is_plain(text) and text.translate(_MARKS) != text


def _is_plain(text: str) -> bool:
    return text.isascii() and text.isprintable()
