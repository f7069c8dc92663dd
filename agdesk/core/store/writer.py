"""The one thread that writes to the database."""

from __future__ import annotations

import asyncio
import contextlib
import logging
import sqlite3
import threading
import time
from collections import deque
from collections.abc import Callable
from concurrent.futures import Future
from itertools import islice

from agdesk.core.emitter import Emitter
from agdesk.core.errors import StoreError
from agdesk.core.store.blobs import BlobFolder
from agdesk.core.store.budget import evict
from agdesk.core.store.chunks import merge_some
from agdesk.core.store.db import Database
from agdesk.core.store.feed import Feed, Operation
from agdesk.core.store.values import StoreState

FLUSH_S = 0.25
RETRY_S = 2.0
_IDLE_S = 1.0  # how long the interpreter may wait for a store that nobody closed
_BATCH_OPERATIONS = 256
_FAULTS = (
    sqlite3.IntegrityError,
    sqlite3.ProgrammingError,
    sqlite3.DataError,
    sqlite3.InterfaceError,
    ValueError,
    TypeError,
    LookupError,
    OverflowError,
    RecursionError,
)
"""Errors of one operation, not of the disk: it would fail for ever and is left out."""

log = logging.getLogger(__name__)


class Writer:
    """Writes what feeds and other callers give it, in order, in one transaction per flush.

    What cannot be written waits and is tried again every ``RETRY_S``.

    Attributes:
        state: whether it can be written; changes are emitted on the loop that was noted last.
        is_idle: the thread sleeps until it is rung for.
    """

    def __init__(self, database: Database, blobs: BlobFolder, *, budget_bytes: Callable[[], int]) -> None:
        self.state = StoreState()
        self.states: Emitter[StoreState] = Emitter()
        self.is_idle = False
        self._database = database
        self._blobs = blobs
        self._budget_bytes = budget_bytes
        self._loop: asyncio.AbstractEventLoop | None = None
        self._feeds: list[Feed] = []
        self._jobs: deque[Operation] = deque()
        self._waiters: deque[Future[None]] = deque()
        self._bell, self._urgent_bell = threading.Event(), threading.Event()
        self._is_closing = self._has_ended = False
        self._is_retry_asked = False
        # the rest belongs to the thread
        self._connection: sqlite3.Connection | None = None
        self._pending: deque[Operation] = deque()
        self._merges: deque[str] = deque()
        self._thread = threading.Thread(target=self._run, name="agdesk store", daemon=False)
        self._thread.start()

    def note_loop(self) -> None:
        """Remembers the running loop, if there is one: changes of the state are emitted there."""
        with contextlib.suppress(RuntimeError):
            self._loop = asyncio.get_running_loop()

    def add_feed(self, feed: Feed) -> None:
        """Drains ``feed`` from now on, until it has ended."""
        self._feeds = [*self._feeds, feed]

    def enqueue(self, operation: Operation) -> None:
        """Writes after everything that was enqueued or recorded before."""
        self._jobs.append(operation)
        self.ring(False)

    def merge(self, request_id: str) -> None:
        """Merges the chunks of a request that is over, when there is nothing else to write."""
        self.enqueue(lambda _connection: self._merges.append(request_id))

    def ring(self, is_urgent: bool) -> None:
        """Wakes the thread: at once, or for the next flush."""
        if is_urgent:
            self._urgent_bell.set()
        self._bell.set()

    def flushed(self) -> Future[None]:
        """Done when everything so far is committed; fails with ``StoreError`` while that is impossible."""
        future: Future[None] = Future()
        self._waiters.append(future)
        if self._has_ended:
            self._refuse_waiters()
        self.ring(True)
        return future

    def try_again(self) -> None:
        """Tries now what could not be written."""
        self._is_retry_asked = True
        self.ring(True)

    def close(self) -> None:
        """Writes what waits, or tries to, and ends the thread. Blocks."""
        self._is_closing = True
        self.ring(True)
        self._thread.join()

    # --- the thread ---

    def _run(self) -> None:
        try:
            while self._wait():
                self._step()
            self._step()
            if self._pending:
                log.error("%s %d changes could not be kept.", self.state.message, len(self._pending))
        except BaseException:
            self._set_state(StoreState("failed", "agdesk's store has stopped", "See the log file, and start again."))
            raise
        finally:
            self._has_ended = True  # before the last look at who waits: whoever comes later sees it
            self._refuse_waiters()
            if self._connection is not None:
                self._connection.close()

    def _wait(self) -> bool:
        """Sleeps until there is something to write and it is time for it; False: it is time to end."""
        self.is_idle = True
        while not self._has_work() and not self._is_over():
            self._bell.wait(_IDLE_S)
            self._bell.clear()
        self.is_idle = False
        if self.state.condition != "ok":
            self._wait_for_retry()
        elif not self._merges and not self._is_over():
            self._urgent_bell.wait(FLUSH_S)
        self._urgent_bell.clear()
        return not self._is_over()

    def _wait_for_retry(self) -> None:
        retry_s = time.monotonic() + RETRY_S
        while not self._is_retry_asked and not self._is_over() and (left_s := retry_s - time.monotonic()) > 0:
            self._urgent_bell.wait(min(left_s, _IDLE_S))
            self._urgent_bell.clear()
            self._refuse_waiters()
        self._is_retry_asked = False

    def _has_work(self) -> bool:
        is_waiting = self._jobs or self._waiters or self._pending or self._merges or self.state.condition != "ok"
        return bool(is_waiting) or any(feed.is_ended or not feed.is_empty for feed in self._feeds)

    def _is_over(self) -> bool:
        return self._is_closing or not threading.main_thread().is_alive()

    def _step(self) -> None:
        waiters = [self._waiters.popleft() for _ in range(len(self._waiters))]
        jobs = [self._jobs.popleft() for _ in range(len(self._jobs))]
        for feed in self._feeds:
            is_ended = feed.is_ended  # before the drain: what came before the end is in it
            self._pending += feed.drain()
            for request_id in feed.take_closed():
                self._pending.append(lambda _connection, closed=request_id: self._merges.append(closed))  # type: ignore[misc]
            if is_ended:
                self._feeds = [other for other in self._feeds if other is not feed]
        self._pending += jobs
        try:
            self._write_pending()
            if not waiters and not self._is_closing:
                self._merge_one()
        except (sqlite3.Error, OSError) as error:
            self._set_state(self._database.state_of(error))
            self._waiters.extendleft(reversed(waiters))
            self._refuse_waiters()
            return
        self._set_state(StoreState())
        for waiter in waiters:
            if waiter.set_running_or_notify_cancel():
                waiter.set_result(None)

    def _write_pending(self) -> None:
        size = _BATCH_OPERATIONS
        while self._pending:
            batch = list(islice(self._pending, size))
            try:
                self._transact(batch)
            except _FAULTS:
                if len(batch) > 1:
                    size = 1  # to find the one
                    continue
                log.exception("something could not be stored and is left out")
            for _ in batch:
                self._pending.popleft()

    def _merge_one(self) -> None:
        if not self._merges:
            return
        request_id = self._merges[0]
        is_done = False

        def merge(connection: sqlite3.Connection) -> list[str]:
            nonlocal is_done
            is_done = not merge_some(connection, request_id)
            return evict(connection, self._budget_bytes()) if is_done else []

        self._transact([merge])
        if is_done:
            self._merges.popleft()

    def _transact(self, operations: list[Operation]) -> None:
        if self._connection is None:
            self._database.leave_confinement()
            self._connection = self._database.connect()
        connection = self._connection
        connection.execute("BEGIN IMMEDIATE")
        try:
            freed = [name for operation in operations for name in operation(connection) or ()]
            connection.execute("COMMIT")
        finally:
            if connection.in_transaction:
                connection.execute("ROLLBACK")
        self._blobs.remove_unlisted(connection, freed)

    def _refuse_waiters(self) -> None:
        for waiter in [self._waiters.popleft() for _ in range(len(self._waiters))]:
            if waiter.set_running_or_notify_cancel():
                waiter.set_exception(StoreError(self.state.message or "The store is closed", self.state.hint))

    def _set_state(self, state: StoreState) -> None:
        if state == self.state:
            return
        self.state = state
        if state.condition != "ok":
            log.info("%s %s", state.message, state.hint)
        if self._loop is not None:
            with contextlib.suppress(RuntimeError):  # the loop has ended
                self._loop.call_soon_threadsafe(self.states.emit, state)
