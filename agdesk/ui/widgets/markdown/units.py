"""What a piece of Markdown consists of at its top level, and how to go on in the middle of a block."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from agdesk.ui.widgets.markdown.parser import parse_blocks
from agdesk.ui.widgets.markdown.segments import SegmentStart

if TYPE_CHECKING:
    from markdown_it.token import Token

UnitKind = Literal["block", "item", "fence", "table"]

_FENCE_OPEN = re.compile(r"^( {0,3})(`{3,}|~{3,})([^\n]*)\n")
# the line may still become one that opens a fence
_FENCE_BEGINNING = re.compile(r" {0,3}(?:`{1,2}|`{3,}[^`\n]*|~{1,2}|~{3,}[^\n]*)")


@dataclass(frozen=True, slots=True)
class Unit:
    """A top-level block, or an item of a top-level list.

    Args:
        line: its first line, counted from 0.
        list_line: first line of its list, None outside a list.
        number: of an item of an ordered list, counted as CommonMark does: from the first item's number.
    """

    kind: UnitKind
    line: int
    list_line: int | None = None
    number: int | None = None


@dataclass(frozen=True, slots=True)
class FenceOpening:
    """The line that opens a fenced code block."""

    indent: int
    marker: str
    language: str
    length: int

    def is_closed_by(self, line: str) -> bool:
        """Whether a line (without its end) closes the block (CommonMark 0.31, 4.5)."""
        stripped = line.strip(" ")
        is_indented = len(line) - len(line.lstrip(" ")) > 3
        return not is_indented and len(stripped) >= len(self.marker) and set(stripped) == {self.marker[0]}

    def may_be_closed_by(self, line: str) -> bool:
        """Whether an unfinished line may become one that closes the block."""
        stripped = line.strip(" ")
        return set(stripped) <= {self.marker[0]}

    def content_of(self, line: str) -> str:
        """A line of code without the indentation of the block."""
        return line[min(self.indent, len(line) - len(line.lstrip(" "))) :]


def top_units(tokens: list[Token], *, first_number: int | None) -> list[Unit]:
    """The units of a parsed text, in order.

    Args:
        tokens: of ``parse_blocks``.
        first_number: number of the first unit, if it is an item whose list began before the text.
    """
    units: list[Unit] = []
    list_line: int | None = None
    number: int | None = None
    for token in tokens:
        line = token.map[0] if token.map else 0
        if token.type == "list_item_open" and token.level == 1:
            units.append(Unit("item", line, list_line, number))
            number = None if number is None else number + 1
        elif token.level == 0 and token.nesting >= 0:
            match token.type:
                case "bullet_list_open":
                    list_line, number = line, None
                case "ordered_list_open":
                    list_line = line
                    is_continued = first_number is not None and not units
                    number = first_number if is_continued else int(token.attrs.get("start", 1))
                case "fence":
                    units.append(Unit("fence", line))
                case "table_open":
                    units.append(Unit("table", line))
                case _:
                    units.append(Unit("block", line))
    return units


def start_after(before: Unit, unit: Unit) -> SegmentStart:
    """What a unit is, seen from the one before."""
    return "item" if unit.list_line is not None and unit.list_line == before.list_line else "block"


def fence_opening(text: str) -> FenceOpening | None:
    """The opening of a fenced code block, if the text starts with one."""
    found = _FENCE_OPEN.match(text)
    if found is None:
        return None
    words = found[3].split()
    language = words[0].strip("{}.") if words else ""
    return FenceOpening(indent=len(found[1]), marker=found[2], language=language, length=found.end())


def may_open_fence(line: str) -> bool:
    """Whether an unfinished line may become one that opens a fenced code block."""
    return _FENCE_BEGINNING.fullmatch(line) is not None


def is_table_row(line: str, head: str) -> bool:
    """Whether a complete line goes on the table that ``head``, its first two lines, opens."""
    if line.startswith("|"):  # no other block starts so
        return True
    if not line.strip():
        return False
    tokens = parse_blocks(head + line, {})
    return bool(tokens) and tokens[0].type == "table_open" and tokens[0].map == [0, 3]


def resume_prefix(lines: list[str], tokens: list[Token]) -> tuple[str, int]:
    """The lines that put what follows back into the open list items and the open fence at the end of a text.

    Args:
        lines: of the text.
        tokens: of the text.

    Returns:
        The lines as one text, and their number.
    """
    open_items: list[int] = []
    leaf: tuple[list[int], Token] | None = None
    quotes = 0
    for token in tokens:
        if token.type == "blockquote_open":
            quotes += 1
        elif token.type == "blockquote_close":
            quotes -= 1
        elif token.type == "list_item_open" and not quotes and token.map:
            open_items.append(token.map[0])
        elif token.type == "list_item_close" and not quotes:
            open_items.pop()
        elif token.type in ("inline", "fence", "code_block", "hr"):
            leaf = (list(open_items), token)
    if leaf is None or not leaf[0]:
        return "", 0
    items, last = leaf
    # a blank line after each: an ordered item other than the first cannot follow a paragraph without one
    prefix = [part for line in dict.fromkeys(items) for part in (lines[line], "")]
    if last.type == "fence" and last.map and last.map[1] - last.map[0] == last.content.count("\n") + 1:
        is_own_line = last.map[0] not in items
        prefix = [*prefix, lines[last.map[0]]] if is_own_line else prefix[:-1]
    return "".join(line + "\n" for line in prefix), len(prefix)
