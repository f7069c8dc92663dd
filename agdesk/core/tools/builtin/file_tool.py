"""What the file tools have in common: the folder of the conversation, and paths in it."""

from __future__ import annotations

import re

from agdesk.core.errors import ToolFailed
from agdesk.core.settings.validation import Field
from agdesk.core.tools.base import ToolContext
from agdesk.core.tools.builtin.confined import ConfinedFolder, Parts, confined
from agdesk.core.tools.builtin.tool import ToolInput

PATH_HELP = "Path of the file, relative to the conversation's folder."


class PathInput(ToolInput):
    path: str = Field(description=PATH_HELP, min_length=1)


def folder_of(context: ToolContext) -> ConfinedFolder:
    """The folder that the file tools work in.

    Raises:
        ToolFailed: the conversation has none.
    """
    if context.folder is None:
        raise ToolFailed(
            "This conversation has no folder, so no file can be used",
            "Ask the user to choose a folder for it.",
        )
    return confined(context.folder)


def read_whole(folder: ConfinedFolder, parts: Parts, *, limit_bytes: int) -> bytes | None:
    """The bytes of a file; None if there is none.

    Raises:
        ToolFailed: it cannot be read, or is longer than the limit.
    """
    try:
        file = folder.open(parts)
    except ToolFailed as error:
        if isinstance(error.__cause__, FileNotFoundError):
            return None
        raise
    with file:
        content = file.read(limit_bytes + 1)
    if len(content) > limit_bytes:
        raise ToolFailed(f"{folder.path(parts)} is longer than {limit_bytes:,} bytes")
    return content


def is_binary(start: bytes) -> bool:
    """Whether a file that begins so is no text."""
    return b"\0" in start


_LINE = re.compile(r"[^\n]*\n|[^\n]+")


def lines_of(text: str) -> list[str]:
    """The lines with their ends; only a line feed ends one."""
    return _LINE.findall(text)
