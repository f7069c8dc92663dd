"""A block of a message: its source, and the rows it is laid out in."""

from __future__ import annotations

import time
from bisect import bisect_right
from typing import TYPE_CHECKING

from agdesk.ui.widgets.attachment_view import AttachmentView
from agdesk.ui.widgets.markdown.parser import References
from agdesk.ui.widgets.markdown.segment_list import SEGMENT_WEIGHT
from agdesk.ui.widgets.markdown.segments import LINE_WEIGHT, TextSegment
from agdesk.ui.widgets.markdown.splitter import MarkdownSplitter
from agdesk.ui.widgets.text import safe_text
from agdesk.ui.widgets.transcript.rows import (
    AttachmentsRow,
    CallRow,
    CodeRow,
    PendingRow,
    PlainRow,
    Row,
    TextRow,
    ThinkingRow,
)
from agdesk.ui.widgets.transcript.source import Backlog, SourceText
from agdesk.ui.widgets.transcript.values import BlockKind, CallView

if TYPE_CHECKING:
    from agdesk.ui.widgets.transcript.message import Message


PORTION_CHARS = 1024
CUT_BUDGET_S = 0.03  # twice what ``message.CUT_AT_ONCE_CHARS`` take; only a text made to be slow needs more


class Block:
    """A text, or the thinking before it.

    It is cut into segments when it is shown, and not before: a conversation that is opened costs its sources. Folded
    thinking is not cut at all.

    Attributes:
        index: its place among the blocks.
        duration_s: how long the thinking took; None while it goes on, or if it is unknown.
        is_finished: nothing will be added.
        is_expanded: its text is shown; always so but for thinking and calls.
        revision: documents drawn for another one are out of date.
        attachment: what is attached, for a block that is no text.
        call: what became of it, for a call.
    """

    __slots__ = (
        "_attachments_row",
        "_backlog",
        "_call_row",
        "_compacted",
        "_pending_row",
        "_segment_rows",
        "_splitter",
        "_thinking_row",
        "attachment",
        "call",
        "duration_s",
        "index",
        "is_expanded",
        "is_finished",
        "kind",
        "message",
        "revision",
        "source",
    )

    def __init__(self, message: Message, *, index: int, kind: BlockKind) -> None:
        self.message = message
        self.index = index
        self.kind = kind
        self.source = SourceText()
        self.duration_s: float | None = None
        self.is_finished = False
        self.is_expanded = kind == "text"
        self.revision = 0
        self._splitter: MarkdownSplitter | None = None  # both from the first cut on
        self._backlog: Backlog | None = None
        self._segment_rows: list[TextRow | CodeRow] = []
        self._compacted = 0  # rows at the start that need no chunks any more
        self.attachment: AttachmentView | None = None
        self.call: CallView | None = None
        self._call_row: CallRow | None = None
        self._attachments_row: AttachmentsRow | None = None
        self._thinking_row: ThinkingRow | None = None
        self._pending_row: PendingRow | None = None

    @property
    def references(self) -> References:
        """Link definitions of the text, as far as it is cut."""
        return self._splitter.references if self._splitter is not None else {}

    @property
    def is_cut(self) -> bool:
        """Whether all text is in rows."""
        return self._backlog is not None and not self._backlog.size

    def row_at(self, position: int) -> TextRow | CodeRow | None:
        """The row that shows a character of the text, line ends as ``\\n``; None until that is cut."""
        rows = self._segment_rows
        at = max(0, bisect_right(rows, position, key=lambda row: row.segment.position) - 1)
        is_waiting = not self.is_cut and at >= len(rows) - 1  # the newest row may not be cut to its end
        return None if is_waiting or not rows else rows[at]

    def reach(self, row: TextRow | CodeRow) -> tuple[int, int]:
        """First character of the text that a row shows, and the one behind the last."""
        at = bisect_right(self._segment_rows, row.segment.position, key=lambda row: row.segment.position)
        following = self._segment_rows[at].segment.position if at < len(self._segment_rows) else self.source.size
        return row.segment.position, following

    def append(self, text: str) -> list[Row]:
        """Adds text. Returns the rows that are new at its end."""
        self.source.append(text)
        if self._backlog is None or self._splitter is None:
            return []
        if self._backlog.size:
            self._backlog.append(text)
            return []
        self._splitter.feed(text)
        return self._add_rows()

    def finish(self) -> list[Row]:
        """Ends the text. Returns the rows that are new at its end."""
        self.is_finished = True
        return self._settle()

    def cut(self, limit: int) -> int:
        """Cuts up to ``limit`` characters of what waits, fewer if they take long; returns how many it were."""
        if self._splitter is None or self._backlog is None:
            self._splitter = MarkdownSplitter()
            self._backlog = Backlog(self.source.join())
        taken = 0
        deadline_s = time.thread_time() + CUT_BUDGET_S
        while taken < limit and self._backlog.size:
            portion = self._backlog.take(min(PORTION_CHARS, limit - taken))
            taken += len(portion)
            self._splitter.feed(portion)
            if time.thread_time() > deadline_s:
                break
        self._add_rows()
        self._settle()
        return taken

    def rows(self) -> list[Row]:
        """All rows; those that existed before are the same."""
        rows: list[Row] = []
        if self.attachment is not None:
            self._attachments_row = self._attachments_row or AttachmentsRow(self.message, (self.attachment,))
            return [self._attachments_row]
        if self.kind == "thinking":
            self._thinking_row = self._thinking_row or ThinkingRow(self.message, self)
            rows.append(self._thinking_row)
        elif self.call is not None:
            self._call_row = self._call_row or CallRow(self.message, self)
            rows.append(self._call_row)
        if self.is_expanded:
            rows += self._segment_rows
            if self._backlog is not None and self._backlog.size:
                self._pending_row = self._pending_row or PendingRow(self.message)
                self._pending_row.size, self._pending_row.lines = self._backlog.size, self._backlog.lines
                rows.append(self._pending_row)
        return rows

    def _settle(self) -> list[Row]:
        if not (self.is_finished and self.is_cut) or self._splitter is None:
            return []
        self._splitter.finish()
        self.revision = int(self._splitter.has_late_references)
        return self._add_rows()

    def _add_rows(self) -> list[Row]:
        """Makes rows for the segments that have none."""
        assert self._splitter is not None
        new: list[TextRow | CodeRow] = []
        for segment in self._splitter.segments[len(self._segment_rows) :]:
            if isinstance(segment, TextSegment):
                new.append(TextRow(self.message, self, segment))
            else:
                new.append(CodeRow(self.message, self, segment))
        # the newest of the old ones may have been drawn in part
        for row in self._segment_rows[self._compacted : -1] if new else ():
            if isinstance(row, TextRow):
                row.segment.compact()
            self._compacted += 1
        self._segment_rows += new
        return [*new]


def plain_rows(message: Message, text: str) -> list[Row]:
    """The rows of a text that is shown as it is."""
    text = safe_text(text)
    cuts = plain_cuts(text) or [(0, 0)]
    return [
        PlainRow(
            message,
            text[start:end].removesuffix("\n"),
            is_first=start == 0,
            is_last=end == len(text),
            offset=start,
        )
        for start, end in cuts
    ]


def plain_cuts(text: str) -> list[tuple[int, int]]:
    """Cuts a plain text into parts of the weight of a segment: at line ends, in long lines at spaces, else anywhere."""
    cuts: list[tuple[int, int]] = []
    start = 0
    while start < len(text):
        lines = text.count("\n", start, start + SEGMENT_WEIGHT)
        limit = start + SEGMENT_WEIGHT - min(lines * LINE_WEIGHT, SEGMENT_WEIGHT // 2)
        end = len(text)
        if limit < end:
            end = text.rfind("\n", start, limit) + 1 or text.rfind(" ", start, limit) + 1 or limit
        cuts.append((start, end))
        start = end
    return cuts
