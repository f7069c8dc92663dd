"""The folder of a conversation: nothing outside it is read or written, whatever a path or a link says (TOOL1).

Symbolic links are not followed at all: a link could be made, or swapped, between any check and the use of what was
checked. So each folder on the way is opened inside the one before it, and a link there is refused by the system. What
cannot be told is a hard link: a file with two names is inside and outside.
"""

from __future__ import annotations

import contextlib
import errno
import os
import stat
from collections.abc import Iterator
from pathlib import Path
from typing import BinaryIO, NamedTuple

from typing_extensions import override

from agdesk.core.errors import ToolFailed
from agdesk.core.tools.builtin.folder_path import parts_below

Parts = tuple[str, ...]


class Entry(NamedTuple):
    """Something in a folder; ``size_bytes`` is of files."""

    name: str
    kind: str  # "file", "folder", "link" or "other"
    size_bytes: int


class ConfinedFolder:
    """Opens what is below ``root`` by descriptors of folders: Linux and macOS.

    Raises:
        ToolFailed: every method, in words for the model: what is not there, is no file, or may not be used.
    """

    def __init__(self, root: Path) -> None:
        self.root = os.path.realpath(root)
        self._name = os.path.abspath(root)

    def parts(self, path: str) -> Parts:
        """The names down to ``path``: relative, or absolute by the folder's real path or the one it was given by."""
        if os.path.isabs(path):
            with contextlib.suppress(ToolFailed):
                return parts_below(self._name, path)
        return parts_below(self.root, path)

    def path(self, parts: Parts) -> str:
        """The absolute path."""
        return os.path.join(self.root, *parts)

    def open(self, parts: Parts) -> BinaryIO:
        """A regular file, to be read. The caller closes it."""
        with self._problems_of(parts), self._folder_of(parts) as folder:
            _check_regular(os.stat(parts[-1], dir_fd=folder, follow_symlinks=False), self.path(parts))
            # not to wait for the other end, if it has just become a pipe
            flags = os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC
            descriptor = os.open(parts[-1], flags, dir_fd=folder)
            file = os.fdopen(descriptor, "rb")
            try:
                _check_regular(os.fstat(descriptor), self.path(parts))
            except BaseException:
                file.close()
                raise
            return file

    def entries(self, parts: Parts) -> list[Entry]:
        """What is in a folder, sorted by name."""
        with self._problems_of(parts), self._opened(parts) as folder, os.scandir(folder) as found:
            return sorted(map(_entry, found))

    def replace(self, parts: Parts, content: bytes) -> None:
        """Writes a file, as a whole or not at all; folders that are missing on the way are made."""
        with self._problems_of(parts), self._folder_of(parts, is_made=True) as folder:
            mode = None
            with contextlib.suppress(FileNotFoundError):
                status = os.stat(parts[-1], dir_fd=folder, follow_symlinks=False)
                _check_regular(status, self.path(parts))
                mode = stat.S_IMODE(status.st_mode)
            new_name = f".agdesk-{os.urandom(6).hex()}"
            flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_CLOEXEC
            descriptor = os.open(new_name, flags, 0o666, dir_fd=folder)
            try:
                with os.fdopen(descriptor, "wb") as file:
                    file.write(content)
                    file.flush()
                    if mode is not None:
                        os.fchmod(descriptor, mode)
                    os.fsync(descriptor)
                os.replace(new_name, parts[-1], src_dir_fd=folder, dst_dir_fd=folder)
            except BaseException:
                with contextlib.suppress(OSError):
                    os.unlink(new_name, dir_fd=folder)
                raise

    @contextlib.contextmanager
    def _folder_of(self, parts: Parts, *, is_made: bool = False) -> Iterator[int]:
        if not parts:
            raise IsADirectoryError
        with self._opened(parts[:-1], is_made=is_made) as folder:
            yield folder

    @contextlib.contextmanager
    def _opened(self, parts: Parts, *, is_made: bool = False) -> Iterator[int]:
        flags = os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC
        folder = os.open(self.root, flags)
        try:
            for part in parts:
                if is_made:
                    with contextlib.suppress(FileExistsError):
                        os.mkdir(part, dir_fd=folder)
                inner = os.open(part, flags | os.O_NOFOLLOW, dir_fd=folder)
                os.close(folder)
                folder = inner
            yield folder
        finally:
            os.close(folder)

    @contextlib.contextmanager
    def _problems_of(self, parts: Parts) -> Iterator[None]:
        with problems_of(self.path(parts)):
            yield


