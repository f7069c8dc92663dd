"""Drives the real window once, as a user would: types a message, sends it, waits for the painted answer."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass
from pathlib import Path

from PySide6.QtCore import Qt
from PySide6.QtTest import QTest

from agdesk.core.trace.events import ResponseReceived, TraceRecord, TurnFailed
from agdesk.ui.main_window import MainWindow
from agdesk.ui.qt_async import emission


@dataclass(frozen=True, slots=True)
class SelftestResult:
    """The answer's text, or why there is none."""

    answer: str
    error: str


async def ask_in_window(window: MainWindow, prompt: str, *, png: Path | None, timeout_s: float) -> SelftestResult:
    """Sends ``prompt`` in the window's current conversation and saves the window as ``png`` once it is painted."""
    tab = window.current_tab
    if tab is None:
        return SelftestResult("", "the window has no conversation")
    answers: list[str] = []
    errors: list[str] = []

    def remember(record: TraceRecord) -> None:
        match record.payload:
            case ResponseReceived(response=response):
                answers.append(response.text())
            case TurnFailed(error=error):
                errors.append(f"{error.message} {error.hint}".strip())
            case _:
                pass

    tab.session.records.subscribe(remember)
    QTest.keyClicks(tab.composer, prompt)
    QTest.keyClick(tab.composer, Qt.Key.Key_Return)
    try:
        await emission(tab.turn_ended, timeout_s=timeout_s)
    except TimeoutError:
        return SelftestResult("", f"no answer within {timeout_s:.0f} s")
    await asyncio.sleep(0.1)  # the last batch is painted by the next turn of the loop
    if png is not None:
        png.parent.mkdir(parents=True, exist_ok=True)
        if not window.grab().save(str(png), "PNG"):
            return SelftestResult("", f"{png} could not be written")
    answer = "".join(answers).strip()
    return SelftestResult(answer, errors[0] if errors else "" if answer else "the answer is empty")
