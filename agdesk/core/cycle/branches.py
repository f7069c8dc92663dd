"""The branches of one conversation: its tree, its active path, and the moves between them (CHAT4)."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import dataclass

from agdesk.core.cycle.services import KeptPath
from agdesk.core.emitter import Emitter
from agdesk.core.ir.messages import Message
from agdesk.core.ir.tree import ConversationTree
from agdesk.core.trace.branches import TREE_CHANGES, follow, records_after
from agdesk.core.trace.events import (
    BranchDeleted,
    BranchRestored,
    BranchSelected,
    ResponseReceived,
    TraceRecord,
    TurnStarted,
)
from agdesk.core.trace.recorder import Recorder

_OF_THE_TREE = TREE_CHANGES | {TurnStarted, ResponseReceived}


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

    Args:
        recorder: of the conversation.
        messages: the history that is sent; changed in place.
        tree: of a conversation that is continued.
        load: the active path as it is kept, everything that was recorded so far included.

    Attributes:
        changed: the active path has become another one.
        grown: a message came, went or came back, or another path is active; emitted after ``tree`` has it.
        model_ref: who is asked in the running turn.
    """

    def __init__(
        self,
        recorder: Recorder,
        messages: list[Message],
        *,
        tree: ConversationTree,
        load: Callable[[str], Awaitable[KeptPath]],
    ) -> None:
        self.tree = tree
        self.changed: Emitter[Branch] = Emitter()
        self.grown: Emitter[None] = Emitter()
        self.model_ref = ""
        self._recorder = recorder
        self._messages = messages
        self._load = load
        recorder.records.subscribe(self._follow)

    async def move(self, leaf_id: str | None) -> None:
        """Makes the path that ends with a message the active one.

        Raises:
            StoreError: it cannot be read; the path is the old one.
            ConfigurationError: the conversation is not kept.
        """
        before = self.tree.path()
        if leaf_id == self.tree.leaf_id:
            return
        self._recorder.emit(BranchSelected(leaf_id))
        try:
            kept = await self._load(self._recorder.session_id)
        except BaseException:
            self._recorder.emit(BranchSelected(before[-1].id if before else None))
            raise
        self._messages[:] = kept.messages
        shared_id = self.tree.shared(before)
        self.changed.emit(Branch(shared_id, tuple(records_after(kept.records, shared_id))))

    async def delete(self, message_id: str) -> None:
        """Hides a message with all that follows it. Raises as ``move`` does."""
        if self.tree.is_active(message_id):
            await self.move(self.tree.leaf_without(message_id))
        self._recorder.emit(BranchDeleted(message_id))

    def restore(self, message_id: str) -> None:
        """Takes a deletion back; the active path stays as it is."""
        self._recorder.emit(BranchRestored(message_id))

    def _follow(self, record: TraceRecord) -> None:
        if type(record.payload) in _OF_THE_TREE:
            follow(self.tree, record, model_ref=self.model_ref)
            self.grown.emit(None)
