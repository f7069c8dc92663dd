"""PERF2, first form: eight streams into eight visible conversations, everything recorded.

A real local server in its own process writes every event separately; eight ``ChatTab`` columns of one window take them
through the program's own path. Measured are the gaps between 4 ms ticks of the GUI loop (the block is what a gap
has beyond the tick) and the lag of the painted text behind the server's schedule.
"""

from __future__ import annotations

import asyncio
import json
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

COLUMNS = 8
SECONDS = 8.0
RATES = (250, 1000)
HEARTBEAT_MS = 4


def measure() -> dict[str, Any]:
    """Figures for each rate (events per second and column), each in a process of its own."""
    return {f"8 × {rate}": _run(rate) for rate in RATES}


def _run(rate: int) -> dict[str, Any]:
    server = subprocess.Popen(
        [sys.executable, "-m", "benchmarks.sse_server", str(rate), str(SECONDS)], stdout=subprocess.PIPE, text=True
    )
    try:
        assert server.stdout is not None
        port = server.stdout.readline().strip()
        done = subprocess.run(
            [sys.executable, "-m", "benchmarks.eight_columns", port, str(rate)],
            env=os.environ | {"QT_QPA_PLATFORM": "offscreen"},
            stdout=subprocess.PIPE,
            text=True,
            timeout=120,
            check=True,
        )
        result: dict[str, Any] = json.loads(done.stdout)
        return result
    finally:
        server.kill()
        server.wait()


def _column_process(port: str, rate: int) -> dict[str, Any]:
    from PySide6.QtCore import Qt, QTimer
    from PySide6.QtWidgets import QApplication, QHBoxLayout, QWidget

    import qasync  # isort: skip

    from agdesk.app import build_workspace
    from agdesk.core.ir.stream import MessageStart, TextDelta
    from agdesk.core.trace.events import StreamEventReceived, TraceRecord
    from agdesk.ui.bridge import DrainTimer
    from agdesk.ui.chat import ChatTab
    from agdesk.ui.theme import apply_theme
    from agdesk.ui.widgets.markdown import warm_up

    app = QApplication([])
    gaps: list[float] = []
    lags: list[float] = []
    counts = [0] * COLUMNS

    async def main() -> dict[str, Any]:
        apply_theme(app, "light")
        with tempfile.TemporaryDirectory() as folder:
            workspace = build_workspace(Path(folder), base_urls={"custom": f"http://127.0.0.1:{port}/v1"})
            warm_up()
            await asyncio.to_thread(workspace.warm_up)
            window, drain = QWidget(), DrainTimer()
            row = QHBoxLayout(window)
            tabs = [ChatTab(workspace, workspace.open_session("custom/m"), drain) for _ in range(COLUMNS)]
            for column, tab in enumerate(tabs):
                row.addWidget(tab)
                tab._bridge.batch.connect(lambda batch, column=column: follow(column, batch))
            window.resize(1920, 900)
            window.show()
            await asyncio.sleep(0.5)
            last = time.perf_counter()

            def beat() -> None:
                nonlocal last
                now = time.perf_counter()
                gaps.append((now - last) * 1000)
                last = now

            started_s = [0.0] * COLUMNS

            def follow(column: int, batch: list[TraceRecord]) -> None:
                for record in batch:
                    match record.payload:
                        case StreamEventReceived(event=MessageStart(id=start)):
                            started_s[column] = float(start)
                        case StreamEventReceived(event=TextDelta()):
                            counts[column] += 1
                if counts[column]:
                    painted_s = started_s[column] + counts[column] / rate  # when its last event was due
                    lags.append((time.perf_counter() - painted_s) * 1000)

            heartbeat = QTimer()
            heartbeat.setTimerType(Qt.TimerType.PreciseTimer)
            heartbeat.timeout.connect(beat)
            heartbeat.start(HEARTBEAT_MS)
            cpu, wall = time.process_time(), time.perf_counter()
            for tab in tabs:
                tab.send("go")
            while any(tab.session.is_running for tab in tabs):
                await asyncio.sleep(0.1)
            share = (time.process_time() - cpu) / (time.perf_counter() - wall) * 100
            heartbeat.stop()
            for tab in tabs:
                tab.close_session()
            await workspace.aclose()
            return _figures(gaps, lags, counts, share)

    with asyncio.Runner(loop_factory=lambda: qasync.QEventLoop(app)) as runner:
        return runner.run(main())


def _figures(gaps: list[float], lags: list[float], counts: list[int], cpu_percent: float) -> dict[str, Any]:
    gaps, lags = sorted(max(0.0, gap - HEARTBEAT_MS) for gap in gaps), sorted(lags)
    return {
        "events": sum(counts),
        "block_p99_ms": round(_quantile(gaps, 0.99), 1),
        "block_max_ms": round(gaps[-1], 1),
        "lag_p50_ms": round(_quantile(lags, 0.5)),
        "lag_p99_ms": round(_quantile(lags, 0.99)),
        "cpu_percent": round(cpu_percent),
    }


def _quantile(ordered: list[float], share: float) -> float:
    return ordered[min(len(ordered) - 1, int(len(ordered) * share))]


if __name__ == "__main__":
    figures = _column_process(sys.argv[1], int(sys.argv[2]))
    json.dump(figures, sys.stdout)
    sys.stdout.flush()
    os._exit(0)  # a figure is wanted, not a tidy end of half a dozen Qt objects
