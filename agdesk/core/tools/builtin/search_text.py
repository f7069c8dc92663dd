"""Finds a text in the files of a folder."""

from __future__ import annotations

import fnmatch
import threading
from collections.abc import Iterator

from typing_extensions import override

from agdesk.core.errors import ToolFailed
from agdesk.core.ir.effect import PathRead
from agdesk.core.ir.request import ResultSemantic
from agdesk.core.settings.validation import Field
from agdesk.core.tools.base import ToolContext, ToolOutput, text_output
from agdesk.core.tools.builtin.confined import ConfinedFolder, Parts
from agdesk.core.tools.builtin.file_tool import folder_of, is_binary, lines_of, read_whole
from agdesk.core.tools.builtin.tool import BuiltinTool, ToolInput, on_thread

LIMIT = 200
FILE_LIMIT_BYTES = 4_000_000
_LINE_CHARACTERS = 200
_START_BYTES = 8_192
_PASSED_OVER = frozenset({".git", ".hg", ".svn"})


class SearchTextInput(ToolInput):
    text: str = Field(min_length=1, description="The text to find, within a line; taken literally.")
    path: str = Field(default=".", min_length=1, description="The folder to search, with all folders in it.")
    names: str = Field(default="*", min_length=1, description="Only files with such names, as *.py.")
    ignore_case: bool = Field(default=False, description="Whether capital and small letters are the same.")


class SearchText(BuiltinTool[SearchTextInput]):
    """Literal text only: a regular expression of a model could run for ever, and nothing stops one in Python."""

    name = "search_text"
    description = "Finds a text in the text files of a folder and all folders in it. Gives path, line number and line."
    semantic = ResultSemantic.FACTUAL
    needs_folder = True
    input_model = SearchTextInput

    @override
    async def foresee(self, wanted: SearchTextInput, context: ToolContext) -> PathRead:
        folder = folder_of(context)
        return PathRead(folder.path(folder.parts(wanted.path)))

    @override
    async def act(self, wanted: SearchTextInput, context: ToolContext) -> ToolOutput:
        folder = folder_of(context)
        start = folder.parts(wanted.path)
        return text_output(await on_thread(lambda stop: _search(folder, start, wanted, stop)))


def _search(folder: ConfinedFolder, start: Parts, wanted: SearchTextInput, stop: threading.Event) -> str:
    found: list[str] = []
    unread_count = 0
    for parts in _files(folder, start, stop):
        if not fnmatch.fnmatchcase(parts[-1], wanted.names):
            continue
        try:
            content = read_whole(folder, parts, limit_bytes=FILE_LIMIT_BYTES)
        except ToolFailed:
            unread_count += 1
            continue
        if content is None or is_binary(content[:_START_BYTES]):
            continue
        for number, line in _lines_with(content, wanted):
            if len(found) == LIMIT:
                return "\n".join([*found, f"[the first {LIMIT} lines; there are more]"])
            found.append(f"{'/'.join(parts)}:{number}: {line}")
    if unread_count:
        found.append(f"[not searched: {unread_count} files, unreadable or over {FILE_LIMIT_BYTES:,} bytes]")
    return "\n".join(found) or "[not found]"


def _lines_with(content: bytes, wanted: SearchTextInput) -> Iterator[tuple[int, str]]:
    text = content.decode("utf-8", "replace")
    needle = wanted.text.casefold() if wanted.ignore_case else wanted.text
    if needle not in (text.casefold() if wanted.ignore_case else text):
        return
    for number, line in enumerate(lines_of(text), 1):
        if needle in (line.casefold() if wanted.ignore_case else line):
            yield number, line.strip()[:_LINE_CHARACTERS]


def _files(folder: ConfinedFolder, start: Parts, stop: threading.Event) -> Iterator[Parts]:
    """Every file below a folder; a folder that cannot be opened is passed over, unless it is the first."""
    waiting = [start]
    while waiting and not stop.is_set():
        parts = waiting.pop()
        try:
            entries = folder.entries(parts)
        except ToolFailed:
            if parts == start:
                raise
            continue
        folders = [(*parts, entry.name) for entry in entries if entry.kind == "folder"]
        waiting += [inner for inner in reversed(folders) if inner[-1] not in _PASSED_OVER]
        for entry in entries:
            if entry.kind == "file" and not stop.is_set():
                yield (*parts, entry.name)
