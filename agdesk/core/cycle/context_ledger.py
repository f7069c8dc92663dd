"""``ContextLedger``: how much of a model's context a conversation takes (CHAT12, COMP8).

What was reported last, and an estimate of what came since. Pure: records go in, a ``Reading`` comes out; nothing is
kept that a stored conversation would not give again.
"""

from __future__ import annotations

from dataclasses import dataclass
from operator import sub

from agdesk.core.cycle.gauge import Parts, Reading, added, apportion, parts_of
from agdesk.core.ir.blocks import ContentBlock, Text, Thinking
from agdesk.core.ir.request import ToolDefinition
from agdesk.core.ir.response import CompletionTokensDetails
from agdesk.core.ir.tokens import estimate_block_tokens, estimate_text_tokens, estimate_tools_tokens
from agdesk.core.ir.tree import ConversationTree
from agdesk.core.trace.branches import message_id_of
from agdesk.core.trace.events import ResponseReceived, TraceRecord, TurnStarted

ASSUMED_RATIO = 0.25
LEAST_RATIO, MOST_RATIO = 0.1, 1.0


@dataclass(frozen=True, slots=True)
class _Report:
    """What an answer reported.

    Attributes:
        output_tokens: of it, as far as it is sent again; None if it was not told.
        before: the estimate of the messages that were sent.
        sent: the estimate of all that was sent, as it was made then; None if it was not kept.
        covered: by kind, the estimate of every message whose tokens are counted.
        older_id: the message of the report before it on the same path; None if there is none.
    """

    model_ref: str
    input_tokens: int
    output_tokens: int | None
    before: int
    sent: int | None
    covered: Parts
    older_id: str | None

    @property
    def tokens(self) -> int:
        return self.input_tokens + (self.output_tokens or 0)

    @property
    def estimate(self) -> int | None:
        """Of what ``tokens`` counts, as it was sent then."""
        return None if self.sent is None else self.sent + sum(self.covered) - self.before


class ContextLedger:
    """Follows the records of one conversation.

    Args:
        tree: of the conversation; a record is in it before it comes here.
    """

    def __init__(self, tree: ConversationTree) -> None:
        self._tree = tree
        self._model_refs: dict[str, str] = {}
        self._sums: dict[str | None, Parts] = {}  # of every message with all that it follows
        self._reports: dict[str, _Report] = {}
        self._reported: dict[str | None, str | None] = {}  # of every message the last report of its path

    def take(self, record: TraceRecord) -> None:
        """Takes in a record that paints the conversation, after those of the messages that it follows."""
        payload = record.payload
        if isinstance(payload, TurnStarted):
            self._model_refs[record.turn_id] = payload.model_ref
        message_id = message_id_of(record) or record.request_id or record.turn_id
        if message_id not in self._tree:
            return
        parent_id = self._tree.node(message_id).parent_id
        before = self._sums.get(parent_id, Parts())
        self._reported[message_id] = older_id = self._reported.get(parent_id)
        match payload:
            case TurnStarted(message=message):
                self._sums[message_id] = added(before, parts_of(message.content))
            case ResponseReceived():
                after = self._sums[message_id] = added(before, parts_of(payload.response.message.content))
                model_ref = self._model_refs.get(record.turn_id, "")
                sent = added(before, self._begun(payload))
                report = _report_of(payload, model_ref, sums=(sent, after), older_id=older_id)
                if report is not None:
                    self._reports[message_id] = report
                    self._reported[message_id] = message_id
            case _:  # damaged where it is stored
                self._sums[message_id] = before

    def _begun(self, received: ResponseReceived) -> Parts:
        """Of an answer the part that was sent, because it was gone on with."""
        if received.continues is None or received.continues not in self._tree:
            return Parts()
        message = self._tree.node(received.continues).message
        return Parts() if message is None else parts_of(message.content)

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
        messages = self._sums.get(self._tree.leaf_id, Parts())
        if last is None:
            since, known, changed = added(added(messages, every_time), unsent), Parts(), 0
        else:
            since = added(Parts(*map(sub, messages, last.covered)), unsent)
            known = added(last.covered, every_time)
            changed = 0 if last.estimate is None else sum(known) - last.estimate
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
        report = last = self._report_at(self._reported.get(self._tree.leaf_id))
        while report is not None and len(own) < 2:
            if report.model_ref == model_ref:
                own.append(report)
            report = self._report_at(report.older_id)
        return last, _measured_ratio(older=own[1], newer=own[0]) if len(own) == 2 else None

    def _report_at(self, message_id: str | None) -> _Report | None:
        return None if message_id is None else self._reports.get(message_id)


def _draft_parts(draft: tuple[ContentBlock, ...]) -> Parts:
    parts = parts_of(draft)
    typed = sum(estimate_block_tokens(block) for block in draft if isinstance(block, Text))
    return parts._replace(text=parts.text - typed, draft=typed)


def _report_of(
    received: ResponseReceived, model_ref: str, *, sums: tuple[Parts, Parts], older_id: str | None
) -> _Report | None:
    """What an answer reported; ``sums``: before it and with it. None if it did not tell what was sent.

    Thinking that was counted but not given away is not sent again.
    """
    usage, content = received.response.usage, received.response.message.content
    if usage.prompt_tokens is None:
        return None
    before, after = sums
    output = usage.completion_tokens
    details = usage.completion_tokens_details or CompletionTokensDetails()
    if output is not None and not any(isinstance(block, Thinking) for block in content):
        output = max(0, output - (details.reasoning_tokens or 0))
    covered = before if output is None else after
    sent = received.sent_estimate_tokens
    return _Report(model_ref, usage.prompt_tokens, output, sum(before), sent, covered, older_id)


def _measured_ratio(*, older: _Report, newer: _Report) -> float | None:
    """Reported growth over estimated growth; None if nothing grew by the estimate."""
    if older.sent is not None and newer.sent is not None:
        estimated = newer.sent - older.sent
    else:
        estimated = newer.before - older.before
    if estimated == 0:
        return None
    return min(MOST_RATIO, max(LEAST_RATIO, (newer.input_tokens - older.input_tokens) / estimated))
