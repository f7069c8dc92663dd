"""A clock that stands still until a script moves it, so that every figure of a picture is the same each time."""

from __future__ import annotations

import datetime as calendar
import time

from typing_extensions import override

START_S = 1_798_714_200  # 2026-12-31 10:50 UTC
_passed_ns = 0


def freeze() -> None:
    """Replaces the clocks that figures and dates come from; those that the event loop waits by go on.

    Call it before agdesk is imported: it keeps the functions.
    """
    time.perf_counter_ns = lambda: _passed_ns
    time.time_ns = lambda: START_S * 1_000_000_000 + _passed_ns
    time.time = lambda: START_S + _passed_ns / 1e9
    calendar.datetime = _StillDatetime  # type: ignore[misc]


def advance(seconds: float) -> None:
    """Lets time pass, all at once; a negative number goes back."""
    global _passed_ns
    _passed_ns += round(seconds * 1e9)


def reset() -> None:
    """Back to the start, for the next picture."""
    global _passed_ns
    _passed_ns = 0


class _StillDatetime(calendar.datetime):
    @override
    @classmethod
    def now(cls, tz: calendar.tzinfo | None = None) -> _StillDatetime:
        return cls.fromtimestamp(time.time(), tz)
