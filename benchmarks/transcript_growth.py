"""PERF2, growth: one answer grows to 100,000 lines; a delta at the end against one at 1,000 lines.

Each delta is followed by the events it causes, layout and paint included. The peer in the same run is what a text widget
offers: the whole document set again with ``setMarkdown`` for every delta.
"""

from __future__ import annotations

import json
import os
import random
import statistics
import sys
import time
from collections.abc import Iterator
from typing import Any

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")

from PySide6.QtWidgets import QApplication, QTextBrowser

from agdesk.ui.theme import apply_theme
from agdesk.ui.widgets.markdown import warm_up
from agdesk.ui.widgets.transcript import MessageView, VirtualTranscript

FEW_LINES = 1_000
MANY_LINES = 100_000
DELTA_CHARS = 12  # three tokens
SAMPLES = 600
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
    transcript = VirtualTranscript()
    transcript.resize(900, 800)
    transcript.show()
    transcript.append_message(MessageView("m", "assistant", kind))
    transcript.begin_block("m", 0, "text")
    lines = _lines(kind)
    few = _lengthen(app, transcript, lines, FEW_LINES)
    before = _resident_bytes()
    many = _lengthen(app, transcript, lines, MANY_LINES - FEW_LINES)
    grown_bytes = _resident_bytes() - before
    transcript.close()
    transcript.deleteLater()
    app.processEvents()
    return {
        "at_1000_lines_ms": few,
        "at_100000_lines_ms": many,
        "ratio": round(many / few, 2),
        "grown_mb": round(grown_bytes / 1e6, 1),
        "documents": transcript.document_count,
    }


def _lengthen(app: QApplication, transcript: VirtualTranscript, lines: Iterator[str], count: int) -> float:
    """Adds that many lines quickly, then samples single deltas; returns the mean cost of one."""
    for start in range(0, count, 50):
        transcript.append_text("m", 0, "".join(next(lines) for _ in range(min(50, count - start))))
        app.processEvents()
    times: list[float] = []
    text = ""
    while len(times) < SAMPLES:
        while len(text) < DELTA_CHARS:
            text += next(lines)
        delta, text = text[:DELTA_CHARS], text[DELTA_CHARS:]
        start_s = time.perf_counter()
        transcript.append_text("m", 0, delta)
        app.processEvents()
        times.append((time.perf_counter() - start_s) * 1000)
    transcript.append_text("m", 0, text)
    return round(statistics.fmean(times), 3)


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
    import psutil

    return int(psutil.Process().memory_info().rss)


if __name__ == "__main__":
    json.dump(measure(), sys.stdout, indent=2)
    print()
