"""PERF5: process start to the first painted, usable window, against one empty PySide6 main window; idle CPU and memory.

"Painted and usable" is the first turn of the event loop after the window's first paint. Each start is a fresh process;
the two arms alternate.
"""

from __future__ import annotations

import json
import os
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

STARTS = 7
IDLE_S = 5.0

_PAINT_WATCH = """
import sys, time
from PySide6.QtCore import QEvent, QObject, QTimer
class PaintWatch(QObject):
    def __init__(self, window, then):
        super().__init__(window)
        self.then, self.is_done = then, False
        window.installEventFilter(self)
    def eventFilter(self, watched, event):
        if event.type() == QEvent.Type.Paint and not self.is_done:
            self.is_done = True
            QTimer.singleShot(0, self.report)
        return False
    def report(self):
        sys.stdout.write(f"{time.time()}\\n"); sys.stdout.flush()
        self.then()
"""

EMPTY = (
    _PAINT_WATCH
    + """
from PySide6.QtWidgets import QApplication, QMainWindow
app = QApplication([])
window = QMainWindow()
watch = PaintWatch(window, app.quit)
window.show()
app.exec()
"""
)

AGDESK = (
    """
import sys
from pathlib import Path
from agdesk import app
def on_window(window):
"""
    + "\n".join("    " + line for line in _PAINT_WATCH.splitlines())
    + """
    window.paint_watch = PaintWatch(window, (lambda: None) if "--stay" in sys.argv else window.close_requested.emit)
app.run_window(Path(sys.argv[1]), on_window=on_window)
"""
)


def measure() -> dict[str, Any]:
    """Milliseconds (medians) of both arms, their ratio, and what the idle window takes."""
    environment = {**os.environ, "QT_QPA_PLATFORM": "offscreen"}
    environment.pop("PYTHONDONTWRITEBYTECODE", None)  # without bytecode every start would compile the program
    with tempfile.TemporaryDirectory() as folder:
        arms = {"agdesk": [AGDESK, folder], "empty QMainWindow": [EMPTY]}
        starts: dict[str, list[float]] = {arm: [] for arm in arms}
        for round_number in range(STARTS + 1):
            for arm, (code, *arguments) in arms.items():
                elapsed_ms = _start_ms(code, arguments, environment)
                if round_number:  # the first round writes bytecode and warms the disk
                    starts[arm].append(elapsed_ms)
        medians = {arm: round(statistics.median(times), 1) for arm, times in starts.items()}
        idle = _idle(folder, environment)
    return {
        "start_ms": medians,
        "ratio": round(medians["agdesk"] / medians["empty QMainWindow"], 2),
        **idle,
    }


def _start_ms(code: str, arguments: list[str], environment: dict[str, str]) -> float:
    start = time.time()
    done = subprocess.run(
        [sys.executable, "-c", code, *arguments],
        env=environment,
        capture_output=True,
        text=True,
        timeout=60,
        check=True,
    )
    return (float(done.stdout.splitlines()[0]) - start) * 1000


def _idle(folder: str, environment: dict[str, str]) -> dict[str, float]:
    child = subprocess.Popen(
        [sys.executable, "-c", AGDESK, folder, "--stay"], env=environment, stdout=subprocess.PIPE, text=True
    )
    try:
        assert child.stdout is not None
        child.stdout.readline()
        time.sleep(3)  # the work after the first paint is not idling
        before = _cpu_s(child.pid)
        time.sleep(IDLE_S)
        share = (_cpu_s(child.pid) - before) / IDLE_S * 100
        return {"idle_cpu_percent": round(share, 2), "idle_rss_mb": round(_rss_mb(child.pid))}
    finally:
        child.kill()
        child.wait()


def _cpu_s(pid: int) -> float:
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def _rss_mb(pid: int) -> float:
    return int(Path(f"/proc/{pid}/statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE") / 1e6


if __name__ == "__main__":
    json.dump(measure(), sys.stdout)
