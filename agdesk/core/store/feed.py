"""What one followed session leaves behind, on its way to the writer thread."""

from __future__ import annotations

import sqlite3
from collections import defaultdict, deque
from collections.abc import Callable, Iterator
from typing import TypeAlias

from agdesk.core.ir.blocks import BlobRef
from agdesk.core.store.blobs import BlobFolder
from agdesk.core.store.chunks import MERGED_BYTES, Chunk, split_lines, write_chunk
from agdesk.core.store.rows import (
    MILESTONES,
    TURN_ENDS,
    save_conversation,
    write_milestone,
    write_tree_change,
)
from agdesk.core.store.values import Conversation
from agdesk.core.trace.branches import TREE_CHANGES
from agdesk.core.trace.events import ResponseReceived, TraceRecord, TurnStarted
from agdesk.core.trace.lines import encode_record
from agdesk.core.trace.recorder import Recorder
from agdesk.core.trace.wire import RequestSent

FLUSH_BYTES = 262_144
"""So much of bodies is written without waiting for the next regular flush."""

Operation: TypeAlias = Callable[[sqlite3.Connection], list[str] | None]
"""One thing to write, inside a transaction that may be repeated; gives the names of blobs whose files it freed."""

Item: TypeAlias = TraceRecord | tuple[str, bytes] | tuple[BlobRef, bytes]


