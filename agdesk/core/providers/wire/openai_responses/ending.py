"""How answers end: the status of a response and the reason why it is incomplete (P05, P06)."""

from __future__ import annotations

from agdesk.core.ir.response import StopReason

COMPLETED, INCOMPLETE, FAILED, CANCELLED = "completed", "incomplete", "failed", "cancelled"
STATUSES = frozenset({COMPLETED, INCOMPLETE, FAILED, CANCELLED})

# ``done``: how gateways call the last event of all
TERMINAL_EVENTS = {f"response.{status}": status for status in STATUSES} | {"response.done": COMPLETED}
LIFE_EVENTS = frozenset({"response.created", "response.queued", "response.in_progress"})

_UNFINISHED = frozenset({INCOMPLETE, CANCELLED, "queued", "in_progress"})
_REASONS = {
    "max_output_tokens": StopReason.MAX_TOKENS,
    "max_tokens": StopReason.MAX_TOKENS,
    "content_filter": StopReason.CONTENT_FILTER,
}


def cut_reason(status: str, word: str) -> StopReason | None:
    """Why an answer was cut, or None if it is complete; ``word`` is the reason in ``incomplete_details``."""
    if status == COMPLETED:
        return None
    if status == INCOMPLETE and word:
        return _REASONS.get(word, StopReason.OTHER)
    return StopReason.INCOMPLETE if status in _UNFINISHED else StopReason.OTHER
