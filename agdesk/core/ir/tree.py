"""The messages of a conversation as a tree: an edit or another answer is a sibling, and nothing is overwritten (CHAT4).

What a request repeats is one path through it. The records that paint a path stay where they are kept.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Literal, NamedTuple

from agdesk.core.ir.messages import Assistant, Tool, User, heading_of
from agdesk.core.ir.response import EndCause

_HEAD_CHARS = 80


class TreeNode(NamedTuple):
    """One message; a tuple, because a long conversation has ten thousand.

    Attributes:
        id: of what the user wrote the turn's, of an answer the request's.
        parent_id: the message that it follows; None for a first one.
        turn_id: the turn that it belongs to.
        ts_ns: when it came, in the conversation's nanoseconds.
        message: as it is sent; None if it cannot be read any more.
        end_cause: who ended the answer; None of what the user wrote.
        is_unfinished: the model had more to say.
    """

    id: str
    parent_id: str | None
    role: Literal["user", "assistant", "tool"]
    turn_id: str
    model_ref: str
    ts_ns: int
    message: User | Assistant | Tool | None
    end_cause: EndCause | None = None
    is_unfinished: bool = False

    @property
    def head(self) -> str:
        """The beginning of its text, for lists; of results the names of their tools."""
        match self.message:
            case None:
                return ""
            case Tool(results=results):
                return ", ".join(result.name for result in results)[:_HEAD_CHARS]
            case User(content=content) | Assistant(content=content):
                return heading_of(content)[:_HEAD_CHARS]


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
        self._children: dict[str | None, str | list[str]] = {}  # an only one needs no list, and most are
        self._last: dict[str | None, str] = {}  # the child through which the active path went last, if not the newest
        self._deleted: set[str] = set()

    def __contains__(self, message_id: object) -> bool:
        return message_id in self._nodes

    def __len__(self) -> int:
        """How many messages all branches have, those that are deleted included."""
        return len(self._nodes)

    def node(self, message_id: str) -> TreeNode:
        """The message of an id. Raises ``KeyError`` if there is none."""
        return self._nodes[message_id]

    def add(self, node: TreeNode) -> None:
        """Adds a message below its parent, without making it active."""
        self._nodes[node.id] = node
        match self._children.get(node.parent_id):
            case None:
                self._children[node.parent_id] = node.id
                return
            case list(siblings):
                siblings.append(node.id)
            case only:
                self._children[node.parent_id] = [only, node.id]
        self._last.pop(node.parent_id, None)

    def take_over(self, whole: ConversationTree) -> None:
        """Becomes what another tree is, which is not used any more: all of what this one had a part of, which stays."""
        self.leaf_id = whole.leaf_id
        self._nodes, self._children = whole._nodes | self._nodes, whole._children
        self._last, self._deleted = whole._last, whole._deleted

    def fill(self, node: TreeNode) -> None:
        """Puts what is known of a message in the place of what was known before."""
        self._nodes[node.id] = node

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
            if self._ids_below(node.parent_id)[-1] == node.id:
                self._last.pop(node.parent_id, None)
            else:
                self._last[node.parent_id] = node.id

    def mark_deleted(self, message_id: str, *, is_deleted: bool = True) -> None:
        """Hides a message with all that follows it, or shows it again."""
        if is_deleted:
            self._deleted.add(message_id)
        else:
            self._deleted.discard(message_id)

    def is_deleted(self, message_id: str) -> bool:
        """Whether a message was deleted, or one that it follows."""
        return any(node.id in self._deleted for node in self._upwards(message_id))

    def is_marked_deleted(self, message_id: str) -> bool:
        """Whether a message itself was deleted, whatever it follows; takes no time, however long the path to it is."""
        return message_id in self._deleted

    def path(self) -> list[TreeNode]:
        """The active path, from its first message."""
        return self.path_to(self.leaf_id)

    def path_to(self, message_id: str | None) -> list[TreeNode]:
        """What leads to a message, from a first one to itself; to None leads nothing."""
        nodes = list(self._upwards(message_id))
        nodes.reverse()
        return nodes

    def children(self, message_id: str | None) -> list[TreeNode]:
        """What follows a message and is not deleted, oldest first; of None: the first messages."""
        return [self._nodes[child] for child in self._ids_below(message_id) if child not in self._deleted]

    def siblings(self, message_id: str) -> list[TreeNode]:
        """A message and all that stand in its place, oldest first, without those that are deleted."""
        return self.children(self._nodes[message_id].parent_id)

    def place(self, message_id: str) -> Place:
        """Where a message that is not deleted stands among its siblings."""
        ids = [node.id for node in self.siblings(message_id)]
        return Place(ids.index(message_id) + 1, len(ids))

    def outline(self) -> list[tuple[int, TreeNode]]:
        """Every message that is not deleted, before what follows it, with how often the conversation branched above."""
        found: list[tuple[int, TreeNode]] = []
        waiting = self._level(None, 0)
        while waiting:
            depth, node = waiting.pop()
            found.append((depth, node))
            waiting += self._level(node.id, depth)
        return found

    def versions(self) -> list[TreeNode]:
        """Every message with another one in its place, those that are deleted included."""
        groups = (children for children in self._children.values() if isinstance(children, list))
        return [self._nodes[child] for children in groups for child in children]

    def leaf_below(self, message_id: str) -> str:
        """The end of the path through a message that was last active."""
        while children := self.children(message_id):
            last = self._last.get(message_id)
            message_id = last if last is not None and last not in self._deleted else children[-1].id
        return message_id

    def is_active(self, message_id: str) -> bool:
        """Whether a message is on the active path."""
        return any(node.id == message_id for node in self._upwards(self.leaf_id))

    def shared(self, leaf_id: str | None) -> str | None:
        """The last message that the active path has in common with the path to a message."""
        active = {node.id for node in self._upwards(self.leaf_id)}
        return next((node.id for node in self._upwards(leaf_id) if node.id in active), None)

    def leaf_without(self, message_id: str) -> str | None:
        """The end of the path that is nearest once a message is gone: through its sibling, else to its parent."""
        ids = [node.id for node in self.siblings(message_id)]
        place = ids.index(message_id)
        others = ids[place + 1 :] or ids[:place][-1:]
        return self.leaf_below(others[0]) if others else self._nodes[message_id].parent_id

    def _ids_below(self, message_id: str | None) -> Sequence[str]:
        """What follows a message, oldest first, what is deleted included."""
        found = self._children.get(message_id)
        return [found] if isinstance(found, str) else found or ()

    def _level(self, message_id: str | None, depth: int) -> list[tuple[int, TreeNode]]:
        """What follows a message, newest first, each with how deep it stands."""
        children = self.children(message_id)
        if len(children) > 1:
            depth += 1
        return [(depth, node) for node in reversed(children)]

    def _upwards(self, message_id: str | None) -> Iterator[TreeNode]:
        while message_id is not None and (node := self._nodes.get(message_id)) is not None:
            yield node
            message_id = node.parent_id
