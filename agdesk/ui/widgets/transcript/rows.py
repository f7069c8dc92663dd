"""Rows: what the transcript lays out one below the other. A message is a run of rows."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from agdesk.ui.widgets.attachment_view import AttachmentView
from agdesk.ui.widgets.markdown.segments import CodeSegment, TextSegment

if TYPE_CHECKING:
    from agdesk.ui.widgets.transcript.block import Block
    from agdesk.ui.widgets.transcript.message import Message


@dataclass(slots=True, eq=False)
class _Row:
    """A row is itself and equal to no other.

    Attributes:
        index: its place in the message.
        height: in pixels; an estimate until the row was laid out once.
    """

    message: Message
    index: int = field(default=0, init=False)
    height: int = field(default=0, init=False)


@dataclass(slots=True, eq=False)
class HeadRow(_Row):
    """Who speaks, and the message's Copy button."""


@dataclass(slots=True, eq=False)
class TextRow(_Row):
    """A run of Markdown blocks."""

    block: Block
    segment: TextSegment


@dataclass(slots=True, eq=False)
class CodeRow(_Row):
    """A part of a fenced code block."""

    block: Block
    segment: CodeSegment


@dataclass(slots=True, eq=False)
class PlainRow(_Row):
    """A part of a text that is shown as it is.

    Attributes:
        offset: characters of the text before it.
    """

    text: str
    is_first: bool
    is_last: bool
    offset: int = 0


@dataclass(slots=True, eq=False)
class ThinkingRow(_Row):
    """The line that thinking is folded to."""

    block: Block


@dataclass(slots=True, eq=False)
class CallRow(_Row):
    """The card that a call is folded to."""

    block: Block


@dataclass(slots=True, eq=False)
class PendingRow(_Row):
    """Text that is not cut into segments yet.

    Attributes:
        size: of that text, in characters.
        lines: number of its line ends.
    """

    size: int = 0
    lines: int = 0


@dataclass(slots=True, eq=False)
class AttachmentsRow(_Row):
    """What is attached to a message, or an image that a model sent."""

    views: tuple[AttachmentView, ...]


@dataclass(slots=True, eq=False)
class NoticeRow(_Row):
    """A line between messages."""


@dataclass(slots=True, eq=False)
class ErrorRow(_Row):
    """What went wrong."""


@dataclass(slots=True, eq=False)
class FooterRow(_Row):
    """A small line below the message."""


Row = (
    HeadRow
    | TextRow
    | CodeRow
    | PlainRow
    | ThinkingRow
    | CallRow
    | PendingRow
    | AttachmentsRow
    | NoticeRow
    | ErrorRow
    | FooterRow
)
DocumentRow = TextRow | CodeRow | PlainRow
