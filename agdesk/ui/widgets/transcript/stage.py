"""The part of the transcript that is on the screen: real widgets for the visible rows, used again for others."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from dataclasses import dataclass
from itertools import pairwise

from PySide6.QtCore import QRect, Qt
from PySide6.QtWidgets import QWidget

from agdesk.ui.widgets.transcript.attachments_row import AttachmentsWidget
from agdesk.ui.widgets.transcript.call_row import CallWidget
from agdesk.ui.widgets.transcript.code_row import CodeWidget
from agdesk.ui.widgets.transcript.document_rows import PlainWidget, TextWidget
from agdesk.ui.widgets.transcript.end_rows import ErrorWidget, FooterWidget
from agdesk.ui.widgets.transcript.head import HeadWidget
from agdesk.ui.widgets.transcript.line_rows import LineWidget, ThinkingWidget
from agdesk.ui.widgets.transcript.model import TranscriptModel
from agdesk.ui.widgets.transcript.row_widget import RowContext, RowWidget
from agdesk.ui.widgets.transcript.rows import (
    AttachmentsRow,
    CallRow,
    CodeRow,
    DocumentRow,
    ErrorRow,
    FooterRow,
    HeadRow,
    NoticeRow,
    PendingRow,
    PlainRow,
    Row,
    TextRow,
    ThinkingRow,
)

_WIDGETS: dict[type[Row], type[RowWidget]] = {
    HeadRow: HeadWidget,
    TextRow: TextWidget,
    CodeRow: CodeWidget,
    PlainRow: PlainWidget,
    ThinkingRow: ThinkingWidget,
    CallRow: CallWidget,
    PendingRow: LineWidget,
    AttachmentsRow: AttachmentsWidget,
    NoticeRow: LineWidget,
    ErrorRow: ErrorWidget,
    FooterRow: FooterWidget,
}
_OUT_OF_SIGHT = -100_000
_MAX_PASSES = 4


@dataclass(frozen=True, slots=True)
class Placed:
    """A row on the screen; ``top`` counts from the top of the viewport."""

    row: Row
    top: int
    height: int

    @property
    def bottom(self) -> int:
        return self.top + self.height


class RowStage:
    """Lays rows out around an anchor, in widgets that it keeps and uses again.

    Args:
        viewport: parent of the widgets.
        model: the rows.
        adopt: called once for every widget that is made.
        prepare: called when a widget was bound to a row.

    Attributes:
        visible: the rows on the screen, top to bottom.
        context: what the widgets may ask for; a new one asks for ``reset``.
    """

    def __init__(
        self,
        viewport: QWidget,
        model: TranscriptModel,
        *,
        context: RowContext,
        adopt: Callable[[RowWidget], None],
        prepare: Callable[[RowWidget, Row], None],
    ) -> None:
        self.visible: list[Placed] = []
        self.context = context
        self._viewport = viewport
        self._model = model
        self._adopt = adopt
        self._prepare = prepare
        self._live: dict[Row, RowWidget] = {}
        self._free: dict[type[RowWidget], list[RowWidget]] = {}
        self._bound: set[Row] = set()  # rows that were bound or measured anew and must be arranged
        self._stale: set[Row] = set()  # rows whose widgets show something old
        self._settled: dict[Row, int] = {}  # rows on the screen that will not change, and what they were drawn from
        self._order: list[RowWidget] = []
        self._left = 0
        self._width = 0

    def widget(self, row: Row) -> RowWidget | None:
        """The widget of a row on the screen."""
        return self._live.get(row)

    @property
    def document_rows(self) -> set[DocumentRow]:
        """The rows whose documents are on the screen."""
        return {row for row in self._live if isinstance(row, DocumentRow)}

    def mark_stale(self, row: Row) -> None:
        """The widget of a row, if it has one, must show it again."""
        if row in self._live and row not in self._settled:
            self._stale.add(row)

    def unsettle(self, row: Row) -> None:
        """The widget of a row must show it again although the row is the same."""
        self._settled.pop(row, None)
        self.mark_stale(row)

    def reset(self) -> None:
        """Gives all widgets back; what they look like has changed."""
        for row in list(self._live):
            self._release(row)
        self.visible = []

    def set_column(self, *, left: int, width: int) -> None:
        """Where the rows stand in the viewport, in pixels."""
        self._left, self._width = left, width
        self._settled.clear()

    def show_from(self, anchor: Row, *, top: int, margin: int) -> None:
        """Shows the rows around an anchor.

        Args:
            anchor: stands still if the transcript neither begins nor ends within the viewport.
            top: of the anchor.
            margin: free space below the last row.
        """
        height = self._viewport.height()
        for _ in range(_MAX_PASSES):
            placed, is_at_start, is_at_end = self._fill(anchor, top)
            shift = 0
            if is_at_end and placed[-1].bottom < height - margin:
                shift = height - margin - placed[-1].bottom
            if is_at_start and placed[0].top + shift > 0:
                shift = -placed[0].top
            if not shift:
                break
            top += shift
        self._place([item for item in placed if item.bottom > 0 and item.top < height])

    def show_end(self, *, margin: int) -> None:
        """Shows the last rows."""
        last = self._model.last_row()
        if last is not None:
            self.show_from(last, top=self._viewport.height() - margin - self.realise(last), margin=margin)

    def _fill(self, anchor: Row, top: int) -> tuple[deque[Placed], bool, bool]:
        """Rows from above the viewport's top to below its bottom; whether the first and last row are among them."""
        placed: deque[Placed] = deque()
        row: Row | None = anchor
        y = top
        while row is not None and y < self._viewport.height():
            height = self.realise(row)
            placed.append(Placed(row, y, height))
            y += height
            row = self._model.after(row)
        is_at_end = row is None
        row = self._model.before(anchor)
        y = top
        while row is not None and y > 0:
            height = self.realise(row)
            y -= height
            placed.appendleft(Placed(row, y, height))
            row = self._model.before(row)
        return placed, row is None, is_at_end

    def realise(self, row: Row) -> int:
        """Gives a row a widget and its real height."""
        widget = self._live.get(row)
        if widget is not None and row in self._settled and self._settled[row] == _revision(row):
            return row.height
        is_new = widget is None
        if widget is None:
            widget = self._take(_WIDGETS[type(row)])
            widget.setGeometry(self._left, _OUT_OF_SIGHT, self._width, max(1, row.height))
            widget.show()  # a hidden widget would learn its new width only later
            self._live[row] = widget
        if is_new or row in self._stale or isinstance(row, DocumentRow | PendingRow):
            widget.bind(row, self.context)
            self._stale.discard(row)
            self._bound.add(row)
        if is_new:
            self._prepare(widget, row)
        height = widget.measure(self._width)
        self._model.set_row_height(row, height)
        is_closed = isinstance(row, PlainRow) or (isinstance(row, TextRow | CodeRow) and row.segment.is_closed)
        if is_closed and not (widget.pane is not None and widget.pane.awaits_objects):
            self._settled[row] = _revision(row)
        return height

    def _take(self, kind: type[RowWidget]) -> RowWidget:
        free = self._free.setdefault(kind, [])
        if free:
            return free.pop()
        widget = kind(self._viewport)
        self._adopt(widget)
        return widget

    def _release(self, row: Row) -> None:
        widget = self._live.pop(row)
        self._stale.discard(row)
        self._bound.discard(row)
        self._settled.pop(row, None)
        if any(part.hasFocus() for part in widget.focus_widgets()):
            transcript = self._viewport.parentWidget()
            assert transcript is not None
            transcript.setFocus(Qt.FocusReason.TabFocusReason)  # which shows where the keyboard is now
        widget.hide()
        widget.release()
        self._free.setdefault(type(widget), []).append(widget)

    def _place(self, placed: list[Placed]) -> None:
        kept = {item.row for item in placed}
        for row in [row for row in self._live if row not in kept]:
            self._release(row)
        self._scroll(placed)
        self.visible = placed
        for item in placed:
            widget = self._live[item.row]
            area = QRect(self._left, item.top, self._width, item.height)
            is_resized = widget.size() != area.size()
            if widget.geometry() != area:
                widget.setGeometry(area)
            if is_resized or item.row in self._bound:
                widget.arrange()
            if widget.isHidden() == (item.height > 0):
                widget.setVisible(item.height > 0)
        self._bound.clear()
        self._sort([self._live[item.row] for item in placed])

    def _scroll(self, placed: list[Placed]) -> None:
        """Moves the pixels that only change their place."""
        tops = {item.row: item.top for item in self.visible}
        moved = next((item.top - tops[item.row] for item in placed if item.row in tops), 0)
        if moved:
            self._viewport.scroll(0, moved)

    def _sort(self, widgets: list[RowWidget]) -> None:
        """Brings children and focus chain into reading order: screen readers follow the one, Tab the other."""
        if widgets == self._order:
            return
        kept = [widget for widget in widgets if widget in self._order]
        if kept != [widget for widget in self._order if widget in kept]:
            kept = []
        self._order = widgets
        # a widget is painted again when it changes its place among the others: move the new ones only
        above: RowWidget | None = None
        for widget in reversed(widgets):
            if widget not in kept and above is None:
                widget.raise_()
            elif widget not in kept and above is not None:
                widget.stackUnder(above)
            above = widget
        parts = [part for widget in widgets for part in widget.focus_widgets()]
        for part, following in pairwise(parts):
            QWidget.setTabOrder(part, following)


def _revision(row: Row) -> int:
    """Tells a row from what it was before its block was drawn anew."""
    return row.block.revision if isinstance(row, TextRow | CodeRow) else 0
