"""``ContextLedger``: how much of a model's context a conversation takes (CHAT12, COMP8).

What was reported last, and an estimate of what came since. Pure: records go in, a ``Reading`` comes out; nothing is
kept that a stored conversation would not give again.
"""

from __future__ import annotations

from array import array
from dataclasses import dataclass
from operator import sub

from agdesk.core.cycle.gauge import Parts, Reading, added, apportion, parts_of
from agdesk.core.ir.blocks import ContentBlock, Text, Thinking
from agdesk.core.ir.messages import Assistant
from agdesk.core.ir.request import ToolDefinition
from agdesk.core.ir.response import CompletionTokensDetails
from agdesk.core.ir.tokens import ASSUMED_RATIO, estimate_block_tokens, estimate_text_tokens, estimate_tools_tokens
from agdesk.core.ir.tree import ConversationTree
from agdesk.core.trace.branches import message_id_of
from agdesk.core.trace.events import ResponseReceived, TraceRecord, TurnStarted
from agdesk.core.trace.tools import ToolRoundCompleted

_NONE = -1
_WIDTH = len(Parts._fields)
LEAST_RATIO, MOST_RATIO = 0.1, 1.0


@dataclass(frozen=True, slots=True)
class _Report:
    """What an answer reported.

    Attributes:
        output_tokens: of it, as far as it is sent again; None if it was not told.
        before: the estimate of the messages that were sent.
        sent: the estimate of all that was sent, as it was made then; None if it was not kept.
        covered_id: the message up to which tokens are counted; None for none.
        older: number of the report before it on the same path; ``_NONE`` if there is none.
    """

    model_ref: str
    input_tokens: int
    output_tokens: int | None
    before: int
    sent: int | None
    covered_id: str | None
    older: int

    @property
    def tokens(self) -> int:
        return self.input_tokens + (self.output_tokens or 0)


