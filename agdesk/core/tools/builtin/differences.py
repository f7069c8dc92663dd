"""What changes in a file, as a unified diff."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from difflib import SequenceMatcher
from typing import NamedTuple

from agdesk.core.tools.builtin.file_tool import lines_of

_COMPARED = 4_000_000  # pairs of lines that may be compared; beyond, the whole middle is shown as replaced
_CONTEXT = 3


class Piece(NamedTuple):
    """Lines ``[a_start, a_end)`` before, ``[b_start, b_end)`` after; equal or not."""

    is_equal: bool
    a_start: int
    a_end: int
    b_start: int
    b_end: int


def unified_diff(before: str, after: str, *, name: str) -> str:
    """The diff, whole; empty if nothing changes. Takes a bounded time, however long the texts are."""
    a, b = lines_of(before), lines_of(after)
    pieces = _pieces(a, b)
    if all(piece.is_equal for piece in pieces):
        return ""
    lines = [f"--- {name if before else '/dev/null'}\n", f"+++ {name}\n"]
    for hunk in _hunks(pieces):
        first, last = hunk[0], hunk[-1]
        lines.append(
            f"@@ -{_span(first.a_start, last.a_end)} +{_span(first.b_start, last.b_end)} @@\n",
        )
        for piece in hunk:
            if piece.is_equal:
                lines += map(_line(" "), a[piece.a_start : piece.a_end])
            else:
                lines += map(_line("-"), a[piece.a_start : piece.a_end])
                lines += map(_line("+"), b[piece.b_start : piece.b_end])
    return "".join(lines)


def _line(mark: str) -> Callable[[str], str]:
    return lambda line: f"{mark}{line}" if line.endswith("\n") else f"{mark}{line}\n\\ No newline at end of file\n"


def _span(start: int, end: int) -> str:
    count = end - start
    return f"{start + 1 if count else start},{count}"


def _pieces(a: list[str], b: list[str]) -> list[Piece]:
    shortest = min(len(a), len(b))
    head = next((i for i in range(shortest) if a[i] != b[i]), shortest)
    tail = next((i for i in range(shortest - head) if a[-1 - i] != b[-1 - i]), shortest - head)
    a_end, b_end = len(a) - tail, len(b) - tail
    pieces = [Piece(True, 0, head, 0, head)]
    if (a_end - head) * (b_end - head) > _COMPARED:
        pieces.append(Piece(False, head, a_end, head, b_end))
    else:
        matcher = SequenceMatcher(None, a[head:a_end], b[head:b_end], autojunk=False)
        for tag, a1, a2, b1, b2 in matcher.get_opcodes():
            pieces.append(Piece(tag == "equal", a1 + head, a2 + head, b1 + head, b2 + head))
    pieces.append(Piece(True, a_end, len(a), b_end, len(b)))
    return [piece for piece in pieces if piece.a_end > piece.a_start or piece.b_end > piece.b_start]


def _hunks(pieces: list[Piece]) -> Iterator[list[Piece]]:
    """Changes with three equal lines around them; those with at most six between them are one."""
    hunk: list[Piece] = []
    for index, (is_equal, a1, a2, b1, b2) in enumerate(pieces):
        if not is_equal:
            hunk.append(pieces[index])
            continue
        size = a2 - a1
        if hunk and (index == len(pieces) - 1 or size > 2 * _CONTEXT):
            kept = min(size, _CONTEXT)
            yield [*hunk, Piece(True, a1, a1 + kept, b1, b1 + kept)]
            hunk = []
        elif hunk:
            hunk.append(pieces[index])
            continue
        kept = min(size, _CONTEXT)
        hunk = [Piece(True, a2 - kept, a2, b2 - kept, b2)] if index < len(pieces) - 1 else []
    if hunk:
        yield hunk
