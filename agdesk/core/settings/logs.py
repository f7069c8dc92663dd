"""The log files: private, rotating, free of secrets (UX5, SEC6); and what becomes of exceptions that nobody caught.

``agdesk.log`` has what the program says of itself. ``crash.log`` exists while the program runs and holds text only if
it ended inside native code: the next start can tell of it.
"""

from __future__ import annotations

import asyncio
import faulthandler
import io
import logging
import os
import sys
import threading
import traceback
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from logging.handlers import RotatingFileHandler
from pathlib import Path
from typing import Any

from typing_extensions import override

MAX_FILE_BYTES = 1_000_000
OLD_FILES = 3
CRASH_FILE = "crash.log"
OLD_CRASH_FILE = "crash.1.log"
_MAX_CRASH_BYTES = 64 * 1024
_root = logging.getLogger("agdesk")
_log = logging.getLogger(__name__)

Redact = Callable[[str], str]
"""Gives a text back without the secrets that are known now."""


def log_to(path: Path, *, redact: Redact) -> None:
    """Sends what every ``agdesk`` logger says, from INFO on, to ``path``; a file that was chosen before is closed.

    The file is made with the first line. At 1 MB it becomes ``path.1``; three old ones are kept.
    """
    for handler in [handler for handler in _root.handlers if isinstance(handler, _PrivateLog)]:
        _root.removeHandler(handler)
        handler.close()
    for old in path.parent.glob(f"{path.name}*"):
        old.chmod(0o600)  # an earlier version may have made it
    handler = _PrivateLog(path, maxBytes=MAX_FILE_BYTES, backupCount=OLD_FILES, delay=True, encoding="utf-8")
    handler.setFormatter(_RedactingFormatter(redact))
    _root.addHandler(handler)
    _root.setLevel(logging.INFO)


@contextmanager
def uncaught_logged(*, redact: Redact, loop: asyncio.AbstractEventLoop | None = None) -> Iterator[None]:
    """Logs exceptions that nobody caught for as long as it lasts: of the main thread, of slots, of other threads, of
    finalizers and, with ``loop``, of its callbacks. The traceback still goes to standard error, redacted.
    """

    def report(place: str, error: BaseException) -> None:
        _log.critical("uncaught exception in %s", place, exc_info=error)
        if sys.stderr is not None:  # a program without a console has none
            sys.stderr.write(redact("".join(traceback.format_exception(error))))

    def on_exception(kind: type[BaseException], error: BaseException, trace: Any) -> None:
        if issubclass(kind, KeyboardInterrupt):
            sys.__excepthook__(kind, error, trace)
        else:
            report("the main thread", error)

    def on_thread(arguments: threading.ExceptHookArgs) -> None:
        if arguments.exc_value is not None and not isinstance(arguments.exc_value, SystemExit):
            report(f"thread {arguments.thread.name if arguments.thread else '?'}", arguments.exc_value)

    def on_unraisable(arguments: sys.UnraisableHookArgs) -> None:
        if arguments.exc_value is not None:
            report(arguments.err_msg or "a finalizer", arguments.exc_value)

    def on_loop(_: asyncio.AbstractEventLoop, context: dict[str, Any]) -> None:
        if (error := context.get("exception")) is not None:
            report(f"the event loop ({context['message']})", error)
        else:
            _log.error("event loop: %s", context["message"])

    former = sys.excepthook, threading.excepthook, sys.unraisablehook
    sys.excepthook, threading.excepthook, sys.unraisablehook = on_exception, on_thread, on_unraisable
    if loop is not None:
        loop.set_exception_handler(on_loop)
    try:
        yield
    finally:
        sys.excepthook, threading.excepthook, sys.unraisablehook = former
        if loop is not None:
            loop.set_exception_handler(None)


@contextmanager
def hard_crashes_logged(folder: Path) -> Iterator[None]:
    """Has the stacks of all threads written to ``crash.log`` if native code ends the process meanwhile (SIGSEGV,
    abort and the like). Ask ``last_crash`` before: it looks at the same file.
    """
    path = folder / CRASH_FILE
    was_enabled = faulthandler.is_enabled()
    with _open_private(path, os.O_TRUNC) as file:
        faulthandler.enable(file, all_threads=True)
        try:
            yield
        finally:
            faulthandler.disable()
            if was_enabled:
                faulthandler.enable()
    path.unlink(missing_ok=True)


def last_crash(folder: Path) -> str | None:
    """The stacks of the last run if that crashed, else None. Each crash is told of once; ``crash.1.log`` keeps it."""
    path = folder / CRASH_FILE
    try:
        with path.open("rb") as file:
            text = file.read(_MAX_CRASH_BYTES).decode("utf-8", "replace").strip()
        if text:
            path.replace(folder / OLD_CRASH_FILE)
    except OSError:
        return None
    return text or None


class _PrivateLog(RotatingFileHandler):
    """A log that only its owner can read, from its first byte on and after every rotation."""

    _has_complained = False

    @override
    def _open(self) -> io.TextIOWrapper:
        return _open_private(Path(self.baseFilename), os.O_APPEND)

    @override
    def handleError(self, record: logging.LogRecord) -> None:
        """Says once that the log cannot be written: the usual way prints the arguments, and they may hold a secret."""
        if not self._has_complained and sys.stderr is not None:
            self._has_complained = True
            sys.stderr.write(f"agdesk: {self.baseFilename} cannot be written: {sys.exc_info()[1]!r}\n")


class _RedactingFormatter(logging.Formatter):
    def __init__(self, redact: Redact) -> None:
        super().__init__("%(asctime)s %(levelname)s %(name)s: %(message)s")
        self._redact = redact

    @override
    def format(self, record: logging.LogRecord) -> str:
        return self._redact(super().format(record))  # the traceback is in it


def _open_private(path: Path, mode: int) -> io.TextIOWrapper:
    descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | mode, 0o600)
    return os.fdopen(descriptor, "w", encoding="utf-8", errors="backslashreplace")
