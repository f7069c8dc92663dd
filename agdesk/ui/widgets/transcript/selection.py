"""A selection that spans rows: it belongs to the transcript, not to the widget the mouse went down in."""

from __future__ import annotations

from PySide6.QtCore import QPoint

from agdesk.ui.widgets.markdown.reading import read
from agdesk.ui.widgets.transcript.model import TranscriptModel
from agdesk.ui.widgets.transcript.row_widget import RowContext, RowWidget
from agdesk.ui.widgets.transcript.rows import CodeRow, DocumentRow, PlainRow, Row, TextRow
from agdesk.ui.widgets.transcript.stage import RowStage

Place = tuple[DocumentRow, int]


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

    def begin(self, row: Row | None, place: QPoint) -> None:
        """The mouse went down in a row, at a global position."""
        widget = self._stage.widget(row) if row is not None else None
        self._end = None
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
        for placed in self._stage.visible:
            other = self._stage.widget(placed.row)
            if other is not None:
                self.show(other, placed.row)

    def show(self, widget: RowWidget, row: Row) -> None:
        """Selects in a widget what is selected of its row."""
        if widget.pane is None or not isinstance(row, DocumentRow):
            return
        if self._start is None or self._end is None or not self._model.holds(self._start[0]):
            return
        reaches = self._reach(row, widget.pane.document().characterCount() - 1)
        if reaches is None:
            _clear(widget)
        else:
            widget.pane.select(*reaches)

    def text(self, context: RowContext) -> str:
        """What is selected over more than one row: whole rows as their source, the first and last as they read."""
        if self._start is None or self._end is None or self._start[0] is self._end[0]:
            return ""
        first, last = sorted((self._start, self._end), key=lambda place: _order(place[0]))
        parts: list[str] = []
        row: Row | None = first[0]
        while row is not None and _order(row) <= _order(last[0]):
            if row is first[0] or row is last[0]:
                parts.append(self._partial_text(row, context))
            elif isinstance(row, DocumentRow):
                parts.append(_source(row))
            row = self._model.after(row)
        return "\n".join(part for part in parts if part)

    def _partial_text(self, row: Row, context: RowContext) -> str:
        assert isinstance(row, DocumentRow)
        document = context.document(row)
        end = document.characterCount() - 1
        anchor, position = self._reach(row, end) or (0, 0)
        return _source(row) if abs(anchor - position) == end else read(document, anchor, position)

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
            return row.segment.text.removesuffix("\n")
        case PlainRow():
            return row.text
