"""What compaction has to know of a history: turns, pairs of calls and results, and where it begins to be recent."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from agdesk.core.ir.blocks import ToolResult, ToolUse
from agdesk.core.ir.compaction import BlockPath
from agdesk.core.ir.messages import Assistant, Message, Tool, User


@dataclass(frozen=True, slots=True)
class History:
    """Places in a list of messages.

    Attributes:
        turns: for every message the turn it belongs to; a turn begins with what the user says, the first is 1, and
            what stands before it is in turn 0.
        turns_with_calls: in which the model called a tool.
        newest_user: the position of the newest message of the user; -1 if there is none.
        recent_start: the position from which messages stay; no pair is parted by it.
        calls: for every result the call that it answers, if that is there.
        pending: the positions of messages with results of a round that still has an open call.
    """

    turns: tuple[int, ...]
    turns_with_calls: frozenset[int]
    newest_user: int
    recent_start: int
    calls: dict[BlockPath, ToolUse]
    pending: frozenset[int]


def results_of(message: Message) -> list[tuple[int, ToolResult]]:
    """The tool results of a message with their places: all that a Tool message has, or those among other blocks."""
    if isinstance(message, Tool):
        return list(enumerate(message.results))
    return [(at, block) for at, block in enumerate(message.content) if isinstance(block, ToolResult)]


def look_through(messages: Sequence[Message], *, keep_recent: int) -> History:
    """Reads a history once; ``keep_recent`` counts messages and is widened so that no pair is parted."""
    turns: list[int] = []
    turns_with_calls: set[int] = set()
    newest_user, turn = -1, 0
    called_at: dict[str, tuple[int, ToolUse]] = {}  # ids come again in later turns: the last call counts
    open_ids: set[str] = set()
    answering: set[int] = set()
    calls: dict[BlockPath, ToolUse] = {}
    asked_at = list(range(len(messages)))  # for every message the earliest one with a call that it answers
    for position, message in enumerate(messages):
        if isinstance(message, User) and any(not isinstance(block, ToolResult) for block in message.content):
            turn += 1
            newest_user = position
            open_ids, answering = set(), set()  # what is open now has been given up
        turns.append(turn)
        if isinstance(message, Assistant):
            uses = [block for block in message.content if isinstance(block, ToolUse)]
            called_at.update((use.id, (position, use)) for use in uses)
            open_ids, answering = {use.id for use in uses}, set()
            if uses:
                turns_with_calls.add(turn)
        for place, result in results_of(message):
            answering.add(position)
            open_ids.discard(result.tool_use_id)
            if (found := called_at.get(result.tool_use_id)) is not None:
                asked_at[position] = min(asked_at[position], found[0])
                calls[BlockPath(position, place)] = found[1]
    start = max(0, len(messages) - keep_recent)
    return History(
        turns=tuple(turns),
        turns_with_calls=frozenset(turns_with_calls),
        newest_user=newest_user,
        recent_start=_widened(start, asked_at),
        calls=calls,
        pending=frozenset(answering) if open_ids else frozenset(),
    )


def _widened(start: int, asked_at: Sequence[int]) -> int:
    """The start moved back until every result behind it has its call behind it too."""
    position = len(asked_at)
    while position > start:
        position -= 1
        start = min(start, asked_at[position])
    return start
