"""Pieces of a trace: written raw as they come, merged and compressed when their request is over, read in order.

``records`` are lines of ``trace.lines``; ``frames`` are the bytes of a response body.
"""

from __future__ import annotations

import sqlite3
import zlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from agdesk.core.errors import ProtocolError
from agdesk.core.store.db import is_damage
from agdesk.core.store.rows import note_seq
from agdesk.core.trace.events import TraceRecord, Unknown
from agdesk.core.trace.lines import decode_record

ChunkKind = Literal["records", "frames"]

MERGED_BYTES = 1 << 20
"""What a merged chunk holds before compression: a reader takes no more than one at a time into memory."""

_STEP_BYTES = 1_024


@dataclass(frozen=True, slots=True)
class Chunk:
    """``first`` and ``last``: seqs of records, or byte offsets of frames, ``last`` being the end."""

    conversation_id: str
    request_id: str
    turn_id: str
    kind: ChunkKind
    first: int
    last: int
    count: int
    content: bytes


def write_chunk(connection: sqlite3.Connection, chunk: Chunk) -> None:
    """Adds a chunk as it is, and its request's row if that is the first of it."""
    if chunk.request_id:
        connection.execute(
            "INSERT OR IGNORE INTO request (id, conversation_id, turn_id) VALUES (?, ?, ?)",
            (chunk.request_id, chunk.conversation_id, chunk.turn_id),
        )
    _insert(connection, chunk, codec="raw", content=chunk.content)
    if chunk.kind == "records":
        note_seq(connection, chunk.conversation_id, chunk.last)


def merge_some(connection: sqlite3.Connection, request_id: str) -> bool:
    """Makes one compressed chunk of the first raw ones of a request. False: there was nothing left, it is closed."""
    found = connection.execute(
        "SELECT id, conversation_id, turn_id, kind, first, last, count, size_bytes FROM trace_chunk"
        " WHERE request_id = ? AND codec = 'raw' ORDER BY kind, first, id",
        (request_id,),
    ).fetchall()
    if not found:
        connection.execute("UPDATE request SET is_closed = 1 WHERE id = ?", (request_id,))
        return False
    _, conversation_id, turn_id, kind, first, *_ = found[0]
    taken: list[tuple[Any, ...]] = []
    size_bytes = 0
    for row in found:
        if row[3] != kind or (taken and size_bytes + row[7] > MERGED_BYTES):
            break
        taken.append(row)
        size_bytes += row[7]
    parts = [connection.execute("SELECT bytes FROM trace_chunk WHERE id = ?", (row[0],)).fetchone()[0] for row in taken]
    content = (b"\n" if kind == "records" else b"").join(parts)
    last, count = max(row[5] for row in taken), sum(row[6] for row in taken)
    chunk = Chunk(conversation_id, request_id, turn_id, kind, first, last, count, content)
    _insert(connection, chunk, codec="zlib", content=zlib.compress(content))
    connection.executemany("DELETE FROM trace_chunk WHERE id = ?", [(row[0],) for row in taken])
    return True


def read_records(
    connection: sqlite3.Connection, conversation_id: str, turn_id: str | None = None
) -> Iterator[tuple[int, list[TraceRecord]]]:
    """The chunks of records of a conversation, or of one turn of it: the first seq of each and what it holds."""
    place = 0
    for row in _rows(connection, conversation_id, turn_id):
        if isinstance(row, sqlite3.Error):
            yield place, [_notice(f"the rest of the trace cannot be read: {row}", conversation_id, place)]
            return
        first, last, request_id, chunk_turn_id, codec, stored = row
        content, problem = _unpack(codec, stored)
        records: list[TraceRecord] = []
        place = first
        for line in content.split(b"\n"):
            try:
                record = decode_record(line, conversation_id)
            except ProtocolError as error:
                problem = problem or error.message
                continue
            if place <= record.seq <= last:
                records.append(record)
                place = record.seq + 1
            else:  # bytes that only look like a record
                problem = problem or "a record is out of place"
        if problem:
            last_read = records[-1] if records else None
            missing = last if last_read is None else min(last_read.seq + 1, last)
            notice = _notice(f"records {first} to {last}: {problem}", conversation_id, missing)
            records.append(
                notice._replace(
                    ts_ns=last_read.ts_ns if last_read else 0, turn_id=chunk_turn_id, request_id=request_id or ""
                )
            )
        place = last
        yield first, records


def _rows(
    connection: sqlite3.Connection, conversation_id: str, turn_id: str | None
) -> Iterator[tuple[Any, ...] | sqlite3.Error]:
    """The rows as far as the file is sound, then the error."""
    try:
        yield from connection.execute(
            "SELECT first, last, request_id, turn_id, codec, bytes FROM trace_chunk"
            " WHERE conversation_id = ? AND kind = 'records' AND (? IS NULL OR turn_id = ?) ORDER BY first, id",
            (conversation_id, turn_id, turn_id),
        )
    except sqlite3.DatabaseError as error:
        if not is_damage(error):
            raise
        yield error


def _notice(reason: str, conversation_id: str, seq: int) -> TraceRecord:
    raw = {"type": "damaged_chunk", "reason": reason}
    return TraceRecord(seq, 0, conversation_id, "", "", Unknown("damaged_chunk", raw))


def read_body(connection: sqlite3.Connection, request_id: str) -> bytes | None:
    """The body of a request's response as far as it is kept and whole; None if nothing is."""
    parts: list[bytes] = []
    for codec, stored in connection.execute(
        "SELECT codec, bytes FROM trace_chunk WHERE request_id = ? AND kind = 'frames' ORDER BY first, id",
        (request_id,),
    ):
        content, problem = _unpack(codec, stored)
        parts.append(content)
        if problem:
            break  # offsets behind a gap would be wrong
    return b"".join(parts) if parts else None


def _insert(connection: sqlite3.Connection, chunk: Chunk, *, codec: str, content: bytes) -> None:
    connection.execute(
        "INSERT INTO trace_chunk (conversation_id, request_id, turn_id, kind, first, last, count, codec, size_bytes,"
        " bytes) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
        (
            chunk.conversation_id,
            chunk.request_id or None,
            chunk.turn_id,
            chunk.kind,
            chunk.first,
            chunk.last,
            chunk.count,
            codec,
            len(content),
            content,
        ),
    )


def _unpack(codec: str, stored: object) -> tuple[bytes, str]:
    """The content of a chunk as far as it can be read, and what is wrong with it."""
    if not isinstance(stored, bytes):
        return b"", "the chunk holds no bytes"
    if codec == "raw":
        return stored, ""
    if codec != "zlib":
        return b"", f"the chunk is stored as {codec}, which this version does not know"
    unpacker = zlib.decompressobj()
    parts: list[bytes] = []
    try:
        for place in range(0, len(stored), _STEP_BYTES):  # in steps: an error gives nothing of the step it is in
            parts.append(unpacker.decompress(stored[place : place + _STEP_BYTES]))
    except zlib.error as error:
        return b"".join(parts), str(error)
    return b"".join(parts), "" if unpacker.eof else "the chunk ends too early"


def split_lines(lines: Sequence[bytes]) -> Iterator[slice]:
    """The places of ``lines`` that make a chunk each: at most ``MERGED_BYTES``, or a single longer line."""
    start, size_bytes = 0, 0
    for place, line in enumerate(lines):
        if place > start and size_bytes + len(line) > MERGED_BYTES:
            yield slice(start, place)
            start, size_bytes = place, 0
        size_bytes += len(line) + 1
    if lines:
        yield slice(start, len(lines))
