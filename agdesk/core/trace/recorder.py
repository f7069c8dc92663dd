"""Numbers the records of one session and hands them to whoever listens: synchronous, in order, microseconds."""

from __future__ import annotations

import functools
import hashlib
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace

from agdesk.core.emitter import Emitter
from agdesk.core.ir.blocks import BlobRef
from agdesk.core.trace.events import Payload, RequestPrepared, TraceRecord
from agdesk.core.trace.wire import RequestSent

_new_tuple = tuple.__new__


class Recorder:
    """The trace of one session.

    A session that continues a stored conversation goes on counting where that stopped: ``seq`` stays gapless and
    ``ts_ns`` grows over restarts, whatever the wall clock did meanwhile.

    Args:
        wall_start_ns: of the conversation that is continued; None for a new one.
        last_seq, last_ts_ns: of the last record that it has.

    Attributes:
        records: every record, in order.
        bodies: ``(request_id, bytes)`` of response bodies as they arrive, already redacted.
        blobs: ``(BlobRef, bytes)`` of request bodies, already redacted.
        wall_start_ns: the wall-clock time that ``ts_ns`` 0 stands for, stored once.
        turn_id: the turn that new records belong to; empty before the first.
        last_ns: the ``ts_ns`` of the last record.
    """

    def __init__(
        self,
        session_id: str,
        *,
        wall_start_ns: int | None = None,
        last_seq: int = 0,
        last_ts_ns: int = 0,
        clock_ns: Callable[[], int] = time.perf_counter_ns,
    ) -> None:
        self.session_id = session_id
        self.records: Emitter[TraceRecord] = Emitter()
        self.bodies: Emitter[tuple[str, bytes]] = Emitter()
        self.blobs: Emitter[tuple[BlobRef, bytes]] = Emitter()
        wall_ns = time.time_ns()
        self.wall_start_ns = wall_ns if wall_start_ns is None else wall_start_ns
        self.turn_id = ""
        self._clock_ns = clock_ns
        self._start_ns = clock_ns() - max(last_ts_ns, wall_ns - self.wall_start_ns)
        self._seq = last_seq
        self.last_ns = last_ts_ns
        self._hand_on = self.records.emit

    def now_ns(self) -> int:
        """The present in the session's own nanoseconds, comparable with ``TraceRecord.ts_ns``."""
        return self._clock_ns() - self._start_ns

    def emit(self, payload: Payload) -> int:
        """Records ``payload`` in the current turn and returns its seq."""
        return self.emit_for("", payload)

    def emit_for(self, request_id: str, payload: Payload) -> int:
        """The same, of a request."""
        self._seq = seq = self._seq + 1
        self.last_ns = now_ns = self._clock_ns() - self._start_ns
        # straight to tuple: the constructor of a NamedTuple costs as much again
        self._hand_on(_new_tuple(TraceRecord, (seq, now_ns, self.session_id, self.turn_id, request_id, payload)))
        return seq


class RequestTrace:
    """A recorder bound to one request; what a provider records with.

    Attributes:
        emit: records a payload under this request and gives its seq.
        request_id: also the seed of made-up ids of calls (D11).
        frame_seq: the seq of the frame the events now being yielded came from; None for events without a frame.
        sent_ns: when the request went out, in the session's nanoseconds; None before.
    """

    __slots__ = ("_hand_on_body", "_prepared", "_recorder", "emit", "frame_seq", "request_id", "sent_ns")

    def __init__(self, recorder: Recorder, request_id: str) -> None:
        self._recorder = recorder
        # not a method: two records are emitted per event, and a call less is felt
        self.emit: Callable[[Payload], int] = functools.partial(recorder.emit_for, request_id)
        self._hand_on_body = recorder.bodies.emit
        self._prepared: RequestPrepared | None = None
        self.request_id = request_id
        self.frame_seq: int | None = None
        self.sent_ns: int | None = None

    @contextmanager
    def preparing(self, request: RequestPrepared) -> Iterator[None]:
        """Holds a record back until ``rendered`` knows its ledger; it is recorded when the block ends at the latest."""
        self._prepared = request
        try:
            yield
        finally:
            self.rendered()

    def rendered(self, ledger: tuple[str, ...] = ()) -> None:
        """Records the request that is being prepared, its rendering added to the ledger; the first call counts."""
        prepared, self._prepared = self._prepared, None
        if prepared is not None:
            self.emit(replace(prepared, ledger=(*prepared.ledger, *ledger)) if ledger else prepared)

    def sent(self, request: RequestSent) -> None:
        """Records that the request goes out now."""
        self.sent_ns = self._recorder.now_ns()
        self.emit(request)

    def body(self, chunk: bytes) -> None:
        """Hands on body bytes as received, after content decoding and redaction."""
        self._hand_on_body((self.request_id, chunk))

    def blob(self, content: bytes) -> BlobRef:
        """Hands on a request body and returns its address."""
        reference = BlobRef(hashlib.sha256(content).hexdigest(), len(content))
        self._recorder.blobs.emit((reference, content))
        return reference
