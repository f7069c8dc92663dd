"""Whether a path lies in a folder, told from the two texts alone."""

from __future__ import annotations

import re
import unicodedata

_WINDOWS = re.compile(r"[A-Za-z]:[\\/]|\\\\")
_SCHEME = re.compile(r"[A-Za-z][A-Za-z0-9+.-]+:")
_BOTH = re.compile(r"[\\/]")


class BrokenFolder(ValueError):
    """A text that names no folder; says why."""


class FolderText:
    """A folder as a rule names it.

    Nothing is looked up: what a symbolic link leads to is for the tool to find out (agdesk's own follow none). So a
    path with ``..`` is surely nowhere. Names are the same only if every character is: ``SRC`` may be ``src``, on some
    disks. A relative path begins in the folder of the conversation, where that is known.

    Raises:
        BrokenFolder: it is empty, or not clear by itself.
    """

    def __init__(self, text: str) -> None:
        self._is_windows = bool(_WINDOWS.match(text))
        if "\0" in text or ".." in _loose(text) or text.startswith("~") or (not self._is_windows and "\\" in text):
            raise BrokenFolder("the folder is written with .., ~, a backslash or a zero in it")
        self._text = text

    def surely_holds(self, path: str, *, base: str) -> bool:
        """Whether ``path`` is the folder or below it, whoever reads it."""
        if not path or "\0" in path or ".." in _loose(path) or path.startswith("~") or _SCHEME.match(path):
            return False
        if "\\" in path and not self._is_windows:
            return False
        if (both := self._from_one_root(path, base)) is None:
            return False
        folder, inner = (_parts(text, is_windows=self._is_windows) for text in both)
        return inner[: len(folder)] == folder

    def may_hold(self, path: str, *, base: str) -> bool:
        """Whether somebody may take ``path`` for one that is there."""
        if ".." in _loose(path) or path.startswith(("~", "file:")):
            return True
        if (both := self._from_one_root(path, base)) is None:
            return True
        folder, inner = map(_loose, both)
        return inner[: len(folder)] == folder

    def _from_one_root(self, path: str, base: str) -> tuple[str, str] | None:
        """Folder and path, both absolute or both relative; None if that takes a base which is not known."""
        if _is_absolute(self._text) == _is_absolute(path):
            return self._text, path
        if not base:
            return None
        return (self._text, f"{base}/{path}") if _is_absolute(self._text) else (f"{base}/{self._text}", path)


def _is_absolute(text: str) -> bool:
    return text.startswith(("/", "\\")) or bool(_WINDOWS.match(text))


def _parts(text: str, *, is_windows: bool) -> list[str]:
    return [part for part in (_BOTH.split(text) if is_windows else text.split("/")) if part not in ("", ".")]


def _loose(text: str) -> list[str]:
    """The parts as the most forgiving disk compares them: case, accents' forms, trailing dots and spaces."""
    plain = unicodedata.normalize("NFKC", text).casefold()
    parts = (part if part == ".." else part.rstrip(". ") for part in _BOTH.split(plain))
    return [part for part in parts if part]
