"""Replaces a piece of a file."""

from __future__ import annotations

from typing_extensions import override

from agdesk.core.errors import ToolFailed
from agdesk.core.settings.validation import Field
from agdesk.core.tools.builtin.file_change import FileChangeTool
from agdesk.core.tools.builtin.file_tool import PathInput
from agdesk.core.tools.builtin.write_file import encoded


class EditFileInput(PathInput):
    old_text: str = Field(min_length=1, description="The text to replace, exactly as it stands in the file.")
    new_text: str = Field(description="What shall stand there instead.")
    replace_all: bool = Field(default=False, description="Replace every place; else there must be exactly one.")


class EditFile(FileChangeTool[EditFileInput]):
    name = "edit_file"
    description = (
        "Replaces a text in a file of the conversation's folder. The old text must stand there exactly once, or "
        "replace_all be true."
    )
    input_model = EditFileInput

    @override
    def changed(self, before: bytes | None, wanted: EditFileInput) -> bytes:
        if before is None:
            raise ToolFailed(f"There is no {wanted.path}", "write_file makes a new file.")
        old, new = encoded(wanted.old_text), encoded(wanted.new_text)
        count = before.count(old)
        if not count:
            raise ToolFailed(f"The old text is not in {wanted.path}", "Read the file, and copy the text exactly.")
        if count > 1 and not wanted.replace_all:
            raise ToolFailed(
                f"The old text stands in {wanted.path} {count} times",
                "Take more of the text around it, or set replace_all.",
            )
        return before.replace(old, new)
