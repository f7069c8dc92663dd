"""Shows errors that nobody expected, as the log gets them."""

from __future__ import annotations

import logging
import sys
import traceback
from collections.abc import Awaitable, Callable

from PySide6.QtCore import QObject, Qt, Signal
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QApplication
from typing_extensions import override

from agdesk.core.tasks import spawn
from agdesk.ui.widgets.crash_dialog import CrashDialog

_SUMMARY_CHARACTERS = 300


class CrashReporter(QObject):
    """Shows a dialog for each exception that an ``agdesk`` logger gets as an error: one at a time, the rest counted.

    Whoever catches an exception that nobody expected logs it with its traceback (``core.tasks``, ``core.emitter``,
    ``core.settings.logs.uncaught_logged``): so the log and the dialog tell of the same errors, whatever the thread. A
    failure of the dialog itself goes to standard error, and from then on so does every other.

    Args:
        app: the parent; the reporter ends with it.
        redact: gives a text back without known secrets.
        show_log: shows the log file.
        diagnostics: the text of a bug report.
    """

    _reported = Signal(str, str)

    def __init__(
        self,
        app: QApplication,
        *,
        redact: Callable[[str], str],
        show_log: Callable[[], object],
        diagnostics: Callable[[], Awaitable[str]],
    ) -> None:
        super().__init__(app)
        self._redact = redact
        self._show_log = show_log
        self._diagnostics = diagnostics
        self._dialog: CrashDialog | None = None
        self._more = 0
        self._is_building = False
        # queued: the dialog never opens inside the code that failed, and a report may come from any thread
        self._reported.connect(self._show, Qt.ConnectionType.QueuedConnection)
        self._handler = _UnexpectedErrors(self._report)
        logging.getLogger("agdesk").addHandler(self._handler)

    def close(self) -> None:
        """Stops showing errors; an open dialog closes."""
        logging.getLogger("agdesk").removeHandler(self._handler)
        if self._dialog is not None:
            self._dialog.close()

    def _report(self, error: BaseException) -> None:
        summary = f"{type(error).__name__}: {error}".strip().splitlines()[0][:_SUMMARY_CHARACTERS]
        details = "".join(traceback.format_exception(error))
        self._reported.emit(self._redact(summary), self._redact(details))

    def _show(self, summary: str, details: str) -> None:
        if self._is_building:  # the one before raised, and that is what is reported now
            if sys.stderr is not None:
                sys.stderr.write(f"agdesk: the crash dialog failed:\n{details}")
            return
        if self._dialog is not None:
            self._more += 1
            self._dialog.set_more(self._more)
            return
        self._is_building = True
        dialog = CrashDialog(summary, details)
        dialog.copy_requested.connect(lambda: spawn(self._copy(details), name="copy diagnostics"))
        dialog.log_requested.connect(self._show_log)
        dialog.finished.connect(self._forget)
        dialog.show()
        self._dialog, self._more = dialog, 0
        self._is_building = False

    def _forget(self) -> None:
        self._dialog = None

    async def _copy(self, details: str) -> None:
        report = self._redact(await self._diagnostics())
        QGuiApplication.clipboard().setText(f"{report}\n\n{details}")
        if self._dialog is not None:
            self._dialog.set_copied()


class _UnexpectedErrors(logging.Handler):
    """Hands on the exception of every record that has one and is an error."""

    def __init__(self, report: Callable[[BaseException], None]) -> None:
        super().__init__(logging.ERROR)
        self._report = report

    @override
    def emit(self, record: logging.LogRecord) -> None:
        if record.exc_info is not None and (error := record.exc_info[1]) is not None:
            self._report(error)
