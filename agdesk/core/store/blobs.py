"""Bytes addressed by what they are: small ones in their row, larger ones as files in the folder ``blobs``."""

from __future__ import annotations

import hashlib
import logging
import sqlite3
from collections.abc import Iterable
from pathlib import Path

from agdesk.core.ir.blocks import BlobRef
from agdesk.core.settings.atomic import write_atomically

ROW_BYTES = 65_536
"""Up to this size a blob stands in its row."""

log = logging.getLogger(__name__)


class BlobFolder:
    """The files of large blobs. Written and removed by the writer thread only."""

    def __init__(self, data_folder: Path) -> None:
        self._folder = data_folder / "blobs"

    def write(self, connection: sqlite3.Connection, reference: BlobRef, content: bytes) -> None:
        """Keeps ``content`` once, however often it comes.

        Raises:
            sqlite3.Error, OSError: it cannot be written.
        """
        row = content
        if len(content) > ROW_BYTES:
            path = self._folder / reference.sha256
            if not path.is_file() or path.stat().st_size != len(content):
                self._folder.mkdir(mode=0o700, exist_ok=True)
                write_atomically(path, content)
            row = None  # type: ignore[assignment]
        connection.execute("INSERT OR IGNORE INTO blob VALUES (?, ?, ?)", (reference.sha256, len(content), row))

    def read(self, connection: sqlite3.Connection, reference: BlobRef) -> bytes | None:
        """The bytes; None if they are not kept, or are no longer what they were."""
        found = connection.execute("SELECT bytes FROM blob WHERE sha256 = ?", (reference.sha256,)).fetchone()
        if found is None:
            return None
        (content,) = found
        if content is None:
            try:
                content = (self._folder / reference.sha256).read_bytes()
            except OSError as error:
                log.warning("blob %s cannot be read: %s", reference.sha256, error)
                return None
        if hashlib.sha256(content).hexdigest() != reference.sha256:
            log.warning("blob %s is damaged", reference.sha256)
            return None
        return bytes(content)

    def remove_unlisted(self, connection: sqlite3.Connection, names: Iterable[str] | None = None) -> None:
        """Removes the files of ``names`` (None: all) that have no row. To be called after the commit that took it."""
        for name in self._names() if names is None else names:
            if connection.execute("SELECT 1 FROM blob WHERE sha256 = ?", (name,)).fetchone() is None:
                try:
                    (self._folder / name).unlink(missing_ok=True)
                except OSError as error:  # an open file on Windows: the next start finds it again
                    log.info("blob %s cannot be removed: %s", name, error)

    def _names(self) -> list[str]:
        return [path.name for path in self._folder.iterdir()] if self._folder.is_dir() else []


def drop_unneeded(connection: sqlite3.Connection) -> list[str]:
    """Deletes the rows of blobs that no request points to and nobody holds, and gives their names."""
    dropped = connection.execute(
        "DELETE FROM blob WHERE NOT EXISTS (SELECT 1 FROM request_blob AS link WHERE link.sha256 = blob.sha256)"
        " AND NOT EXISTS (SELECT 1 FROM held_blob AS held WHERE held.sha256 = blob.sha256)"
        " RETURNING sha256"
    )
    return [name for (name,) in dropped]
