"""Code of others that is asked at fixed places of a turn (SEED3, DESIGN 3)."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from enum import StrEnum

from agdesk.core.errors import AgdeskError, ErrorRecord, HookFailed, HookTimeout, HookVeto
from agdesk.core.ir.request import MessageRequest
from agdesk.core.tasks import cancel_and_wait, spawn
from agdesk.core.trace.events import HookRan
from agdesk.core.trace.recorder import Recorder


class HookPoint(StrEnum):
    """The places, and what a hook is given there as its second argument."""

    BEFORE_REQUEST = "before_request"
    """The ``MessageRequest``; a veto ends the turn."""
    AFTER_RESPONSE = "after_response"
    """The ``MessageResponse``, whole or cut."""
    BEFORE_TOOL = "before_tool"
    """The ``ToolUse`` as it is to run, after it was allowed; a veto denies it, and the model gets the reason."""
    AFTER_TOOL = "after_tool"
    """The ``ToolResult``."""
    ON_ERROR = "on_error"
    """The ``ErrorRecord`` of a request that failed; of one that is tried again, too."""
    ON_TURN_END = "on_turn_end"
    """The ``ErrorRecord`` that ended the turn, or None."""


_VETO_POINTS = frozenset({HookPoint.BEFORE_REQUEST, HookPoint.BEFORE_TOOL})


@dataclass(frozen=True, slots=True)
class HookContext:
    """Where in a turn a hook is asked.

    Attributes:
        request: the request that is about to go out, or went out last.
        error: the failure that it is asked about.
        attempt: counts the requests for the same answer, from 1.
        turn_index: counts the answers of the turn, from 0.
        plan_step_index: the message's place in the queue; None for one that did not wait.
    """

    request: MessageRequest | None = None
    error: ErrorRecord | None = None
    attempt: int = 1
    turn_index: int = 0
    plan_step_index: int | None = None


@dataclass(frozen=True, slots=True)
class Hook:
    """One piece of code at one place.

    Attributes:
        name: how records and errors call it.
        call: raises ``HookVeto`` to say no; any other exception is a failure of the hook.
        timeout_s: how long it may take; it is cancelled then, which is a failure.
        is_required: a failure ends the turn; else it is recorded, and the turn goes on.
    """

    name: str
    point: HookPoint
    call: Callable[[HookContext, object], Awaitable[None]]
    timeout_s: float = 10.0
    is_required: bool = False


class HookExecutor:
    """Asks the hooks of a place one after the other, in the order they were given in.

    Args:
        recorder: what each did is a ``HookRan``.
    """

    def __init__(self, hooks: tuple[Hook, ...], recorder: Recorder) -> None:
        self._hooks = hooks
        self._recorder = recorder

    async def run(self, point: HookPoint, context: HookContext, subject: object) -> None:
        """Asks them; the first that ends the turn is the last that is asked.

        Raises:
            HookVeto: one says no, at a place where that has a meaning.
            HookFailed: a required one failed, or said no where there is nothing to prevent.
            HookTimeout: a required one took too long.
        """
        for hook in self._hooks:
            if hook.point is point:
                await self._ask(hook, context, subject)

    async def _ask(self, hook: Hook, context: HookContext, subject: object) -> None:
        begun_ns = time.monotonic_ns()
        error = await self._outcome(hook, context, subject)
        duration_ms = (time.monotonic_ns() - begun_ns) // 1_000_000
        is_veto = isinstance(error, HookVeto)
        self._recorder.emit(HookRan(hook.name, hook.point.value, duration_ms, error.to_record() if error else None))
        if error is not None and (is_veto or hook.is_required):
            raise error

    async def _outcome(self, hook: Hook, context: HookContext, subject: object) -> AgdeskError | None:
        async def guarded() -> HookVeto | None:
            try:
                await hook.call(context, subject)
            except HookVeto as veto:
                return veto
            return None

        task = spawn(guarded(), name=f"hook {hook.name}")
        try:
            await asyncio.wait([task], timeout=hook.timeout_s)
        finally:
            if not task.done():
                await cancel_and_wait(task)
        if task.cancelled():
            return HookTimeout(
                f"The hook {hook.name} took longer than {hook.timeout_s:g} s", "Look at what it waits for."
            )
        if (failure := task.exception()) is not None:
            return HookFailed(f"The hook {hook.name} failed: {failure}", "The log has the details.")
        veto = task.result()
        if veto is not None and hook.point not in _VETO_POINTS:
            return HookFailed(f"The hook {hook.name} said no where there is nothing to prevent", veto.message)
        return veto
