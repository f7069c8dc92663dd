"""How long a provider asks to wait, in every spelling it is told in (E04)."""

from __future__ import annotations

import math
import re
from collections.abc import Mapping
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime

_DURATION = re.compile(r"(?:\d+(?:\.\d+)?(?:ms|[smhd]))+")
_DURATION_PART = re.compile(r"(\d+(?:\.\d+)?)(ms|[smhd])")
_UNIT_S = {"ms": 0.001, "s": 1.0, "m": 60.0, "h": 3600.0, "d": 86400.0}
_RESET_HEADER = re.compile(r"(?:x-)?ratelimit-reset(?:-.+)?|anthropic-ratelimit-.+-reset")
_STRUCTURED_LIMIT = re.compile(r"r=(\d+)\s*;\s*t=(\d+)")
# OpenAI, Groq: try again in 1m12.5s · Azure: retry after 6 seconds · Gemini: retry in 34.4s
_UNIT = r"(?:milliseconds?|ms|seconds?|secs?|s|minutes?|mins?|m|hours?|h|days?|d)"
_TOLD = re.compile(
    rf"\b(?:(?:try(?:ing)? again|retry(?:ing)?)\s+(?:in|after)|wait(?: for| at least)?)(?: about)?\s+"
    rf"((?:\d+(?:\.\d+)?\s?{_UNIT}(?![a-z])[\s,]*)+)",
    re.IGNORECASE,
)
_TOLD_PART = re.compile(rf"(\d+(?:\.\d+)?)\s?({_UNIT})", re.IGNORECASE)
# a number above these is a point in time, not a wait of thirty years
_EPOCH_S, _EPOCH_MS = 1e9, 1e12
_LONGEST_S = 366 * 86400.0  # what is longer was no wait


def retry_after_s(
    headers: Mapping[str, str], *, body_delay: str | None, now_s: float, is_rate_limited: bool
) -> float | None:
    """Seconds to wait, at least 0, rounded to 0.1; None if the provider did not tell.

    ``retry-after-ms`` is finer than ``retry-after`` and wins; both win over a delay in the body, and that over the
    reset times of the limits, which say when a whole budget is back and are asked only when a rate limit was hit.

    Args:
        headers: of the response, names in lower case.
        body_delay: a delay found in the body, e.g. Gemini's ``34.4s``.
        now_s: the wall clock; used for dates when the response has no ``Date`` of its own.
        is_rate_limited: whether the error is a rate limit.
    """
    reference_s = _date_s(headers.get("date", ""))
    if reference_s is None:
        reference_s = now_s
    delay_s = _number(headers.get("retry-after-ms", ""))
    if delay_s is not None:
        delay_s /= 1000
    if delay_s is None:
        delay_s = parse_delay_s(headers.get("retry-after", ""), reference_s=reference_s)
    if delay_s is None and body_delay is not None:
        delay_s = parse_delay_s(body_delay, reference_s=reference_s)
    if delay_s is None and is_rate_limited:
        delay_s = _limit_reset_s(headers, reference_s=reference_s)
    return None if delay_s is None or delay_s > _LONGEST_S else round(max(delay_s, 0.0), 1)


def parse_delay_s(text: str, *, reference_s: float) -> float | None:
    """Seconds from ``reference_s``; None if ``text`` is no delay.

    Read are numbers of seconds, epoch seconds and milliseconds, ``6m0.5s``, ``26ms``, RFC 3339 and HTTP dates.
    """
    text = text.strip().strip('"')
    number = _number(text)
    if number is not None:
        if number >= _EPOCH_MS:
            return number / 1000 - reference_s
        return number - reference_s if number >= _EPOCH_S else number
    if _DURATION.fullmatch(text):
        return sum(float(amount) * _UNIT_S[unit] for amount, unit in _DURATION_PART.findall(text))
    moment_s = _date_s(text)
    return None if moment_s is None else moment_s - reference_s


def told_delay(words: str) -> str | None:
    """The wait that an error tells in its words, as ``parse_delay_s`` reads it: ``1m12.5s``; None if it tells none."""
    told = _TOLD.search(words)
    if told is None:
        return None
    parts = _TOLD_PART.findall(told[1].lower())
    return "".join(amount + ("ms" if unit == "ms" or unit.startswith("milli") else unit[0]) for amount, unit in parts)


def _limit_reset_s(headers: Mapping[str, str], *, reference_s: float) -> float | None:
    """When the exhausted budget is back; if none is known to be exhausted, when all of them are."""
    resets: list[tuple[bool, float]] = [
        (float(remaining) == 0, float(reset))  # int() refuses very long numbers
        for remaining, reset in _STRUCTURED_LIMIT.findall(headers.get("ratelimit", ""))
    ]
    for name, value in headers.items():
        if _RESET_HEADER.fullmatch(name):
            delay_s = parse_delay_s(value, reference_s=reference_s)
            if delay_s is not None:
                remaining_count = _number(headers.get(name.replace("reset", "remaining"), ""))
                resets.append((remaining_count == 0, delay_s))
    exhausted = [delay_s for is_exhausted, delay_s in resets if is_exhausted]
    return max(exhausted or [delay_s for _, delay_s in resets], default=None)


def _number(text: str) -> float | None:
    try:
        number = float(text)
    except ValueError:
        return None
    return number if math.isfinite(number) else None


def _date_s(text: str) -> float | None:
    for parse in (datetime.fromisoformat, parsedate_to_datetime):
        try:
            moment = parse(text)
        except (ValueError, OverflowError):  # a day or an offset of thirty digits is the latter
            continue
        return (moment if moment.tzinfo else moment.replace(tzinfo=UTC)).timestamp()
    return None
