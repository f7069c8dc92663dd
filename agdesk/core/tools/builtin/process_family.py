"""Ending a command together with everything that it started.

A command has a session and a process group of its own, and a mark in its environment. On Linux its family is read from
``/proc``: who is in its group or session, who carries the mark, and who descends from them; so a child that called
``setsid`` or was left by its parent is found as well. What remains: a process that at the same time left the session,
was left by all of its parents, and was started with another environment; and one of another user (``sudo``), which may
not be ended. On macOS it is the group, on Windows the tree of children.
"""

from __future__ import annotations

import contextlib
import os
import signal
import subprocess
import sys
import time

MARK = "AGDESK_CALL"
"""The variable that marks a command's family."""

_PROC = "/proc"
_GRACE_S = 1.0
_KILL_S = 0.7
_POLL_S = 0.02


def end_family(leader: int, mark: str) -> int:
    """Asks every process of a family to end, and after a second ends what is left. Takes up to 1.7 s: on a thread.

    Args:
        leader: process id of the command; it may have ended.
        mark: the value of its variable ``MARK``.

    Returns:
        How many processes there were.
    """
    if sys.platform == "win32":
        subprocess.run(["taskkill", "/T", "/F", "/PID", str(leader)], capture_output=True, check=False)
        return 0
    first = family_of(leader, mark)
    left = first
    for number, limit_s in ((signal.SIGTERM, _GRACE_S), (signal.SIGKILL, _KILL_S)):
        deadline_s = time.monotonic() + limit_s
        is_asked = False
        while left and time.monotonic() < deadline_s:
            if not is_asked or number == signal.SIGKILL:
                is_asked = True
                for pid in left:
                    _send(pid, number)
                    _send(pid, signal.SIGCONT)  # one that is stopped does not hear it
            time.sleep(_POLL_S)
            left = family_of(leader, mark)
    return len(first)


def family_of(leader: int, mark: str) -> set[int]:
    """The processes of a family that live; where there is no ``/proc``, minus its group."""
    try:
        names = os.listdir(_PROC)
    except FileNotFoundError:
        return {-leader} if _is_alive(-leader) else set()
    marked = f"{MARK}={mark}".encode()
    parents: dict[int, int] = {}
    family: set[int] = set()
    for pid in (int(name) for name in names if name.isdecimal()):
        try:
            state, parent, group, session = _status(pid)
            if state in (b"Z", b"X"):
                continue
            parents[pid] = parent
            if leader in (pid, group, session) or marked in _environment(pid):
                family.add(pid)
        except (OSError, ValueError):  # it has just ended
            continue
    while more := {pid for pid, parent in parents.items() if parent in family and pid not in family}:
        family |= more
    return family - {os.getpid()}


def _status(pid: int) -> tuple[bytes, int, int, int]:
    with open(f"{_PROC}/{pid}/stat", "rb") as file:
        fields = file.read().rpartition(b")")[2].split()  # the name before it may hold anything
    return fields[0], int(fields[1]), int(fields[2]), int(fields[3])


def _environment(pid: int) -> list[bytes]:
    try:
        with open(f"{_PROC}/{pid}/environ", "rb") as file:
            return file.read().split(b"\0")
    except PermissionError:
        return []


def _is_alive(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except (ProcessLookupError, PermissionError):  # macOS says the latter of a group that has ended
        return False
    return True


def _send(pid: int, number: int) -> None:
    with contextlib.suppress(ProcessLookupError, PermissionError):
        os.kill(pid, number)
