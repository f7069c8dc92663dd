"""Approval of calls: what is asked, what was decided, and the rules that decide by themselves (TOOL3 to TOOL8, D7).

Values only; ``core.tools.policy`` applies the rules, the window answers as ``Approver``.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Any, Protocol

from agdesk.core.ir.blocks import JsonObject
from agdesk.core.ir.effect import Effect
from agdesk.core.ir.request import ResultSemantic


class Verdict(StrEnum):
    """What was decided about one call."""

    ALLOW = "allow"
    DENY = "deny"
    ANSWER = "answer"  # the user wrote the result; nothing runs


class RuleVerdict(StrEnum):
    """What a rule says about the calls that it matches, and what a policy says about a call."""

    ASK = "ask"
    ALLOW = "allow"
    DENY = "deny"


class Scope(StrEnum):
    """How far a decision reaches. A turn is until this answer is finished."""

    ONCE = "once"
    TURN = "turn"
    CONVERSATION = "conversation"
    ALWAYS = "always"


class DecidedBy(StrEnum):
    """Who decided. ``cancel``: the turn was stopped while the question stood."""

    USER = "user"
    RULE = "rule"
    CANCEL = "cancel"


class PredicateOp(StrEnum):
    """How a predicate compares an argument with its value; ``core.tools.predicates`` says exactly how."""

    EQUALS = "equals"
    STARTS_WITH = "starts_with"
    GLOB = "glob"
    UNDER_FOLDER = "under_folder"
    HOST_IS = "host_is"


@dataclass(frozen=True, slots=True)
class Predicate:
    """A condition on one literal argument.

    Attributes:
        path: where the argument stands in the input: ``$.argv[0]``; ``$`` is the whole input.
        op: a ``PredicateOp``; text, so that one that this version does not know can be read and makes its rule deny.
        value: JSON: what the argument is compared with.
    """

    path: str
    op: str
    value: Any


@dataclass(frozen=True, slots=True)
class ApprovalRule:
    """A standing answer to calls.

    Attributes:
        id: unique among the rules of a data folder.
        verdict: what it says about the calls it matches.
        pattern: ``server:tool``; ``*`` is any text and ``?`` any character, a backslash makes the next one literal.
        where: conditions on the arguments; all must hold. None: any arguments.
        identity: of the server and the tool when it was made (``core.tools.base.identity_of``); what allows, allows for
            this identity only. A pattern with a wildcard for the tool may have the server's part of it alone.
        scope: how long it lives: its owner keeps it for a turn, a conversation or always.
        created_from: id of the call it was made from; empty if it was written by hand.
        note: the user's words.
    """

    id: str
    verdict: RuleVerdict
    pattern: str
    where: tuple[Predicate, ...] = ()
    identity: str = ""
    scope: Scope = Scope.ALWAYS
    created_from: str = ""
    note: str = ""


@dataclass(frozen=True, slots=True)
class ApprovalRequest:
    """A call that waits for a decision, with all that the card shows (TOOL4).

    Attributes:
        call_id: the ``ToolUse`` that asks.
        server: whose tool it is; ``builtin`` for those of agdesk.
        transport: how the server is reached: ``builtin``, ``stdio`` or ``http``.
        endpoint: the resolved command or the address of the server; empty for ``builtin``.
        tool: its name.
        semantic: what its result means.
        input: the arguments as proposed, whole.
        schema: JSON Schema of the input.
        words: what the model said just before.
        effect: what it would do; None: nothing beyond its answer.
        folder: where relative paths in the arguments begin; empty if that is not known.
        identity: of server and tool as they are now.
        rule_id: the rule that asks, or that no longer allows; empty if no rule says anything.
    """

    call_id: str
    server: str
    transport: str
    endpoint: str
    tool: str
    semantic: ResultSemantic
    input: JsonObject
    schema: Mapping[str, Any]
    words: str = ""
    effect: Effect | None = None
    folder: str = ""
    identity: str = ""
    rule_id: str = ""


@dataclass(frozen=True, slots=True)
class ApprovalDecision:
    """What was decided; without one no call runs (TOOL3).

    Attributes:
        verdict: run it, do not, or take ``result`` instead.
        scope: how far it reaches; anything above once comes with a rule.
        input: the arguments as they are to run, if the user changed them; None: as proposed.
        reason: why it was denied; the model is told.
        stop_turn: the turn ends with it.
        result: with ``answer``: what the model gets, marked as the user's words.
        rule_id: the rule that decided, or that was made from this decision.
        by: who decided.
        ts_ns: when, in nanoseconds since the session's start.
    """

    verdict: Verdict
    scope: Scope = Scope.ONCE
    input: JsonObject | None = None
    reason: str = ""
    stop_turn: bool = False
    result: str = ""
    rule_id: str = ""
    by: DecidedBy = DecidedBy.USER
    ts_ns: int = 0


class Approver(Protocol):
    """Whoever answers what no rule answers: the window, or a command that denies all."""

    async def approve(self, request: ApprovalRequest) -> ApprovalDecision:
        """The decision, whenever it comes. Being cancelled withdraws the question."""
