"""Writes what the window looks like, a moment after it changed and at the end."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable
from pathlib import Path

from PySide6.QtCore import QObject, QTimer

from agdesk.core.settings.window_state import WindowState, write_window_state
from agdesk.core.tasks import spawn

log = logging.getLogger(__name__)

_AFTER_MS = 500
_AGAIN_MS = 5000  # after a write that failed


class StateKeeper(QObject):
    """Writes to ``folder`` what ``collect`` gives, on a thread, one write at a time and the newest state last."""

    def __init__(self, folder: Path, collect: Callable[[], WindowState], parent: QObject) -> None:
        super().__init__(parent)
        self._folder = folder
        self._collect = collect
        self._written: WindowState | None = None
        self._is_ended = False
        self._writing = asyncio.Lock()
        self._timer = QTimer(self)
        self._timer.setSingleShot(True)
        self._timer.timeout.connect(lambda: spawn(self._write(), name="keep the window's state"))

    def touch(self) -> None:
        """Something has changed."""
        if not self._is_ended:
            self._timer.start(_AFTER_MS)

    async def finish(self) -> None:
        """Writes the last state; nothing is written after it."""
        self._is_ended = True
        self._timer.stop()
        await self._write()

    async def _write(self) -> None:
        async with self._writing:
            state = self._collect()
            if state == self._written:
                return
            try:
                await asyncio.to_thread(write_window_state, self._folder, state)
            except OSError as error:
                log.error("what the window looks like could not be kept: %s", error)
                if not self._is_ended:
                    self._timer.start(_AGAIN_MS)
            else:
                self._written = state
