"""What the store hands out."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal, TypeAlias

from agdesk.core.ir.messages import Message
from agdesk.core.ir.parameters import RequestParameters
from agdesk.core.ir.response import Usage
from agdesk.core.ir.tool_selection import ToolSelection
from agdesk.core.ir.tree import ConversationTree
from agdesk.core.trace.events import TraceRecord


@dataclass(frozen=True, slots=True)
class Conversation:
    """A row of the conversation list.

    Attributes:
        id: also the id of the session that it is continued with.
        title: the first line of the first message until it is renamed (D15).
        group: the user's own name for what it belongs to; empty for none.
        is_traced: whether what went over the wire is kept beside the messages (INSP1).
        model_ref: ``provider/model`` that answered last.
        created_ms, updated_ms: wall clock, milliseconds since 1970.
        wall_start_ns: the wall-clock time that ``TraceRecord.ts_ns`` 0 of this conversation stands for.
    """

    id: str
    title: str
    model_ref: str
    created_ms: int
    updated_ms: int
    wall_start_ns: int
    group: str = ""
    is_pinned: bool = False
    is_traced: bool = True


@dataclass(frozen=True, slots=True)
class Setup:
    """What a conversation sets in its requests; ``system_prompt`` None for none."""

    parameters: RequestParameters = field(default_factory=RequestParameters)
    system_prompt: str | None = None
    tools: ToolSelection = field(default_factory=ToolSelection)


@dataclass(frozen=True, slots=True)
class StoredConversation:
    """What a session continues from.

    Attributes:
        tree: all its branches.
        messages: the active path, as it is sent.
        records: what paints it, in order: for each turn ``TurnStarted``, ``ResponseReceived`` for each answer, and the
            turn's end, with the seq they were emitted with.
        last_seq: the seq of the conversation's last record, 0 if there is none.
        last_ts_ns: when the last record of any branch came, of those that paint.
        usages: what each request of any branch used, with the model it asked, for the cost so far.
        is_whole: whether that is all of it, or only its end.
    """

    conversation: Conversation
    tree: ConversationTree = field(compare=False)
    messages: tuple[Message, ...]
    records: tuple[TraceRecord, ...]
    last_seq: int
    last_ts_ns: int
    usages: tuple[tuple[str, Usage], ...]
    is_whole: bool = True


StoreCondition: TypeAlias = Literal["ok", "full", "failed"]


@dataclass(frozen=True, slots=True)
class StoreState:
    """Whether what happens is being kept. ``full``: the disk has no space; ``failed``: any other error of writing.

    In both, everything stored stays readable, what could not be written waits in memory, and writing is tried again.
    """

    condition: StoreCondition = "ok"
    message: str = ""
    hint: str = ""


@dataclass(frozen=True, slots=True)
class UnfinishedEdit:
    """A message that is being edited, and what has been written in its place so far."""

    message_id: str
    text: str
