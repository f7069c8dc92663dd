"""What must happen to foreign text before Qt sees it."""

from __future__ import annotations

import re

REPLACEMENT = "\N{REPLACEMENT CHARACTER}"

# U+0000 ends strings in places, lone surrogates are no text, U+FDD0, U+FDD1 and U+FFFC are QTextDocument's own marks
_UNSAFE = re.compile("[\0\ud800-\udfff\ufdd0\ufdd1\ufffc]")
# the paragraph separator would split a block of a document; the line separator breaks a line inside one
_SEPARATORS = str.maketrans({"\u2029": "\u2028"})
# Unicode Bidi_Control, and the other characters that are invisible or break a line
_INVISIBLE = re.compile("[\x00-\x1f\x7f-\x9f\u061c\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff]")

_MARKUP = str.maketrans({"&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "'": "&#x27;"})


def safe_text(text: str) -> str:
    """Text as Qt can hold it: U+FFFD for what it cannot, everything else untouched (bidirectional marks too)."""
    return _UNSAFE.sub(REPLACEMENT, text).translate(_SEPARATORS)


def visible_text(text: str) -> str:
    """A text whose looks can be trusted, such as an address: control, invisible and bidirectional marks left out."""
    return _INVISIBLE.sub("", safe_text(text))


def plain_tool_tip(text: str) -> str:
    """A text as a tool tip. Qt guesses the format of tool tips: it is marked as rich text and escaped."""
    return f"<qt>{safe_text(text).translate(_MARKUP)}</qt>" if text else ""


def sentences(message: str, hint: str) -> str:
    """What failed and the next step in one line."""
    stop = "。" if hint.endswith("。") else "."
    message = message if message.endswith(tuple(".?!。？！")) or not hint else f"{message}{stop}"
    between = "" if message.endswith(tuple("。？！")) else " "
    return f"{message}{between}{hint}".strip()
