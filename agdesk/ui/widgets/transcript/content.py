"""What is done with the messages of a transcript, whether they are on a screen or not."""

from __future__ import annotations

from PySide6.QtCore import QCoreApplication

from agdesk.ui.widgets.transcript.estimate import HeightEstimator
from agdesk.ui.widgets.transcript.message import Message
from agdesk.ui.widgets.transcript.model import TranscriptModel
from agdesk.ui.widgets.transcript.values import BlockKind, BlockView, ErrorView, MessageView, NextStep

translate = QCoreApplication.translate


class TranscriptContent:
    """Messages that come one after the other; the subclass knows where they are seen.

    A live message is begun (``append_message``), grows block by block (``begin_block``, ``append_text``,
    ``end_block``) and is settled (``replace_message``, ``finish_message``). A stored one is appended and replaced.
    """

    _model: TranscriptModel

    def append_message(self, view: MessageView) -> None:
        """Adds a message without content at the end.

        Raises:
            ValueError: the key is taken.
        """
        self._model.append(view)
        self._grown()

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

    def finish_message(self, key: str) -> None:
        """The message has ended: if it came live and without an error, that is read out, once."""
        message = self._model.message(key)
        if message.is_live and message.view.role == "assistant" and message.error is None:
            self._announce(
                translate("VirtualTranscript", "%1: the answer is complete").replace("%1", message.view.title)
            )
        message.is_live = False

    def drop_after(self, key: str | None) -> None:
        """Removes the messages that follow one; None: all. What stays does not move on the screen.

        Raises:
            KeyError: there is no such message.
        """
        self._drop_after(key)

    # --- for the subclass ---

    def _drop_after(self, key: str | None) -> None:
        self._model.drop_after(key)

    def _grown(self) -> None:
        """There is another message."""

    def _changed(self, message: Message) -> None:
        """A message has other content, or shows more or less of it."""

    def _announce(self, text: str) -> None:
        """Something is to be read out."""


class EarlierMessages(TranscriptContent):
    """Messages that are not on a screen; a transcript puts them before its own when all of them are there.

    Args:
        estimate: that of the transcript.

    Attributes:
        model: where they are.
    """

    def __init__(self, estimate: HeightEstimator) -> None:
        self.model = self._model = TranscriptModel(estimate)

    def measure(self) -> int:
        """Estimates the heights of the messages that are new, and gives that of all: at the end it would take long."""
        return self._model.height
