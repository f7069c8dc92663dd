"""What the owner of a transcript puts into it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from agdesk.ui.widgets.attachment_view import AttachmentView

MessageAction = Literal["edit", "again", "previous", "next", "more"]
EndAction = Literal["again", "continue"]
Role = Literal["user", "assistant", "notice"]
BlockKind = Literal["text", "thinking", "attachment", "call"]
CallState = Literal["proposed", "pending", "running", "done", "answered", "denied", "failed", "cancelled"]


@dataclass(frozen=True, slots=True)
class MessageView:
    """A message without its content.

    Args:
        key: names the message in later calls.
        role: ``user`` text is shown as typed, ``assistant`` text is Markdown, ``notice`` is a line between messages.
        title: shown above, such as the name of the model.
    """

    key: str
    role: Role
    title: str


@dataclass(frozen=True, slots=True)
class ScrollPlace:
    """What stands at the top of the screen, independent of heights.

    Args:
        key: of the message.
        row: its row.
        top: of the row below the top of the screen, in pixels; negative when a part of it is above.
    """

    key: str
    row: int
    top: int


@dataclass(frozen=True, slots=True)
class CallView:
    """A call of a tool.

    Args:
        name: of the tool.
        state: what became of the call.
        words: the same in words, with how long it took.
    """

    name: str
    state: CallState
    words: str


@dataclass(frozen=True, slots=True)
class BlockView:
    """A whole block of a message.

    Args:
        kind: ``thinking`` is folded to one line, and so is a ``call``.
        text: Markdown; of a call its arguments and its result.
        duration_s: how long the thinking took, if known.
        attachment: what an ``attachment`` is; its text is empty.
        call: what a ``call`` is.
    """

    kind: BlockKind
    text: str
    duration_s: float | None = None
    attachment: AttachmentView | None = None
    call: CallView | None = None


@dataclass(frozen=True, slots=True)
class ErrorView:
    """What went wrong, shown below the text that did arrive.

    Args:
        title: what failed.
        detail: the other side's own words.
        hint: the next step.
    """

    title: str
    detail: str = ""
    hint: str = ""


@dataclass(frozen=True, slots=True)
class NextStep:
    """What can be done about the end of a message, with the words of its button."""

    action: EndAction
    text: str
