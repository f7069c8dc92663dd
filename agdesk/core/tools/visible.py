"""Text of unknown origin, shown so that nothing in it can hide or turn it round (TOOL4)."""

from __future__ import annotations

import unicodedata

_SHOWN_ANYWAY = frozenset("\n\t")
_INVISIBLE_CATEGORIES = frozenset({"Cc", "Cf", "Cn", "Co", "Cs", "Zl", "Zp"})
# letters and marks that draw nothing: fillers of Hangul, Khmer vowels, the empty Braille cell, variation selectors …
_INVISIBLE = frozenset(
    map(chr, (0x034F, 0x115F, 0x1160, 0x17B4, 0x17B5, 0x180B, 0x180C, 0x180D, 0x180F, 0x2800, 0x3164, 0xFFA0))
)
_SELECTORS = ("\ufe00", "\ufe0f"), ("\U000e0100", "\U000e01ef")


def visible(text: str) -> str:
    """The text with everything that draws nothing, or changes the order of what is drawn, as ``⟨U+202E⟩``.

    Line feeds and tabs stay, carriage returns do not. Spaces other than the usual one are named too.
    """
    return text if text.isascii() and text.isprintable() else text.translate(_NAMES)


class _Names(dict[int, str]):
    """Filled as characters are met: Unicode has a million."""

    def __missing__(self, code: int) -> str:
        character = chr(code)
        self[code] = name = f"⟨U+{code:04X}⟩" if _is_hidden(character) else character
        return name


_NAMES = _Names()


def _is_hidden(character: str) -> bool:
    category = unicodedata.category(character)
    return (
        (category in _INVISIBLE_CATEGORIES and character not in _SHOWN_ANYWAY)
        or (category == "Zs" and character != " ")
        or character in _INVISIBLE
        or any(first <= character <= last for first, last in _SELECTORS)
    )
