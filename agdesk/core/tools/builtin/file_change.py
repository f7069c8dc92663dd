"""What the tools that write files have in common."""

from __future__ import annotations

import hashlib
import threading
from abc import abstractmethod
from typing import TypeVar

from typing_extensions import override

from agdesk.core.errors import ToolFailed
from agdesk.core.ir.effect import FileChange
from agdesk.core.ir.request import ResultSemantic
from agdesk.core.tools.base import ToolContext, ToolOutput, text_output
from agdesk.core.tools.builtin.differences import unified_diff
from agdesk.core.tools.builtin.file_tool import PathInput, folder_of, read_whole
from agdesk.core.tools.builtin.tool import BuiltinTool, on_thread

LIMIT_BYTES = 4_000_000
Change = TypeVar("Change", bound=PathInput)


class FileChangeTool(BuiltinTool[Change]):
    """Makes new content of the old one, shows the difference beforehand, and writes it as a whole."""

    semantic = ResultSemantic.ACTION
    needs_folder = True

    @abstractmethod
    def changed(self, before: bytes | None, wanted: Change) -> bytes:
        """The content that the file shall have; ``before`` is None if there is no such file.

        Raises:
            ToolFailed: the change cannot be made.
        """

    @override
    async def foresee(self, wanted: Change, context: ToolContext) -> FileChange:
        folder = folder_of(context)
        parts = folder.parts(wanted.path)

        def look(_stop: threading.Event) -> FileChange:
            before = read_whole(folder, parts, limit_bytes=LIMIT_BYTES)
            diff = _diff(before, self.changed(before, wanted), name="/".join(parts))
            return FileChange(folder.path(parts), diff, _sha256(before))

        return await on_thread(look)

    @override
    async def act(self, wanted: Change, context: ToolContext) -> ToolOutput:
        folder = folder_of(context)
        parts = folder.parts(wanted.path)

        def change(stop: threading.Event) -> int:
            before = read_whole(folder, parts, limit_bytes=LIMIT_BYTES)
            shown = context.approved
            if isinstance(shown, FileChange) and shown.before_sha256 != _sha256(before):
                raise ToolFailed(
                    f"{wanted.path} has changed since the change was shown to the user; nothing was written",
                    "Read it again, then call this again.",
                )
            after = self.changed(before, wanted)
            if not stop.is_set():
                folder.replace(parts, after)
            return len(after)

        size_bytes = await on_thread(change)
        return text_output(
            f"{wanted.path} is written: {size_bytes:,} bytes.",
            effect=f"wrote {folder.path(parts)} ({size_bytes:,} bytes)",
        )


def _sha256(content: bytes | None) -> str:
    return "" if content is None else hashlib.sha256(content).hexdigest()


def _diff(before: bytes | None, after: bytes, *, name: str) -> str:
    try:
        old, new = (before or b"").decode(), after.decode()
    except UnicodeDecodeError:
        words = f"{len(before or b''):,} bytes that are no text are replaced by {len(after):,} bytes"
        return f"--- {name}\n+++ {name}\n{words}\n"
    return unified_diff(old, new, name=name)
