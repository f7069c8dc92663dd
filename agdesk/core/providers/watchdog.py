"""Ends a read that waits too long, without a timer per read.

A cancelled timer stays in qasync's list until its time has come, so one per read makes every callback slower; here one
periodic check looks whether the same read is still waiting. It counts only while a read is awaited: a consumer may
pause between two events as long as it likes. Time in which the loop did not run does not count either: after the
machine slept, what arrived meanwhile is there and was only not read yet.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable
from typing import TypeVar

T = TypeVar("T")

MAX_CHECK_PERIOD_S = 1.0
MIN_CHECK_PERIOD_S = 0.01


class WaitedTooLong(Exception):
    """The read was given up. ``limit_s`` is how long it was allowed to wait."""

    def __init__(self, limit_s: float) -> None:
        super().__init__(f"nothing arrived for {limit_s:g} s")
        self.limit_s = limit_s


class Watchdog:
    """Watches the reads of one response; belongs to the running loop.

    A read ends late by at most two check periods, a tenth of the limit each, and the time that the loop did not run.

    Args:
        limit_s: how long one read may wait; None waits for ever.
    """

    def __init__(self, limit_s: float | None) -> None:
        self._loop = asyncio.get_running_loop()
        self._timer: asyncio.TimerHandle | None = None
        self._reader: asyncio.Task[object] | None = None  # the task that awaits a read now
        self._reads = 0
        self._seen_reads = -1  # the read that the last check found waiting, and when it first did
        self._seen_at = 0.0
        self._is_due_at = 0.0  # the next check
        self._ends_at: float | None = None
        self._has_fired = False
        self._cancel_requests = 0  # of others, at the time it fired
        self._limit_s: float | None = None
        self.allow(limit_s)

    def allow(self, limit_s: float | None) -> None:
        """Each read from now on may wait ``limit_s``; changes nothing after ``allow_in_all``."""
        if limit_s != self._limit_s and self._ends_at is None:
            self._limit_s = limit_s
            self._schedule()

    def allow_in_all(self, limit_s: float) -> None:
        """All reads from now on may wait ``limit_s`` together, however many there are; the first call counts."""
        if self._ends_at is None:
            self._ends_at = self._loop.time() + limit_s
            self._limit_s = limit_s
            self._schedule()

    async def watch(self, read: Awaitable[T]) -> T:
        """Awaits ``read``.

        Raises:
            WaitedTooLong: it took longer than is allowed.
        """
        self.begin()
        try:
            return await read
        except asyncio.CancelledError:
            if (too_long := self.claim()) is not None:
                raise too_long from None
            raise
        finally:
            self.end()

    def begin(self) -> None:
        """The running task is about to await a read; ``end`` says that it does no longer."""
        self._reader = asyncio.current_task(self._loop)
        self._reads += 1

    def claim(self) -> WaitedTooLong | None:
        """Takes a cancellation of the read for its own, if nobody else asked for one, as asyncio.timeout does."""
        if self._has_fired and self._reader is not None and self._reader.uncancel() <= self._cancel_requests:
            return WaitedTooLong(self._limit_s or 0.0)
        return None

    def end(self) -> None:
        """The read is no longer awaited."""
        self._reader = None

    def close(self) -> None:
        """Stops watching."""
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None

    def _schedule(self) -> None:
        self.close()
        if self._limit_s is not None:
            period = min(max(self._limit_s / 10, MIN_CHECK_PERIOD_S), MAX_CHECK_PERIOD_S)
            self._is_due_at = self._loop.time() + period
            self._timer = self._loop.call_later(period, self._check)

    def _check(self) -> None:
        now = self._loop.time()
        late_s = now - self._is_due_at
        self._seen_at += late_s
        if self._ends_at is not None:
            self._ends_at += late_s
        if self._reader is not None and self._limit_s is not None:
            if self._reads != self._seen_reads:
                self._seen_reads, self._seen_at = self._reads, now
            if now >= (self._ends_at if self._ends_at is not None else self._seen_at + self._limit_s):
                self._has_fired = True
                self._timer = None
                self._cancel_requests = self._reader.cancelling()
                self._reader.cancel()
                return
        self._schedule()
