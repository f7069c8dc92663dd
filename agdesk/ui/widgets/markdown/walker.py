"""Draws the blocks of one chunk: paragraphs, headings, lists, quotes, code, formulas, footnotes, rules and tables."""

from __future__ import annotations

import re
from itertools import pairwise
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt
from PySide6.QtGui import QTextBlockFormat, QTextCharFormat, QTextCursor

from agdesk.ui.widgets.markdown.builder import DocumentBuilder
from agdesk.ui.widgets.markdown.formula_sheet import OBJECT
from agdesk.ui.widgets.markdown.highlight import lex
from agdesk.ui.widgets.markdown.inline import InlinePen
from agdesk.ui.widgets.markdown.parser import References, parse
from agdesk.ui.widgets.markdown.segments import Chunk
from agdesk.ui.widgets.markdown.typesetter import FormulaKey
from agdesk.ui.widgets.text import visible_text

if TYPE_CHECKING:
    from markdown_it.token import Token

_ALIGNMENTS = {
    "text-align:center": Qt.AlignmentFlag.AlignHCenter,
    "text-align:right": Qt.AlignmentFlag.AlignRight,
}

TO_DO, DONE = "☐", "☑"
BOX_INDENT = 20  # the box of a task hangs that far before its text
_TASK = re.compile(r"\[([ xX])\](?:\s+|$)")


def draw_chunk(builder: DocumentBuilder, chunk: Chunk, references: References, *, is_final: bool) -> bool:
    """Writes a chunk at the end of the document.

    Args:
        builder: at the end of the document.
        chunk: what to draw.
        references: definitions from outside the chunk; those of the chunk are added.
        is_final: it is drawn once; code is coloured only then.

    Returns:
        Whether the chunk is one paragraph.
    """
    tokens = parse(chunk.head + chunk.source, references)
    if chunk.head:
        _draw_rows(builder, tokens, is_continued=chunk.is_continued and builder.table is not None)
    else:
        _BlockWalker(builder, chunk, is_final=is_final).draw(tokens)
    return len(tokens) == 3 and tokens[0].type == "paragraph_open"


