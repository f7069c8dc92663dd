"""A transcript that can be searched: it brings the match that is gone to onto the screen."""

from __future__ import annotations

from PySide6.QtWidgets import QWidget
from typing_extensions import override

from agdesk.ui.theme import current_theme
from agdesk.ui.widgets.transcript.finding.finder import TranscriptFinder, hidden_block
from agdesk.ui.widgets.transcript.finding.places import row_of_match, shown_at
from agdesk.ui.widgets.transcript.finding.search import Match
from agdesk.ui.widgets.transcript.message import Message
from agdesk.ui.widgets.transcript.row_widget import RowWidget
from agdesk.ui.widgets.transcript.rows import CodeRow, Row
from agdesk.ui.widgets.transcript.scroller import RowScroller


class FindingScroller(RowScroller):
    """Rows with a finder.

    Attributes:
        finder: searches the messages.
    """

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.finder = TranscriptFinder(self._model, self._stage, reveal=self._reveal, parent=self)

    def _changed(self, message: Message) -> None:
        """A message has other content, or shows more or less of it."""
        self._model.update_height(message)
        for placed in self._stage.visible:
            if placed.row.message is message:
                self._stage.mark_stale(placed.row)
        self.finder.mark_changed(message)
        self._schedule()

    @override
    def _synced(self) -> None:
        self.finder.follow()

    @override
    def _adopt(self, widget: RowWidget) -> None:
        super()._adopt(widget)
        widget.wrap_chosen.connect(self._wrap)

    def _wrap(self, row: Row) -> None:
        """Another way for the long lines of a block was chosen; the row stays where it is."""
        assert isinstance(row, CodeRow)
        anchor = None
        for placed in self._stage.visible:
            if isinstance(placed.row, CodeRow) and placed.row.segment.fence is row.segment.fence:
                self._stage.unsettle(placed.row)
                anchor = placed if placed.row is row else anchor
        self._is_following = False
        self._sync(anchor=anchor)
        self._is_following = self._is_at_end()

    def _reveal(self, match: Match) -> None:
        block = hidden_block(match)
        if block is not None:
            block.is_expanded = True
            block.message.open()
            block.message.cut(0)
            self._changed(block.message)
        if block is None and self._is_seen(match):
            self._is_following = False
            self._wanted = None
        else:
            self._show(match)

    def _is_seen(self, match: Match) -> bool:
        """Whether the line of a match is on the screen, clear of what floats at the upper and lower edge."""
        row = row_of_match(self._model, match)
        placed = next((placed for placed in self._stage.visible if placed.row is row), None)
        if placed is None or self._wanted is not None:
            return False
        edge = 2 * current_theme().metrics.hit_area
        middle = placed.top + shown_at(self._stage.widget(row), match)
        return edge <= middle <= self.viewport().height() - edge
