"""The Secret Service that a test runs against: is it there, is it open, which process is it."""

from __future__ import annotations

import time
from contextlib import closing
from typing import Any

import secretstorage
from jeepney import DBusAddress, new_method_call
from jeepney.io.blocking import open_dbus_connection
from secretstorage.collection import SESSION_COLLECTION

_BUS = DBusAddress("/org/freedesktop/DBus", "org.freedesktop.DBus", "org.freedesktop.DBus")
_NAME = "org.freedesktop.secrets"


def wait_until_running(timeout_s: float = 30.0) -> None:
    """Returns when the service is on the bus, without starting one: that would be another one, and a locked one."""
    deadline = time.monotonic() + timeout_s
    while not _ask_bus("NameHasOwner"):
        assert time.monotonic() < deadline, "no Secret Service came up"
        time.sleep(0.05)


def process_id() -> int:
    """The process that owns the service's name."""
    return int(_ask_bus("GetConnectionUnixProcessID"))


def is_locked() -> bool:
    """Whether nothing is open that lasts. Never opens a dialog; starts the service if need be."""
    with closing(secretstorage.dbus_init()) as connection:
        collections = secretstorage.get_all_collections(connection)
        return all(found.is_locked() for found in collections if found.collection_path != SESSION_COLLECTION)


def _ask_bus(method: str) -> Any:
    with closing(open_dbus_connection()) as connection:
        reply = connection.send_and_get_reply(new_method_call(_BUS, method, "s", (_NAME,)))
        return reply.body[0]
