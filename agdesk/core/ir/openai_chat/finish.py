"""Finish reasons: the servers' words and what the blocks say (C06 to C09, C16)."""

from __future__ import annotations

from agdesk.core.ir.response import StopReason

_REASONS = {
    "stop": StopReason.END_TURN,
    "end_turn": StopReason.END_TURN,
    "tool_calls": StopReason.END_TURN,
    "tool_use": StopReason.END_TURN,
    "function_call": StopReason.END_TURN,
    "stop_sequence": StopReason.STOP_SEQUENCE,
    "length": StopReason.MAX_TOKENS,
    "max_tokens": StopReason.MAX_TOKENS,
    "model_length": StopReason.CONTEXT_OVERFLOW,
    "max_output_tokens": StopReason.MAX_TOKENS,
    "model_context_window_exceeded": StopReason.CONTEXT_OVERFLOW,
    "content_filter": StopReason.CONTENT_FILTER,
    "content_filter: safety": StopReason.CONTENT_FILTER,
    "recitation": StopReason.CONTENT_FILTER,
    "safety": StopReason.CONTENT_FILTER,
    "sensitive": StopReason.CONTENT_FILTER,
    "refusal": StopReason.REFUSAL,
    "error": StopReason.ERROR,
}


def stop_reason(raw: str | None, *, has_calls: bool = False, has_refusal: bool = False) -> StopReason:
    """The reason of an answer that ended properly; ``raw`` None: it ended without a word (C06).

    A normal word is decided by what the answer holds: many servers say ``stop`` with calls, or ``tool_calls`` without
    (C07, C08). What says that the answer was cut is never turned into a call that runs. Unknown words are ``OTHER``.
    """
    reason = StopReason.END_TURN if raw is None else _REASONS.get(raw.lower(), StopReason.OTHER)
    if reason is not StopReason.END_TURN:
        return reason
    if has_refusal:
        return StopReason.REFUSAL
    return StopReason.TOOL_USE if has_calls else reason


def finish_reason(reason: StopReason) -> str | None:
    """OpenAI's word for a stop reason, or None where it has none."""
    match reason:
        case StopReason.END_TURN | StopReason.STOP_SEQUENCE | StopReason.REFUSAL:
            return "stop"
        case StopReason.TOOL_USE:
            return "tool_calls"
        case StopReason.MAX_TOKENS:
            return "length"
        case StopReason.CONTENT_FILTER:
            return "content_filter"
        case _:
            return None
