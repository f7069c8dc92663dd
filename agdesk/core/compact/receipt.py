"""What ``Replace`` leaves of a result: ``[pruned]`` and one line with tool, target, outcome and size (COMP6)."""

from __future__ import annotations

import json
from typing import Any

from agdesk.core.compact.markers import PRUNED
from agdesk.core.ir.blocks import ToolUse

_MOST_CHARACTERS = 60
_TARGETS = (
    "path", "file_path", "filename", "file", "folder", "directory", "url", "uri", "query", "pattern", "command", "argv",
    "to", "recipient", "id", "name", "title", "subject",
)  # fmt: skip
"""Arguments that say what a call was about, the most telling first; without any of them it is the first argument."""

_OUTCOMES = ("status", "message", "result", "id", "error")


def receipt(text: str, *, tool: str, call: ToolUse | None, is_error: bool, document: Any) -> str:
    """The replacement of a result.

    Args:
        text: of the result.
        tool: its name.
        call: that it answers, None if it is not there.
        is_error: whether the tool failed.
        document: the result as JSON; None if it is none.
    """
    words = " ".join(filter(None, (_short(tool) or "tool", _target(call))))
    outcome = ": ".join(filter(None, ("failed" if is_error else "done", _outcome(text, document))))
    return f"{PRUNED}\n{words}: {outcome}, {len(text)} characters"


def _target(call: ToolUse | None) -> str:
    arguments = call.input if call is not None else None
    if not arguments:
        return ""
    named = (arguments[name] for name in _TARGETS if name in arguments)
    return next((said for value in (*named, *arguments.values()) if (said := _said(value))), "")


def _outcome(text: str, document: Any) -> str:
    """What a status says, how long a list is, or the first line."""
    if isinstance(document, list):
        return f"{len(document)} items"
    if isinstance(document, dict):
        parts = (f"{name} {said}" for name in _OUTCOMES if (said := _said(document.get(name))))
        return _short("; ".join(parts))
    return _short(text.lstrip()[: 4 * _MOST_CHARACTERS].partition("\n")[0])


def _said(value: Any) -> str:
    """A plain value, or a list of plain ones, as a word or two; empty for what is nested or says nothing."""
    if isinstance(value, list) and all(isinstance(item, str | int | float) for item in value):
        return _short(" ".join(map(str, value[:_MOST_CHARACTERS])))
    if isinstance(value, bool):
        return json.dumps(value)
    return _short(str(value)[: 4 * _MOST_CHARACTERS]) if isinstance(value, str | int | float) else ""


def _short(text: str) -> str:
    """On one line, at most 60 characters."""
    line = " ".join(text.split())
    return line if len(line) <= _MOST_CHARACTERS else line[: _MOST_CHARACTERS - 1].rstrip() + "…"
