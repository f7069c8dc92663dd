"""The messages of a conversation as a tree: an edit or another answer is a sibling, and nothing is overwritten (CHAT4).

A value about places only: what the messages say stays where it is kept.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Literal, NamedTuple


class TreeNode(NamedTuple):
    """One message; a tuple, because a long conversation has ten thousand.

    Attributes:
        id: of what the user wrote the turn's, of an answer the request's.
        parent_id: the message that it follows; None for a first one.
        turn_id: the turn that it belongs to.
        ts_ns: when it came, in the conversation's nanoseconds.
        head: the beginning of its text, for lists.
    """

    id: str
    parent_id: str | None
    role: Literal["user", "assistant"]
    turn_id: str
    model_ref: str
    ts_ns: int
    head: str


@dataclass(frozen=True, slots=True)
class Place:
    """Where a message stands among its siblings; ``number`` counts from 1."""

    number: int
    count: int


class ConversationTree:
    """All branches of a conversation, and which path through them is the active one.

    Attributes:
        leaf_id: the message that the active path ends with; None before the first.
    """

    def __init__(self) -> None:
        self.leaf_id: str | None = None
        self._nodes: dict[str, TreeNode] = {}
        self._children: dict[str | None, list[str]] = {}
        self._last: dict[str | None, str] = {}  # the child through which the active path went last
        self._deleted: set[str] = set()

    def __contains__(self, message_id: object) -> bool:
        return message_id in self._nodes

    def node(self, message_id: str) -> TreeNode:
        """The message of an id. Raises ``KeyError`` if there is none."""
        return self._nodes[message_id]

    def add(self, node: TreeNode) -> None:
        """Adds a message below its parent, without making it active."""
        self._nodes[node.id] = node
        self._children.setdefault(node.parent_id, []).append(node.id)
        self._last[node.parent_id] = node.id

    def grow(self, node: TreeNode) -> None:
        """Adds a message at the end of the active path."""
        self.add(node)
        self.leaf_id = node.id

    def select(self, leaf_id: str | None) -> None:
        """Makes the path that ends with a message the active one; an id that is no message changes nothing."""
        if leaf_id is not None and leaf_id not in self._nodes:
            return
        self.leaf_id = leaf_id
        for node in self._upwards(leaf_id):
            self._last[node.parent_id] = node.id

    def mark_deleted(self, message_id: str, *, is_deleted: bool = True) -> None:
        """Hides a message with all that follows it, or shows it again."""
        if is_deleted:
            self._deleted.add(message_id)
        else:
            self._deleted.discard(message_id)

    def is_deleted(self, message_id: str) -> bool:
        """Whether a message itself was deleted; one that follows it is gone without being marked."""
        return message_id in self._deleted

    def path(self) -> list[TreeNode]:
        """The active path, from its first message."""
        nodes = list(self._upwards(self.leaf_id))
        nodes.reverse()
        return nodes

    def children(self, message_id: str | None) -> list[TreeNode]:
        """What follows a message and is not deleted, oldest first; of None: the first messages."""
        found = self._children.get(message_id, ())
        return [self._nodes[child] for child in found if child not in self._deleted]

    def siblings(self, message_id: str) -> list[TreeNode]:
        """A message and all that stand in its place, oldest first."""
        return self.children(self._nodes[message_id].parent_id)

    def place(self, message_id: str) -> Place:
        """Where a message stands among its siblings."""
        ids = [node.id for node in self.siblings(message_id)]
        return Place(ids.index(message_id) + 1, len(ids))

    def leaf_below(self, message_id: str) -> str:
        """The end of the path through a message that was last active."""
        while True:
            children = self.children(message_id)
            if not children:
                return message_id
            last = self._last.get(message_id)
            message_id = last if any(child.id == last for child in children) and last else children[-1].id

    def is_active(self, message_id: str) -> bool:
        """Whether a message is on the active path."""
        return any(node.id == message_id for node in self._upwards(self.leaf_id))

    def shared(self, other: Iterable[TreeNode]) -> str | None:
        """The last message that the active path has in common with another one, which begins with its first."""
        last = None
        for mine, theirs in zip(self.path(), other, strict=False):
            if mine.id != theirs.id:
                break
            last = mine.id
        return last

    def leaf_without(self, message_id: str) -> str | None:
        """The end of the path that is nearest once a message is gone: through its sibling, else to its parent."""
        ids = [node.id for node in self.siblings(message_id)]
        place = ids.index(message_id)
        others = ids[place + 1 :] or ids[:place][-1:]
        return self.leaf_below(others[0]) if others else self._nodes[message_id].parent_id

    def outline(self) -> list[tuple[int, TreeNode]]:
        """Every message that is not deleted, each before what follows it, with its depth: how often it branched above.

        What has no sibling stands at the depth of what it follows, so that a long conversation does not run away.
        """
        found: list[tuple[int, TreeNode]] = []
        waiting: list[tuple[int, str | None]] = [(0, None)]
        while waiting:
            depth, message_id = waiting.pop()
            if message_id is not None:
                found.append((depth, self._nodes[message_id]))
            children = self.children(message_id)
            below = depth + (len(children) > 1)
            waiting += [(below, child.id) for child in reversed(children)]
        return found

    def _upwards(self, message_id: str | None) -> Iterator[TreeNode]:
        while message_id is not None and (node := self._nodes.get(message_id)) is not None:
            yield node
            message_id = node.parent_id
