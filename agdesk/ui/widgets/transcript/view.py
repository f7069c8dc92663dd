"""The transcript: messages of any number and length, of which only what is on the screen exists as widgets."""

from __future__ import annotations

from PySide6.QtCore import QPoint, Signal
from PySide6.QtGui import QAccessible, QAccessibleAnnouncementEvent
from PySide6.QtWidgets import QWidget
from typing_extensions import override

from agdesk.ui.widgets.thumbnails import ThumbnailShelf
from agdesk.ui.widgets.transcript.attachments_row import AttachmentsWidget
from agdesk.ui.widgets.transcript.export import as_markdown
from agdesk.ui.widgets.transcript.head import HeadWidget
from agdesk.ui.widgets.transcript.message import Message
from agdesk.ui.widgets.transcript.row_widget import RowWidget
from agdesk.ui.widgets.transcript.rows import PendingRow, Row, ThinkingRow
from agdesk.ui.widgets.transcript.selecting import SelectingScroller
from agdesk.ui.widgets.transcript.values import (
    BlockKind,
    BlockView,
    ErrorView,
    MessageView,
    NextStep,
    ScrollPlace,
)


class VirtualTranscript(SelectingScroller):
    """Messages one below the other; live and stored ones are drawn by the same path.

    A live message is begun (``append_message``), grows block by block (``begin_block``, ``append_text``,
    ``end_block``) and is settled (``replace_message``, ``finish_message``). A stored one is appended and replaced.

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

    # --- content ---

    def append_message(self, view: MessageView) -> None:
        """Adds a message without content at the end.

        Raises:
            ValueError: the key is taken.
        """
        self._model.append(view)
        self._schedule()

    def begin_block(self, key: str, block_index: int, kind: BlockKind) -> None:
        """Begins a block of a message; blocks stand in the order of their indices.

        Raises:
            KeyError: there is no such message; so do all calls that name one.
        """
        message = self._model.message(key)
        message.begin_block(block_index, kind)
        self._changed(message)

    def append_text(self, key: str, block_index: int, text: str) -> None:
        """Adds text to a block. The cost does not depend on how much is there.

        Raises:
            KeyError: there is no such message, or the block was not begun.
        """
        message = self._model.message(key)
        message.append(block_index, text)
        self._changed(message)

    def end_block(self, key: str, block_index: int, *, duration_s: float | None = None) -> None:
        """Ends a block.

        Args:
            key: of the message.
            block_index: of the block.
            duration_s: how long the thinking took.
        """
        message = self._model.message(key)
        message.end_block(block_index, duration_s)
        self._changed(message)

    def replace_message(self, key: str, blocks: tuple[BlockView, ...]) -> None:
        """Gives a message its whole content; what is shown already stays untouched."""
        message = self._model.message(key)
        message.replace(blocks)
        self._changed(message)

    def set_error(self, key: str, error: ErrorView | None) -> None:
        """Shows below a message what went wrong; None takes it away."""
        message = self._model.message(key)
        is_new = error is not None and error != message.error
        message.error = error
        message.refresh()
        self._changed(message)
        if error is not None and is_new:
            self._announce(error.title)

    def set_footer(self, key: str, text: str) -> None:
        """Shows a small line below a message; an empty one takes it away."""
        message = self._model.message(key)
        message.footer = text
        message.refresh()
        self._changed(message)

    def set_steps(self, key: str, steps: tuple[NextStep, ...]) -> None:
        """Offers what can be done about the end of a message, at its error or footer."""
        message = self._model.message(key)
        if message.steps != steps:
            message.steps = steps
            self._changed(message)

    def reopen_message(self, key: str, view: MessageView, blocks: tuple[BlockView, ...]) -> None:
        """Makes a message that had ended grow again, as another one: the last of these blocks, a text, goes on.

        Raises:
            KeyError: there is no message of that key.
        """
        message = self._model.rename(key, view)
        message.error, message.footer, message.steps = None, "", ()
        message.reopen(blocks)
        self._changed(message)

    def set_place(self, key: str, *, number: int, count: int) -> None:
        """Says which version of a message is shown: ``number`` from 1, of ``count``."""
        message = self._model.message(key)
        if message.place != (number, count):
            message.place = (number, count)
            self._changed(message)

    def has_message(self, key: str) -> bool:
        """Whether there is a message of that key."""
        return self._model.has(key)

    def last_key(self) -> str:
        """The key of the last message; empty if there is none."""
        return self._model.messages[-1].view.key if self._model.messages else ""

    def menu_place(self, key: str) -> QPoint:
        """Where on the screen the menu of a message opens: at its button, if that can be seen."""
        for placed in self._stage.visible:
            widget = self._stage.widget(placed.row)
            if isinstance(widget, HeadWidget) and placed.row.message.view.key == key:
                button = widget.more_place()
                return button.mapToGlobal(button.rect().bottomLeft())
        return self.mapToGlobal(self.rect().center())

    def finish_message(self, key: str) -> None:
        """The message has ended: if it came live and without an error, that is read out, once."""
        message = self._model.message(key)
        if message.is_live and message.view.role == "assistant" and message.error is None:
            self._announce(self.tr("%1: the answer is complete").replace("%1", message.view.title))
        message.is_live = False

    def refresh(self) -> None:
        """Brings the screen up to date now, not after the current event: for an owner that paces itself."""
        self._sync()

    def drop_after(self, key: str | None) -> None:
        """Removes the messages that follow one; None: all. What stays does not move on the screen.

        Raises:
            KeyError: there is no such message.
        """
        self._drop_after(key)

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

    def _announce(self, text: str) -> None:
        QAccessible.updateAccessibility(QAccessibleAnnouncementEvent(self, text))

    def _fold(self, row: Row) -> None:
        """Folds or unfolds thinking; its line stays where it is."""
        assert isinstance(row, ThinkingRow)
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
