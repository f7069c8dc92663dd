"""The words and figures of the status line; unknown is "unknown", estimated has ~ (UI.md, Words)."""

from __future__ import annotations

from PySide6.QtCore import QCoreApplication

from agdesk.core.cycle import CostTracker
from agdesk.ui.chat.status import Phase, Snapshot

THIN_SPACE = "\u2009"
_SEPARATOR = " · "


def tr(text: str) -> str:
    """Translates a literal of this module."""
    return QCoreApplication.translate("StatusText", text)


def phase_text(phase: Phase) -> str:
    """A phase in a word or two."""
    return {
        Phase.IDLE: tr("Ready"),
        Phase.CONNECTING: tr("Connecting"),
        Phase.SENT: tr("Sent"),
        Phase.HEADERS: tr("Accepted"),
        Phase.FIRST_BYTE: tr("Receiving"),
        Phase.THINKING: tr("Thinking"),
        Phase.TEXT: tr("Writing"),
        Phase.TOOL: tr("Calling a tool"),
        Phase.DONE: tr("Done"),
        Phase.STOPPED: tr("Stopped"),
        Phase.FAILED: tr("Failed"),
    }[phase]


def status_text(snapshot: Snapshot, cost: CostTracker) -> str:
    """The whole line for a conversation at one moment."""
    if snapshot.phase is Phase.IDLE:
        return phase_text(Phase.IDLE)
    parts = [f"{phase_text(snapshot.phase)} {seconds(snapshot.elapsed_s)}"]
    if snapshot.silent_s is not None:
        parts.append(tr("no data for {time}").format(time=seconds(float(snapshot.silent_s))))
    if snapshot.first_token_s is not None:
        parts.append(tr("first token {time}").format(time=seconds(snapshot.first_token_s)))
    if snapshot.tokens_per_s is not None:
        estimated = "~" if snapshot.is_rate_estimated else ""
        parts.append(f"{estimated}{snapshot.tokens_per_s:.0f}{THIN_SPACE}{tr('tok/s')}")
    parts.extend(_usage_parts(snapshot))
    if not snapshot.phase.is_running and cost.request_count:
        parts.append(tr("conversation {cost}").format(cost=dollars(cost.total_usd)))
    return _SEPARATOR.join(parts)


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
        return tr("cost unknown")
    return f"${value:.2f}" if value >= 1 or value == 0 else f"${value:.4f}"


def _usage_parts(snapshot: Snapshot) -> list[str]:
    usage = snapshot.usage
    parts = []
    if usage.prompt_tokens is not None:
        text = tr("{count} in").format(count=count(usage.prompt_tokens))
        cached = usage.prompt_tokens_details.cached_tokens if usage.prompt_tokens_details else None
        parts.append(text + (f" ({tr('{count} cached').format(count=count(cached))})" if cached else ""))
    if usage.completion_tokens is not None:
        text = tr("{count} out").format(count=count(usage.completion_tokens))
        thought = usage.completion_tokens_details.reasoning_tokens if usage.completion_tokens_details else None
        parts.append(text + (f" ({tr('{count} thinking').format(count=count(thought))})" if thought else ""))
    if not parts and not snapshot.phase.is_running and snapshot.first_token_s is not None:
        parts.append(tr("tokens unknown"))
    return parts
