"""A selection that spans rows: it belongs to the transcript, not to the widget the mouse went down in."""

from __future__ import annotations

from collections.abc import Iterable

from PySide6.QtCore import QPoint
from PySide6.QtGui import QTextCursor

from agdesk.ui.widgets.markdown.reading import read
from agdesk.ui.widgets.markdown.segments import CodeSegment
from agdesk.ui.widgets.transcript.message import Message
from agdesk.ui.widgets.transcript.model import TranscriptModel
from agdesk.ui.widgets.transcript.row_widget import RowContext, RowWidget
from agdesk.ui.widgets.transcript.rows import CodeRow, DocumentRow, PlainRow, Row, TextRow
from agdesk.ui.widgets.transcript.stage import RowStage

Place = tuple[DocumentRow, int]
MESSAGE_GAP = "\n\n"
_MOVE = QTextCursor.MoveOperation
_FORWARD = (_MOVE.Right, _MOVE.WordRight, _MOVE.Down)
_BACK = (_MOVE.Left, _MOVE.WordLeft, _MOVE.Up)


class TranscriptSelection:
    """From where the mouse went down to where it is, over any number of rows.

    Args:
        model: the rows.
        stage: those on the screen.
    """

    def __init__(self, model: TranscriptModel, stage: RowStage) -> None:
        self._model = model
        self._stage = stage
        self._start: Place | None = None
        self._end: Place | None = None
        self._is_all = False

    def select_all(self) -> None:
        """Selects every message."""
        self._start = self._end = None
        self._is_all = bool(self._model.messages)
        self._show_all()

    def begin(self, row: Row | None, place: QPoint) -> None:
        """The mouse went down in a row, at a global position."""
        widget = self._stage.widget(row) if row is not None else None
        self._end = None
        self._is_all = False
        if isinstance(row, DocumentRow) and widget is not None and widget.pane is not None:
            self._start = (row, widget.pane.position_at(place))
        self._clear_others(row)

    def extend(self, place: QPoint) -> None:
        """The mouse was dragged to a global position."""
        if self._start is None or not self._model.holds(self._start[0]):
            return
        row = self._document_row_at(place)
        widget = self._stage.widget(row) if row is not None else None
        if row is None or widget is None or widget.pane is None:
            return
        is_spanning = self._end is not None
        self._end = (row, widget.pane.position_at(place))
        if row is self._start[0]:
            self._end = None  # within its row the pane selects by itself, whole words after a double click too
            if is_spanning:
                self._clear_others(row)
            return
        self._show_all()

    def extend_by(self, widget: RowWidget, move: QTextCursor.MoveOperation, context: RowContext) -> Row | None:
        """Moves the end of the selection as a key does, over the edge of a row into the next.

        Args:
            widget: has the keyboard.
            move: where to.
            context: of the rows.

        Returns:
            The row in which the selection now ends; None if nothing can be selected.
        """
        if not isinstance(widget.row, DocumentRow) or widget.pane is None:
            return None
        if self._end is None or self._start is None or not self._model.holds(self._end[0]):
            own = widget.pane.textCursor()
            self._start, self._end = (widget.row, own.anchor()), (widget.row, own.position())
        self._is_all = False
        row, position = self._end
        cursor = QTextCursor(context.document(row))
        cursor.setPosition(position)
        if cursor.movePosition(move):
            self._end = (row, cursor.position())
        elif move in _FORWARD and (following := self._next_document_row(row, is_forward=True)) is not None:
            self._end = (following, 0)
        elif move in _BACK and (previous := self._next_document_row(row, is_forward=False)) is not None:
            self._end = (previous, context.document(previous).characterCount() - 1)
        row = self._end[0]
        self._show_all()
        return row

    def show(self, widget: RowWidget, row: Row) -> None:
        """Selects in a widget what is selected of its row."""
        if widget.pane is None or not isinstance(row, DocumentRow):
            return
        end = widget.pane.document().characterCount() - 1
        if self._is_all:
            widget.pane.select(0, end)
            return
        if self._start is None or self._end is None or not self._model.holds(self._start[0]):
            return
        reaches = self._reach(row, end)
        if reaches is None:
            _clear(widget)
        else:
            widget.pane.select(*reaches)

    def text(self, context: RowContext) -> str:
        """What is selected over more than one row: the source of whole messages and rows, the first and last row as
        far as they are selected."""
        if self._is_all:
            return MESSAGE_GAP.join(_sources(self._model.messages))
        if self._start is None or self._end is None or self._start[0] is self._end[0]:
            return ""
        first, last = sorted((self._start[0], self._end[0]), key=_order)
        if first.message is last.message:
            return self._rows_text(first, last, context)
        between = self._model.messages[first.message.index + 1 : last.message.index]
        parts = [
            self._rows_text(first, first.message.rows[-1], context),
            *_sources(between),
            self._rows_text(last.message.rows[0], last, context),
        ]
        return MESSAGE_GAP.join(part for part in parts if part)

    def _rows_text(self, first: Row, last: Row, context: RowContext) -> str:
        """What is selected from one row of a message to another."""
        parts: list[str] = []
        before: DocumentRow | None = None
        for row in first.message.rows[first.index : last.index + 1]:
            if not isinstance(row, DocumentRow):
                continue
            parts.append(_gap(before, row))
            document = context.document(row) if row is first or row is last else None
            end = document.characterCount() - 1 if document is not None else 0
            anchor, position = self._reach(row, end) or (0, 0)
            is_whole = document is None or abs(anchor - position) == end
            parts.append(_source(row) if is_whole or document is None else read(document, anchor, position))
            before = row
        return "".join(parts)

    def _next_document_row(self, row: Row, *, is_forward: bool) -> DocumentRow | None:
        found = self._model.after(row) if is_forward else self._model.before(row)
        while found is not None and not isinstance(found, DocumentRow):
            found = self._model.after(found) if is_forward else self._model.before(found)
        return found

    def _show_all(self) -> None:
        for placed in self._stage.visible:
            widget = self._stage.widget(placed.row)
            if widget is not None:
                self.show(widget, placed.row)

    def _clear_others(self, kept: Row | None) -> None:
        for placed in self._stage.visible:
            widget = self._stage.widget(placed.row)
            if widget is not None and placed.row is not kept:
                _clear(widget)

    def _reach(self, row: DocumentRow, end: int) -> tuple[int, int] | None:
        """Anchor and position of the selection in a row with ``end`` as its last position, None if it is outside."""
        assert self._start is not None and self._end is not None
        start_at, end_at, at = _order(self._start[0]), _order(self._end[0]), _order(row)
        if not min(start_at, end_at) <= at <= max(start_at, end_at):
            return None
        is_downwards = start_at <= end_at
        anchor = self._start[1] if row is self._start[0] else 0 if is_downwards else end
        position = self._end[1] if row is self._end[0] else end if is_downwards else 0
        return min(anchor, end), min(position, end)

    def _document_row_at(self, place: QPoint) -> DocumentRow | None:
        """The row on the screen whose document is at, or nearest above, a global position."""
        found: DocumentRow | None = None
        for placed in self._stage.visible:
            widget = self._stage.widget(placed.row)
            if widget is None or not isinstance(placed.row, DocumentRow) or placed.height == 0:
                continue
            if found is None or widget.mapToGlobal(QPoint(0, 0)).y() <= place.y():
                found = placed.row
        return found


