"""What the user has made of the arguments of a call, against what the model proposed."""

from __future__ import annotations

from agdesk.core.ir.blocks import JsonObject
from agdesk.ui.widgets.json_text import json_text, same_json


def argument_changes(proposed: JsonObject, edited: JsonObject) -> tuple[str, ...]:
    """The arguments that differ, one line each with its sign: ``-"path": "a"``, ``+"path": "b"``."""
    lines: list[str] = []
    for name in (*proposed, *(name for name in edited if name not in proposed)):
        if name in proposed and name in edited and same_json(proposed[name], edited[name]):
            continue
        if name in proposed:
            lines.append(f"-{_line(name, proposed[name])}")
        if name in edited:
            lines.append(f"+{_line(name, edited[name])}")
    return tuple(lines)


def _line(name: str, value: object) -> str:
    return f"{json_text(name)}: {json_text(value, is_pretty=False)}"
