"""A conversation as one Markdown text."""

from __future__ import annotations

from collections.abc import Iterable

from agdesk.ui.widgets.markdown.units import FenceOpening, fence_opening
from agdesk.ui.widgets.transcript.message import Message


def as_markdown(messages: Iterable[Message]) -> str:
    """Every message as it came, below a heading that says whose it is; without thinking, notices and errors.

    What is attached stands in it by its name. A code block that was cut off is closed, so that it does not swallow what
    follows.
    """
    parts = [
        f"## {message.view.title}\n\n{closed(source)}"
        for message in messages
        if message.view.role != "notice" and (source := message.markdown.strip("\n"))
    ]
    return "\n\n".join(parts) + "\n" if parts else ""


def closed(source: str) -> str:
    """A text whose last code block, if it is open at the end, has its closing line."""
    if "```" not in source and "~~~" not in source:
        return source
    fence: FenceOpening | None = None
    for line in source.split("\n"):
        if fence is None:
            fence = fence_opening(line + "\n")
            if fence is not None and fence.marker.startswith("`") and "`" in line.strip(" ")[len(fence.marker) :]:
                fence = None  # code within a line
        elif fence.is_closed_by(line):
            fence = None
    return f"{source}\n{fence.marker}" if fence is not None else source
