"""Which thoughts can be compacted: one that its maker signed is left out whole or kept whole (docs/adr/0018, 0030)."""

from __future__ import annotations

from agdesk.core.compact.history import History
from agdesk.core.compact.markers import has_mark
from agdesk.core.ir.blocks import Text, Thinking
from agdesk.core.ir.compaction import SkipReason
from agdesk.core.ir.messages import Assistant


def is_sealed(block: Thinking) -> bool:
    """Whether its maker would refuse it if one letter were changed (A02, A04, P07)."""
    return block.signature is not None or block.provider_data is not None


def why_thought_stays(message: Assistant, block: Thinking, *, position: int, history: History) -> SkipReason | None:
    """Why nobody may touch a thought; None if one may.

    Args:
        message: that it stands in.
        block: the thought.
        position: of the message.
        history: that the message stands in.
    """
    if has_mark(block.text):
        return SkipReason.MARKED
    if not is_sealed(block):
        return None
    has_calls = history.turns[position] in history.turns_with_calls
    is_running = position > history.newest_user
    return SkipReason.SIGNED if has_calls or is_running or not _says_more(message) else None


def _says_more(message: Assistant) -> bool:
    """Whether something would be left of the message: no provider takes an empty one."""
    return any(
        bool(block.text.strip()) if isinstance(block, Text) else not isinstance(block, Thinking)
        for block in message.content
    )
