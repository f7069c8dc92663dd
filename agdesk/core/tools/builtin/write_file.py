"""Writes a file, whole."""

from __future__ import annotations

from typing_extensions import override

from agdesk.core.errors import ToolFailed
from agdesk.core.settings.validation import Field
from agdesk.core.tools.builtin.file_change import FileChangeTool
from agdesk.core.tools.builtin.file_tool import PathInput


class WriteFileInput(PathInput):
    content: str = Field(description="The whole new content.")


class WriteFile(FileChangeTool[WriteFileInput]):
    name = "write_file"
    description = (
        "Writes a text file in the conversation's folder: a new one, or in place of the one that is there. Missing "
        "folders are made."
    )
    input_model = WriteFileInput

    @override
    def changed(self, before: bytes | None, wanted: WriteFileInput) -> bytes:
        return encoded(wanted.content)


def encoded(content: str) -> bytes:
    """The bytes of a file with this content.

    Raises:
        ToolFailed: it is no Unicode.
    """
    try:
        return content.encode()
    except UnicodeEncodeError as error:
        raise ToolFailed("The content has half of a character in it") from error
