"""Waiting for Qt from a coroutine."""

from __future__ import annotations

import asyncio
from typing import Any

from PySide6.QtCore import SignalInstance


async def emission(signal: SignalInstance, *, timeout_s: float | None) -> tuple[Any, ...]:
    """The arguments of the next emission of ``signal``; a timeout of None waits for ever.

    Raises:
        TimeoutError: it was not emitted in time.
    """
    future: asyncio.Future[tuple[Any, ...]] = asyncio.get_running_loop().create_future()

    def resolve(*arguments: Any) -> None:
        if not future.done():
            future.set_result(arguments)

    signal.connect(resolve)
    try:
        return await asyncio.wait_for(future, timeout_s)
    finally:
        signal.disconnect(resolve)
