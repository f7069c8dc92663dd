"""The only place that starts asyncio tasks: a strong reference until the end, and a logged failure."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Coroutine
from typing import Any, TypeVar

T = TypeVar("T")
log = logging.getLogger(__name__)
_running: set[asyncio.Task[Any]] = set()


def spawn(coroutine: Coroutine[Any, Any, T], *, name: str) -> asyncio.Task[T]:
    """Starts ``coroutine`` on the running loop.

    The task is kept alive until it ends. An exception that ends it is logged with the task's name; whoever awaits the
    task gets it as usual.
    """
    task = asyncio.get_running_loop().create_task(coroutine, name=name)
    _running.add(task)
    task.add_done_callback(_on_done)
    return task


async def cancel_and_wait(task: asyncio.Task[Any]) -> None:
    """Cancels ``task`` and waits until its ``finally`` blocks have run; its outcome is not raised."""
    task.cancel()
    await asyncio.wait([task])


def _on_done(task: asyncio.Task[Any]) -> None:
    _running.discard(task)
    if not task.cancelled() and (error := task.exception()) is not None:
        log.error("task %s failed", task.get_name(), exc_info=error)
