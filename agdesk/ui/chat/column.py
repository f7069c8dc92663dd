"""The column of a conversation: its frame with the transcript in it, and where that stands."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING

from PySide6.QtCore import Signal
from PySide6.QtGui import QDragEnterEvent, QDragLeaveEvent, QDropEvent
from typing_extensions import override

from agdesk.ui.chat.frame import ChatFrame
from agdesk.ui.chat.reading import Reading

if TYPE_CHECKING:
    from agdesk.ui.widgets.drop_hint import DropHint
    from agdesk.ui.widgets.transcript import VirtualTranscript


class ConversationColumn(ChatFrame):
    """Shows messages and takes new ones; it knows nothing of whose they are.

    Signals:
        files_dropped(tuple): files and images that were dropped on it, ``Offered``.

    Attributes:
        reading: finding in the conversation, copying it, and how its code looks.
    """

    files_dropped = Signal(object)

    def __init__(self) -> None:
        super().__init__()
        self.setAcceptDrops(True)
        self.reading = Reading(leave=self.focus_composer, parent=self)

    @cached_property
    def transcript(self) -> VirtualTranscript:
        """Where the messages are drawn; made when it is first needed, because an empty conversation is painted sooner
        without it (PERF5)."""
        from agdesk.ui.widgets.transcript import VirtualTranscript

        transcript = VirtualTranscript()
        transcript.link_activated.connect(self._ask_about_link)
        self.pages.addWidget(transcript)
        self.reading.attach(transcript)
        return transcript

    @cached_property
    def _drop_hint(self) -> DropHint:
        from agdesk.ui.widgets.drop_hint import DropHint

        return DropHint(self.tr("Drop to attach"), self)

    @override
    def dragEnterEvent(self, event: QDragEnterEvent) -> None:
        if event.mimeData().hasUrls() or event.mimeData().hasImage():
            event.acceptProposedAction()
            self._drop_hint.cover(self.rect())

    @override
    def dragLeaveEvent(self, event: QDragLeaveEvent) -> None:
        self._drop_hint.hide()

    @override
    def dropEvent(self, event: QDropEvent) -> None:
        from agdesk.ui.widgets.offered import offered_by

        self._drop_hint.hide()
        if offers := offered_by(event.mimeData()):
            event.acceptProposedAction()
            self.files_dropped.emit(offers)
            self.focus_composer()

    def scroll_place(self) -> str:
        """What is on the screen, for ``show_place``; empty while the end is."""
        if self.pages.currentWidget() is self.empty_state or (place := self.transcript.place()) is None:
            return ""
        return f"{place.key}#{place.row}#{place.top}"

    def holds_place(self, text: str) -> bool:
        """Whether the message of a ``scroll_place`` is drawn."""
        return self.transcript.has_message(text.partition("#")[0])

    def show_place(self, text: str) -> None:
        """Scrolls to where ``scroll_place`` was; anything else is left out."""
        from agdesk.ui.widgets.transcript import ScrollPlace

        key, _, rest = text.partition("#")
        row, _, top = rest.partition("#")
        if row.isdecimal() and top.removeprefix("-").isdecimal():
            self.transcript.show_place(ScrollPlace(key, int(row), int(top)))

    def jump_to_latest(self) -> None:
        """Scrolls to the end and follows the stream again."""
        if self.pages.currentWidget() is not self.empty_state:
            self.transcript.jump_to_latest()

    def focus_composer(self) -> None:
        """Puts the keyboard where the next message is written."""
        self.composer.setFocus()

    def _ask_about_link(self, url: str) -> None:
        from agdesk.ui.chat.link_question import LinkQuestion

        LinkQuestion(url, self).open()
