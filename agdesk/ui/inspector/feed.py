"""The records of one session for the inspector: first what is stored, then what happens, each of them once."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator
from contextlib import aclosing
from typing import cast

from PySide6.QtCore import QObject, QTimer, Signal

from agdesk.core.cycle import AgentSession
from agdesk.core.errors import AgdeskError
from agdesk.core.tasks import spawn
from agdesk.core.trace.events import TraceRecord
from agdesk.ui.bridge import DrainTimer, SessionBridge
from agdesk.ui.inspector.source import TraceSource

_SHOW_MS = 50  # a view that is laid out for every tick of the bridge takes the time of the conversation


class SessionFeed(QObject):
    """Loads what is stored of a session and goes on with what is recorded meanwhile and later.

    Signals:
        batch(list[TraceRecord]): the next records, in order, none twice.
        loaded(): everything stored was handed over.
        failed(ErrorRecord): the stored records cannot be read; nothing more will come.

    Attributes:
        is_loaded: whether everything stored was handed over.
    """

    batch = Signal(list)
    loaded = Signal()
    failed = Signal(object)

    def __init__(
        self, source: TraceSource, session: AgentSession, drain: DrainTimer, parent: QObject | None = None
    ) -> None:
        super().__init__(parent)
        self._waiting: list[TraceRecord] = []
        self._last_seq = 0
        self.is_loaded = False
        self._timer = QTimer(self)
        self._timer.setSingleShot(True)
        self._timer.setInterval(_SHOW_MS)
        self._timer.timeout.connect(self._hand_over)
        self._bridge = SessionBridge(session, drain, self)
        self._bridge.batch.connect(self._on_live)
        self._task = spawn(self._load(source, session.id), name=f"load the trace of {session.id}")

    def close(self) -> None:
        """Stops loading and listening."""
        self._task.cancel()
        self._stop_listening()

    async def _load(self, source: TraceSource, session_id: str) -> None:
        batches = cast(AsyncGenerator[list[TraceRecord], None], source.trace(session_id))
        try:
            async with aclosing(batches):
                async for records in batches:
                    if records:
                        self._last_seq = records[-1].seq
                        self.batch.emit(records)
                    await asyncio.sleep(0)  # batches that are there already leave the loop a turn between them
        except AgdeskError as error:
            self._stop_listening()
            self.failed.emit(error.to_record())
            return
        self.is_loaded = True
        self._bridge.flush()
        self._hand_over()
        self.loaded.emit()

    def _stop_listening(self) -> None:
        self._timer.stop()
        self._bridge.close()
        self._waiting.clear()

    def _on_live(self, records: list[TraceRecord]) -> None:
        self._waiting.extend(records)
        if self.is_loaded and not self._timer.isActive():
            self._timer.start()

    def _hand_over(self) -> None:
        records, self._waiting = self._waiting, []
        if records and records[0].seq <= self._last_seq:
            records = [record for record in records if record.seq > self._last_seq]
        if records:
            self._last_seq = records[-1].seq
            self.batch.emit(records)
