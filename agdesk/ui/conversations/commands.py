"""Changes of several conversations at once, and how a deletion is taken back."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal

from agdesk.ui.widgets.text import safe_text

if TYPE_CHECKING:
    from agdesk.core.workspace import Conversations

_TITLE_LENGTH = 40  # of a title inside a sentence


class ConversationCommands(QObject):
    """What the list does to conversations.

    Signals:
        undo_offered(str, object): what was done, and the call that takes it back.
    """

    undo_offered = Signal(str, object)

    def __init__(self, conversations: Conversations, parent: QObject) -> None:
        super().__init__(parent)
        self._conversations = conversations

    def pin(self, ids: Iterable[str], is_pinned: bool) -> None:
        """Puts conversations at the top, or back to where they belong."""
        for conversation_id in ids:
            self._conversations.set_pinned(conversation_id, is_pinned)

    def move(self, ids: Iterable[str], group: str) -> None:
        """Moves conversations to a group; an empty name takes them out of theirs."""
        for conversation_id in ids:
            self._conversations.set_group(conversation_id, group)

    def trace(self, ids: Iterable[str], is_traced: bool) -> None:
        """Says whether what goes over the wire is kept."""
        for conversation_id in ids:
            self._conversations.set_traced(conversation_id, is_traced)

    def delete(self, ids: tuple[str, ...]) -> None:
        """Deletes conversations and offers to take it back."""
        titles = [found.title for found in map(self._conversations.get, ids) if found is not None]
        if not titles:
            return
        for conversation_id in ids:
            self._conversations.delete(conversation_id)
        if len(titles) == 1:
            text = self.tr("Deleted “%1”").replace("%1", _shortened(titles[0]))
        else:
            text = self.tr("Deleted %1 conversations").replace("%1", str(len(titles)))
        self.undo_offered.emit(text, lambda: self._restore(ids))

    def _restore(self, ids: tuple[str, ...]) -> None:
        for conversation_id in ids:
            self._conversations.restore(conversation_id)


def _shortened(title: str) -> str:
    title = " ".join(safe_text(title).split())
    return title if len(title) <= _TITLE_LENGTH else title[: _TITLE_LENGTH - 1].rstrip() + "…"
