"""Numbered steps from the first schema on, run on a verified copy (DATA1).

The version of a file is its ``user_version``: how many steps made it. A step is a function that gets a connection
inside a transaction; once released it never changes.
"""

from __future__ import annotations

import itertools
import os
import shutil
import sqlite3
from collections.abc import Callable, Sequence
from contextlib import closing
from pathlib import Path

from agdesk.core.errors import SchemaTooNew, StoreError
from agdesk.core.store.db import connect, create_private, damage
from agdesk.core.store.schema import (
    add_attachments,
    add_branches,
    add_edits,
    add_queue,
    add_setups,
    add_tools,
    create_tables,
)

Step = Callable[[sqlite3.Connection], None]

_HEAD_BYTES = 100
_SUFFIXES = ("", "-journal", "-wal", "-shm")

STEPS: tuple[Step, ...] = (create_tables, add_setups, add_branches, add_queue, add_attachments, add_edits, add_tools)


def migrate(path: Path, steps: Sequence[Step] = STEPS) -> Path | None:
    """Brings the database at ``path`` to the version of ``steps``; makes one where there is none.

    The steps run on a copy that replaces the file only when it is whole, so that a crash at any point leaves a usable
    file. The old one is kept beside it under a name of its own.

    Returns the kept file, None if nothing had to be kept.

    Raises:
        SchemaTooNew: more steps made the file than there are.
        StoreError: a step failed; the file is as it was.
        sqlite3.Error, OSError: it is damaged, or the disk does not do its part; the file is as it was.
    """
    is_new = not path.exists() or not path.stat().st_size
    version = 0 if is_new else _version_of(path)
    if version > len(steps):
        raise SchemaTooNew(
            f"A newer agdesk wrote the database {path} (version {version}; this one knows {len(steps)})",
            "Use the newer agdesk, or choose another folder with --data-dir.",
        )
    if version == len(steps):
        return None
    copy = path.with_name(f"{path.name}.migrating")
    for suffix in _SUFFIXES:
        copy.with_name(copy.name + suffix).unlink(missing_ok=True)
    if is_new:
        set_aside(path)  # of a database that somebody removed, a -wal may still be there
    try:
        create_private(copy)
        if not is_new:
            _back_up(path, copy)
        _run(copy, steps[version:], version=len(steps))
        _flush(copy)
        kept = None if is_new else _keep(path, f"{path.name}.v{version}")
        copy.replace(path)
        _flush(path.parent)
    except BaseException:
        copy.unlink(missing_ok=True)
        raise
    return kept


def set_aside(path: Path) -> Path:
    """Moves the database at ``path``, whatever is there of it, to a name that nothing had before, and gives that name.

    Raises:
        OSError: it cannot be moved.
    """
    aside = _free_name(path, f"{path.name}.aside")
    for suffix in reversed(_SUFFIXES):  # the file last: beside a new one its -wal would be taken for that one's
        part = path.with_name(path.name + suffix)
        if part.exists():
            part.rename(aside.with_name(aside.name + suffix))
    return aside


def _version_of(path: Path) -> int:
    """Read from the file's head, where only ``migrate`` writes it: a full disk does not even let SQLite open a file."""
    with path.open("rb") as file:
        head = file.read(_HEAD_BYTES)
    if len(head) < _HEAD_BYTES or not head.startswith(b"SQLite format 3\0"):
        raise damage("file is not a database")
    return int.from_bytes(head[60:64], "big")


def _back_up(path: Path, copy: Path) -> None:
    with closing(connect(path)) as source, closing(connect(copy)) as target:
        # no -wal may be left beside the name that the copy will get: its pages are not the copy's
        (mode,) = source.execute("PRAGMA journal_mode = DELETE").fetchone()
        if mode != "delete":
            raise StoreError(f"The database {path} is in use", "Close the other program that has it open.")
        source.backup(target)
        _verify(target)


def _run(copy: Path, steps: Sequence[Step], *, version: int) -> None:
    with closing(connect(copy)) as connection:
        connection.execute("PRAGMA foreign_keys = OFF")  # a step may rebuild a table that others point to
        for step in steps:
            connection.execute("BEGIN")
            step(connection)
            connection.execute("COMMIT")
        _verify(connection)
        if connection.execute("PRAGMA foreign_key_check").fetchone() is not None:
            raise StoreError(
                f"The database {copy.with_suffix('')} could not be brought to version {version}",
                "It is as it was. Use the agdesk that wrote it, and report this.",
            )
        connection.execute(f"PRAGMA user_version = {version}")


def _verify(connection: sqlite3.Connection) -> None:
    (found,) = connection.execute("PRAGMA integrity_check").fetchone()
    if found != "ok":
        raise damage(found)


def _keep(path: Path, name: str) -> Path:
    """Gives the old file a second name that nothing had before; it keeps its first until it is replaced."""
    kept = _free_name(path, name)
    try:
        os.link(path, kept)
    except OSError:  # a file system without links
        partial = path.with_name(f"{name}.partial")
        shutil.copy2(path, partial)
        _flush(partial)
        partial.rename(kept)
    return kept


def _free_name(path: Path, name: str) -> Path:
    taken = {other.name for other in path.parent.iterdir()}
    number = next(n for n in itertools.count(1) if not any(f"{name}-{n}{suffix}" in taken for suffix in _SUFFIXES))
    return path.with_name(f"{name}-{number}")


def _flush(path: Path) -> None:
    if path.is_dir() and os.name != "posix":  # Windows cannot open a folder
        return
    descriptor = os.open(path, os.O_RDWR if path.is_file() else os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
