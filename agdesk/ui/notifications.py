"""Tells that an answer has ended while the user looks elsewhere (UX5).

On every system the window asks for attention and the program's icon counts. On Linux a desktop notification comes with
it, over D-Bus; Windows and macOS have no way to show one without an icon in the tray or an installed bundle.
"""

from __future__ import annotations

import html
import logging
import sys
import threading
from collections.abc import Callable
from typing import Any, cast

from PySide6.QtCore import QObject, Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QApplication, QWidget

log = logging.getLogger(__name__)
MAX_CHARACTERS = 200
_TIMEOUT_S = 3.0
_BY_THE_SERVER = -1  # how long it is shown


class Notifier(QObject):
    """Counts and shows answers that end while no window of agdesk is active; the count ends when one becomes active.

    Args:
        window: asks for attention.
        is_enabled: whether the user wants notifications, asked each time.
    """

    def __init__(self, window: QWidget, *, is_enabled: Callable[[], bool]) -> None:
        super().__init__(window)
        self._window = window
        self._is_enabled = is_enabled
        self._count = 0
        self._app = cast(QGuiApplication, QGuiApplication.instance())
        self._app.applicationStateChanged.connect(self._on_state)

    def answer_ended(self, title: str, text: str) -> None:
        """An answer ended: ``title`` is of its conversation, ``text`` its beginning."""
        is_active = QGuiApplication.applicationState() is Qt.ApplicationState.ApplicationActive
        if is_active or not self._is_enabled():
            return
        self._count += 1
        QApplication.alert(self._window)
        self._app.setBadgeNumber(self._count)
        if sys.platform == "linux":
            # a thread of its own: one of the loop's would hold the program up at its end
            arguments = (shorten(title), shorten(text))
            threading.Thread(target=notify_desktop, args=arguments, name="notification", daemon=True).start()

    def _on_state(self, state: Qt.ApplicationState) -> None:
        if state is Qt.ApplicationState.ApplicationActive and self._count:
            self._count = 0
            self._app.setBadgeNumber(0)


def shorten(text: str) -> str:
    """One line of at most 200 characters, fit for D-Bus: no NUL, no half of a surrogate pair."""
    line = " ".join(text.replace("\0", "").encode("utf-8", "replace").decode().split())
    return line if len(line) <= MAX_CHARACTERS else line[: MAX_CHARACTERS - 1] + "…"


def notify_desktop(title: str, text: str) -> None:
    """Shows a notification through org.freedesktop.Notifications. Blocks up to some seconds: call it on a thread.

    Whatever goes wrong is logged for debugging only: there may be no desktop, and nothing depends on it.
    """
    from jeepney import DBusAddress, DBusErrorResponse, new_method_call
    from jeepney.io.blocking import open_dbus_connection
    from jeepney.wrappers import unwrap_msg

    server = DBusAddress(
        "/org/freedesktop/Notifications",
        bus_name="org.freedesktop.Notifications",
        interface="org.freedesktop.Notifications",
    )
    try:
        with open_dbus_connection("SESSION") as connection:
            asked = connection.send_and_get_reply(new_method_call(server, "GetCapabilities"), timeout=_TIMEOUT_S)
            # a server that knows markup looks for it in every body: "<" must not begin any
            body = html.escape(text, quote=False) if "body-markup" in unwrap_msg(asked)[0] else text
            values: tuple[Any, ...] = ("agdesk", 0, "", title, body, [], {"urgency": ("y", 0)}, _BY_THE_SERVER)
            call = new_method_call(server, "Notify", "susssasa{sv}i", values)
            unwrap_msg(connection.send_and_get_reply(call, timeout=_TIMEOUT_S))
    # no address, no bus, one of another kind, refused, too slow, an answer that makes no sense
    except (OSError, KeyError, IndexError, ValueError, RuntimeError, EOFError, DBusErrorResponse) as error:
        log.debug("no desktop notification: %r", error)
