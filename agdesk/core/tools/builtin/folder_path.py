"""Paths as a model writes them, as parts below the folder of a conversation. Pure: nothing is looked up."""

from __future__ import annotations

import ntpath
import os
import re
from types import ModuleType

from agdesk.core.errors import ToolFailed

_WINDOWS_NAME = re.compile(r"(con|prn|aux|nul|conin\$|conout\$|com[0-9¹²³]|lpt[0-9¹²³])(\..*)?", re.IGNORECASE)
_WINDOWS_FORBIDDEN = re.compile(r'[<>:"|?*\x00-\x1f]|[. ]$')


def parts_below(root: str, path: str, *, flavour: ModuleType = os.path) -> tuple[str, ...]:
    """The names from ``root`` down to ``path``; empty for the folder itself.

    ``..`` goes back one name of the text, and not above the root. No name is one that Windows takes for something else
    than a file there.

    Args:
        root: absolute, normal.
        path: relative to it, or absolute.
        flavour: ``posixpath`` or ``ntpath``.

    Raises:
        ToolFailed: it is outside, or no path.
    """
    if not path or "\0" in path:
        raise ToolFailed("The path is empty or has a zero character in it")
    whole = flavour.normpath(flavour.join(root, path))
    above = root if root.endswith(flavour.sep) else root + flavour.sep
    if whole != root and not whole.startswith(above):
        raise ToolFailed(f"{path} is outside the conversation's folder {root}", "Use a path inside it.")
    parts = tuple(part for part in whole[len(above) :].split(flavour.sep) if part)
    if flavour is ntpath:
        for part in parts:
            if _WINDOWS_NAME.fullmatch(part) or _WINDOWS_FORBIDDEN.search(part):
                raise ToolFailed(f"{path} is no path of a file: Windows takes {part} for something else")
    return parts
