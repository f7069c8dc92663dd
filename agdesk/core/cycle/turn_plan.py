"""What a turn is to do, and how it ended."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from agdesk.core.errors import ErrorRecord
from agdesk.core.ir.continuing import Beginning
from agdesk.core.ir.messages import Assistant, User
from agdesk.core.ir.response import MessageResponse
from agdesk.core.trace.events import BranchSelected, ParameterRepaired

if TYPE_CHECKING:
    from agdesk.core.cycle.tool_setup import RoundBefore


@dataclass(frozen=True, slots=True)
class TurnOutcome:
    """How a turn ended: the answer as far as one came, and the error if one ended it."""

    response: MessageResponse | None
    error: ErrorRecord | None


@dataclass(frozen=True, slots=True)
class TurnPlan:
    """What a turn is to do.

    Attributes:
        message: what the user says; None to ask again for what stands at the end.
        at: the message that it follows; None for the end of the active path.
        written: the answer, if the user wrote it and nobody is asked.
        refused: the parameter that is left out from now on, and who refused it.
        turn_id: that of a message that waited; None for a new one.
        beginning: of the answer at the end of the active path, which is gone on with.
        unfinished: the turn that goes on, because calls of it wait for the user since the program ended.
    """

    message: User | None = None
    at: BranchSelected | None = None
    written: Assistant | None = None
    refused: tuple[ParameterRepaired, str] | None = None
    turn_id: str | None = None
    beginning: Beginning | None = None
    unfinished: UnfinishedTurn | None = None


@dataclass(frozen=True, slots=True)
class UnfinishedTurn:
    """A turn whose last answer has calls that wait for the user (TOOL11).

    Attributes:
        model_ref: who gave the answer.
        before: what came of its calls so far.
    """

    turn_id: str
    model_ref: str
    before: RoundBefore
