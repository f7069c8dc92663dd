"""How high a row will probably be, before it is laid out."""

from __future__ import annotations

from typing import assert_never

from agdesk.ui.theme import Metrics
from agdesk.ui.widgets.markdown.formats import CODE_LINE_HEIGHT
from agdesk.ui.widgets.transcript.rows import (
    AttachmentsRow,
    CallRow,
    CodeRow,
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

ONE_PICTURE = (320, 240)  # room for an image that stands alone, in pixels at normal scale
MANY_PICTURES = (160, 120)
CHAR_WIDTH = 0.52  # of the type size, on average
BLOCK_SPACE = 0.4  # share of a line's height that each line end adds on average: margins between blocks


class HeightEstimator:
    """Estimates from character and line counts; laid out rows are measured instead."""

    def __init__(self) -> None:
        self.configure(Metrics(), width=Metrics().text_column)

    def configure(self, metrics: Metrics, *, width: int) -> None:
        """Takes over sizes and the width of the text column in pixels."""
        self._scale = metrics.scale
        self._head = metrics.hit_area + metrics.space_16
        self._line = metrics.hit_area
        self._text_line = metrics.line_height
        self._code_line = metrics.code * CODE_LINE_HEIGHT
        self._line_chars = max(10.0, width / (metrics.transcript * CHAR_WIDTH))

    def __call__(self, row: Row) -> int:
        """The height of a row in pixels."""
        match row:
            case HeadRow():
                return self._head
            case TextRow():
                return self._text(row.segment.size, row.segment.lines)
            case CodeRow():
                header = self._line if row.segment.is_first else 0
                return header + round((row.segment.lines + 1) * self._code_line)
            case PlainRow():
                return self._text(len(row.text), row.text.count("\n"))
            case PendingRow():
                return self._text(row.size, row.lines)
            case ThinkingRow() | CallRow() | FooterRow() | NoticeRow():
                return self._line
            case AttachmentsRow():
                return self.attachments(len(row.views))
            case ErrorRow():
                return 3 * self._line
            case _:
                assert_never(row)

    def message(self, size: int, lines: int) -> int:
        """The height of a message with that many characters and line ends in pixels."""
        return self._head + self._text(size, lines)

    def attachments(self, count: int) -> int:
        """The height of that many attachments in pixels."""
        height = ONE_PICTURE[1] if count == 1 else MANY_PICTURES[1] * -(-count // 4)
        return round(height * self._scale) if count else 0

    def _text(self, size: int, lines: int) -> int:
        return round((size / self._line_chars + lines * BLOCK_SPACE + 1) * self._text_line)