class CheckedFolder(ConfinedFolder):
    """The same where folders cannot be opened by descriptors: Windows.

    Every name on the way is looked at before what it leads to is used, and a link is refused; one that is made in the
    moment between is not seen.
    """

    @override
    def open(self, parts: Parts) -> BinaryIO:
        with self._problems_of(parts):
            self._check(parts)
            _check_regular(os.lstat(self.path(parts)), self.path(parts))
            return open(self.path(parts), "rb")

    @override
    def entries(self, parts: Parts) -> list[Entry]:
        with self._problems_of(parts):
            self._check(parts)
            with os.scandir(self.path(parts)) as found:
                return sorted(map(_entry, found))

    @override
    def replace(self, parts: Parts, content: bytes) -> None:
        path = Path(self.path(parts))
        with self._problems_of(parts):
            if not parts:
                raise IsADirectoryError
            self._check(parts)
            if path.exists():
                _check_regular(os.lstat(path), str(path))
            path.parent.mkdir(parents=True, exist_ok=True)
            new = path.with_name(f".agdesk-{os.urandom(6).hex()}")
            try:
                new.write_bytes(content)
                os.replace(new, path)
            except BaseException:
                new.unlink(missing_ok=True)
                raise

    def _check(self, parts: Parts) -> None:
        for count in range(1, len(parts) + 1):
            path = self.path(parts[:count])
            if os.path.lexists(path) and os.path.realpath(path) != path:
                raise ToolFailed(f"{path} is a link", "Links are not followed.")


def confined(root: Path) -> ConfinedFolder:
    """The folder, opened in the best way that this system has."""
    return ConfinedFolder(root) if os.open in os.supports_dir_fd else CheckedFolder(root)


@contextlib.contextmanager
def problems_of(path: str) -> Iterator[None]:
    """Makes a ``ToolFailed`` of what the system says about ``path``."""
    try:
        yield
    except FileNotFoundError as error:
        raise ToolFailed(f"There is no {path}") from error
    except IsADirectoryError as error:
        raise ToolFailed(f"{path} is a folder", "list_directory lists what is in it.") from error
    except NotADirectoryError as error:
        raise ToolFailed(f"{path}: a part of it is no folder, or a link", "Links are not followed.") from error
    except OSError as error:
        if error.errno == errno.ELOOP:
            raise ToolFailed(f"{path} is a link", "Links are not followed.") from error
        raise ToolFailed(f"{path} cannot be used: {error.strerror or error}") from error


def _entry(found: os.DirEntry[str]) -> Entry:
    try:
        if found.is_symlink():
            return Entry(found.name, "link", 0)
        if found.is_dir(follow_symlinks=False):
            return Entry(found.name, "folder", 0)
        if found.is_file(follow_symlinks=False):
            return Entry(found.name, "file", found.stat(follow_symlinks=False).st_size)
    except OSError:  # gone meanwhile
        pass
    return Entry(found.name, "other", 0)


def _check_regular(status: os.stat_result, path: str) -> None:
    if stat.S_ISDIR(status.st_mode):
        raise IsADirectoryError
    if stat.S_ISLNK(status.st_mode):
        raise ToolFailed(f"{path} is a link", "Links are not followed: use the path of the file itself.")
    if not stat.S_ISREG(status.st_mode):
        raise ToolFailed(f"{path} is no file but a device, a pipe or a socket")
