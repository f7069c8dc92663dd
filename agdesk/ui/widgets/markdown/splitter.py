"""Cuts a growing Markdown text into segments; what is closed is never read again.

The rule: of the top-level blocks of the open text, every one but the last is closed; of a top-level list, every item
but the last; of a table, every complete row; of a fenced code block, every complete line. Only complete lines are
judged ("para\\n#" may go on as "#tag"). A block beyond ``OPEN_WEIGHT`` is cut where it stands, but not
in the bytes of an image, which count for nothing. All decisions depend on
the text alone, not on the pieces it arrives in: a stored text is cut exactly as the live one was.
"""

from __future__ import annotations

from collections import ChainMap
from itertools import accumulate
from typing import TYPE_CHECKING

from agdesk.ui.widgets.markdown.inline_data import OpenData, head_end
from agdesk.ui.widgets.markdown.line_ends import LineEnds
from agdesk.ui.widgets.markdown.parser import References, parse_blocks
from agdesk.ui.widgets.markdown.segment_list import SegmentList
from agdesk.ui.widgets.markdown.segments import Chunk, Segment, end_at_weight, weight_of
from agdesk.ui.widgets.markdown.units import (
    FenceOpening,
    Unit,
    fence_opening,
    is_table_row,
    may_open_fence,
    resume_prefix,
    start_after,
    top_units,
)

if TYPE_CHECKING:
    from markdown_it.token import Token

OPEN_WEIGHT = 4096  # the most that is parsed or drawn again for one addition
RAW_CHARS = 2_000_000  # the first line that ends behind that is the last one read as Markdown
_NO_END = FenceOpening(indent=0, marker="\0", language="", length=0)  # safe text has no such character


