"""What the figures of the window share: a workspace that stores everything, and how long the GUI loop was blocked."""

from __future__ import annotations

import asyncio
import gc
import sys
import time
from array import array
from pathlib import Path
from typing import Any

from PySide6.QtCore import Qt, QTimer

from agdesk.app import import_without_hook
from agdesk.core.ir.stream import MessageStart, TextDelta
from agdesk.core.providers.registry import ProviderRegistry
from agdesk.core.store.store import Store
from agdesk.core.trace.events import StreamEventReceived, TraceRecord
from agdesk.core.workspace import Workspace
from agdesk.ui.application import load_views
from agdesk.ui.widgets.markdown import warm_up as warm_up_markdown

HEARTBEAT_MS = 4
MODEL = "custom/m"


def stored_workspace(folder: Path, port: str) -> Workspace:
    """The workspace of the program over the server at ``port``, with its store in ``folder``."""
    base_urls = {"custom": f"http://127.0.0.1:{port}/v1"}
    registry = ProviderRegistry(data_folder=folder, default_model_ref=MODEL, base_urls=base_urls)
    return Workspace(registry, data_dir=folder, store=Store.open(folder, budget_bytes=lambda: 2_000_000_000))


async def warm_up(workspace: Workspace) -> None:
    """Loads everything and sets up the interpreter as the program does before the first answer."""
    import_without_hook()
    sys.setswitchinterval(0.0005)
    await asyncio.to_thread(workspace.warm_up)
    for _ in load_views():
        await asyncio.sleep(0)
    await asyncio.to_thread(warm_up_markdown)
    gc.freeze()


class Heartbeat:
    """Gaps between 4 ms ticks of the GUI loop; a block is what a gap has beyond the tick."""

    def __init__(self) -> None:
        self._gaps_ms = array("d")  # a float object for each would count as memory of the program
        self._last_s = 0.0
        self._timer = QTimer()
        self._timer.setTimerType(Qt.TimerType.PreciseTimer)
        self._timer.timeout.connect(self._beat)

    def start(self) -> None:
        """Begins to listen."""
        self._last_s = time.perf_counter()
        self._timer.start(HEARTBEAT_MS)

    def stop(self) -> None:
        """Ends it."""
        self._timer.stop()

    def figures(self) -> dict[str, Any]:
        """Of everything since ``start``."""
        blocks = sorted(max(0.0, gap - HEARTBEAT_MS) for gap in self._gaps_ms)
        return {"block_p99_ms": round(quantile(blocks, 0.99), 1), "block_max_ms": round(blocks[-1], 1)}

    def _beat(self) -> None:
        now_s = time.perf_counter()
        self._gaps_ms.append((now_s - self._last_s) * 1000)
        self._last_s = now_s


class Lag:
    """How far what was drawn of one stream is behind the server's schedule, batch by batch."""

    def __init__(self, rate: float) -> None:
        self.event_count = 0
        self.lags_ms = array("d")
        self._rate = rate
        self._start_s = 0.0
        self._turn_count = 0

    def follow(self, batch: list[TraceRecord]) -> None:
        """Takes what was drawn just now."""
        for record in batch:
            match record.payload:
                case StreamEventReceived(event=MessageStart(id=start)):
                    self._start_s, self._turn_count = float(start), 0
                case StreamEventReceived(event=TextDelta()):
                    self.event_count += 1
                    self._turn_count += 1
                case _:
                    pass
        if self._turn_count:
            due_s = self._start_s + self._turn_count / self._rate
            self.lags_ms.append((time.perf_counter() - due_s) * 1000)


def lag_figures(lags: list[Lag]) -> dict[str, Any]:
    """Of all streams together."""
    ordered = sorted(lag_ms for lag in lags for lag_ms in lag.lags_ms)
    return {
        "events": sum(lag.event_count for lag in lags),
        "lag_p50_ms": round(quantile(ordered, 0.5)),
        "lag_p99_ms": round(quantile(ordered, 0.99)),
    }


def quantile(ordered: list[float], share: float) -> float:
    """Of a sorted list."""
    return ordered[min(len(ordered) - 1, int(len(ordered) * share))]