class ContextLedger:
    """Follows the records of one conversation. Numbers stand in arrays: a long conversation has ten thousand messages.

    Args:
        tree: of the conversation; a record is in it before it comes here.
    """

    def __init__(self, tree: ConversationTree) -> None:
        self._tree = tree
        self._model_refs: dict[str, str] = {}
        self._places: dict[str | None, int] = {None: 0}  # of every message in these two:
        self._sums = array("q", Parts())  # of the message with all that it follows, a number for each of the parts
        self._reported = array("q", (_NONE,))  # number of the last report of its path
        self._reports: list[_Report] = []

    def take(self, record: TraceRecord) -> None:
        """Takes in a record that paints the conversation, after those of the messages that it follows."""
        payload = record.payload
        if isinstance(payload, TurnStarted):
            self._model_refs[record.turn_id] = payload.model_ref
        message_id = message_id_of(record) or record.request_id or record.turn_id
        if message_id not in self._tree:
            return
        parent_id = self._tree.node(message_id).parent_id
        before, reported = self._sum(parent_id), self._report_before(parent_id)
        match payload:
            case TurnStarted(message=message):
                self._put(message_id, added(before, parts_of(message.content)), reported)
            case ResponseReceived():
                after = added(before, parts_of(payload.response.message.content))
                model_ref = self._model_refs.get(record.turn_id, "")
                ids, sent = (parent_id, message_id), sum(before) + sum(self._begun(payload))
                report = _report_of(payload, model_ref, ids=ids, before=sent, older=reported)
                if report is not None:
                    reported = len(self._reports)
                    self._reports.append(report)
                self._put(message_id, after, reported)
            case ToolRoundCompleted(message=message):
                self._put(message_id, added(before, parts_of(message.results)), reported)
            case _:  # damaged where it is stored
                self._put(message_id, before, reported)

    def _begun(self, received: ResponseReceived) -> Parts:
        """Of an answer the part that was sent, because it was gone on with."""
        if received.continues is None or received.continues not in self._tree:
            return Parts()
        message = self._tree.node(received.continues).message
        return parts_of(message.content) if isinstance(message, Assistant) else Parts()

    def reading(
        self,
        *,
        model_ref: str,
        window_tokens: int | None = None,
        system_prompt: str | None = None,
        tools: tuple[ToolDefinition, ...] = (),
        draft: tuple[ContentBlock, ...] = (),
    ) -> Reading:
        """The context of the next request to a model, if the draft were sent now."""
        last, measured = self._look_back(model_ref)
        ratio = ASSUMED_RATIO if measured is None else measured
        unsent = _draft_parts(draft)
        every_time = Parts(system=estimate_text_tokens(system_prompt or ""), tools=estimate_tools_tokens(tools))
        messages = self._sum(self._tree.leaf_id)
        if last is None:
            since, known, changed = added(added(messages, every_time), unsent), Parts(), 0
        else:
            covered = self._sum(last.covered_id)
            since = added(Parts(*map(sub, messages, covered)), unsent)
            known = added(covered, every_time)
            changed = 0 if last.sent is None else sum(known) - (last.sent + sum(covered) - last.before)
        known_tokens = max(0, (last.tokens if last is not None else 0) + round(ratio * changed))
        parts = added(apportion(known_tokens, known), apportion(round(ratio * sum(since)), since))
        return Reading(
            parts,
            reported_tokens=last.tokens if last is not None else None,
            reported_by=last.model_ref if last is not None else "",
            added_estimate_tokens=changed + sum(since),
            ratio=ratio,
            is_ratio_measured=measured is not None,
            window_tokens=window_tokens,
        )

    def _look_back(self, model_ref: str) -> tuple[_Report | None, float | None]:
        """The last report on the active path, and the ratio that the last two of a model give."""
        own: list[_Report] = []
        report = last = self._report_at(self._report_before(self._tree.leaf_id))
        while report is not None and len(own) < 2:
            if report.model_ref == model_ref:
                own.append(report)
            report = self._report_at(report.older)
        return last, _measured_ratio(older=own[1], newer=own[0]) if len(own) == 2 else None

    def _report_at(self, number: int) -> _Report | None:
        return None if number == _NONE else self._reports[number]

    def _report_before(self, message_id: str | None) -> int:
        return self._reported[self._places.get(message_id, 0)]

    def _sum(self, message_id: str | None) -> Parts:
        """The estimate of a message with all that it follows, by kind; of one that is not known, nothing."""
        start = self._places.get(message_id, 0) * _WIDTH
        return Parts(*self._sums[start : start + _WIDTH])

    def _put(self, message_id: str, parts: Parts, reported: int) -> None:
        place = self._places.setdefault(message_id, len(self._places))
        self._sums[place * _WIDTH : (place + 1) * _WIDTH] = array("q", parts)
        self._reported[place : place + 1] = array("q", (reported,))


def _draft_parts(draft: tuple[ContentBlock, ...]) -> Parts:
    parts = parts_of(draft)
    typed = sum(estimate_block_tokens(block) for block in draft if isinstance(block, Text))
    return parts._replace(text=parts.text - typed, draft=typed)


def _report_of(
    received: ResponseReceived, model_ref: str, *, ids: tuple[str | None, str], before: int, older: int
) -> _Report | None:
    """What an answer reported; None if it did not tell what was sent. ``ids``: of what it answers, and its own.

    Thinking that was counted but not given away is not sent again.
    """
    usage, content = received.response.usage, received.response.message.content
    if usage.prompt_tokens is None:
        return None
    output = usage.completion_tokens
    details = usage.completion_tokens_details or CompletionTokensDetails()
    if output is not None and not any(isinstance(block, Thinking) for block in content):
        output = max(0, output - (details.reasoning_tokens or 0))
    covered_id = ids[0] if output is None else ids[1]
    return _Report(model_ref, usage.prompt_tokens, output, before, received.sent_estimate_tokens, covered_id, older)


def _measured_ratio(*, older: _Report, newer: _Report) -> float | None:
    """Reported growth over estimated growth; None if nothing grew by the estimate."""
    if older.sent is not None and newer.sent is not None:
        estimated = newer.sent - older.sent
    else:
        estimated = newer.before - older.before
    if estimated == 0:
        return None
    return min(MOST_RATIO, max(LEAST_RATIO, (newer.input_tokens - older.input_tokens) / estimated))
