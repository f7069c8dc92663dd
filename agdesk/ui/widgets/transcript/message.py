"""A message: its blocks, what stands around them, and its rows with their heights."""

from __future__ import annotations

import re

from agdesk.ui.widgets.attachment_view import AttachmentView
from agdesk.ui.widgets.text import visible_text
from agdesk.ui.widgets.transcript.block import Block, plain_rows
from agdesk.ui.widgets.transcript.estimate import HeightEstimator
from agdesk.ui.widgets.transcript.heights import HeightIndex
from agdesk.ui.widgets.transcript.rows import AttachmentsRow, ErrorRow, FooterRow, HeadRow, NoticeRow, PendingRow, Row
from agdesk.ui.widgets.transcript.values import BlockKind, BlockView, ErrorView, MessageView, NextStep

_NO_ROWS: list[Row] = []  # of every message that was not opened; opening gives it a list of its own
CUT_AT_ONCE_CHARS = 65_536  # of a message that comes into view (some 15 ms); what is longer follows in slices


class Message:
    """One message of the transcript.

    Until it is first shown it is closed: it has no rows, only an estimated height. One that came whole has no blocks
    either, only what they will be made of: most messages of a long conversation are never looked at.

    Attributes:
        view: what it is.
        index: its place in the transcript.
        rows: of an open message.
        heights: of the rows.
        is_live: it grew piece by piece, and its end was not read out yet.
        steps: what can be done about its end; shown with the error or the footer.
        place: its number among the messages that stand in its place, from 1, and how many these are.
    """

    __slots__ = (
        "_attachments_row",
        "_blocks",
        "_error_row",
        "_estimate",
        "_footer_row",
        "_head_row",
        "_views",
        "error",
        "footer",
        "heights",
        "index",
        "is_live",
        "is_open",
        "place",
        "rows",
        "steps",
        "view",
    )

    def __init__(self, view: MessageView, *, index: int, estimate: HeightEstimator) -> None:
        self.view = view
        self.index = index
        self._blocks: list[Block] | None = None
        self._views: tuple[BlockView, ...] = ()  # what the blocks will be made of
        self.error: ErrorView | None = None
        self.footer = ""
        self.steps: tuple[NextStep, ...] = ()
        self.is_open = False
        self.is_live = False
        self.place = (1, 1)
        self.rows: list[Row] = _NO_ROWS
        self.heights: HeightIndex | None = None
        self._estimate = estimate
        self._head_row: HeadRow | None = None
        self._attachments_row: AttachmentsRow | None = None
        self._error_row: ErrorRow | None = None
        self._footer_row: FooterRow | None = None

    @property
    def blocks(self) -> list[Block]:
        """Its texts, and what is attached; made when they are first asked for."""
        if self._blocks is None:
            views, self._views = self._views, ()
            self._blocks = self._filled(views)
        return self._blocks

    @property
    def height(self) -> int:
        """Of all rows, in pixels."""
        if self.heights is not None:
            return self.heights.total
        size = lines = 0
        for view in self._views:
            if view.kind == "text":
                size += len(view.text)
                lines += view.text.count("\n")
        for block in self._blocks or ():
            if block.is_expanded:
                size += block.source.size
                lines += block.source.lines
        parts = self._views or self._blocks or ()
        attached = self._estimate.attachments(sum(part.attachment is not None for part in parts))
        return self._estimate.message(size, lines) + attached

    @property
    def source(self) -> str:
        """The text as it came, without the thinking."""
        if self._views:
            return "\n\n".join(view.text for view in self._views if view.kind == "text")
        return "\n\n".join(block.source.join() for block in self._blocks or () if block.kind == "text")

    @property
    def markdown(self) -> str:
        """The same with a line for each attachment, in its place."""
        parts: list[str] = []
        is_list = False
        for block in self.blocks:
            if block.attachment is not None:
                line = attachment_line(block.attachment)
                parts.append(f"{parts.pop()}\n{line}" if is_list else line)
            elif block.kind == "text":
                parts.append(block.source.join())
            is_list = block.attachment is not None
        return "\n\n".join(part for part in parts if part)

    @property
    def is_cut(self) -> bool:
        """Whether everything that is expanded is in rows."""
        return self.view.role != "assistant" or all(block.is_cut for block in self.blocks if block.is_expanded)

    def open(self) -> None:
        """Makes the rows; no call after the first does anything."""
        if not self.is_open:
            self.is_open = True
            self.cut(CUT_AT_ONCE_CHARS)

    def cut(self, limit: int) -> None:
        """Cuts up to ``limit`` characters of what waits."""
        if self.view.role == "assistant":
            for block in self.blocks:
                if block.is_expanded:
                    limit -= block.cut(max(limit, 0))
        self.refresh()

    def block(self, index: int) -> Block:
        """The block of that index.

        Raises:
            KeyError: no such block was begun.
        """
        for block in reversed(self.blocks):
            if block.index == index:
                return block
        raise KeyError(index)

    def begin_block(self, index: int, kind: BlockKind) -> None:
        """Adds a block; they stand in the order of their indices."""
        self.is_live = True
        self.blocks.append(Block(self, index=index, kind=kind))
        self.blocks.sort(key=lambda block: block.index)
        if self.is_open:
            self.cut(0)

    def reopen(self, views: tuple[BlockView, ...]) -> None:
        """Puts whole blocks in the place of what there is, of which the last, a text, grows again."""
        *before, last = views
        self.replace(tuple(before))
        self.begin_block(len(before), last.kind)
        self.append(len(before), last.text)

    def append(self, index: int, text: str) -> None:
        """Adds text to a block."""
        self._grow(self.block(index), self.block(index).append(text))

    def end_block(self, index: int, duration_s: float | None) -> None:
        """Ends a block."""
        block = self.block(index)
        block.duration_s = duration_s
        self._grow(block, block.finish())

    def replace(self, views: tuple[BlockView, ...]) -> None:
        """Puts whole blocks in the place of what there is. What is shown already stays as it is."""
        if self.is_open or self._blocks:
            self._blocks = self._filled(views)
        else:
            self._views = views
        if self.is_open:
            self.cut(CUT_AT_ONCE_CHARS)

    def set_height(self, row: Row, height: int) -> None:
        """Fixes the height of a row."""
        assert self.heights is not None
        row.height = height
        self.heights.set(row.index, height)

    def refresh(self) -> None:
        """Makes the list of rows again; rows that existed before are the same, with their heights."""
        if not self.is_open:
            return
        self.rows = self._wanted_rows()
        for index, row in enumerate(self.rows):
            row.index = index
            if not row.height or isinstance(row, PendingRow):
                row.height = self._estimate(row)
        self.heights = HeightIndex(row.height for row in self.rows)

    def _filled(self, views: tuple[BlockView, ...]) -> list[Block]:
        """The blocks with a whole content: those that there are if they had it already."""
        blocks = self._blocks or []
        if len(blocks) != len(views):
            blocks = [self._made(index, view) for index, view in enumerate(views)]
        else:
            blocks = [
                block if _is_same(block, view) else self._made(block.index, view, block)
                for block, view in zip(blocks, views, strict=True)
            ]
        for block, view in zip(blocks, views, strict=True):
            block.call = view.call
            block.source.share(view.text)
            block.duration_s = block.duration_s if view.duration_s is None else view.duration_s
            block.finish()
        return blocks

    def _grow(self, block: Block, new: list[Row]) -> None:
        """Takes in rows that are new at the end of a block; at the end of the message that takes no time."""
        is_at_end = block is self.blocks[-1] and self.error is None and not self.footer and self.heights is not None
        if self.view.role != "assistant" or (new and not is_at_end):
            self.refresh()
            return
        for row in new if block.is_expanded else ():
            assert self.heights is not None
            row.index = len(self.rows)
            row.height = self._estimate(row)
            self.rows.append(row)
            self.heights.append(row.height)

    def _made(self, index: int, view: BlockView, before: Block | None = None) -> Block:
        """A block with a whole content; a call stays unfolded when it gets its result."""
        block = Block(self, index=index, kind=view.kind)
        block.source.append(view.text)
        block.attachment = view.attachment
        if before is not None and before.kind == view.kind == "call":
            block.is_expanded = before.is_expanded
        return block

    def _said_rows(self) -> list[Row]:
        """What the user said: what is attached as one row, then the text."""
        rows: list[Row] = []
        views = tuple(block.attachment for block in self.blocks if block.attachment is not None)
        if views:
            if self._attachments_row is None or self._attachments_row.views != views:
                self._attachments_row = AttachmentsRow(self, views)
            rows.append(self._attachments_row)
        return rows if views and not self.source else [*rows, *plain_rows(self, self.source)]

    def _wanted_rows(self) -> list[Row]:
        match self.view.role:
            case "notice":
                return [NoticeRow(self)]
            case "user":
                body = self._said_rows()
            case "assistant":
                body = [row for block in self.blocks for row in block.rows()]
        self._head_row = self._head_row or HeadRow(self)
        rows: list[Row] = [self._head_row, *body]
        if self.error is not None:
            self._error_row = self._error_row or ErrorRow(self)
            rows.append(self._error_row)
        if self.footer:
            self._footer_row = self._footer_row or FooterRow(self)
            rows.append(self._footer_row)
        return rows


def attachment_line(view: AttachmentView) -> str:
    """An attachment as an item of a Markdown list, whatever is in its name."""
    name = visible_text(" ".join(view.name.split()))
    ticks = "`" * (max(map(len, re.findall("`+", name)), default=0) + 1)
    space = " " if "`" in name else ""
    item = f"- {ticks}{space}{name}{space}{ticks}"
    return f"{item} ({view.detail})" if view.detail else item


def _is_same(block: Block, view: BlockView) -> bool:
    is_same_kind = block.kind == view.kind and block.attachment == view.attachment
    return is_same_kind and block.source.size == len(view.text) and block.source.join() == view.text
