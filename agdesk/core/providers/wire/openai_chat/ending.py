"""The words with which a choice ends, as they come in a stream (C04, C06, C09)."""

from __future__ import annotations

from typing import Any

from agdesk.core.ir.openai_chat.finish import stop_reason
from agdesk.core.ir.response import StopReason

_NORMAL = (StopReason.END_TURN, StopReason.STOP_SEQUENCE)


def finish_word(value: Any) -> str | None:
    """The reason of a finished choice as text, or None for "not finished": null, empty, or the word ``null``."""
    if value is None or isinstance(value, bool | dict | list):
        return None
    return None if value in ("", "null") else str(value)


def decisive(old: str | None, new: str) -> str:
    """Of two reasons for one answer, the one that counts: the later, but what says "cut" is not taken back (C04)."""
    return new if old is None or stop_reason(old) in _NORMAL else old
