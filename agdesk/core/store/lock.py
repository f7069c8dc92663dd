"""One agdesk per data folder (SEC6)."""

from __future__ import annotations

import os
import sys
from pathlib import Path

from agdesk.core.errors import StoreError, StoreInUse

_PLACE = 1 << 30
"""The byte that Windows locks: a locked byte cannot be read there, and the text in front of it should be."""


class FolderLock:
    """Holds a data folder; the operating system gives it free when the process ends, however it ends.

    Raises:
        StoreInUse: another program, or another store of this one, holds the folder.
        StoreError: the folder cannot be locked.
    """

    def __init__(self, folder: Path) -> None:
        path = folder / "agdesk.lock"
        try:
            self._descriptor = os.open(path, os.O_RDWR | os.O_CREAT, 0o600)
        except OSError as error:
            raise StoreError(
                f"The file {path} cannot be made: {error.strerror}", "Choose another folder with --data-dir."
            ) from error
        try:
            _lock(self._descriptor)
        except (BlockingIOError, PermissionError) as error:
            holder = _holder(self._descriptor)
            os.close(self._descriptor)
            raise StoreInUse(
                f"The data folder {folder} is in use by another agdesk{holder}",
                "Use its window, or choose another folder with --data-dir.",
            ) from error
        except OSError as error:
            os.close(self._descriptor)
            raise StoreError(
                f"The data folder {folder} cannot be locked: {error.strerror}",
                "Choose a folder on a disk of this machine with --data-dir.",
            ) from error
        try:
            os.ftruncate(self._descriptor, 0)
            os.write(self._descriptor, str(os.getpid()).encode())
        except OSError:
            pass  # a full disk; the number is only for the text of the other's error

    def release(self) -> None:
        """Gives the folder free. The file stays: to remove it would take the lock from whoever opened it just now."""
        os.close(self._descriptor)


def _holder(descriptor: int) -> str:
    try:
        number = os.pread(descriptor, 20, 0) if sys.platform != "win32" else os.read(descriptor, 20)
    except OSError:
        return ""
    return f" (process {number.decode()})" if number.isdigit() else ""


if sys.platform == "win32":
    import msvcrt

    def _lock(descriptor: int) -> None:
        os.lseek(descriptor, _PLACE, os.SEEK_SET)
        try:
            msvcrt.locking(descriptor, msvcrt.LK_NBLCK, 1)
        finally:
            os.lseek(descriptor, 0, os.SEEK_SET)

else:
    import fcntl

    def _lock(descriptor: int) -> None:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
