"""PERF2 in the program's own window: eight streams into eight tabs and a ninth into a detached window, the inspector
open, everything stored. ``make soak`` runs the same for ten minutes and looks at the memory.

``python -m benchmarks.window_streams PORT SECONDS`` is the process with the window.
"""

from __future__ import annotations

import asyncio
import json
import os
import sys
import tempfile
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

from benchmarks.stream_process import measured_beside_server

TABS = 8
RATE = 250
SECONDS = 8.0
SOAK_TURN_S = 20.0
SAMPLE_S = 10.0
THREADS = 8  # as in the program; qasync's own are another kind


def measure(seconds: float = SECONDS) -> Any:
    """Figures of ``seconds`` of streaming, from a process of its own."""
    return measured_beside_server(
        "benchmarks.window_streams",
        rate=RATE,
        turn_s=min(seconds, SOAK_TURN_S),
        arguments=(str(seconds),),
        limit_s=seconds * 1.5 + 120,
    )


def _window_process(port: str, seconds: float) -> dict[str, Any]:
    from PySide6.QtTest import QTest
    from PySide6.QtWidgets import QApplication

    import qasync  # isort: skip

    from agdesk.ui.main_window import MainWindow
    from agdesk.ui.theme import apply_theme
    from benchmarks.blocks import Heartbeat, Lag, lag_figures, stored_workspace, warm_up

    app = QApplication([])

    async def main() -> dict[str, Any]:
        apply_theme(app, "light")
        with tempfile.TemporaryDirectory() as folder:
            workspace = stored_workspace(Path(folder), port)
            await warm_up(workspace)
            window = MainWindow(workspace)
            window.resize(1440, 900)
            window.show()
            tabs = [window.current_tab, *(window.open_tab() for _ in range(TABS))]
            window.actions_registry["tab.detach"].trigger()
            window.actions_registry["panel.inspector"].trigger()
            lags = [Lag(RATE) for _ in tabs]
            for tab, lag in zip(tabs, lags, strict=True):
                assert tab is not None
                tab._bridge.batch.connect(lag.follow)
            await asyncio.sleep(1.0)
            heartbeat = Heartbeat()
            heartbeat.start()
            cpu, start_s = time.process_time(), time.perf_counter()
            memory_mb: list[float] = []
            sample_s = start_s
            while True:
                now_s = time.perf_counter()
                is_over = now_s - start_s >= seconds - 0.5
                running = [tab for tab in tabs if tab is not None and tab.session.is_running]
                if is_over and not running:
                    break
                for tab in tabs:
                    if tab is not None and not is_over and not tab.session.is_running:
                        tab.send("go")
                if (front := window.current_tab) is not None:
                    QTest.keyClicks(front.composer, "a")
                    if len(front.composer.toPlainText()) > 200:
                        front.composer.clear()
                if now_s >= sample_s:
                    sample_s = now_s + SAMPLE_S
                    memory_mb.append(_resident_mb())
                    print(f"{now_s - start_s:.0f} s: {memory_mb[-1]:.0f} MB", file=sys.stderr, flush=True)
                await asyncio.sleep(0.1)
            share = (time.process_time() - cpu) / (time.perf_counter() - start_s) * 100
            heartbeat.stop()
            stored_mb = sum(path.stat().st_size for path in Path(folder).rglob("*") if path.is_file()) / 1e6
            await window.finish()
            await workspace.aclose()
            return {
                **heartbeat.figures(),
                **lag_figures(lags),
                "cpu_percent": round(share),
                "stored_mb": round(stored_mb),
                "memory_mb": [round(sample) for sample in memory_mb],
            }

    def make_loop() -> asyncio.AbstractEventLoop:
        loop: asyncio.AbstractEventLoop = qasync.QEventLoop(app)
        loop.set_default_executor(ThreadPoolExecutor(THREADS))
        return loop

    with asyncio.Runner(loop_factory=make_loop) as runner:
        return runner.run(main())


def _resident_mb() -> float:
    pages = int(Path("/proc/self/statm").read_text().split()[1])
    return pages * os.sysconf("SC_PAGE_SIZE") / 1e6


if __name__ == "__main__":
    figures = _window_process(sys.argv[1], float(sys.argv[2]))
    json.dump(figures, sys.stdout)
    sys.stdout.flush()
    os._exit(0)  # a figure is wanted, not a tidy end of half a dozen Qt objects
