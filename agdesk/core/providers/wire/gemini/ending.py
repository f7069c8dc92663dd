"""Why an answer ended, in Google's words and numbers (G03, G05, G09, C09)."""

from __future__ import annotations

from typing import Any

from agdesk.core.ir.response import StopReason

_STOP = "STOP"
_FILTERED = frozenset(
    {
        "SAFETY",
        "RECITATION",
        "BLOCKLIST",
        "PROHIBITED_CONTENT",
        "SPII",
        "MODEL_ARMOR",
        "IMAGE_SAFETY",
        "IMAGE_PROHIBITED_CONTENT",
        "IMAGE_RECITATION",
    }
)
_FAILED = frozenset(
    {
        "LANGUAGE",
        "OTHER",
        "MALFORMED_FUNCTION_CALL",
        "MALFORMED_RESPONSE",
        "UNEXPECTED_TOOL_CALL",
        "TOO_MANY_TOOL_CALLS",
        "MISSING_THOUGHT_SIGNATURE",
        "IMAGE_OTHER",
        "NO_IMAGE",
    }
)
# With enums as numbers; from 6 on the Gemini API and Vertex number them differently.
_NUMBERS = {"1": _STOP, "2": "MAX_TOKENS", "3": "SAFETY", "4": "RECITATION", "5": "OTHER"}


def enum_word(value: Any) -> str | None:
    """An enum's value as text, or None for what says nothing: null, 0, or the name of the zero value."""
    if value is None or isinstance(value, bool | dict | list):
        return None
    word = str(value)
    return None if word in ("", "0") or word.endswith("_UNSPECIFIED") else word


def stop_reason(word: str | None, *, has_calls: bool) -> StopReason:
    """What a finish reason stands for; None: the answer ended well without one."""
    name = _STOP if word is None else _NUMBERS.get(word, word.upper())
    if name == _STOP:
        return StopReason.TOOL_USE if has_calls else StopReason.END_TURN
    if name == "MAX_TOKENS":
        return StopReason.MAX_TOKENS
    if name in _FILTERED:
        return StopReason.CONTENT_FILTER
    return StopReason.ERROR if name in _FAILED else StopReason.OTHER
