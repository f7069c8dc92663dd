"""Lists a folder."""

from __future__ import annotations

from typing_extensions import override

from agdesk.core.ir.effect import PathRead
from agdesk.core.ir.request import ResultSemantic
from agdesk.core.settings.validation import Field
from agdesk.core.tools.base import ToolContext, ToolOutput, text_output
from agdesk.core.tools.builtin.confined import Entry
from agdesk.core.tools.builtin.file_tool import folder_of
from agdesk.core.tools.builtin.tool import BuiltinTool, ToolInput, on_thread

LIMIT = 1_000


class ListDirectoryInput(ToolInput):
    path: str = Field(default=".", min_length=1, description="The folder, relative to the conversation's folder.")


class ListDirectory(BuiltinTool[ListDirectoryInput]):
    name = "list_directory"
    description = "Lists the files and folders in a folder of the conversation's folder, with the sizes of the files."
    semantic = ResultSemantic.FACTUAL
    needs_folder = True
    input_model = ListDirectoryInput

    @override
    async def foresee(self, wanted: ListDirectoryInput, context: ToolContext) -> PathRead:
        folder = folder_of(context)
        return PathRead(folder.path(folder.parts(wanted.path)))

    @override
    async def act(self, wanted: ListDirectoryInput, context: ToolContext) -> ToolOutput:
        folder = folder_of(context)
        parts = folder.parts(wanted.path)
        entries = await on_thread(lambda _stop: folder.entries(parts))
        lines = [_line(entry) for entry in entries[:LIMIT]]
        if len(entries) > LIMIT:
            lines.append(f"[and {len(entries) - LIMIT:,} more]")
        return text_output("\n".join(lines) or "[the folder is empty]")


def _line(entry: Entry) -> str:
    match entry.kind:
        case "folder":
            return f"{entry.name}/"
        case "file":
            return f"{entry.name}  {entry.size_bytes:,} bytes"
        case "link":
            return f"{entry.name}  (a link, not followed)"
        case _:
            return f"{entry.name}  (no file)"
