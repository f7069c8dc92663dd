"""A second start rings at the first: its window comes to the front, instead of an error (SEC6)."""

from __future__ import annotations

import hashlib
from pathlib import Path

from PySide6.QtCore import QObject, Signal
from PySide6.QtNetwork import QLocalServer, QLocalSocket

from agdesk.ui.qt_async import emission

_PATIENCE_S = 1.0
_ANSWER = b"!"


class Doorbell(QObject):
    """Where later starts with the same data folder ring. Its owner holds the folder's lock.

    Signals:
        rung(): somebody has started agdesk again.
    """

    rung = Signal()

    def __init__(self, data_folder: Path, parent: QObject | None = None) -> None:
        super().__init__(parent)
        name = _name(data_folder)
        QLocalServer.removeServer(name)  # of a program that was killed
        self._server = QLocalServer(self)
        self._server.setSocketOptions(QLocalServer.SocketOption.UserAccessOption)
        self._server.newConnection.connect(self._answer)
        self._server.listen(name)

    def close(self) -> None:
        """Takes the bell away."""
        self._server.close()

    def _answer(self) -> None:
        while (caller := self._server.nextPendingConnection()) is not None:
            caller.disconnected.connect(caller.deleteLater)
            caller.write(_ANSWER)
            caller.disconnectFromServer()
            self.rung.emit()


async def ring(data_folder: Path) -> bool:
    """Calls the window that has ``data_folder`` open; False if nobody answers within a second.

    Being connected is no answer: the system does that for a program that hangs, too.
    """
    socket = QLocalSocket()
    socket.connectToServer(_name(data_folder))
    if socket.state() is QLocalSocket.LocalSocketState.UnconnectedState:
        return False
    try:
        await emission(socket.readyRead, timeout_s=_PATIENCE_S)
    except TimeoutError:
        return False
    return True


def _name(data_folder: Path) -> str:
    """Short, because the whole path of a socket has about 100 characters."""
    return f"agdesk-{hashlib.sha256(str(data_folder.resolve()).encode()).hexdigest()[:20]}"