class Feed:
    """Takes what a recorder hands out, on the loop's thread, and gives operations to the writer, on the writer's.

    One queue holds records, bodies and blobs in the order they came.

    Args:
        conversation_id: whose they are.
        blobs: where request bodies go.
        row: the conversation's row as it is now, and when it was deleted; called on the writer's thread when it writes.
        is_stored: whether the row is in the database already; nothing is written before it is.

    Attributes:
        is_traced: whether more than the milestones is kept; read for each record.
        is_ended: nothing more comes.
    """

    def __init__(
        self,
        conversation_id: str,
        *,
        blobs: BlobFolder,
        row: Callable[[], tuple[Conversation, int | None]],
        is_stored: bool,
        is_traced: bool,
    ) -> None:
        self.conversation_id = conversation_id
        self.is_traced = is_traced
        self.is_ended = False
        self._items: deque[Item] = deque()
        self._blobs = blobs
        self._row = row
        self._is_stored = is_stored
        # the rest belongs to the writer's thread
        self._lines: defaultdict[tuple[str, str], list[tuple[int, bytes]]] = defaultdict(list)
        self._bodies: defaultdict[str, list[bytes]] = defaultdict(list)
        self._links: list[tuple[str, BlobRef]] = []
        self._contents: dict[str, bytes] = {}
        self._turns: dict[str, str] = {}  # of the requests that are not closed
        self._offsets: dict[str, int] = {}
        self._ending: list[str] = []
        self._closed: list[str] = []

    @property
    def is_empty(self) -> bool:
        return not self._items

    def listen(
        self,
        recorder: Recorder,
        *,
        ring: Callable[[bool], None],
        is_idle: Callable[[], bool],
        on_turn: Callable[[TurnStarted], None],
    ) -> Callable[[], None]:
        """Subscribes to everything of ``recorder``; returns the call that ends it.

        Args:
            recorder: the session's.
            ring: wakes the writer; True: at once.
            is_idle: whether the writer sleeps until it is woken.
            on_turn: called before the first record of a turn is taken.
        """
        append = self._items.append
        body_bytes = 0

        def take(record: TraceRecord) -> None:
            kind = type(record.payload)
            if kind in MILESTONES or kind in TREE_CHANGES:
                if isinstance(record.payload, TurnStarted):
                    on_turn(record.payload)
                append(record)
                ring(True)
            elif self.is_traced:
                append(record)
                if is_idle():
                    ring(False)

        def take_body(piece: tuple[str, bytes]) -> None:
            nonlocal body_bytes
            if self.is_traced:
                append(piece)
                body_bytes += len(piece[1])
                if body_bytes > FLUSH_BYTES:
                    body_bytes = 0
                    ring(True)

        def take_blob(blob: tuple[BlobRef, bytes]) -> None:
            if self.is_traced:
                append(blob)

        subscriptions = (
            recorder.records.subscribe(take),
            recorder.bodies.subscribe(take_body),
            recorder.blobs.subscribe(take_blob),
        )

        def end() -> None:
            for unsubscribe in subscriptions:
                unsubscribe()
            self.is_ended = True
            ring(False)

        return end

    def drain(self) -> list[Operation]:
        """The operations for everything taken so far, in order; on the writer's thread."""
        operations: list[Operation] = []
        for _ in range(len(self._items)):
            item = self._items.popleft()
            if isinstance(item, TraceRecord):
                self._sort_in(item, operations)
            elif isinstance(item[0], str):
                self._bodies[item[0]].append(item[1])
            else:
                self._contents[item[0].sha256] = item[1]
        if self._is_stored:
            operations += [_writing(chunk) for chunk in self._chunks()]
            operations += [self._linking(request_id, reference) for request_id, reference in self._links]
            self._lines.clear()
            self._bodies.clear()
            self._links.clear()
        for request_id in self._turns.copy() if self.is_ended else self._ending:
            if self._turns.pop(request_id, None) is not None:
                self._offsets.pop(request_id, None)
                self._closed.append(request_id)
        if self._ending:
            self._contents.clear()
        self._ending.clear()
        return operations

    def take_closed(self) -> list[str]:
        """The requests that have ended since the last call."""
        closed, self._closed = self._closed, []
        return closed

    def _sort_in(self, record: TraceRecord, operations: list[Operation]) -> None:
        payload, request_id = record.payload, record.request_id
        if type(payload) in TREE_CHANGES and self._is_stored:
            operations.append(lambda connection: write_tree_change(connection, record))
            if not self.is_traced:
                return
        if type(payload) not in MILESTONES:
            if request_id:
                self._turns[request_id] = record.turn_id
            self._lines[record.turn_id, request_id].append((record.seq, encode_record(record)))
            if isinstance(payload, RequestSent) and payload.body_blob is not None:
                self._links.append((request_id, payload.body_blob))
            return
        if isinstance(payload, TurnStarted):
            self._is_stored = True
            operations.append(lambda connection: save_conversation(connection, *self._row()))
        operations.append(lambda connection: write_milestone(connection, record))
        if isinstance(payload, ResponseReceived):
            self._ending.append(request_id)
        elif isinstance(payload, TURN_ENDS):
            self._ending += [request for request, turn_id in self._turns.items() if turn_id == record.turn_id]

    def _chunks(self) -> Iterator[Chunk]:
        for (turn_id, request_id), lines in self._lines.items():
            for part in split_lines([line for _, line in lines]):
                taken = lines[part]
                content = b"\n".join([line for _, line in taken])
                first, last = taken[0][0], taken[-1][0]
                yield Chunk(self.conversation_id, request_id, turn_id, "records", first, last, len(taken), content)
        for request_id, parts in self._bodies.items():
            body = b"".join(parts)
            for start in range(0, len(body), MERGED_BYTES):
                content = body[start : start + MERGED_BYTES]
                first = self._offsets.get(request_id, 0)
                last = self._offsets[request_id] = first + len(content)
                turn_id = self._turns.get(request_id, "")
                yield Chunk(self.conversation_id, request_id, turn_id, "frames", first, last, len(content), content)

    def _linking(self, request_id: str, reference: BlobRef) -> Operation:
        content = self._contents.pop(reference.sha256, None)

        def link(connection: sqlite3.Connection) -> None:
            if content is not None:
                self._blobs.write(connection, reference, content)
            connection.execute(
                "INSERT OR IGNORE INTO request_blob SELECT ?, sha256 FROM blob WHERE sha256 = ?",
                (request_id, reference.sha256),
            )

        return link


def _writing(chunk: Chunk) -> Operation:
    return lambda connection: write_chunk(connection, chunk)
