"""The database file: how it is opened, by whom, and what its errors mean."""

from __future__ import annotations

import errno
import os
import shutil
import sqlite3
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from agdesk.core.errors import StoreCorrupt, StoreError
from agdesk.core.store.values import StoreState

_BUSY_TIMEOUT_MS = 5_000
_REASON_CHARACTERS = 200
_NO_SPACE_BYTES = 65_536  # SQLite reports an I/O error, not a full disk, when it cannot grow its shared memory
_DAMAGED = frozenset({sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB, sqlite3.SQLITE_FORMAT})
_CHECKED_TABLES = ("meta", "conversation", "message", "turn", "draft")


class Database:
    """Hands out connections to one database.

    Readers get a connection of their own and see the last commit. Where the disk is too full to hold even SQLite's
    shared memory, all share one connection that does without (``is_confined``); nothing can be written then.

    Attributes:
        path: the file.
        folder: the data folder.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        self.folder = path.parent
        self._lock = threading.Lock()
        self._shared: sqlite3.Connection | None = None
        self._reader_count = 0

    @property
    def is_confined(self) -> bool:
        """Whether there is no connection that could write."""
        return self._shared is not None

    def open(self) -> None:
        """Makes sure that the file can be read.

        Raises:
            StoreCorrupt: it is damaged.
            StoreError: it cannot be read.
        """
        try:
            self.path.chmod(0o600)
            with self.reading() as connection:
                self._check(connection)
        except (sqlite3.Error, OSError) as error:
            if is_damage(error) or not isinstance(error, sqlite3.Error):
                raise self.error(error) from error
            try:
                self._shared = self._connect_alone()
                self._check(self._shared)
            except sqlite3.Error as second:
                self.close()
                raise self.error(second) from error

    def connect(self) -> sqlite3.Connection:
        """A new connection in autocommit mode, usable from any thread but one at a time.

        Raises:
            sqlite3.Error: it cannot be made.
        """
        connection = connect(self.path)
        try:
            connection.execute("PRAGMA journal_mode = WAL")
            connection.execute("PRAGMA synchronous = NORMAL")
        except sqlite3.Error:
            connection.close()
            raise
        return connection

    def leave_confinement(self) -> None:
        """Gives up the shared connection, so that ``connect`` can be tried again.

        Raises:
            sqlite3.Error: it cannot be given up now, or the disk is as full as before.
        """
        with self._lock:
            if self._shared is None:
                return
            if self._reader_count:
                raise sqlite3.OperationalError("the database is being read")
            self._shared.close()
            try:
                self.connect().close()
            except sqlite3.Error:
                self._shared = self._connect_alone()
                raise
            self._shared = None

    @contextmanager
    def reading(self) -> Iterator[sqlite3.Connection]:
        """A connection for reading in one consistent state; errors of SQLite become those of the store."""
        with self._lock:
            shared = self._shared
            self._reader_count += shared is not None
        connection: sqlite3.Connection | None = None
        try:
            if shared is not None:
                yield shared
            else:
                connection = self.connect()
                connection.execute("BEGIN")
                yield connection
        finally:
            if connection is not None:
                connection.close()
            if shared is not None:
                with self._lock:
                    self._reader_count -= 1

    def close(self) -> None:
        """Closes the shared connection, if there is one."""
        with self._lock:
            if self._shared is not None:
                self._shared.close()
                self._shared = None

    def error(self, error: Exception) -> StoreError:
        """The store's error for one of SQLite or the operating system while reading."""
        if is_damage(error):
            return StoreCorrupt(
                f"The database {self.path} is damaged ({_first_line(error)})",
                "It was left as it is. Put a backup in its place, or move it away to begin with an empty one.",
            )
        state = self.state_of(error)
        return StoreError(state.message, state.hint)

    def state_of(self, error: Exception) -> StoreState:
        """What an error of writing means for the store."""
        if is_damage(error):
            damage = self.error(error)
            return StoreState("failed", damage.message, damage.hint)
        if self._is_full(error):
            return StoreState(
                "full",
                f"The disk of {self.folder} is full: what happens now cannot be kept",
                "Free some space. Everything stored can be read, and nothing that waits is lost.",
            )
        reason = error.strerror if isinstance(error, OSError) and error.strerror else error
        return StoreState(
            "failed",
            f"The database {self.path} cannot be used: {reason}",
            "Check that the folder can be read and written and that its disk is there.",
        )

    def _is_full(self, error: Exception) -> bool:
        if isinstance(error, OSError):
            return error.errno in (errno.ENOSPC, errno.EDQUOT)
        code = primary_code(error)
        if code == sqlite3.SQLITE_FULL:
            return True
        try:
            return code in (sqlite3.SQLITE_IOERR, sqlite3.SQLITE_CANTOPEN) and (
                shutil.disk_usage(self.folder).free < _NO_SPACE_BYTES
            )
        except OSError:
            return False

    def _check(self, connection: sqlite3.Connection) -> None:
        """Reads what paints conversations once; a damaged trace is told of where it is read."""
        for table in _CHECKED_TABLES:
            (found,) = connection.execute(f"PRAGMA quick_check({table})").fetchone()
            if found != "ok":
                raise damage(found)

    def _connect_alone(self) -> sqlite3.Connection:
        connection = connect(self.path)
        try:
            connection.execute("PRAGMA locking_mode = EXCLUSIVE")
            connection.execute("PRAGMA query_only = ON")
            connection.execute("SELECT count(*) FROM sqlite_schema").fetchone()
        except sqlite3.Error:
            connection.close()
            raise
        return connection


def connect(path: Path) -> sqlite3.Connection:
    """A connection with the settings that every one has; the file must exist."""
    connection = sqlite3.connect(
        f"{path.absolute().as_uri()}?mode=rw", uri=True, isolation_level=None, check_same_thread=False
    )
    connection.execute(f"PRAGMA busy_timeout = {_BUSY_TIMEOUT_MS}")
    connection.execute("PRAGMA foreign_keys = ON")
    return connection


def create_private(path: Path) -> None:
    """Makes an empty file that only its owner can read; SQLite gives its other files the same mode.

    Raises:
        OSError: it exists or cannot be made.
    """
    os.close(os.open(path, os.O_RDWR | os.O_CREAT | os.O_EXCL, 0o600))


def _first_line(error: Exception) -> str:
    """SQLite lists every damaged page."""
    lines = str(error).splitlines() or [type(error).__name__]
    return lines[0][:_REASON_CHARACTERS]


def primary_code(error: Exception) -> int:
    """SQLite's result code without its extension; 0 for another error."""
    return getattr(error, "sqlite_errorcode", 0) & 0xFF


def damage(found: str) -> sqlite3.DatabaseError:
    """What ``integrity_check`` found, as the error that SQLite raises for the same."""
    error = sqlite3.DatabaseError(found)
    error.sqlite_errorcode = sqlite3.SQLITE_CORRUPT
    return error


def is_damage(error: Exception) -> bool:
    """Whether an error says that the file is no sound database."""
    return primary_code(error) in _DAMAGED
