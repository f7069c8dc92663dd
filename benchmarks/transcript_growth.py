"""PERF2, growth: one answer grows to 100,000 lines; a delta at the end against one at 1,000 lines.

Each delta is followed by the events it causes, layout and paint included. The peer in the same run is what a text
widget offers: the whole document set again with ``setMarkdown`` for every delta.
"""

from __future__ import annotations

import json
import os
import random
import statistics
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")

from PySide6.QtWidgets import QApplication, QTextBrowser

from agdesk.ui.theme import apply_theme
from agdesk.ui.widgets.markdown import warm_up
from agdesk.ui.widgets.transcript import MessageView, VirtualTranscript

FEW_LINES = 1_000
MANY_LINES = 100_000
DELTA_CHARS = 12  # three tokens
SAMPLES = 1_000
LINES_AT_ONCE = 50
BASELINE_LINES = (1_000, 4_000)
BASELINE_SAMPLES = 5
WORDS = "the model streams tokens into a document while layout keeps every frame short and only the open block changes"


def measure() -> dict[str, Any]:
    """Runs every kind of text; times in milliseconds."""
    app = QApplication.instance() or QApplication([])
    assert isinstance(app, QApplication)
    apply_theme(app, "light")
    warm_up()
    return {
        "growth": {kind: _grow(app, kind) for kind in ("prose", "code", "list", "mixed")},
        "set_markdown": _set_whole(app),
    }


def _grow(app: QApplication, kind: str) -> dict[str, float]:
    """One short and one long answer; their deltas are timed in turn, so that the machine is the same for both."""
    before = _resident_bytes()
    answers = {count: _Answer(app, kind, count) for count in (MANY_LINES, FEW_LINES)}
    grown_bytes = _resident_bytes() - before
    for _ in range(SAMPLES):
        for answer in answers.values():
            answer.sample()
    few, many = statistics.fmean(answers[FEW_LINES].times_ms), statistics.fmean(answers[MANY_LINES].times_ms)
    figures = {
        "at_1000_lines_ms": round(few, 3),
        "at_100000_lines_ms": round(many, 3),
        "ratio": round(many / few, 2),
        "source_mb": round(answers[MANY_LINES].size / 1e6, 1),
        "grown_mb": round(grown_bytes / 1e6, 1),
        "documents": answers[MANY_LINES].transcript.document_count,
    }
    for answer in answers.values():
        answer.transcript.close()
        answer.transcript.deleteLater()
    app.processEvents()
    return figures


class _Answer:
    """An answer that has grown to a number of lines, and goes on growing."""

    def __init__(self, app: QApplication, kind: str, lines: int) -> None:
        self._app = app
        self._lines = _lines(kind)
        self._waiting = ""
        self.times_ms: list[float] = []
        self.size = 0
        self.transcript = VirtualTranscript()
        self.transcript.resize(900, 800)
        self.transcript.show()
        self.transcript.append_message(MessageView("m", "assistant", kind))
        self.transcript.begin_block("m", 0, "text")
        for start in range(0, lines, LINES_AT_ONCE):
            text = "".join(next(self._lines) for _ in range(min(LINES_AT_ONCE, lines - start)))
            self.size += len(text)
            self.transcript.append_text("m", 0, text)
            app.processEvents()

    def sample(self) -> None:
        """Times one delta."""
        while len(self._waiting) < DELTA_CHARS:
            self._waiting += next(self._lines)
        delta, self._waiting = self._waiting[:DELTA_CHARS], self._waiting[DELTA_CHARS:]
        start_s = time.perf_counter()
        self.transcript.append_text("m", 0, delta)
        self._app.processEvents()
        self.times_ms.append((time.perf_counter() - start_s) * 1000)


def _set_whole(app: QApplication) -> dict[str, float]:
    """The same growth with ``QTextBrowser.setMarkdown`` for each delta."""
    browser = QTextBrowser()
    browser.resize(900, 800)
    browser.show()
    figures: dict[str, float] = {}
    for count in BASELINE_LINES:
        lines = _lines("mixed")
        text = "".join(next(lines) for _ in range(count))
        times = []
        for _ in range(BASELINE_SAMPLES):
            text += "more words. "
            start_s = time.perf_counter()
            browser.setMarkdown(text)
            browser.verticalScrollBar().setValue(browser.verticalScrollBar().maximum())
            app.processEvents()
            times.append((time.perf_counter() - start_s) * 1000)
        figures[f"at_{count}_lines_ms"] = round(statistics.fmean(times), 1)
    browser.close()
    return figures


def _lines(kind: str) -> Iterator[str]:
    """An endless text of one kind, line by line."""
    chance = random.Random(7)
    words = WORDS.split()
    number = 0
    if kind == "code":
        yield "```python\n"
    while True:
        number += 1
        sentence = " ".join(chance.choices(words, k=9)).capitalize() + "."
        match kind:
            case "code":
                yield f"    value_{number} = compute({number}, key={sentence[:12]!r})  # {sentence[:20]}\n"
            case "list":
                yield f"- **{number}** {sentence}\n"
            case "prose":
                yield sentence + ("\n\n" if number % 5 == 0 else "\n")
            case _:
                yield from _mixed(number, sentence)


def _mixed(number: int, sentence: str) -> Iterator[str]:
    yield from (f"## Part {number}\n", "\n", f"{sentence} *{sentence}* `code_{number}`\n", "\n")
    yield from (f"1. {sentence}\n", f"2. {sentence} [link](https://example.org/{number})\n", "\n")
    yield from ("| name | value |\n", "|---|---:|\n", f"| {number} | {number * 7} |\n", "\n")
    yield from ("```python\n", f"def f{number}(x):\n", f"    return x * {number}\n", "```\n", "\n")


def _resident_bytes() -> int:
    return int(Path("/proc/self/statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE")


if __name__ == "__main__":
    json.dump(measure(), sys.stdout, indent=2)
    print()
