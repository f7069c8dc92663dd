"""What a session needs of the program around it."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from agdesk.core.ir.response import Usage
from agdesk.core.trace.events import TraceRecord, TreeChange

if TYPE_CHECKING:
    from agdesk.core.cycle.approvals import Rules
    from agdesk.core.cycle.hooks import Hook
    from agdesk.core.cycle.tool_setup import ToolSetup
    from agdesk.core.ir.parameters import RequestParameters
    from agdesk.core.ir.request import ToolDefinition
    from agdesk.core.ir.tool_selection import ToolSelection
    from agdesk.core.providers.base import LlmProvider
    from agdesk.core.providers.router import Needs


async def _nothing_to_wait_for() -> None:
    pass


def _never_refused() -> None:
    pass


async def _as_named(model_ref: str, _needs: Needs) -> str:
    return model_ref


async def _not_remembered(_model_ref: str, _parameter: str) -> None:
    pass


def _never_goes_on(_model_ref: str, _parameters: RequestParameters) -> bool:
    return False


async def _no_tools(_selection: ToolSelection) -> ToolSetup | None:
    return None


async def _knows_no_tools() -> tuple[ToolDefinition, ...]:
    return ()


def _no_rules(_session_id: str) -> Rules:
    return ()


def _unnoted(_rule_id: str) -> None:
    pass


def _as_typed(text: str) -> str:
    return text


async def _nothing_is_painted(_conversation_id: str, _changes: Sequence[TreeChange]) -> Sequence[TraceRecord]:
    return ()


@dataclass(frozen=True, slots=True)
class SessionServices:
    """What a session needs of the program around it.

    Attributes:
        connect: the provider of an id.
        price: what a request to ``provider/model`` cost in US dollars; None is unknown.
        wire_of: the wire format of a provider.
        check_can_keep: raises ``StoreError`` when what is sent now could not be kept.
        kept: returns when everything recorded so far is on the disk, or cannot be brought there.
        redact: replaces known keys: one that is pasted into a message is neither sent nor recorded (SEC1).
        resolve: the ``provider/model`` that a reference stands for, which may depend on what is needed (SEED5).
        remember_refused: ``provider/model`` and a parameter that it refused: it is not sent to it again (E07).
        sleep: how the wait before a retry is spent.
        painting: the records that paint a conversation as it would be after changes of its tree; none where nothing is
            kept.
        tools: what the selected tools run with; None if there are none.
        all_tools: every tool that can be selected.
        rules: the rules that answer calls of a conversation, those for all of them among them.
        rule_used: a rule has decided about a call.
        hooks: code that is asked at places of every turn.
        goes_on: whether ``provider/model``, with these parameters, is known to go on with an answer that was cut.
    """

    connect: Callable[[str], Awaitable[LlmProvider]]
    price: Callable[[str, Usage], Awaitable[float | None]]
    wire_of: Callable[[str], str]
    check_can_keep: Callable[[], None] = _never_refused
    kept: Callable[[], Awaitable[None]] = _nothing_to_wait_for
    redact: Callable[[str], str] = _as_typed
    resolve: Callable[[str, Needs], Awaitable[str]] = _as_named
    remember_refused: Callable[[str, str], Awaitable[None]] = _not_remembered
    sleep: Callable[[float], Awaitable[None]] = asyncio.sleep
    painting: Callable[[str, Sequence[TreeChange]], Awaitable[Sequence[TraceRecord]]] = _nothing_is_painted
    goes_on: Callable[[str, RequestParameters], bool] = _never_goes_on
    tools: Callable[[ToolSelection], Awaitable[ToolSetup | None]] = _no_tools
    all_tools: Callable[[], Awaitable[tuple[ToolDefinition, ...]]] = _knows_no_tools
    rules: Callable[[str], Rules] = _no_rules
    rule_used: Callable[[str], None] = _unnoted
    hooks: tuple[Hook, ...] = ()
