"""Segments: the pieces of a text that are laid out, kept and thrown away on their own.

A segment is a run of Markdown blocks, or a part of a fenced code block. Only the last segment of a text changes; a
closed one is its source and nothing else, and can be drawn again at any time.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import Literal

LINE_WEIGHT = 32  # a line costs as much as that many characters


def weight_of(text: str) -> int:
    """What a text costs to lay out: short lines cost more than their characters."""
    return len(text) + LINE_WEIGHT * text.count("\n")


def end_at_weight(text: str, start: int, weight: int) -> int:
    """Where the piece from ``start`` ends that has just that weight; the end of the text if it is lighter."""
    while (end := text.find("\n", start)) >= 0 and end - start < weight:
        weight -= end + 1 - start + LINE_WEIGHT
        start = end + 1
        if weight <= 0:
            return start
    return min(len(text), start + weight)


@dataclass(frozen=True, slots=True)
class Chunk:
    """One closed block, or one item of a list, or one row of a table: what is drawn once.

    Args:
        source: complete lines.
        prefix_lines: that many lines at the start are only there to be parsed: they open the containers again in
            which the chunk stands. Nothing is drawn for them.
        number: of the first item, if the source starts inside an ordered list.
        head: the two lines that open the table whose rows are the source.
        is_continued: the rows go on the table of the chunk before; if there is none, the head is drawn again.
    """

    source: str
    prefix_lines: int = 0
    number: int | None = None
    head: str = ""
    is_continued: bool = False


SegmentStart = Literal["block", "item", "line"]


@dataclass(slots=True, eq=False)
class TextSegment:
    """A run of blocks.

    Attributes:
        start: what it begins with, seen from the segment before: a block, an item of the same list, or the next line
            of the same block.
        position: characters of the text before it, line ends as ``\\n``.
        chunks: what will not change any more.
        tail: the block that may still change, as far as it is known.
        is_closed: nothing will be added.
        merged: how many chunks there were before ``compact``, 0 before it was called.
    """

    start: SegmentStart = "block"
    position: int = 0
    chunks: list[Chunk] = field(default_factory=list)
    tail: Chunk | None = None
    is_closed: bool = False
    merged: int = 0
    _closed_size: int = 0
    _closed_lines: int = 0

    @property
    def size(self) -> int:
        """Number of characters."""
        return self._closed_size + (len(self.tail.source) if self.tail else 0)

    @property
    def weight(self) -> int:
        """What it costs to lay out (``weight_of``)."""
        return self.size + LINE_WEIGHT * self.lines

    @property
    def lines(self) -> int:
        """Number of line ends."""
        return self._closed_lines + (self.tail.source.count("\n") if self.tail else 0)

    @property
    def source(self) -> str:
        """The Markdown of the segment, as it stands in the text; a table that goes on gets its head again."""
        parts: list[str] = []
        head = ""
        for chunk in (*self.chunks, *((self.tail,) if self.tail else ())):
            if chunk.head and (chunk.head != head or not chunk.is_continued):
                parts.append("\n" if parts and not parts[-1].endswith("\n\n") else "")  # which the last table lost
                parts.append(chunk.head)
            head = chunk.head
            parts.append("".join(chunk.source.splitlines(keepends=True)[chunk.prefix_lines :]))
        return "".join(parts).strip("\n")

    def add(self, chunk: Chunk) -> None:
        """Adds what is closed."""
        self.chunks.append(chunk)
        self._closed_size += len(chunk.source)
        self._closed_lines += chunk.source.count("\n")

    def compact(self) -> None:
        """Joins the chunks of a closed segment: an object for each is only useful while it is being drawn."""
        if not self.is_closed or self.merged:
            return
        self.merged = len(self.chunks)
        joined: list[Chunk] = []
        for chunk in self.chunks:
            is_new = not joined or chunk.prefix_lines or chunk.head != joined[-1].head
            if not is_new and bool(chunk.head) == chunk.is_continued:
                joined[-1] = replace(joined[-1], source=joined[-1].source + chunk.source)
            else:
                joined.append(chunk)
        self.chunks = joined


@dataclass(slots=True, eq=False)
class Fence:
    """A fenced code block, over all its segments.

    Attributes:
        is_raw: it is none, but the rest of a text too long to be looked at as Markdown.
        is_wrapped: whether long lines are wrapped; None: as everywhere.
        left: how far it is scrolled sideways, in pixels.
    """

    language: str
    is_raw: bool = False
    is_wrapped: bool | None = None
    left: int = 0
    segments: list[CodeSegment] = field(default_factory=list)

    @property
    def text(self) -> str:
        """The code, without the line end of its last line."""
        return "".join(segment.text + segment.partial for segment in self.segments).removesuffix("\n")


@dataclass(slots=True, eq=False)
class CodeSegment:
    """A part of a fenced code block.

    Attributes:
        offset: characters of the block before this segment.
        position: characters of the whole text before it, line ends as ``\\n``.
        first_line: lines of the block before it.
        is_continued: its first line began in the segment before.
        text: complete lines.
        partial: the line that is still being written.
        is_last: the block ends with this segment.
        is_closed: nothing will be added.
    """

    fence: Fence
    offset: int = 0
    position: int = 0
    first_line: int = 0
    is_continued: bool = False
    text: str = ""
    partial: str = ""
    is_last: bool = False
    is_closed: bool = False

    @property
    def is_first(self) -> bool:
        """Whether the block starts with this segment."""
        return self.offset == 0

    @property
    def size(self) -> int:
        """Number of characters."""
        return len(self.text) + len(self.partial)

    @property
    def weight(self) -> int:
        """What it costs to lay out (``weight_of``)."""
        return self.size + LINE_WEIGHT * self.lines

    @property
    def lines(self) -> int:
        """Number of line ends."""
        return self.text.count("\n")


Segment = TextSegment | CodeSegment
