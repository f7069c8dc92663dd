"""The messages of a transcript and where they are: no Qt, no painting."""

from __future__ import annotations

from agdesk.ui.widgets.transcript.estimate import HeightEstimator
from agdesk.ui.widgets.transcript.heights import HeightIndex
from agdesk.ui.widgets.transcript.message import Message
from agdesk.ui.widgets.transcript.rows import PendingRow, Row
from agdesk.ui.widgets.transcript.values import MessageView, ScrollPlace


class TranscriptModel:
    """All messages, with their heights.

    The cost of adding to the end does not depend on the number of messages or rows; a place is found in logarithmic
    time.

    Args:
        estimate: the height in pixels of a row that was never laid out.

    Attributes:
        order: another number whenever messages were removed, or put before others.
    """

    def __init__(self, estimate: HeightEstimator) -> None:
        self.messages: list[Message] = []
        self._by_key: dict[str, Message] = {}
        self._index = HeightIndex()
        self._outdated: set[Message] = set()  # their heights in the index are old; later messages are not in it at all
        self._estimate = estimate
        self.order = 0

    @property
    def height(self) -> int:
        """Of everything, in pixels."""
        return self._heights.total

    def append(self, view: MessageView) -> Message:
        """Adds a message at the end.

        Raises:
            ValueError: the key is taken.
        """
        if view.key in self._by_key:
            raise ValueError(f"there is a message {view.key!r} already")
        message = Message(view, index=len(self.messages), estimate=self._estimate)
        self._by_key[view.key] = message
        self.messages.append(message)
        return message

    def has(self, key: str) -> bool:
        """Whether there is a message of a key."""
        return key in self._by_key

    def message(self, key: str) -> Message:
        """The message of a key.

        Raises:
            KeyError: there is none.
        """
        return self._by_key[key]

    def rename(self, key: str, view: MessageView) -> Message:
        """Makes a message another one in the same place.

        Raises:
            KeyError: there is no message of that key.
        """
        message = self._by_key.pop(key)
        message.view = view
        self._by_key[view.key] = message
        return message

    def drop_after(self, key: str | None) -> None:
        """Removes the messages that follow one; None: all.

        Raises:
            KeyError: there is no such message.
        """
        kept = 0 if key is None else self.message(key).index + 1
        for message in self.messages[kept:]:
            del self._by_key[message.view.key]
        del self.messages[kept:]
        self.order += 1
        self._outdated.clear()
        self._index = HeightIndex()

    def prepend(self, earlier: TranscriptModel) -> None:
        """Puts the messages of another model, which has the same estimates, before its own.

        Raises:
            ValueError: a key is in both.
        """
        if taken := earlier._by_key.keys() & self._by_key.keys():
            raise ValueError(f"there is a message {min(taken)!r} already")
        self._index = HeightIndex(earlier._heights.heights + self._heights.heights)
        self._by_key |= earlier._by_key
        for message in self.messages:
            message.index += len(earlier.messages)
        self.messages[:0] = earlier.messages
        self.order += 1

    def update_height(self, message: Message) -> None:
        """Takes over the height of a message that has changed, when it is next asked for."""
        self._outdated.add(message)

    def open(self, message: Message) -> None:
        """Makes the rows of a message."""
        if not message.is_open:
            message.open()
            self.update_height(message)

    def set_row_height(self, row: Row, height: int) -> None:
        """Fixes the height of a row."""
        if height != row.height:
            row.message.set_height(row, height)
            self.update_height(row.message)

    def holds(self, row: Row) -> bool:
        """Whether a row is still part of the transcript."""
        message, messages = row.message, self.messages
        is_known = message.index < len(messages) and messages[message.index] is message
        return is_known and row.index < len(message.rows) and message.rows[row.index] is row

    def top(self, row: Row) -> int:
        """Distance of a row from the start of the transcript."""
        assert row.message.heights is not None
        return self._heights.before(row.message.index) + row.message.heights.before(row.index)

    def row_at(self, offset: int) -> Row | None:
        """The row at a distance from the start; its message is opened. None in an empty transcript."""
        if not self.messages:
            return None
        message = self.messages[self._heights.find(offset)]
        self.open(message)
        assert message.heights is not None
        within = offset - self._heights.before(message.index)
        return message.rows[message.heights.find(max(0, within))]

    def row_of(self, place: ScrollPlace) -> Row:
        """The row of a place; its message is opened. Until the row is cut to its end, the row of the text that waits.

        Raises:
            KeyError: the message is gone.
        """
        message = self.message(place.key)
        self.open(message)
        pending = (row for row in message.rows[: place.row + 2] if isinstance(row, PendingRow))
        return next(pending, message.rows[min(place.row, len(message.rows) - 1)])

    def after(self, row: Row) -> Row | None:
        """The next row; its message is opened."""
        message = row.message
        if row.index + 1 < len(message.rows):
            return message.rows[row.index + 1]
        if message.index + 1 >= len(self.messages):
            return None
        following = self.messages[message.index + 1]
        self.open(following)
        return following.rows[0]

    def before(self, row: Row) -> Row | None:
        """The row before; its message is opened."""
        message = row.message
        if row.index > 0:
            return message.rows[row.index - 1]
        if message.index == 0:
            return None
        previous = self.messages[message.index - 1]
        self.open(previous)
        return previous.rows[-1]

    @property
    def _heights(self) -> HeightIndex:
        known, messages = len(self._index), self.messages
        if 4 * (len(messages) - known) > len(messages):
            self._index = HeightIndex(message.height for message in messages)
        else:
            for message in self._outdated:
                if message.index < known:
                    self._index.set(message.index, message.height)
            for message in messages[known:]:
                self._index.append(message.height)
        self._outdated.clear()
        return self._index

    def last_row(self) -> Row | None:
        """The last row; its message is opened."""
        if not self.messages:
            return None
        self.open(self.messages[-1])
        return self.messages[-1].rows[-1]
