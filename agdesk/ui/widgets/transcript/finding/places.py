"""Where a match is shown: in which row, and where in the document of that row."""

from __future__ import annotations

from typing import NamedTuple, assert_never

from PySide6.QtGui import QTextCursor, QTextDocument

from agdesk.ui.widgets.transcript.block import Block
from agdesk.ui.widgets.transcript.finding.folding import FoldedText, Needle
from agdesk.ui.widgets.transcript.finding.search import FindPlace, Match
from agdesk.ui.widgets.transcript.model import TranscriptModel
from agdesk.ui.widgets.transcript.row_widget import RowWidget
from agdesk.ui.widgets.transcript.rows import CodeRow, ErrorRow, PendingRow, PlainRow, Row, TextRow
from agdesk.ui.widgets.transcript.values import ErrorView


class Spot(NamedTuple):
    """A run of characters of a document, as Qt counts them."""

    start: int
    end: int


def row_of_match(model: TranscriptModel, match: Match) -> Row:
    """The row that shows a match; its message is opened. Until it is cut, the row of the text that waits."""
    message = match.part.message
    model.open(message)
    rows = message.rows
    match match.part.origin:
        case Block() as block:
            found: Row | None = block.row_at(match.span.start)
            return found or next((row for row in rows if isinstance(row, PendingRow)), rows[-1])
        case ErrorView():
            return next((row for row in rows if isinstance(row, ErrorRow)), rows[-1])
        case None:
            plain = [row for row in rows if isinstance(row, PlainRow) and row.offset <= match.span.start]
            return plain[-1] if plain else rows[0]
        case _:
            assert_never(match.part.origin)


def place_of_row(row: Row) -> FindPlace:
    """Where the text of a row begins."""
    match row:
        case TextRow() | CodeRow():
            number = next((at for at, block in enumerate(row.message.blocks) if block is row.block), 0)
            return FindPlace(row.message, number, row.segment.position)
        case PlainRow():
            return FindPlace(row.message, 0, row.offset)
        case _:
            return FindPlace(row.message)


def spots_of(document: QTextDocument, needle: Needle) -> list[Spot]:
    """Every match that can be read in a document."""
    text = document.toRawText()
    spans = FoldedText(text, is_case_sensitive=needle.is_case_sensitive).spans(needle)
    if not spans or text.isascii() or max(text) <= "\uffff":
        return [Spot(*span) for span in spans]
    spots: list[Spot] = []
    read = units = 0
    for start, end in spans:
        units += _units(text[read:start])
        spots.append(Spot(units, units + _units(text[start:end])))
        read, units = end, spots[-1].end
    return spots


def spot_of_match(document: QTextDocument, row: Row, match: Match, spots: list[Spot]) -> Spot:
    """Where in the document of its row a match is.

    What is searched is the source and what is read is its drawing: of as many matches in both, it is the one of the
    same number; else the one at about the same place. If none can be read, such as in the address of a link, it is the
    paragraph there.
    """
    start, end = _reach(row)
    part = match.part
    first = part.count_before(start)
    number = part.count_before(match.span.start) - first
    if spots and part.count_before(end) - first == len(spots) and number < len(spots):
        return spots[number]
    at = (match.span.start - start) / max(1, end - start) * document.characterCount()
    if spots:
        return min(spots, key=lambda spot: abs(spot.start - at))
    block = document.findBlock(min(round(at), document.characterCount() - 1))
    return Spot(block.position(), block.position() + block.length() - 1)


def shown_at(widget: RowWidget | None, match: Match) -> int:
    """The middle of the line of a match from the top of its row, which has been measured."""
    if widget is None or widget.row is None:
        return 0
    if widget.pane is None:
        return widget.row.height // 2
    document = widget.pane.document()
    spot = spot_of_match(document, widget.row, match, spots_of(document, match.needle))
    cursor = QTextCursor(document)
    cursor.setPosition(spot.start)
    block = cursor.block()
    area = document.documentLayout().blockBoundingRect(block)
    line = block.layout().lineForTextPosition(cursor.positionInBlock())
    middle = line.y() + line.height() / 2 if line.isValid() else area.height() / 2
    return widget.content_top() + round(area.top() + middle)


def _reach(row: Row) -> tuple[int, int]:
    """The characters of its text that a row shows."""
    match row:
        case TextRow() | CodeRow():
            return row.block.reach(row)
        case PlainRow():
            return row.offset, row.offset + len(row.text) + 1
        case _:
            return 0, 1


def _units(text: str) -> int:
    """Length as Qt counts it."""
    return len(text) + sum(character > "\uffff" for character in text)
