"""What a rule would have done, tried out on calls of the past (TOOL8)."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import NamedTuple

from agdesk.core.ir.approval import ApprovalRule, RuleVerdict, Verdict
from agdesk.core.ir.blocks import JsonObject
from agdesk.core.tools.rule import CompiledRule


class RecordedCall(NamedTuple):
    """A call of the past.

    Attributes:
        call_id, server, tool, input: as it was proposed.
        verdict: what was decided; None if it never was.
        folder: where its relative paths began; empty if unknown.
    """

    call_id: str
    server: str
    tool: str
    input: JsonObject
    verdict: Verdict | None = None
    folder: str = ""


@dataclass(frozen=True, slots=True)
class Rehearsal:
    """What came of it.

    Attributes:
        verdict: what the rule says; a broken one denies.
        matched: the calls that it would have decided, or asked about.
        against: those of them that were decided the other way: denied where it allows, allowed where it denies.
    """

    verdict: RuleVerdict
    matched: tuple[RecordedCall, ...]
    against: tuple[RecordedCall, ...]


def rehearse(rule: ApprovalRule, calls: Iterable[RecordedCall]) -> Rehearsal:
    """Runs a rule over calls of the past, as if it had been the only one and their servers were what they are now."""
    compiled = CompiledRule(rule)
    matched = tuple(call for call in calls if compiled.matches(call.server, call.tool, call.input, folder=call.folder))
    opposite = {RuleVerdict.ALLOW: Verdict.DENY, RuleVerdict.DENY: Verdict.ALLOW}.get(compiled.verdict)
    against = tuple(call for call in matched if call.verdict is not None and call.verdict is opposite)
    return Rehearsal(compiled.verdict, matched, against)
