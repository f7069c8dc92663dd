"""The pen: writes blocks, runs, list markers and tables at the end of a document, and can go back to a mark."""

from __future__ import annotations

from dataclasses import dataclass

from PySide6.QtCore import Qt
from PySide6.QtGui import (
    QTextBlockFormat,
    QTextCharFormat,
    QTextCursor,
    QTextListFormat,
    QTextTable,
    QTextTableFormat,
)

from agdesk.ui.widgets.markdown.document import SafeDocument
from agdesk.ui.widgets.markdown.formats import QUOTE_BARS, RULE, TextFormats

_BULLETS = (
    QTextListFormat.Style.ListDisc,
    QTextListFormat.Style.ListCircle,
    QTextListFormat.Style.ListSquare,
)


@dataclass(frozen=True, slots=True)
class Mark:
    """A place in a document to which the builder can return."""

    position: int
    is_fresh: bool
    block: QTextBlockFormat
    characters: QTextCharFormat
    table: QTextTable | None


class DocumentBuilder:
    """Writes at the end of a document.

    Attributes:
        formulas, pictures: of the document.
        is_fresh: the last block is empty and waits to be used: at the start, and after a table.
        table: the table the document ends with.
    """

    def __init__(self, document: SafeDocument, formats: TextFormats) -> None:
        self._document = document
        self.formats = formats
        self.formulas = document.formulas
        self.pictures = document.pictures
        self.is_fresh = True
        self.table: QTextTable | None = None
        self.cursor = QTextCursor(document)
        self.cursor.movePosition(QTextCursor.MoveOperation.End)

    def mark(self) -> Mark:
        """The end of what is written."""
        cursor = self.cursor
        return Mark(cursor.position(), self.is_fresh, cursor.blockFormat(), cursor.blockCharFormat(), self.table)

    def rewind(self, mark: Mark) -> None:
        """Removes what was written after a mark."""
        cursor = self.cursor
        cursor.movePosition(QTextCursor.MoveOperation.End)
        if cursor.position() != mark.position:
            cursor.setPosition(mark.position, QTextCursor.MoveMode.KeepAnchor)
            cursor.removeSelectedText()
            # an empty block takes over the format of the block that is removed after it
            cursor.setBlockFormat(mark.block)
            cursor.setBlockCharFormat(mark.characters)
        self.is_fresh = mark.is_fresh
        self.table = mark.table

    def start_block(self, block: QTextBlockFormat, characters: QTextCharFormat) -> None:
        """Begins a block."""
        if block.hasProperty(QUOTE_BARS) or block.hasProperty(RULE):
            self._document.has_decorations = True
        if self.is_fresh:
            self.cursor.setBlockFormat(block)
            self.cursor.setBlockCharFormat(characters)
        else:
            self.cursor.insertBlock(block, characters)
        self.is_fresh = False
        self.table = None

    def write(self, text: str, style: QTextCharFormat) -> None:
        """Adds text to the block that was begun; ``\\n`` begins another one of the same format."""
        self.cursor.insertText(text, style)

    def write_marker(self, *, number: int | None, depth: int) -> None:
        """Gives the block that was begun the number, or the bullet of its depth from 1, of a list item."""
        style = QTextListFormat()
        style.setIndent(0)  # the block itself is indented
        if number is None:
            style.setStyle(_BULLETS[min(depth, len(_BULLETS)) - 1])
        else:
            style.setStyle(QTextListFormat.Style.ListDecimal)
            style.setStart(number)
        self.cursor.createList(style)

    def start_table(self, columns: int, *, top: int, indent: int) -> QTextTable:
        """Begins a table with one empty row."""
        if not self.is_fresh:
            self.cursor.insertBlock(QTextBlockFormat(), self.formats.tiny())
        style = QTextTableFormat(self.formats.table)
        style.setTopMargin(top)
        style.setBottomMargin(top)
        style.setLeftMargin(indent * self.formats.indent)
        self.table = self.cursor.insertTable(1, columns, style)
        return self.table

    def start_cell(self, table: QTextTable, row: int, column: int, *, alignment: Qt.AlignmentFlag) -> QTextCursor:
        """A cursor at the start of an empty cell; row 0 is the header."""
        cursor = table.cellAt(row, column).firstCursorPosition()
        block = QTextBlockFormat()
        block.setAlignment(alignment)
        cursor.setBlockFormat(block)
        return cursor

    def end_table(self) -> None:
        """Goes on after the table that was begun."""
        assert self.table is not None
        self._go_after(self.table)

    def _go_after(self, table: QTextTable) -> None:
        self.cursor.setPosition(table.lastPosition() + 1)
        self.cursor.setBlockFormat(self.formats.after_table)
        self.cursor.setBlockCharFormat(self.formats.tiny())
        self.is_fresh = True
