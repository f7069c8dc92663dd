"""The system's wish that the program ends: Ctrl+C in the terminal, ``kill``, the end of the desktop's session."""

from __future__ import annotations

import signal
import socket

from PySide6.QtCore import QObject, QSocketNotifier, Signal

_NAMES = ("SIGINT", "SIGTERM", "SIGHUP")  # Windows has no SIGHUP


class EndSignals(QObject):
    """Turns those signals of the system into one of Qt, until ``close``; on the main thread only.

    A handler in Python would run when Python runs next, and in an idle window nothing does: the byte that the
    interpreter writes for every signal wakes Qt instead.

    Signals:
        received(): the program is to end.
    """

    received = Signal()

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._numbers = [getattr(signal, name) for name in _NAMES if hasattr(signal, name)]
        self._read_end, self._write_end = socket.socketpair()
        for end in (self._read_end, self._write_end):
            end.setblocking(False)
        self._notifier = QSocketNotifier(self._read_end.fileno(), QSocketNotifier.Type.Read, self)
        self._notifier.activated.connect(self._on_byte)
        self._former_end = signal.set_wakeup_fd(self._write_end.fileno(), warn_on_full_buffer=False)
        self._former = {number: signal.signal(number, lambda *_: None) for number in self._numbers}

    def close(self) -> None:
        """Gives the signals back: a second one ends the program at once."""
        for number, handler in self._former.items():
            signal.signal(number, handler)
        signal.set_wakeup_fd(self._former_end)
        self._notifier.setEnabled(False)
        self._read_end.close()
        self._write_end.close()

    def _on_byte(self) -> None:
        if not set(self._numbers).isdisjoint(self._read_end.recv(64)):
            self.received.emit()
