"""Encoded records, packed: a million small ``bytes`` objects would cost as much again as what is in them.

Blocks that are full are compressed: neighbouring records are so much alike that a tenth is left of them.
"""

from __future__ import annotations

import zlib
from array import array
from bisect import bisect_right
from collections.abc import Iterator
from functools import lru_cache

_BLOCK_SHIFT = 10
BLOCK_LINES = 1 << _BLOCK_SHIFT
_IN_BLOCK = BLOCK_LINES - 1
_UNPACKED_BLOCKS = 16


class PackedLines:
    """A list of byte strings that only grows, 4 bytes each beside their compressed content.

    May be read on another thread while it grows: closed blocks never change, and the open one is copied.
    """

    def __init__(self) -> None:
        self._unpacked = lru_cache(_UNPACKED_BLOCKS)(self._unpack)
        self._closed: list[bytes] = []
        self._open = bytearray()
        self._ends = array("I")  # inside the line's block

    def __len__(self) -> int:
        return len(self._ends)

    def append(self, line: bytes) -> None:
        """Adds a line; its content may be anything."""
        self._open += line
        self._ends.append(len(self._open))
        if not len(self._ends) & _IN_BLOCK:
            self._closed.append(zlib.compress(self._open, 1))
            self._open = bytearray()

    def __getitem__(self, number: int) -> bytes:
        block, place = number >> _BLOCK_SHIFT, number & _IN_BLOCK
        start = self._ends[number - 1] if place else 0
        return bytes(self._block(block)[start : self._ends[number]])

    def find(self, word: bytes, start: int, stop: int) -> Iterator[int]:
        """The numbers of the lines from ``start`` to before ``stop`` in which ``word`` occurs, in order.

        ``word`` is in lower case; the case of ASCII letters does not count.
        """
        for block in range(start >> _BLOCK_SHIFT, ((stop - 1) >> _BLOCK_SHIFT) + 1 if stop > start else 0):
            first = block << _BLOCK_SHIFT
            ends = self._ends[first : min(stop, first + BLOCK_LINES)]
            content = bytes(self._block(block)[: ends[-1]]).lower()  # ten times as fast as a pattern without case
            place = ends[start - first - 1] if start > first else 0
            while (found := content.find(word, place)) >= 0:
                line = bisect_right(ends, found)
                if found + len(word) <= ends[line]:
                    yield first + line
                    place = ends[line]
                else:
                    place = found + 1  # it runs over the end of its line

    def _block(self, number: int) -> bytes | bytearray:
        return self._unpacked(number) if number < len(self._closed) else self._open

    def _unpack(self, number: int) -> bytes:
        return zlib.decompress(self._closed[number])
