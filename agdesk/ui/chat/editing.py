"""Edits an older message in the composer, and keeps what was being written there meanwhile."""

from __future__ import annotations

from PySide6.QtCore import QObject, Signal
from PySide6.QtGui import QTextCursor

from agdesk.core.workspace import UnfinishedEdit
from agdesk.ui.chat.edit_bar import EditBar
from agdesk.ui.widgets.composer import Composer


class MessageEdit(QObject):
    """At most one message at a time.

    Signals:
        ended(): the composer holds the draft again.

    Attributes:
        message_id: the message that the composer holds; None while it holds a draft.
    """

    ended = Signal()

    def __init__(self, composer: Composer, bar: EditBar) -> None:
        super().__init__(composer)
        self.message_id: str | None = None
        self._composer = composer
        self._bar = bar
        self._draft = ""
        bar.cancelled.connect(self.end)

    @property
    def draft(self) -> str:
        """What is written and not sent."""
        return self._composer.toPlainText() if self.message_id is None else self._draft

    @property
    def unfinished(self) -> UnfinishedEdit | None:
        """What is written in place of a message."""
        return None if self.message_id is None else UnfinishedEdit(self.message_id, self._composer.toPlainText())

    def begin(self, message_id: str, text: str, *, is_own: bool, written: str | None = None) -> None:
        """Puts a message into the composer, where its text is selected.

        Args:
            is_own: the user wrote it, and not a model.
            written: what had been written in its place already; nothing is selected then.
        """
        if self.message_id is None:
            self._draft = self._composer.toPlainText()
        self.message_id = message_id
        own = self.tr("Editing your message: a new version of it is asked")
        other = self.tr("Editing an answer: a new version stands beside it")
        self._bar.show_text(own if is_own else other)
        self._composer.setPlainText(text if written is None else written)
        if written is None:
            self._composer.selectAll()
        else:
            self._composer.moveCursor(QTextCursor.MoveOperation.End)
        self._composer.setFocus()

    def end(self) -> None:
        """Puts the draft back, if a message was being edited."""
        if self.message_id is None:
            return
        self.message_id = None
        self._bar.hide()
        self._composer.setPlainText(self._draft)
        self._composer.moveCursor(QTextCursor.MoveOperation.End)
        self._composer.setFocus()
        self.ended.emit()
