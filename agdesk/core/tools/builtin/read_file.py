"""Reads a text file, or a part of it."""

from __future__ import annotations

import threading
from typing import BinaryIO

from typing_extensions import override

from agdesk.core.errors import ToolFailed
from agdesk.core.ir.effect import PathRead
from agdesk.core.ir.request import ResultSemantic
from agdesk.core.settings.validation import Field
from agdesk.core.tools.base import ToolContext, ToolOutput, text_output
from agdesk.core.tools.builtin.file_tool import PathInput, folder_of, is_binary
from agdesk.core.tools.builtin.tool import BuiltinTool, on_thread

LIMIT_BYTES = 256_000
_START_BYTES = 8_192
_PIECE_BYTES = 65_536


class ReadFileInput(PathInput):
    first_line: int = Field(default=1, ge=1, description="Line to begin with, counted from 1.")
    line_count: int = Field(default=2_000, ge=1, le=100_000, description="How many lines at most.")


class ReadFile(BuiltinTool[ReadFileInput]):
    name = "read_file"
    description = (
        "Reads a text file of the conversation's folder. Of a long one a part comes back, with a note how to read on."
    )
    semantic = ResultSemantic.FACTUAL
    needs_folder = True
    input_model = ReadFileInput

    @override
    async def foresee(self, wanted: ReadFileInput, context: ToolContext) -> PathRead:
        folder = folder_of(context)
        return PathRead(folder.path(folder.parts(wanted.path)))

    @override
    async def act(self, wanted: ReadFileInput, context: ToolContext) -> ToolOutput:
        folder = folder_of(context)
        parts = folder.parts(wanted.path)

        def read(stop: threading.Event) -> str:
            with folder.open(parts) as file:
                if is_binary(file.read(_START_BYTES)):
                    size_bytes = file.seek(0, 2)
                    raise ToolFailed(f"{wanted.path} is no text file ({size_bytes:,} bytes)")
                file.seek(0)
                return _part_of(file, wanted, stop)

        return text_output(await on_thread(read))


def _part_of(file: BinaryIO, wanted: ReadFileInput, stop: threading.Event) -> str:
    line = 1
    while line < wanted.first_line and not stop.is_set() and (piece := file.readline(_PIECE_BYTES)):
        line += piece.endswith(b"\n")
    last = wanted.first_line + wanted.line_count - 1
    pieces: list[bytes] = []
    left_bytes = LIMIT_BYTES
    while line <= last and left_bytes and not stop.is_set() and (piece := file.readline(left_bytes)):
        pieces.append(piece)
        left_bytes -= len(piece)
        line += piece.endswith(b"\n")
    if not pieces:
        return "[the file is empty]" if wanted.first_line == 1 else f"[the file ends before line {wanted.first_line:,}]"
    text = b"".join(pieces).decode("utf-8-sig" if wanted.first_line == 1 else "utf-8", "replace")
    if not file.read(1):
        return text
    is_whole_line = text.endswith("\n")
    place = f"first_line {line:,}" if is_whole_line else f"line {line:,}, which is cut"
    return f"{text}{'' if is_whole_line else chr(10)}[the file goes on with {place}]"