def _order(row: Row) -> tuple[int, int]:
    return row.message.index, row.index


def _clear(widget: RowWidget) -> None:
    if widget.pane is not None:
        position = widget.pane.textCursor().position()
        widget.pane.select(position, position)


def _source(row: DocumentRow) -> str:
    match row:
        case TextRow():
            return row.segment.source
        case CodeRow():
            return _code_source(row.segment)
        case PlainRow():
            return row.text


def _code_source(segment: CodeSegment) -> str:
    """A part of a code block, with the lines that open and close it."""
    text = segment.text + segment.partial
    if segment.fence.is_raw or not (segment.is_first or segment.is_last):
        return text
    mark = _fence_mark(segment.fence.text)
    if segment.is_first:
        text = f"{mark}{segment.fence.language}\n{text}"
    return text.removesuffix("\n") + f"\n{mark}" if segment.is_last else text


def _fence_mark(code: str) -> str:
    """A mark that nothing in the code closes."""
    mark = "```"
    while mark in code:
        mark += "`"
    return mark


def _gap(before: DocumentRow | None, row: DocumentRow) -> str:
    """What stands between two rows of a message."""
    match before, row:
        case None, _:
            return ""
        case CodeRow(), CodeRow() if before.segment.fence is row.segment.fence:
            return ""
        case PlainRow(), PlainRow():
            return "\n" if row.offset > before.offset + len(before.text) else ""
        case _, TextRow() if row.segment.start != "block":
            return "\n"
        case _:
            return "\n\n"


def _sources(messages: Iterable[Message]) -> list[str]:
    return [source for message in messages if message.view.role != "notice" and (source := message.source)]
