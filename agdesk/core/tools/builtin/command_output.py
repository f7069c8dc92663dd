"""What a command prints, kept in bounded memory."""

from __future__ import annotations

import codecs
from collections.abc import Callable

HEAD_BYTES = 40_000
TAIL_BYTES = 40_000
HEARD_CHARACTERS = 200_000


class CommandOutput:
    """The first and the last of what is fed in; what lies between is counted.

    Args:
        heard: called with the text as it comes, until ``HEARD_CHARACTERS`` were told: then once that it goes on.
    """

    def __init__(self, heard: Callable[[str], None]) -> None:
        self._heard = heard
        self._decoder = codecs.getincrementaldecoder("utf-8")("replace")
        self._head = bytearray()
        self._tail = bytearray()
        self._dropped_bytes = 0
        self._left_characters = HEARD_CHARACTERS

    def feed(self, data: bytes) -> None:
        """Takes what came."""
        self._tell(data)
        room = HEAD_BYTES - len(self._head)
        self._head += data[:room]
        self._tail += data[room:]
        if (surplus := len(self._tail) - TAIL_BYTES) > TAIL_BYTES:  # not for every piece: it moves the rest
            self._drop(surplus)

    def text(self) -> str:
        """All of it, with a line that says how much is missing in the middle."""
        if (surplus := len(self._tail) - TAIL_BYTES) > 0:
            self._drop(surplus)
        if not self._dropped_bytes:
            return (self._head + self._tail).decode("utf-8", "replace")
        head, tail = (part.decode("utf-8", "replace") for part in (self._head, self._tail))
        return f"{head}\n[… {self._dropped_bytes:,} bytes cut]\n{tail}"

    def _drop(self, surplus: int) -> None:
        del self._tail[:surplus]
        self._dropped_bytes += surplus

    def _tell(self, data: bytes) -> None:
        if self._left_characters <= 0:
            return
        text = self._decoder.decode(data)[: self._left_characters]
        self._left_characters -= len(text)
        if text:
            self._heard(text)
        if self._left_characters <= 0:
            self._heard("\n[… it prints more than is shown here]\n")
