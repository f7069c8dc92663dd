"""A message that waits for its turn (CHAT6)."""

from __future__ import annotations

from dataclasses import dataclass

from agdesk.core.ir.blocks import ContentBlock


@dataclass(frozen=True, slots=True)
class QueuedMessage:
    """What the user says when its turn comes.

    Attributes:
        id: also the id of that turn, so that after a crash nobody takes a message that was sent for one that waits.
    """

    id: str
    content: tuple[ContentBlock, ...]
