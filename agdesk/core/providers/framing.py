"""Body bytes → frames: server-sent events and lines of JSON, whatever the reads were cut into (D4, T01 to T12, T29).

Everything is done on bytes: a line ends at CR, LF or CRLF and nowhere else (T01), and UTF-8 is decoded only when a
whole payload is there (T02). Frames and the gaps between them (blank lines, the byte order mark) tile the body exactly.
"""

from __future__ import annotations

import re
from typing import Protocol

from agdesk.core.errors import ProtocolError
from agdesk.core.providers.base import Frame
from agdesk.core.trace.wire import FrameKind

MAX_UNIT_BYTES = 256 * 1024 * 1024
_LINE_COST_BYTES = 64  # what a line held back costs beside its text
BYTE_ORDER_MARK = b"\xef\xbb\xbf"
_DATA = FrameKind.DATA
_CR, _LF = b"\r\n"  # as numbers: a number is found in bytes in a fifth of the time that bytes are
_new_tuple = tuple.__new__  # the constructor of a NamedTuple costs as much again
_FIELD_NAME = re.compile(rb"[A-Za-z][A-Za-z0-9_-]*")


class Framer(Protocol):
    """Cuts one body into frames; a fresh one for each response."""

    def feed(self, chunk: bytes) -> list[Frame]:
        """The frames that ``chunk`` completes. Raises ``ProtocolError`` when one unit exceeds the bound."""

    def finish(self) -> list[Frame]:
        """The frame that only the end of the body completes, if any."""


class LineFramer:
    """Holds back what is not a whole line yet; linear in time however small the reads are (T29).

    A CR at the end of a read is held too: the next byte may be its LF (T04), and a frame must not depend on that.
    """

    __slots__ = ("_ends_in_cr", "_held_bytes", "_max_bytes", "_parts", "_position")

    def __init__(self, max_unit_bytes: int = MAX_UNIT_BYTES) -> None:
        self._max_bytes = max_unit_bytes
        self._position = 0  # body offset of the first byte that no frame or gap covers yet
        self._parts: list[bytes] = []
        self._held_bytes = 0
        self._ends_in_cr = False

    def _take(self, chunk: bytes) -> bytes:
        """The whole lines that are there now, terminators included; empty if there is none."""
        if not chunk:
            return b""
        if self._parts:
            self._parts.append(chunk)
            if not self._ends_in_cr and _LF not in chunk and _CR not in chunk:
                self._held_bytes += len(chunk)
                check_bound(self._held_bytes, self._max_bytes)
                return b""
            chunk = b"".join(self._parts)
            self._parts = []
        cut = chunk.rfind(b"\n") + 1
        if _CR in chunk:
            cut = max(cut, chunk.rfind(b"\r", 0, len(chunk) - 1) + 1)
        if cut < len(chunk):
            rest = chunk[cut:]
            self._parts.append(rest)
            self._held_bytes = len(rest)
            self._ends_in_cr = rest.endswith(b"\r")
            check_bound(self._held_bytes, self._max_bytes)
            chunk = chunk[:cut]
        return self._without_mark(chunk)

    def _take_rest(self) -> bytes:
        """The last line of the body, with or without a terminator."""
        rest, self._parts = b"".join(self._parts), []
        return self._without_mark(rest)

    def _without_mark(self, block: bytes) -> bytes:
        if self._position == 0 and block.startswith(BYTE_ORDER_MARK):
            self._position = len(BYTE_ORDER_MARK)
            return block[self._position :]
        return block