class _BlockWalker:
    def __init__(self, builder: DocumentBuilder, chunk: Chunk, *, is_final: bool) -> None:
        self._builder = builder
        self._formats = builder.formats
        self._skipped_lines = chunk.prefix_lines
        self._first_number = chunk.number
        self._is_final = is_final
        self._quotes: list[int] = []  # at which step of indentation each bar stands
        self._numbers: list[int | None] = []  # of the current item, for each open list
        self._has_marker = False  # an item was opened, its marker waits for the item's first block
        self._label = ""  # of a footnote that was opened and waits for its first block

    def draw(self, tokens: list[Token]) -> None:
        position = 0
        while position < len(tokens):
            token = tokens[position]
            match token.type:
                case "blockquote_open":
                    self._write_waiting_marker()
                    self._quotes.append(self._indent)
                case "blockquote_close":
                    self._quotes.pop()
                case "bullet_list_open" | "ordered_list_open":
                    self._write_waiting_marker()
                    self._open_list(token)
                case "bullet_list_close" | "ordered_list_close":
                    self._numbers.pop()
                case "list_item_open":
                    self._has_marker = self._is_drawn(token)
                case "list_item_close":
                    self._write_waiting_marker()
                    number = self._numbers[-1]
                    self._numbers[-1] = None if number is None else number + 1
                case "paragraph_open" if self._is_drawn(token):
                    self._draw_text(tokens[position + 1], level=0)
                case "heading_open" if self._is_drawn(token):
                    self._draw_text(tokens[position + 1], level=int(token.tag[1]))
                case "math_block" if self._is_drawn(token):
                    self._draw_formula(token)
                case "footnote_open":
                    self._write_waiting_marker()
                    self._numbers.append(None)
                    self._label = token.info if self._is_drawn(token) else ""
                case "footnote_close":
                    self._write_waiting_marker()
                    self._numbers.pop()
                case "fence":
                    self._draw_code(token.content, token.info.split()[0] if token.info.strip() else "")
                case "code_block" if self._is_drawn(token):
                    self._draw_code(token.content, "")
                case "hr" if self._is_drawn(token):
                    self._draw_rule()
                case "table_open":
                    end = next(at for at in range(position, len(tokens)) if tokens[at].type == "table_close")
                    if self._is_drawn(token):
                        self._write_waiting_marker()
                        _draw_rows(self._builder, tokens[position:end], is_continued=False, indent=self._indent)
                    position = end
                case _:
                    pass
            position += 1

    def _is_drawn(self, token: Token) -> bool:
        return token.map is not None and token.map[0] >= self._skipped_lines

    @property
    def _indent(self) -> int:
        # long numbers need more room than one step
        steps = (1 if number is None else 1 + (len(str(number)) - 1) // 2 for number in self._numbers)
        return len(self._quotes) + sum(steps)

    def _open_list(self, token: Token) -> None:
        number = None
        if token.type == "ordered_list_open":
            number = self._first_number if self._first_number is not None else int(token.attrs.get("start", 1))
        self._first_number = None  # it belongs to the first list of the chunk
        self._numbers.append(number)

    def _paragraph(self, top: int) -> QTextBlockFormat:
        return self._formats.paragraph(top=top, indent=self._indent, quote=sum(1 << step for step in self._quotes))

    def _start(self, block: QTextBlockFormat, characters: QTextCharFormat) -> None:
        self._builder.start_block(block, characters)
        if self._has_marker:
            self._builder.write_marker(number=self._numbers[-1], depth=len(self._numbers))
            self._has_marker = False
        if self._label:
            self._builder.write(f"{visible_text(self._label)} ", self._formats.footnote(characters))
            self._label = ""

    def _write_waiting_marker(self) -> None:
        """Draws the marker of an item that does not begin with text."""
        if self._has_marker or self._label:
            self._start(self._paragraph(self._formats.metrics.space_4), self._formats.text)

    def _draw_text(self, inline: Token, *, level: int) -> None:
        metrics = self._formats.metrics
        style = self._formats.heading(level) if level else self._formats.text
        block = self._paragraph(metrics.space_16 if level else metrics.space_4 if self._numbers else metrics.space_8)
        block.setHeadingLevel(level)
        children = inline.children or []
        task = _TASK.match(children[0].content) if self._has_marker and children else None
        if task is not None:
            self._has_marker = False  # the box stands in its place
            children[0].content = children[0].content[task.end() :]
            block.setTextIndent(-metrics.px(BOX_INDENT))
        self._start(block, style)
        if task is not None:
            self._builder.write(f"{DONE if task[1] in 'xX' else TO_DO}\u2002", style)
        builder = self._builder
        pen = InlinePen(builder.cursor, self._formats, style, formulas=builder.formulas, pictures=builder.pictures)
        pen.draw(children)

    def _draw_formula(self, token: Token) -> None:
        source = token.content if token.markup.startswith(r"\begin") else f"{token.markup}{token.content}{token.info}"
        key = FormulaKey(token.content.strip(), is_display=True)
        style = self._builder.formulas.style(self._formats.text, key, source) if token.info else None
        if style is None:
            self._draw_code(source, "latex")
            return
        block = self._paragraph(self._formats.metrics.space_8)
        block.setAlignment(Qt.AlignmentFlag.AlignHCenter)
        self._start(block, self._formats.text)
        self._builder.write(OBJECT, style)

    def _draw_code(self, code: str, language: str) -> None:
        self._write_waiting_marker()
        block = self._formats.code_line(self._paragraph(top=0))
        self._start(block, self._formats.code)
        start = self._builder.cursor.position()
        code = code.removesuffix("\n")
        for kind, text in lex(language, code)[0] if self._is_final else (("", code),):
            self._builder.write(text, self._formats.syntax[kind])
        first_line = QTextCursor(self._builder.cursor)
        first_line.setPosition(start)
        block.setTopMargin(self._formats.metrics.space_8)
        first_line.setBlockFormat(block)

    def _draw_rule(self) -> None:
        self._write_waiting_marker()
        self._start(self._formats.rule(self._paragraph(self._formats.metrics.space_8)), self._formats.tiny())


def _draw_rows(builder: DocumentBuilder, tokens: list[Token], *, is_continued: bool, indent: int = 0) -> None:
    """Draws a table, or its rows without the header at the end of the table that the document ends with."""
    rows: list[list[tuple[Token, Token]]] = []
    for cell, inline in pairwise(tokens):
        if cell.type == "tr_open":
            rows.append([])
        elif cell.type in ("th_open", "td_open"):
            rows[-1].append((cell, inline))
    table = builder.table if is_continued else None
    if table is None:
        table = builder.start_table(len(rows[0]), top=builder.formats.metrics.space_8, indent=indent)
        first = 0
    else:
        rows = rows[1:]
        first = table.rows()
    if missing := first + len(rows) - table.rows():
        table.appendRows(missing)
    for row, cells in enumerate(rows, start=first):
        for column, (cell, inline) in enumerate(cells):
            alignment = _ALIGNMENTS.get(str(cell.attrs.get("style", "")), Qt.AlignmentFlag.AlignLeft)
            cursor = builder.start_cell(table, row, column, alignment=alignment)
            style = builder.formats.heading(6) if row == 0 else builder.formats.text
            pen = InlinePen(cursor, builder.formats, style, formulas=builder.formulas, pictures=builder.pictures)
            pen.draw(inline.children or ())
    builder.end_table()
