"""From the core's synchronous records to Qt: collect, then hand over one conversation per tick.

Painting per record does not hold (one signal a record fell seconds behind at 8 × 2,000 records/s); flushing every
conversation in one tick makes frames long. So records are collected, and a timer flushes one bridge at a time, every
5 ms, or as long after a flush as the flush took: half of the loop's time at least is left for everything else.
"""

from __future__ import annotations

import time
from collections import deque

from PySide6.QtCore import QObject, Qt, QTimer, Signal

from agdesk.core.cycle import AgentSession
from agdesk.core.trace.events import TraceRecord

_TICK_MS = 5


class DrainTimer(QObject):
    """Flushes waiting bridges in turn, one a tick; stands still when nothing waits."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._waiting: deque[SessionBridge] = deque()
        self._timer = QTimer(self)
        self._timer.setTimerType(Qt.TimerType.PreciseTimer)
        self._timer.setSingleShot(True)
        self._timer.timeout.connect(self._flush_next)

    def schedule(self, bridge: SessionBridge) -> None:
        """Puts a bridge with new records in the queue; called once until it is flushed."""
        self._waiting.append(bridge)
        if not self._timer.isActive():
            self._timer.start(_TICK_MS)

    def forget(self, bridge: SessionBridge) -> None:
        """Takes a closing bridge out of the queue."""
        if bridge in self._waiting:
            self._waiting.remove(bridge)

    def _flush_next(self) -> None:
        if self._waiting:
            start_ns = time.perf_counter_ns()
            self._waiting.popleft().flush()
            took_ms = (time.perf_counter_ns() - start_ns) // 1_000_000
            if self._waiting:
                self._timer.start(max(_TICK_MS, took_ms))


class SessionBridge(QObject):
    """Delivers the records of one session in batches.

    Signals:
        batch(list[TraceRecord]): everything since the last batch, in order.
    """

    batch = Signal(list)

    def __init__(self, session: AgentSession, drain: DrainTimer, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._drain = drain
        self._records: list[TraceRecord] = []
        self._unsubscribe = session.records.subscribe(self._collect)

    def flush(self) -> None:
        """Hands over what has been collected."""
        records, self._records = self._records, []
        if records:
            self.batch.emit(records)

    def close(self) -> None:
        """Stops listening; what was not flushed is dropped."""
        self._unsubscribe()
        self._drain.forget(self)
        self._records = []

    def _collect(self, record: TraceRecord) -> None:
        self._records.append(record)
        if len(self._records) == 1:
            self._drain.schedule(self)
