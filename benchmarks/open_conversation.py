"""PERF3: a stored conversation of 10,000 messages is opened in the program's window, and scrolled.

The baseline in the same run is what a text widget offers: all messages in one ``QTextBrowser``.

``python -m benchmarks.open_conversation FOLDER`` is the process with the window.
"""

from __future__ import annotations

import asyncio
import gc
import json
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

MESSAGES = 10_000
CONVERSATION = "long"
SHORT, SHORT_MESSAGES = "short", 40
BASELINE_MESSAGES = 1_000
FRAMES = 400
FRAME_PX = 240  # a fast turn of the wheel
JUMPS = 100
LIMIT_S = 120.0
WORDS = "the model streams tokens into a document while layout keeps every frame short and only the open block changes"


def measure() -> dict[str, Any]:
    """Stores the conversation, then opens it in a process of its own."""
    with tempfile.TemporaryDirectory() as folder:
        asyncio.run(_store(Path(folder)))
        done = subprocess.run(
            [sys.executable, "-m", "benchmarks.open_conversation", folder],
            env=os.environ | {"QT_QPA_PLATFORM": "offscreen"},
            stdout=subprocess.PIPE,
            text=True,
            timeout=LIMIT_S,
            check=True,
        )
    return {"messages": MESSAGES, **json.loads(done.stdout.splitlines()[-1])}


