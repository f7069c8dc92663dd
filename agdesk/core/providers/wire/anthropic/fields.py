"""The words and members of this format that have a meaning here, and those that have none for anybody (A15, D5)."""

from __future__ import annotations

from typing import Any

from agdesk.core.ir.response import StopReason

WIRE = "anthropic"
"""The name under which opaque data and Extensions of this format are kept."""

EXTRA_MEMBERS = ("stop_details", "stop_sequence", "container", "context_management")
"""Members of an answer or of its end that are passed on raw with ``MessageComplete``."""

# A path covers what is beneath it.
NOISE = frozenset(
    {
        # known; what goes out with the end of an answer has nowhere to go in one that failed
        *(f"{place}{member}" for place in ("", "message.", "delta.") for member in EXTRA_MEMBERS),
        "type",
        "index",
        "role",
        "message.type",
        "message.role",
        "message.speed",
        "message.provider",  # OpenRouter
        "message.usage",  # what the end tells anew goes out with it, here and below
        "usage",
        "delta.estimated_tokens",  # of a thought so far
        "amazon-bedrock-invocationMetrics",
    }
)

_REASONS = {
    "end_turn": StopReason.END_TURN,
    "tool_use": StopReason.TOOL_USE,
    "max_tokens": StopReason.MAX_TOKENS,
    "stop_sequence": StopReason.STOP_SEQUENCE,
    "refusal": StopReason.REFUSAL,
    "pause_turn": StopReason.PAUSE_TURN,
    # the answer goes on when it is sent back as it is, which is just what a pause is
    "compaction": StopReason.PAUSE_TURN,
    "model_context_window_exceeded": StopReason.CONTEXT_OVERFLOW,
}


def stop_word(value: Any) -> str | None:
    """The reason of an ended answer as text, or None for "not ended": null, empty, or what can be no word."""
    if value is None or value == "" or isinstance(value, bool | dict | list):
        return None
    return str(value)


def stop_reason(word: str | None, *, has_calls: bool) -> StopReason:
    """What a stop word means; calls and a normal word are a tool use, with no calls they are none (C07, C08).

    An answer that ended without a word ended normally (C06); a word nobody knows is ``OTHER``.
    """
    reason = _REASONS.get(word or "end_turn", StopReason.OTHER)
    if reason in (StopReason.END_TURN, StopReason.TOOL_USE):
        return StopReason.TOOL_USE if has_calls else StopReason.END_TURN
    return reason
