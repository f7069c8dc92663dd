"""The transcript: messages of any number and length, of which only what is on the screen exists as widgets."""

from __future__ import annotations

from PySide6.QtCore import QPoint, Signal
from PySide6.QtGui import QAccessible, QAccessibleAnnouncementEvent
from PySide6.QtWidgets import QWidget
from typing_extensions import override

from agdesk.ui.widgets.thumbnails import ThumbnailShelf
from agdesk.ui.widgets.transcript.attachments_row import AttachmentsWidget
from agdesk.ui.widgets.transcript.content import EarlierMessages, TranscriptContent
from agdesk.ui.widgets.transcript.export import as_markdown
from agdesk.ui.widgets.transcript.head import HeadWidget
from agdesk.ui.widgets.transcript.message import Message
from agdesk.ui.widgets.transcript.row_widget import RowWidget
from agdesk.ui.widgets.transcript.rows import CallRow, PendingRow, Row, ThinkingRow
from agdesk.ui.widgets.transcript.selecting import SelectingScroller
from agdesk.ui.widgets.transcript.values import ScrollPlace


class VirtualTranscript(SelectingScroller, TranscriptContent):
    """Messages one below the other; live and stored ones are drawn by the same path.

    The end of a long conversation can be shown first: what comes before it is drawn apart from the screen
    (``make_earlier``) and put before it at once (``prepend``).

    Signals:
        link_activated(str): the user wants to follow a link: absolute, http, https or mailto. Nothing is opened here.
        end_action_chosen(str, str): a button below the message of that key was pressed, an ``EndAction``.
        attachment_chosen(str): the attachment of that key is to be opened.
        message_action_chosen(str, str): a button above the message of that key was pressed, a ``MessageAction``.
    """

    link_activated = Signal(str)
    end_action_chosen = Signal(str, str)
    message_action_chosen = Signal(str, str)
    attachment_chosen = Signal(str)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.thumbnails = ThumbnailShelf(self)
        self.setAccessibleName(self.tr("Conversation"))

    def make_earlier(self) -> EarlierMessages:
        """Where the messages are drawn that come before those that are here."""
        return EarlierMessages(self._estimate)

    def prepend(self, earlier: EarlierMessages) -> None:
        """Puts messages before those that are here. What is on the screen does not move.

        Raises:
            ValueError: one of them is here already.
        """
        self._model.prepend(earlier.model)
        self._sync()

    def menu_place(self, key: str) -> QPoint:
        """Where on the screen the menu of a message opens: at its button, if that can be seen."""
        for placed in self._stage.visible:
            widget = self._stage.widget(placed.row)
            if isinstance(widget, HeadWidget) and placed.row.message.view.key == key:
                button = widget.more_place()
                return button.mapToGlobal(button.rect().bottomLeft())
        return self.mapToGlobal(self.rect().center())

    def refresh(self) -> None:
        """Brings the screen up to date now, not after the current event: for an owner that paces itself."""
        self._sync()

    def place(self) -> ScrollPlace | None:
        """What is on the screen, or was asked for and is not there yet; None while the end stays in view."""
        anchor = self._anchor() or next(iter(self._stage.visible), None)
        if isinstance(self._wanted, ScrollPlace):
            return self._wanted
        if self.is_following or anchor is None:
            return None
        top = 0 if isinstance(anchor.row, PendingRow) else anchor.top  # it stands for rows of other heights
        return ScrollPlace(anchor.row.message.view.key, anchor.row.index, top)

    def show_place(self, place: ScrollPlace) -> None:
        """Shows a place again, in a very long message when its row is cut; one whose message is gone is the end."""
        try:
            self._model.message(place.key)
        except KeyError:
            return
        self._show(place)

    def message_source(self, key: str) -> str:
        """What Copy copies: the text of a message as it came, without the thinking."""
        return self._model.message(key).source

    def markdown(self) -> str:
        """The whole conversation as one text."""
        return as_markdown(self._model.messages)

    # --- rows ---

    @override
    def _grown(self) -> None:
        self._schedule()

    @override
    def _adopt(self, widget: RowWidget) -> None:
        super()._adopt(widget)
        if isinstance(widget, AttachmentsWidget):
            widget.serve(self.thumbnails)
            widget.attachment_chosen.connect(self.attachment_chosen)
        widget.link_chosen.connect(self.link_activated)
        widget.fold_chosen.connect(self._fold)
        widget.end_action_chosen.connect(lambda row, action: self.end_action_chosen.emit(row.message.view.key, action))
        widget.message_action_chosen.connect(
            lambda row, action: self.message_action_chosen.emit(row.message.view.key, action)
        )

    @override
    def _prepare(self, widget: RowWidget, row: Row) -> None:
        super()._prepare(widget, row)
        widget.setAccessibleName(self._name_of(row.message))

    def _name_of(self, message: Message) -> str:
        match message.view.role:
            case "user":
                return self.tr("You")
            case "assistant":
                return self.tr("assistant message")
            case "notice":
                return self.tr("notice")

    @override
    def _announce(self, text: str) -> None:
        QAccessible.updateAccessibility(QAccessibleAnnouncementEvent(self, text))

    def _fold(self, row: Row) -> None:
        """Folds or unfolds thinking or a call; its line stays where it is."""
        assert isinstance(row, ThinkingRow | CallRow)
        anchor = next((placed for placed in self._stage.visible if placed.row is row), None)
        row.block.is_expanded = not row.block.is_expanded
        row.message.open()
        row.message.cut(0)
        self._changed(row.message)
        self._is_following = False
        self._wanted = None
        self._sync(anchor=anchor)
        self._is_following = self._is_at_end()
        self._show_jump()
