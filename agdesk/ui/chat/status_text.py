"""The words and figures of the status line; unknown is "unknown", estimated has ~ (UI.md, Words)."""

from __future__ import annotations

import math

from PySide6.QtCore import QCoreApplication

from agdesk.core.errors import ErrorCategory
from agdesk.core.trace.events import RetryScheduled
from agdesk.ui.chat.status import Phase, Snapshot

translate = QCoreApplication.translate

THIN_SPACE = "\u2009"
_SEPARATOR = " · "


def phase_text(phase: Phase) -> str:
    """A phase in a word or two."""
    return {
        Phase.IDLE: translate("StatusText", "Ready"),
        Phase.CONNECTING: translate("StatusText", "Connecting"),
        Phase.WAITING: translate("StatusText", "Waiting"),
        Phase.SENT: translate("StatusText", "Sent"),
        Phase.HEADERS: translate("StatusText", "Accepted"),
        Phase.FIRST_BYTE: translate("StatusText", "Receiving"),
        Phase.THINKING: translate("StatusText", "Thinking"),
        Phase.TEXT: translate("StatusText", "Writing"),
        Phase.TOOL: translate("StatusText", "Calling a tool"),
        Phase.DECIDING: translate("StatusText", "Waiting for you"),
        Phase.RUNNING_TOOL: translate("StatusText", "Running a tool"),
        Phase.DONE: translate("StatusText", "Done"),
        Phase.STOPPED: translate("StatusText", "Stopped"),
        Phase.FAILED: translate("StatusText", "Failed"),
    }[phase]


def status_text(snapshot: Snapshot) -> str:
    """The whole line for a conversation at one moment, but for what it has cost."""
    if snapshot.phase is Phase.IDLE:
        return phase_text(Phase.IDLE)
    if snapshot.retry is not None:
        return retry_text(snapshot.retry, math.ceil(snapshot.retry_in_s))
    parts = [f"{phase_text(snapshot.phase)} {seconds(snapshot.elapsed_s)}"]
    if snapshot.silent_s is not None:
        parts.append(translate("StatusText", "no data for {time}").format(time=seconds(float(snapshot.silent_s))))
    if snapshot.first_token_s is not None:
        parts.append(translate("StatusText", "first token {time}").format(time=seconds(snapshot.first_token_s)))
    if snapshot.tokens_per_s is not None:
        estimated = "~" if snapshot.is_rate_estimated else ""
        parts.append(f"{estimated}{snapshot.tokens_per_s:.0f}{THIN_SPACE}{translate('StatusText', 'tok/s')}")
    parts.extend(_usage_parts(snapshot))
    return _SEPARATOR.join(parts)


def retry_text(retry: RetryScheduled, left_s: int) -> str:
    """What is waited for and how long: ``Rate limit · next try in 12 s (2 of 3)``."""
    reason = {
        ErrorCategory.RATE_LIMIT: translate("StatusText", "Rate limit"),
        ErrorCategory.OVERLOADED: translate("StatusText", "Provider overloaded"),
        ErrorCategory.TRANSPORT: translate("StatusText", "No connection"),
    }.get(retry.reason.category, translate("StatusText", "Provider failed"))
    wait = translate("StatusText", "next try in {time} ({number} of {limit})").format(
        time=f"{left_s}{THIN_SPACE}s", number=retry.attempt, limit=retry.limit
    )
    return reason + _SEPARATOR + wait


def seconds(value: float) -> str:
    """``0.41 s``, ``12.3 s``, ``4 min 05 s``."""
    if value < 10:
        return f"{value:.2f}{THIN_SPACE}s"
    if value < 60:
        return f"{value:.1f}{THIN_SPACE}s"
    return f"{int(value // 60)}{THIN_SPACE}min {int(value % 60):02d}{THIN_SPACE}s"


def count(value: int) -> str:
    """A number with thin spaces between its thousands."""
    return f"{value:,}".replace(",", THIN_SPACE)


def dollars(value: float | None) -> str:
    """A price; unknown is said, never shown as 0."""
    if value is None:
        return translate("StatusText", "cost unknown")
    return f"${value:.2f}" if value >= 1 or value == 0 else f"${value:.4f}"


def _usage_parts(snapshot: Snapshot) -> list[str]:
    usage = snapshot.usage
    parts = []
    if usage.prompt_tokens is not None:
        text = translate("StatusText", "{count} in").format(count=count(usage.prompt_tokens))
        cached = usage.prompt_tokens_details.cached_tokens if usage.prompt_tokens_details else None
        parts.append(
            text + (f" ({translate('StatusText', '{count} cached').format(count=count(cached))})" if cached else "")
        )
    if usage.completion_tokens is not None:
        text = translate("StatusText", "{count} out").format(count=count(usage.completion_tokens))
        thought = usage.completion_tokens_details.reasoning_tokens if usage.completion_tokens_details else None
        parts.append(
            text + (f" ({translate('StatusText', '{count} thinking').format(count=count(thought))})" if thought else "")
        )
    if not parts and not snapshot.phase.is_running and snapshot.first_token_s is not None:
        parts.append(translate("StatusText", "tokens unknown"))
    return parts