async def _store(folder: Path) -> None:
    from agdesk.core.ir.blocks import Text
    from agdesk.core.ir.messages import Assistant, user
    from agdesk.core.ir.response import EndCause, MessageResponse, StopReason, Usage
    from agdesk.core.trace.events import ResponseReceived, TurnCompleted, TurnStarted
    from agdesk.core.trace.recorder import Recorder, RequestTrace

    workspace = _workspace(folder)
    for session_id, count in ((SHORT, SHORT_MESSAGES), (CONVERSATION, MESSAGES)):
        recorder: Recorder = workspace.open_session("custom/m", session_id=session_id).recorder
        for number in range(count // 2):
            recorder.turn_id = f"{session_id}-turn-{number}"
            recorder.emit(TurnStarted(user(f"Question {number}: {WORDS}?"), "custom/m"))
            message = Assistant((Text(_answer(number)),))
            usage = Usage(prompt_tokens=100, completion_tokens=200)
            response = MessageResponse(f"id-{number}", "m", message, usage, StopReason.END_TURN)
            request = RequestTrace(recorder, f"{session_id}-req-{number}")
            request.emit(ResponseReceived(response, EndCause.SERVER))
            recorder.emit(TurnCompleted())
    await workspace.aclose()


def _answer(number: int) -> str:
    """Mixed Markdown of some 900 characters."""
    sentence = f"{WORDS.capitalize()}."
    return (
        f"## Part {number}\n\n{sentence} *{sentence}* `code_{number}`\n\n1. {sentence}\n2. {sentence}\n\n"
        f"| name | value |\n|---|---:|\n| {number} | {number * 7} |\n\n"
        f"```python\ndef f{number}(x):\n    return x * {number}\n```\n\n{sentence} {sentence}\n"
    )


def _workspace(folder: Path) -> Any:
    from agdesk.core.providers.registry import ProviderRegistry
    from agdesk.core.store.store import Store
    from agdesk.core.workspace import Workspace

    registry = ProviderRegistry(data_folder=folder, default_model_ref="custom/m")
    return Workspace(registry, data_dir=folder, store=Store.open(folder, budget_bytes=lambda: 2_000_000_000))


def _window_process(folder: Path) -> dict[str, Any]:
    from PySide6.QtWidgets import QApplication

    import qasync  # isort: skip

    from agdesk.ui.main_window import MainWindow
    from agdesk.ui.theme import apply_theme
    from benchmarks.blocks import Heartbeat, quantile, warm_up

    app = QApplication([])

    async def main() -> dict[str, Any]:
        apply_theme(app, "light")
        workspace = _workspace(folder)
        await warm_up(workspace)
        window = MainWindow(workspace)
        window.resize(1280, 900)
        window.show()
        window.open_tab().send("")  # a view that was painted once: not its first making is measured
        await asyncio.sleep(1.0)
        gc.collect()
        before_bytes = _resident_bytes()
        await _opened(window, SHORT)
        await asyncio.sleep(1.0)
        gc.collect()
        short_bytes, before_bytes = _resident_bytes() - before_bytes, _resident_bytes()
        heartbeat = Heartbeat()
        start_s = time.perf_counter()
        tab = await _opened(window, CONVERSATION)
        first_screen_ms = (time.perf_counter() - start_s) * 1000
        laid_out = tab.transcript.document_count
        heartbeat.start()
        while not tab.session.is_whole:
            assert time.perf_counter() - start_s < LIMIT_S, "the rest did not come"
            await asyncio.sleep(0.005)
        whole_ms = (time.perf_counter() - start_s) * 1000
        await asyncio.sleep(2.0)  # the gauge has measured it
        heartbeat.stop()
        gc.collect()
        grown_bytes = _resident_bytes() - before_bytes
        bar = tab.transcript.verticalScrollBar()
        frames_ms = sorted(_scrolled_ms(app, bar, bar.value() - FRAME_PX) for _ in range(FRAMES))
        jumps_ms = sorted(
            _scrolled_ms(app, bar, bar.maximum() * number * 37 // JUMPS % bar.maximum()) for number in range(JUMPS)
        )
        figures = {
            "first_screen_ms": round(first_screen_ms),
            "whole_ms": round(whole_ms),
            **heartbeat.figures(),
            "documents": laid_out,
            "grown_mb": round(grown_bytes / 1e6, 1),
            "short_grown_mb": round(short_bytes / 1e6, 1),
            "bytes_per_message": round(grown_bytes / MESSAGES),
            "scroll_p99_ms": round(quantile(frames_ms, 0.99), 1),
            "scroll_max_ms": round(frames_ms[-1], 1),
            "jump_p99_ms": round(quantile(jumps_ms, 0.99), 1),
            "baseline": _one_browser(app),
        }
        await window.finish()
        await workspace.aclose()
        return figures

    with asyncio.Runner(loop_factory=lambda: qasync.QEventLoop(app)) as runner:
        return runner.run(main())


async def _opened(window: Any, conversation_id: str) -> Any:
    """The tab of a conversation, once something of it is painted."""
    start_s = time.perf_counter()
    window.open_conversation(conversation_id)
    while (tab := window.current_tab) is None or tab.session.id != conversation_id or not _is_painted(tab):
        assert time.perf_counter() - start_s < LIMIT_S, "the conversation was not opened"
        await asyncio.sleep(0)
    return tab


def _is_painted(tab: Any) -> bool:
    return bool(tab.isVisible() and tab.transcript.document_count > 0)


def _scrolled_ms(app: Any, bar: Any, value: int) -> float:
    start_s = time.perf_counter()
    bar.setValue(max(value, 0))
    app.processEvents()
    return (time.perf_counter() - start_s) * 1000


def _one_browser(app: Any) -> dict[str, Any]:
    """A tenth of the messages in one document."""
    from PySide6.QtWidgets import QTextBrowser

    before_bytes, start_s = _resident_bytes(), time.perf_counter()
    browser = QTextBrowser()
    browser.resize(1280, 900)
    browser.setMarkdown("\n\n".join(_answer(number) for number in range(BASELINE_MESSAGES)))
    browser.show()
    app.processEvents()
    opened_ms = (time.perf_counter() - start_s) * 1000
    grown_mb = (_resident_bytes() - before_bytes) / 1e6
    browser.close()
    return {"messages": BASELINE_MESSAGES, "first_screen_ms": round(opened_ms), "grown_mb": round(grown_mb, 1)}


def _resident_bytes() -> int:
    return int(Path("/proc/self/statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE")


if __name__ == "__main__":
    result = _window_process(Path(sys.argv[1]))
    json.dump(result, sys.stdout)
    sys.stdout.flush()
    os._exit(0)  # a figure is wanted, not a tidy end of half a dozen Qt objects
