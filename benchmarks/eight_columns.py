"""PERF2: eight streams into eight visible conversations, everything recorded and stored.

A real local server in its own process writes every event separately; eight ``ChatTab`` columns of one window take them
through the program's own path. Measured are the blocks of the GUI loop and the lag of the painted text behind the
server's schedule.
"""

from __future__ import annotations

import asyncio
import json
import os
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

from benchmarks.stream_process import measured_beside_server

COLUMNS = 8
SECONDS = 8.0
RATES = (250, 1000)


def measure() -> dict[str, Any]:
    """Figures for each rate (events per second and column), each in a process of its own."""
    return {
        f"8 × {rate}": measured_beside_server(
            "benchmarks.eight_columns", rate=rate, turn_s=SECONDS, arguments=(str(rate),), limit_s=120
        )
        for rate in RATES
    }


def _column_process(port: str, rate: int) -> dict[str, Any]:
    from PySide6.QtWidgets import QApplication, QHBoxLayout, QWidget

    import qasync  # isort: skip

    from agdesk.ui.bridge import DrainTimer
    from agdesk.ui.chat import ChatTab
    from agdesk.ui.theme import apply_theme
    from benchmarks.blocks import Heartbeat, Lag, lag_figures, stored_workspace, warm_up

    app = QApplication([])

    async def main() -> dict[str, Any]:
        apply_theme(app, "light")
        with tempfile.TemporaryDirectory() as folder:
            workspace = stored_workspace(Path(folder), port)
            await warm_up(workspace)
            window, drain = QWidget(), DrainTimer()
            row = QHBoxLayout(window)
            tabs = [ChatTab(workspace, workspace.open_session(), drain) for _ in range(COLUMNS)]
            lags = [Lag(rate) for _ in tabs]
            for tab, lag in zip(tabs, lags, strict=True):
                row.addWidget(tab)
                tab._bridge.batch.connect(lag.follow)
            window.resize(1920, 900)
            window.show()
            await asyncio.sleep(0.5)
            heartbeat = Heartbeat()
            heartbeat.start()
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
            return {**heartbeat.figures(), **lag_figures(lags), "cpu_percent": round(share)}

    with asyncio.Runner(loop_factory=lambda: qasync.QEventLoop(app)) as runner:
        return runner.run(main())


if __name__ == "__main__":
    figures = _column_process(sys.argv[1], int(sys.argv[2]))
    json.dump(figures, sys.stdout)
    sys.stdout.flush()
    os._exit(0)  # a figure is wanted, not a tidy end of half a dozen Qt objects
