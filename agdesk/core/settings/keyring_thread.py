"""Asks the key store without waiting for it longer than wanted: it may hang in an unlock dialog for ever."""

from __future__ import annotations

import asyncio
import contextlib
import threading
from collections.abc import Callable
from typing import TypeVar

from agdesk.core.errors import SecretUnavailable
from agdesk.core.settings.keyring_backend import expected_failures, unavailable

T = TypeVar("T")


async def ask_on_thread(
    question: Callable[[], T], *, timeout_s: float, on_late: Callable[[T], None] | None = None, secret: str = ""
) -> T:
    """What ``question`` gives on a thread of its own. Cancelling gives up at once.

    Not ``asyncio.to_thread``: its threads are joined at exit. ``on_late`` is told on the loop's thread what a question
    gave that nobody waits for any more. No error quotes ``secret``.

    Raises:
        SecretUnavailable: the key store failed.
        TimeoutError: it has not answered yet.
    """
    loop = asyncio.get_running_loop()
    answer: asyncio.Future[T] = loop.create_future()

    def settle(outcome: T | SecretUnavailable) -> None:
        if isinstance(outcome, SecretUnavailable):
            if not answer.done():
                answer.set_exception(outcome)
        elif not answer.done():
            answer.set_result(outcome)
        elif on_late is not None:
            on_late(outcome)

    def work() -> None:
        outcome: T | SecretUnavailable = SecretUnavailable("The key store failed unexpectedly")
        try:
            outcome = question()
        except expected_failures() as error:
            outcome = unavailable(error, secret=secret)
        finally:  # an error nobody foresaw goes to threading.excepthook, and the caller must not wait for it
            with contextlib.suppress(RuntimeError):  # the loop is closed
                loop.call_soon_threadsafe(settle, outcome)

    threading.Thread(target=work, name="key store", daemon=True).start()
    async with asyncio.timeout(timeout_s):
        return await answer


class Permit:
    """Lets a change begin unless it was withdrawn before; for two threads."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._has_begun = self._is_withdrawn = False

    def begin(self) -> bool:
        """Whether the change may begin now."""
        with self._lock:
            self._has_begun = not self._is_withdrawn
            return self._has_begun

    def withdraw(self) -> bool:
        """Forbids it from now on; gives whether it has begun already."""
        with self._lock:
            self._is_withdrawn = True
            return self._has_begun
