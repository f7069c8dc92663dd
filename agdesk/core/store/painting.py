"""Which of the records that are kept paint the active path of a conversation."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from agdesk.core.ir.tree import ConversationTree


class Entry(NamedTuple):
    """What is known of a record without reading it.

    Attributes:
        message_id: of the message that it brings; None for the end of a turn.
        parent_id: the message that this one follows.
        is_empty: the message has no content: it hangs on the tree without being part of it.
    """

    seq: int
    turn_id: str
    message_id: str | None
    parent_id: str | None
    is_empty: bool


def painted(entries: Sequence[Entry], tree: ConversationTree) -> list[bool]:
    """For each record of a conversation, in order, whether it paints the active path of its tree."""
    path: list[str | None] = [None, *(node.id for node in tree.path())]
    if len(path) == len(tree) + 1 and _is_straight(entries):
        return [True] * len(entries)
    following = dict(zip(path, [*path[1:], None], strict=True))
    positions = {entry.message_id: entry.seq for entry in entries if entry.message_id is not None}
    answered: dict[str, bool] = {}  # turns that have an answer, and whether one is on the path
    for _, turn_id, message_id, _, is_empty in entries:
        if message_id is not None and not is_empty and tree.node(message_id).role == "assistant":
            answered[turn_id] = answered.get(turn_id, False) or message_id in following

    def is_before_path(parent_id: str | None, seq: int) -> bool:
        """Whether what hangs on a message came just before the next message of the path."""
        later = (node.id for node in tree.children(parent_id) if positions[node.id] > seq)
        return parent_id in following and next(later, None) == following[parent_id]

    found: list[bool] = []
    asked: dict[str, str | None] = {}  # for each turn that is painted the message that its answer follows
    for seq, turn_id, message_id, parent_id, is_empty in entries:
        if message_id is not None:
            is_painted = is_before_path(parent_id, seq) if is_empty else message_id in following
            if is_empty and message_id == turn_id:  # nothing new was said: it goes with its answer, wherever that hangs
                is_painted = answered.get(turn_id, is_painted)
            if is_painted:
                asked.setdefault(turn_id, parent_id if is_empty else message_id)
        elif turn_id not in asked:
            is_painted = False
        elif turn_id in answered:
            is_painted = answered[turn_id]
        else:
            is_painted = is_before_path(asked[turn_id], seq)
        found.append(is_painted)
    return found


def _is_straight(entries: Sequence[Entry]) -> bool:
    """Whether everything hangs on the message that came last before it, as in most conversations."""
    last = None
    for entry in entries:
        if entry.message_id is not None:
            if entry.parent_id != last:
                return False
            if not entry.is_empty:
                last = entry.message_id
    return True