class SseFramer(LineFramer):
    """Server-sent events, more tolerant than the standard.

    A unit is closed by a blank line or by the end of the body (T06). A comment line outside a unit is a frame at once,
    so that it counts as a sign of life (T08); inside a unit it belongs to the unit's frame (T30). A unit without data
    is a ``COMMENT`` (T09, T11), also when its data is itself a comment (T10). A unit that has no data, but lines which
    are no field, is ``MALFORMED``, with these lines as its data (T22).
    """

    __slots__ = ("_data", "_event_name", "_last_head", "_last_name", "_raw", "_start")

    def __init__(self, max_unit_bytes: int = MAX_UNIT_BYTES) -> None:
        super().__init__(max_unit_bytes)
        self._start: int | None = None  # offset of the open unit
        self._event_name = ""
        self._data: list[bytes] = []
        self._raw: list[bytes] = []
        self._last_head = b"event: \ndata: {"  # how the last unit with a name began: the next one mostly has the same
        self._last_name = ""

    def feed(self, chunk: bytes) -> list[Frame]:
        """The frames that ``chunk`` completes. Raises ``ProtocolError`` when one unit exceeds the bound."""
        closing = 2 if chunk.endswith(b"\n\n") else 4 if chunk.endswith(b"\r\n\r\n") else 0
        if closing and not self._parts and self._start is None:
            # one event a read is what a server sends that flushes each; it needs no buffering
            end = self._position + len(chunk)
            if (frame := self._plain_frame(chunk, self._position, end, closing)) is not None:
                self._position = end
                return [frame]
        block = self._take(chunk)
        frames: list[Frame] = []
        line_end = b"\r\n" if _CR in block else b"\n"
        blank_line = line_end * 2
        closing = len(blank_line)
        if self._start is not None:
            begin = (line_end + block).find(blank_line)  # the block starts after a line's end
            size = begin + len(line_end) if begin >= 0 else len(block)
            self._read_lines(block[:size], frames)
            block = block[size:]
        units = block.split(blank_line)
        rest = units.pop()
        position = self._position
        for unit in units:
            end = position + len(unit) + closing
            if (frame := self._plain_frame(unit, position, end, 0)) is not None:
                frames.append(frame)
            else:
                self._position = position
                self._read_lines(unit + blank_line, frames)
            position = end
        self._position = position
        if rest:
            self._read_lines(rest, frames)
        return frames

    def finish(self) -> list[Frame]:
        """The unit that no blank line closed."""
        frames: list[Frame] = []
        self._read_lines(self._take_rest(), frames)
        if self._start is not None:
            frames.append(self._close_unit(self._start, self._position))
        return frames

    def _plain_frame(self, unit: bytes, start: int, end: int, closing: int) -> Frame | None:
        """The frame of a unit in one of the two shapes that nearly all have, without the work per line; else None.

        Args:
            unit: its lines.
            start, end: its body offsets, with the blank line that closes it.
            closing: so many bytes at the end of ``unit`` are the end of its last line and the blank line.
        """
        if unit.startswith(b"data: {"):
            begin, name = 6, ""
        else:
            if not unit.startswith(self._last_head):
                line_end = unit.find(b"\n")
                is_named = unit.startswith(b"event: ") and unit.startswith(b"data: {", line_end + 1)
                if not is_named or unit.find(b"\r", 0, line_end) >= 0:
                    return None
                self._last_head = unit[: line_end + 8]
                self._last_name = unit[7:line_end].decode("utf-8", "replace")
            begin, name = len(self._last_head) - 1, self._last_name
        data = unit[begin : len(unit) - closing]
        if _LF in data or _CR in data:
            return None
        return _new_tuple(Frame, (start, end, name, data, _DATA))

    def _read_lines(self, block: bytes, frames: list[Frame]) -> None:
        position = self._position
        for line in block.splitlines(keepends=True):  # of bytes: CR, LF and CRLF only
            end = position + len(line)
            content = line.rstrip(b"\r\n")
            if not content:
                if self._start is not None:
                    frames.append(self._close_unit(self._start, end))
            elif self._start is None and content.lstrip(b" \t").startswith(b":"):
                frames.append(Frame(position, end, "", b"", FrameKind.COMMENT))
            elif self._start is not None or content.strip(b" \t"):
                if self._start is None:
                    self._start = position
                self._read_field(content)
                check_bound(end - self._start + _LINE_COST_BYTES * len(self._data), self._max_bytes)
            position = end
        self._position = position

    def _read_field(self, content: bytes) -> None:
        name, colon, value = content.partition(b":")
        name = name.lstrip(b" \t")
        if value.startswith(b" "):
            value = value[1:]
        if name == b"data":
            self._data.append(value)
        elif name == b"event":
            self._event_name = value.decode("utf-8", "replace")
        elif name in (b"id", b"retry", b""):
            return  # no name: a comment inside the unit, or only white space
        elif not colon or not _FIELD_NAME.fullmatch(name) or name.lower() == b"error":
            # a field of an unknown name is ignored (T30), but "error: model crashed" is what a dying server prints
            self._raw.append(content)

    def _close_unit(self, start: int, end: int) -> Frame:
        name, data, raw = self._event_name, b"\n".join(self._data), self._raw
        self._start, self._event_name, self._data, self._raw = None, "", [], []
        payload = data.lstrip()
        if payload and not payload.startswith(b":"):
            return Frame(start, end, name, data)
        if raw and not payload:
            return Frame(start, end, name, b"\n".join(raw), FrameKind.MALFORMED)
        return Frame(start, end, name, b"", FrameKind.COMMENT)


class NdjsonFramer(LineFramer):
    """One JSON value a line (L01). A line that cannot be JSON is ``MALFORMED``; blank lines are gaps.

    A line that is a comment of server-sent events, as proxies put between any lines, is a ``COMMENT`` (T08).
    """

    __slots__ = ()

    def feed(self, chunk: bytes) -> list[Frame]:
        """The frames that ``chunk`` completes. Raises ``ProtocolError`` when one line exceeds the bound."""
        size = len(chunk)
        if not self._parts and chunk.startswith(b"{") and chunk.find(b"\n") == size - 1 and _CR not in chunk:
            # one line a read is what a server sends that flushes each; it needs no buffering
            position = self._position
            self._position = position + size
            return [_new_tuple(Frame, (position, position + size, "", chunk[:-1], _DATA))]
        return self._read_lines(self._take(chunk))

    def finish(self) -> list[Frame]:
        """The line that no terminator closed."""
        return self._read_lines(self._take_rest())

    def _read_lines(self, block: bytes) -> list[Frame]:
        frames: list[Frame] = []
        position = self._position
        for line in block.splitlines(keepends=True):
            end = position + len(line)
            data = line.rstrip(b"\r\n")
            if payload := data.lstrip():
                if payload.startswith((b"{", b"[")):
                    frames.append(_new_tuple(Frame, (position, end, "", data, _DATA)))
                elif payload.startswith(b":"):
                    frames.append(Frame(position, end, "", b"", FrameKind.COMMENT))
                else:
                    frames.append(Frame(position, end, "", data, FrameKind.MALFORMED))
            position = end
        self._position = position
        return frames


def check_bound(size_bytes: int, max_bytes: int) -> None:
    """Ends a stream whose next unit would fill the memory."""
    if size_bytes > max_bytes:
        raise ProtocolError(
            f"One unit of the stream is longer than {max_bytes} bytes",
            "The server sends something that is no answer; check the base URL of this provider in Settings.",
            expected=f"at most {max_bytes} bytes before the unit ends",
        )
