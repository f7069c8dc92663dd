"""A text that grows by small pieces."""

from __future__ import annotations

JOIN_PIECES = 1024


class SourceText:
    """Pieces of a text: adding one costs the same however long the text is.

    Pieces are joined now and then, for one of a few characters takes 50 bytes more than its characters.

    Attributes:
        size: in characters.
        lines: number of line ends.
    """

    __slots__ = ("_joined", "_pieces", "lines", "size")

    def __init__(self) -> None:
        self._pieces: list[str] = []
        self._joined = 0  # pieces at the start that are large
        self.size = 0
        self.lines = 0

    def append(self, text: str) -> None:
        """Adds a piece."""
        self._pieces.append(text)
        self.size += len(text)
        self.lines += text.count("\n")
        if len(self._pieces) - self._joined >= JOIN_PIECES:
            self._pieces[self._joined :] = ["".join(self._pieces[self._joined :])]
            self._joined += 1

    def join(self) -> str:
        """The whole text."""
        return "".join(self._pieces)

    def read(self, start: int, limit: int) -> str:
        """Up to ``limit`` characters from ``start``; near the end of a growing text that takes no time."""
        end = min(start + limit, self.size)
        if end - start >= self.size:
            return self.join()
        found: list[str] = []
        at = self.size
        for piece in reversed(self._pieces):
            if at <= start:
                break
            at -= len(piece)
            if at < end:
                found.append(piece[max(0, start - at) : end - at])
        return "".join(reversed(found))

    def share(self, text: str) -> None:
        """Keeps the same text as one string that others keep too."""
        self._pieces = [text]
        self._joined = 1


class Backlog:
    """Text that waits to be taken in portions.

    Attributes:
        size: in characters.
        lines: number of line ends.
    """

    __slots__ = ("_pieces", "_taken", "lines", "size")

    def __init__(self, text: str) -> None:
        self._pieces: list[str] = []  # the next one last
        self._taken = 0  # characters of the next piece
        self.size = 0
        self.lines = 0
        self.append(text)

    def append(self, text: str) -> None:
        """Adds text at the end."""
        if text:
            self._pieces.insert(0, text)
            self.size += len(text)
            self.lines += text.count("\n")

    def take(self, limit: int) -> str:
        """Removes up to ``limit`` characters from the start."""
        if not self._pieces:
            return ""
        portion = self._pieces[-1][self._taken : self._taken + limit]
        self._taken += len(portion)
        if self._taken >= len(self._pieces[-1]):
            self._pieces.pop()
            self._taken = 0
        self.size -= len(portion)
        self.lines -= portion.count("\n")
        return portion
