"""What is done about a request that failed before anything of its answer was seen (PROV6, E05, E07, D13)."""

from __future__ import annotations

import asyncio
import dataclasses
import random
from collections.abc import Awaitable, Callable, Iterable
from dataclasses import dataclass

from agdesk.core.errors import ErrorRecord
from agdesk.core.ir.blocks import Thinking
from agdesk.core.ir.messages import Assistant, Message
from agdesk.core.ir.request import MessageRequest
from agdesk.core.providers.repair import is_of_user
from agdesk.core.tasks import cancel_and_wait, spawn

RETRY_LIMIT = 3
LONGEST_WAIT_S = 60.0
STALE_THINKING = "encrypted reasoning"
"""What is repaired when a provider cannot read its own thinking any more (P08)."""

_FIRST_WAIT_S = 1.0
_SPREAD = 0.2

Sleep = Callable[[float], Awaitable[None]]


@dataclass(frozen=True, slots=True)
class Retry:
    """The same request again, after ``wait_s``; ``number`` counts from 1."""

    number: int
    wait_s: float


@dataclass(frozen=True, slots=True)
class Repair:
    """The request without a parameter, by its path in the body; ``STALE_THINKING``: without earlier thinking."""

    parameter: str


class Recovery:
    """Decides what follows a failure, for one answer: at most three retries, and one repair."""

    def __init__(self) -> None:
        self._retry_count = 0
        self._has_repaired = False

    def next_step(self, error: ErrorRecord, request: MessageRequest) -> Retry | Repair | None:
        """What to do now; None: the failure is final. Call it once for each failure."""
        if not self._has_repaired and (parameter := _repairable(error, request)) is not None:
            self._has_repaired = True
            return Repair(parameter)
        if not error.is_retryable or self._retry_count == RETRY_LIMIT:
            return None
        wait_s = self._wait_s(error)
        if wait_s > LONGEST_WAIT_S:
            return None
        self._retry_count += 1
        return Retry(self._retry_count, wait_s)

    def final(self, error: ErrorRecord) -> ErrorRecord:
        """The error with a hint that says what was tried, or why nothing was."""
        said = ""
        if error.is_retryable and (wait_s := _asked_s(error)) > LONGEST_WAIT_S:
            said = f"It asks to wait for {_duration(wait_s)}, which is too long to do so by itself. "
        elif self._retry_count:
            said = f"It was tried {self._retry_count + 1} times. "
        return dataclasses.replace(error, hint=(said + error.hint).strip()) if said else error

    def _wait_s(self, error: ErrorRecord) -> float:
        """As long as the provider asks for, else 1, 2, 4 s, give or take a fifth, so that not all come at once."""
        asked_s = _asked_s(error)
        if asked_s > 0:  # 0 is sent by servers that know nothing of it (E04)
            return asked_s
        spread = random.uniform(1 - _SPREAD, 1 + _SPREAD)
        return round(_FIRST_WAIT_S * (1 << self._retry_count) * spread, 2)


class RetryPause:
    """The wait before a retry; belongs to one conversation.

    Args:
        sleep: returns after so many seconds.
    """

    def __init__(self, sleep: Sleep) -> None:
        self._sleep = sleep
        self._sleeping: asyncio.Task[None] | None = None

    async def wait(self, seconds: float) -> None:
        """Returns when the time is over, or after ``end``."""
        self._sleeping = sleeping = spawn(self._run(seconds), name="wait before a retry")
        try:
            await asyncio.wait([sleeping])
        finally:
            self._sleeping = None
            if not sleeping.done():
                await cancel_and_wait(sleeping)

    def end(self) -> None:
        """Waits no longer."""
        if self._sleeping is not None:
            self._sleeping.cancel()

    async def _run(self, seconds: float) -> None:
        await self._sleep(seconds)


def without_thinking(messages: Iterable[Message], *, provider_id: str) -> list[Message]:
    """The history without what this provider's models thought, which it cannot read any more (P08)."""
    kept: list[Message] = []
    for message in messages:
        if isinstance(message, Assistant) and message.origin is not None and message.origin.provider == provider_id:
            content = tuple(block for block in message.content if not isinstance(block, Thinking))
            message = dataclasses.replace(message, content=content)
            if not content:
                continue
        kept.append(message)
    return kept


def _repairable(error: ErrorRecord, request: MessageRequest) -> str | None:
    """What can be left out without asking: nothing that the user has set."""
    if error.details.get("code") == "invalid_encrypted_content":
        answers = (message for message in request.messages if isinstance(message, Assistant))
        has_thought = any(isinstance(block, Thinking) for answer in answers for block in answer.content)
        return STALE_THINKING if has_thought else None
    path = error.details.get("removable")
    return path if isinstance(path, str) and not is_of_user(path, request) else None


def _asked_s(error: ErrorRecord) -> float:
    asked = error.details.get("retry_after_s")
    return float(asked) if isinstance(asked, int | float) else 0.0


def _duration(seconds: float) -> str:
    if seconds < 120:
        return f"{seconds:.0f} s"
    if seconds < 7200:
        return f"{seconds / 60:.0f} min"
    return f"{seconds / 3600:.0f} h"