class MarkdownSplitter:
    """One text, from its first character to its last.

    Attributes:
        references: link definitions seen in closed blocks.
        has_late_references: a definition came after blocks that were closed before it; they have to be drawn again.
    """

    def __init__(self) -> None:
        self._list = SegmentList()
        self.references: References = {}
        self.has_late_references = self._has_closed = False
        self._line_ends = LineEnds()
        self._taken = 0  # characters, line ends as "\n"
        self._offset = 0  # of them before the open text
        # the open text, how much of it was judged, and what puts it back into its place when it is parsed
        self._tail = ""
        self._judged = 0
        self._prefix, self._prefix_lines = "", 0
        self._number: int | None = None
        self._data = OpenData()
        # the block it is inside of, if that is not looked at as Markdown blocks
        self._fence: FenceOpening | None = None
        self._table_head = ""

    @property
    def segments(self) -> list[Segment]:
        """Of the text so far; the last one may be open."""
        return self._list.segments

    def feed(self, text: str) -> None:
        """Adds text. The cost does not depend on how much came before."""
        self._take(text)
        self._show_tail()

    def finish(self) -> None:
        """Ends the text: everything is closed."""
        if self._line_ends.is_half or (self._tail and not self._tail.endswith("\n")):
            self._take("\n")
        self._close_tail(self._tail)
        self._tail = ""
        self._list.end()

    def _take(self, text: str) -> None:
        text = self._line_ends.read(text)
        beyond = self._raw_start(text)
        self._taken += len(text)
        if beyond is None:
            self._read(text)
            return
        self._read(text[:beyond])
        self._begin_raw(self._taken - len(text) + beyond)
        self._read(text[beyond:])

    def _raw_start(self, text: str) -> int | None:
        """Where in a text that follows begins what is not looked at; None: not in this text."""
        end = self._taken + len(text)
        if self._fence is _NO_END or end <= RAW_CHARS:
            return None
        last = RAW_CHARS + OPEN_WEIGHT - self._taken
        line_end = text.find("\n", max(0, RAW_CHARS - self._taken), last)
        return line_end + 1 if line_end >= 0 else last if last <= len(text) else None

    def _begin_raw(self, position: int) -> None:
        """Ends the Markdown: what follows are plain lines."""
        if self._tail and not self._tail.endswith("\n"):
            self._read("\n")
        self._close_tail(self._tail)
        self._list.end()
        self._tail, self._table_head, self._data = "", "", OpenData()
        self._offset = self._list.position = position
        self._list.begin_code("", is_raw=True)
        self._fence = _NO_END

    def _read(self, text: str) -> None:
        position = 0
        while position < len(text):
            if self._data.is_open:
                data, position = self._data.take(text, position, at=len(self._tail))
                self._tail += data
                continue
            # the tail is judged at exactly the same size however the text arrives
            end = end_at_weight(text, position, OPEN_WEIGHT - self._weight())
            data_start = head_end(self._tail, text, position, end)
            end = data_start or end
            self._tail += text[position:end]
            position = end
            while self._advance():
                pass
            is_text = bool(self._tail) and self._fence is None and not self._table_head
            self._data.is_open = data_start is not None and is_text

    def _weight(self) -> int:
        """Of the open text, without the bytes of images in it."""
        return weight_of(self._tail) - self._data.size

    def _advance(self) -> bool:
        """Closes what is complete. True if there may be more to do."""
        if self._fence is not None:
            return self._advance_fence(self._fence)
        if self._table_head:
            return self._advance_table()
        return self._advance_blocks()

    # --- blocks ---

    def _advance_blocks(self) -> bool:
        complete = self._tail.rfind("\n") + 1
        if complete > self._judged:
            self._judged = complete
            tokens, definitions = self._parse(self._tail[:complete])
            units = top_units(tokens, first_number=self._number)
            special = (at for at, unit in enumerate(units) if unit.kind in ("fence", "table"))
            stop = next(special, len(units) - 1)
            kind = units[stop].kind if units else "block"
            if stop > 0 or kind in ("fence", "table"):
                self._close_units(units[:stop], units[stop], definitions)
            if kind == "fence":
                return self._enter_fence()
            if kind == "table":
                return self._enter_table()
        if self._weight() >= OPEN_WEIGHT:
            self._cut_open_block()
            return True
        return False

    def _parse(self, source: str) -> tuple[list[Token], References]:
        """The blocks of a part of the tail, and the link definitions that are new in it."""
        definitions: References = {}
        tokens = parse_blocks(self._prefix + source, ChainMap(definitions, self.references))
        return tokens, definitions

    def _close_units(self, units: list[Unit], following: Unit, definitions: References) -> None:
        """Closes the units before ``following``, which becomes the start of the tail."""
        self._define({label: found for label, found in definitions.items() if found["map"][1] <= following.line})
        lines = self._tail.split("\n")
        positions = [0, *accumulate(len(line) + 1 for line in lines)]
        starts = [0, *(unit.line - self._prefix_lines for unit in (*units[1:], following))]
        end = starts[-1]
        if not units:  # the lines before the first unit are empty or definitions
            end = following.line - self._prefix_lines
        before: Unit | None = None
        for unit, start, stop in zip(units, starts, starts[1:], strict=False):
            if before is not None:
                self._list.set_start(start_after(before, unit))
            source = "".join(line + "\n" for line in lines[start:stop])
            prefix, prefix_lines = (self._prefix, self._prefix_lines) if before is None else ("", 0)
            self._list.position = self._offset + positions[start]
            self._close(Chunk(prefix + source, prefix_lines, unit.number))
            before = unit
        if before is not None:
            self._prefix, self._prefix_lines = "", 0
            self._list.set_start(start_after(before, following))
        self._number = following.number if before is not None and start_after(before, following) == "item" else None
        self._drop(positions[end])
        self._judged = self._tail.rfind("\n") + 1

    def _cut_open_block(self) -> None:
        """Closes what stands in the tail although its block goes on, and remembers how to go on."""
        complete, half = self._tail.rfind("\n") + 1, len(self._tail) // 2
        is_at_line_end = complete >= half
        cut = complete if is_at_line_end else self._tail.rfind(" ", half) + 1 or len(self._tail)
        source = self._tail[:cut]
        tokens, number = self._close_tail(source)
        self._drop(cut)
        self._list.end_text()  # within one segment, the two parts would be joined again
        self._list.set_start("line")
        lines = (self._prefix + source).split("\n")
        self._prefix, self._prefix_lines = resume_prefix(lines, tokens) if is_at_line_end else ("", 0)
        self._number = number if self._prefix_lines else None

    def _close_tail(self, source: str) -> tuple[list[Token], int | None]:
        """Closes a part of the tail as one chunk; returns its tokens and the number of its last item."""
        tokens, definitions = self._parse(source)
        units = top_units(tokens, first_number=self._number)
        self._define(definitions)
        if units:
            self._close(Chunk(self._prefix + source, self._prefix_lines, self._number))
        self._judged = 0
        return tokens, units[-1].number if units else None

    def _drop(self, size: int) -> None:
        """What is closed leaves the open text."""
        self._tail = self._tail[size:]
        self._data.drop(size)
        self._offset += size
        self._list.position = self._offset

    def _close(self, chunk: Chunk) -> None:
        self._list.close_chunk(chunk)
        self._has_closed = True

    def _define(self, definitions: References) -> None:
        self.has_late_references |= bool(definitions) and self._has_closed
        self.references.update(definitions)

    def _show_tail(self) -> None:
        """Puts the open text where it is drawn from."""
        if self._fence is not None:
            is_end = self._fence.may_be_closed_by(self._tail)
            self._list.show_partial("" if is_end else self._fence.content_of(self._tail))
            return
        complete = self._tail.rfind("\n") + 1
        shown = self._tail[:complete] if may_open_fence(self._tail[complete:]) else self._tail
        is_shown = not self._table_head and bool(shown.strip())
        self._list.show_tail(Chunk(self._prefix + shown, self._prefix_lines, self._number) if is_shown else None)

    # --- fenced code ---

    def _enter_fence(self) -> bool:
        opening = fence_opening(self._tail)
        assert opening is not None
        self._fence = opening
        self._judged = 0
        self._list.begin_code(opening.language)
        self._drop(opening.length)
        return True

    def _advance_fence(self, fence: FenceOpening) -> bool:
        position = 0
        while (end := self._tail.find("\n", position)) >= 0:
            line = self._tail[position:end]
            position = end + 1
            if fence.is_closed_by(line):
                self._list.end_code()
                self._fence = None
                break
            self._list.add_code(fence.content_of(line) + "\n")
            self._list.position = self._offset + position
        self._drop(position)
        if weight_of(self._tail) >= OPEN_WEIGHT:  # a line without end
            self._list.add_code(self._tail)
            self._drop(len(self._tail))
            self._list.roll_code_over()
        return self._fence is None

    # --- tables ---

    def _enter_table(self) -> bool:
        end = self._tail.index("\n", self._tail.index("\n") + 1) + 1
        self._table_head = self._tail[:end]
        self._judged = 0
        self._list.set_start("block")
        self._close(Chunk("", head=self._table_head))
        self._drop(end)
        return True

    def _advance_table(self) -> bool:
        position = 0
        while (end := self._tail.find("\n", position)) >= 0:
            row = self._tail[position : end + 1]
            if not is_table_row(row, self._table_head):
                break
            self._close(Chunk(row, head=self._table_head, is_continued=True))
            position = end + 1
            self._list.position = self._offset + position
        self._drop(position)
        if end >= 0 or weight_of(self._tail) >= OPEN_WEIGHT:
            self._table_head = ""
            return True
        return False
