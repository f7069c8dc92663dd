"""What a record does to the tree of messages (CHAT4)."""

from __future__ import annotations

import dataclasses
import os
from collections.abc import Sequence
from typing import assert_never

from agdesk.core.ir.tree import ConversationTree, TreeNode
from agdesk.core.trace.events import (
    BranchDeleted,
    BranchRestored,
    BranchSelected,
    ResponseReceived,
    TraceRecord,
    TreeChange,
    TurnCompleted,
    TurnStarted,
    Unknown,
)
from agdesk.core.trace.recorder import Recorder
from agdesk.core.trace.tools import ToolRoundCompleted

TREE_CHANGES: frozenset[type] = frozenset({BranchSelected, BranchDeleted, BranchRestored})
"""The records that change where messages stand, and bring none."""


def node_of(record: TraceRecord, *, parent_id: str | None, model_ref: str) -> TreeNode | None:
    """The place of the message that a record brings; None if it brings none, or one without content."""
    ts_ns, turn_id, request_id, payload = record.ts_ns, record.turn_id, record.request_id, record.payload
    match payload:
        case TurnStarted(message=message) if message.content:
            return TreeNode(turn_id, parent_id, "user", turn_id, model_ref, ts_ns, message)
        case ResponseReceived(response=response, end_cause=cause) if response.message.content:
            node = TreeNode(request_id, parent_id, "assistant", turn_id, model_ref, ts_ns, response.message, cause)
            return node._replace(is_unfinished=response.is_unfinished)
        case ToolRoundCompleted(message=results):
            return TreeNode(request_id, parent_id, "tool", turn_id, model_ref, ts_ns, results)
        case Unknown() if request_id:  # damaged where it is stored: what follows it hangs on it all the same
            return TreeNode(request_id, parent_id, "assistant", turn_id, model_ref, ts_ns, None)
        case Unknown():
            return TreeNode(turn_id, parent_id, "user", turn_id, model_ref, ts_ns, None)
        case _:
            return None


def follow(tree: ConversationTree, record: TraceRecord, *, model_ref: str) -> None:
    """Brings a record that was just made into the tree.

    Args:
        model_ref: who is asked in the running turn.
    """
    match record.payload:
        case TurnStarted() | ResponseReceived() | ToolRoundCompleted():
            if isinstance(record.payload, TurnStarted) and record.payload.at is not None:
                change(tree, record.payload.at)
            parent_id = tree.leaf_id
            if isinstance(record.payload, ResponseReceived) and record.payload.continues is not None:
                parent_id = tree.node(record.payload.continues).parent_id
            if (node := node_of(record, parent_id=parent_id, model_ref=model_ref)) is not None:
                tree.grow(node)
        case BranchSelected() | BranchDeleted() | BranchRestored():
            change(tree, record.payload)
        case _:
            pass


def change(tree: ConversationTree, payload: TreeChange) -> None:
    """Does what was done to a tree."""
    match payload:
        case BranchSelected(leaf_id=leaf_id):
            tree.select(leaf_id)
        case BranchDeleted(message_id=message_id):
            tree.mark_deleted(message_id)
        case BranchRestored(message_id=message_id):
            tree.mark_deleted(message_id, is_deleted=False)
        case _:
            assert_never(payload)


def records_after(records: Sequence[TraceRecord], message_id: str | None) -> Sequence[TraceRecord]:
    """Of the records that paint a path, those that follow a message; None: all."""
    if message_id is None:
        return records
    for index, record in enumerate(records):
        if message_id_of(record) == message_id:
            return records[index + 1 :]
    return ()


def message_id_of(record: TraceRecord) -> str | None:
    """The id of the message that a record brings; None if it brings none."""
    match record.payload:
        case TurnStarted():
            return record.turn_id
        case ResponseReceived() | ToolRoundCompleted():
            return record.request_id
        case Unknown():  # damaged where it is stored
            return record.request_id or record.turn_id
        case _:
            return None


def copy_records(records: Sequence[TraceRecord], recorder: Recorder, *, up_to: str) -> None:
    """Records what paints a path once more, in another conversation, up to and with a message; all ids are new."""
    for record in records:
        match record.payload:
            case TurnStarted(message=message, model_ref=model_ref):
                recorder.turn_id = f"turn-{os.urandom(6).hex()}"
                recorder.emit(TurnStarted(message, model_ref))
            case ToolRoundCompleted():
                recorder.emit_for(f"tools-{os.urandom(6).hex()}", record.payload)
            case ResponseReceived():
                whole = dataclasses.replace(record.payload, continues=None)  # what it goes on with is not copied
                recorder.emit_for(f"req-{os.urandom(6).hex()}", whole)
            case _:
                recorder.emit(record.payload)
        if message_id_of(record) == up_to:
            recorder.emit(TurnCompleted())
            return
