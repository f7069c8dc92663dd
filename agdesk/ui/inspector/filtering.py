"""The filter line at work: waits for the end of typing, searches on a thread, swaps the tree."""

from __future__ import annotations

import asyncio
import threading

from PySide6.QtCore import QObject, QTimer, Signal

from agdesk.core.tasks import spawn
from agdesk.ui.inspector.filter import RecordFilter
from agdesk.ui.inspector.model import TraceModel

_TYPING_MS = 200


class FilterRun(QObject):
    """Applies the text of the filter line to a model; the newest text wins.

    Signals:
        applied(): the model shows what matches.
    """

    applied = Signal()

    def __init__(self, model: TraceModel, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._model = model
        self._words: tuple[str, ...] = ()
        self._wanted = RecordFilter(model.records, "")
        self._given_up = threading.Event()
        self._task: asyncio.Task[None] | None = None
        self._timer = QTimer(self)
        self._timer.setSingleShot(True)
        self._timer.setInterval(_TYPING_MS)
        self._timer.timeout.connect(self._start)

    def set_text(self, text: str) -> None:
        """Takes the text of the line, as typed."""
        self._wanted = RecordFilter(self._model.records, text)
        self._timer.start()

    def close(self) -> None:
        """Gives up what is running."""
        self._timer.stop()
        self._given_up.set()
        if self._task is not None:
            self._task.cancel()

    def _start(self) -> None:
        if self._wanted.words == self._words:
            return
        self.close()
        self._given_up = threading.Event()
        self._words = self._wanted.words
        self._task = spawn(self._apply(self._wanted, self._given_up), name="filter the trace")

    async def _apply(self, chosen: RecordFilter, given_up: threading.Event) -> None:
        count = len(self._model.records)
        tree = await asyncio.to_thread(chosen.build, count, given_up)
        self._model.set_tree(tree, chosen, count)
        self.applied.emit()
