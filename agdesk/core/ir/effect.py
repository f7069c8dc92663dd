"""What a call would do in the world, found out without doing it (TOOL4). The approval card draws these."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias


@dataclass(frozen=True, slots=True)
class PathRead:
    """A file or folder is read.

    Attributes:
        path: absolute, with no symbolic link in it below the conversation's folder.
    """

    path: str


@dataclass(frozen=True, slots=True)
class FileChange:
    """A file is written.

    Attributes:
        path: absolute.
        diff: what changes, as a unified diff; never cut. Empty if nothing changes.
        before_sha256: of the bytes that the diff starts from; empty if there is no such file yet.
    """

    path: str
    diff: str
    before_sha256: str = ""


@dataclass(frozen=True, slots=True)
class CommandRun:
    """A program is started.

    Attributes:
        argv: exactly what is started; a shell stands in it as what it is.
        folder: where, absolute.
        program: the file that ``argv[0]`` stands for, absolute; empty if there is none.
        is_shell: a shell interprets the last of ``argv``.
    """

    argv: tuple[str, ...]
    folder: str
    program: str = ""
    is_shell: bool = False


@dataclass(frozen=True, slots=True)
class UrlFetch:
    """Something is asked of a server; what stands in the address leaves this machine.

    Attributes:
        url: whole, as it is asked.
        scheme: ``http`` or ``https``.
        host: as in the address, lower case, without port and brackets.
        port: also if it is the scheme's own.
        address: what the host resolved to; empty if ``proxy`` resolves it.
        is_private: the address is this machine's, of a local network, or of no network that all can reach.
        proxy: host and port of the proxy it goes through; empty for none.
    """

    url: str
    scheme: str
    host: str
    port: int
    address: str = ""
    is_private: bool = False
    proxy: str = ""


@dataclass(frozen=True, slots=True)
class Unforeseen:
    """What happens cannot be told beforehand, or will not succeed.

    Attributes:
        reason: why, in words.
    """

    reason: str


Effect: TypeAlias = PathRead | FileChange | CommandRun | UrlFetch | Unforeseen
