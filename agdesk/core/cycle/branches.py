"""The branches of one conversation: its tree, its active path, and the moves between them (CHAT4)."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass

from agdesk.core.emitter import Emitter
from agdesk.core.errors import ConfigurationError
from agdesk.core.ir.messages import Message
from agdesk.core.ir.tree import ConversationTree, TreeNode
from agdesk.core.trace.branches import TREE_CHANGES, follow, records_after
from agdesk.core.trace.events import (
    BranchDeleted,
    BranchRestored,
    BranchSelected,
    ResponseReceived,
    TraceRecord,
    TreeChange,
    TurnStarted,
)
from agdesk.core.trace.recorder import Recorder
from agdesk.core.trace.tools import ToolRoundCompleted

_OF_THE_TREE = TREE_CHANGES | {TurnStarted, ResponseReceived, ToolRoundCompleted}


@dataclass(frozen=True, slots=True)
class Branch:
    """Another path became the active one.

    Attributes:
        shared_id: the last message that both have; None if there is none.
        records: what paints the new path after it.
    """

    shared_id: str | None
    records: tuple[TraceRecord, ...]


class Branches:
    """Keeps the tree in step with the records, and the history in step with the tree.

    Every change is a record. What has to be read for it is read first: then the change is made at once or not at all.

    Args:
        recorder: of the conversation.
        messages: the history that is sent; changed in place.
        tree: of a conversation that is continued.
        painting: the records that paint a conversation as it would be after changes of its tree.

    Attributes:
        changed: the active path has become another one.
        grown: the tree is not as it was: a message came, went or was brought back, or another path is the active one.
        model_ref: who is asked in the running turn.
    """

    def __init__(
        self,
        recorder: Recorder,
        messages: list[Message],
        *,
        tree: ConversationTree,
        painting: Callable[[str, Sequence[TreeChange]], Awaitable[Sequence[TraceRecord]]],
    ) -> None:
        self.tree = tree
        self.changed: Emitter[Branch] = Emitter()
        self.grown: Emitter[None] = Emitter()
        self.model_ref = ""
        self._recorder = recorder
        self._messages = messages
        self._painting = painting
        recorder.records.subscribe(self._follow)

    def complete(self) -> None:
        """All messages are in the tree: its path becomes the history."""
        self._messages[:] = self.messages_to(self.tree.leaf_id)
        self.grown.emit(None)

    def existing(self, message_id: str) -> TreeNode:
        """A message that is there and not deleted.

        Raises:
            ConfigurationError: there is none of that id.
        """
        if message_id not in self.tree or self.tree.is_deleted(message_id):
            raise ConfigurationError("This message is not in the conversation any more", "Restore it first.")
        return self.tree.node(message_id)

    async def select(self, message_id: str) -> None:
        """Makes a message part of the active path, with what was last active below it.

        Raises:
            ConfigurationError: it is deleted.
            StoreError: what paints the path cannot be read; the path is the old one.
        """
        self.existing(message_id)
        await self._change(BranchSelected(self.tree.leaf_below(message_id)))

    async def delete(self, message_id: str) -> None:
        """Hides a message with all that follows it. Raises as ``select`` does."""
        self.existing(message_id)
        deletion = BranchDeleted(message_id)
        if self.tree.is_active(message_id):
            await self._change(BranchSelected(self.tree.leaf_without(message_id)), deletion)
        else:
            await self._change(deletion)

    def restore(self, message_id: str) -> None:
        """Takes a deletion back; the active path stays as it is."""
        if message_id in self.tree and self.tree.is_deleted(message_id):
            self._recorder.emit(BranchRestored(message_id))

    def messages_to(self, message_id: str | None) -> list[Message]:
        """What is sent of the path to a message."""
        path = (node.message for node in self.tree.path_to(message_id))
        return [message for message in path if message is not None]

    def without_reading(self, at: BranchSelected | None) -> Branch | None:
        """What ``look`` gives if it cannot read and the path only gets shorter."""
        if at is None or at.leaf_id == self.tree.leaf_id:
            return None
        return Branch(at.leaf_id, ()) if at.leaf_id is None or self.tree.is_active(at.leaf_id) else None

    async def look(self, *changes: TreeChange) -> Branch | None:
        """What has to be painted once changes are made; None if the active path stays as it is.

        Raises:
            StoreError: it cannot be read.
        """
        selected = [payload.leaf_id for payload in changes if isinstance(payload, BranchSelected)]
        if not selected or selected[-1] == self.tree.leaf_id:
            return None
        shared_id = self.tree.shared(selected[-1])
        records = await self._painting(self._recorder.session_id, changes)
        return Branch(shared_id, tuple(records_after(records, shared_id)))

    def take(self, branch: Branch | None, at: BranchSelected | None = None) -> None:
        """Makes the path of the tree the history, and tells of it if it is another.

        Args:
            branch: what ``look`` gave.
            at: the path, if the record that leads to it is still to come.
        """
        if branch is not None:
            if at is not None:
                self.tree.select(at.leaf_id)
            self._messages[:] = self.messages_to(self.tree.leaf_id)
            self.changed.emit(branch)

    async def _change(self, *changes: TreeChange) -> None:
        branch = await self.look(*changes)
        for payload in changes:
            self._recorder.emit(payload)
        self.take(branch)

    def _follow(self, record: TraceRecord) -> None:
        if type(record.payload) in _OF_THE_TREE:
            follow(self.tree, record, model_ref=self.model_ref)
            self.grown.emit(None)
