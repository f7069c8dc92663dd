"""``plan_compaction``: what is done to which block, and what that comes to (COMP1, COMP2)."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import groupby

from agdesk.core.compact.config import CompactConfig
from agdesk.core.compact.drafts import Draft
from agdesk.core.compact.survey import Survey, survey_history
from agdesk.core.ir.compaction import CompactPlan, CompactReport, CompactState, SkipReason
from agdesk.core.ir.messages import Message
from agdesk.core.ir.request import ToolDefinition
from agdesk.core.ir.tokens import ASSUMED_RATIO


def plan_compaction(
    messages: Sequence[Message],
    *,
    config: CompactConfig,
    tools: Sequence[ToolDefinition] = (),
    state: CompactState | None = None,
    request_tokens: int | None = None,
    ratio: float = ASSUMED_RATIO,
) -> CompactPlan:
    """Plans; nothing is changed.

    Args:
        messages: the history as it is stored, its system message in it.
        config: the limit, and what stays.
        tools: that are offered.
        state: the user's choices, and what is known from before.
        request_tokens: COMP8's number for the request as it would go out; None: ``ratio`` × the estimate.
        ratio: what makes an estimate into tokens.

    Raises:
        CompactError: a choice that cannot be.
    """
    state = CompactState() if state is None else state
    survey = survey_history(messages, config=config, tools=tools, references=state.references)
    return plan_survey(survey, state=state, request_tokens=request_tokens, ratio=ratio)


def plan_survey(
    survey: Survey,
    *,
    state: CompactState,
    request_tokens: int | None = None,
    ratio: float = ASSUMED_RATIO,
) -> CompactPlan:
    """The plan for a history that was looked through already: for another choice of the user, in no time."""
    pinned = frozenset(state.pinned)
    chosen = {choice.path: choice.action for choice in state.choices}
    drafts = [Draft(block, is_pinned=block.path in pinned, choice=chosen.get(block.path)) for block in survey.blocks]
    _keep_together(drafts)
    request = _Request(survey.estimate_tokens, request_tokens, ratio)
    for draft in drafts:
        request.estimate -= draft.measured.text_tokens - draft.text_tokens
    if survey.limit_tokens is not None:
        _escalate(drafts, request, survey.limit_tokens)
    items = tuple(draft.item() for draft in drafts)
    report = CompactReport(
        estimate_before_tokens=survey.estimate_tokens,
        estimate_after_tokens=request.estimate,
        tokens_before=request.tokens_of(survey.estimate_tokens),
        tokens_after=request.tokens,
        ratio=ratio,
        limit_tokens=survey.limit_tokens,
        changed_count=sum(item.replacement is not None for item in items),
    )
    references = tuple(block.reference for block in survey.blocks if block.reference is not None)
    return CompactPlan(items, report, CompactState(state.pinned, state.choices, references))


class _Request:
    """How large the request is while it is planned."""

    def __init__(self, estimate: int, request_tokens: int | None, ratio: float) -> None:
        self.estimate = self._before = estimate
        self._request_tokens = request_tokens
        self._ratio = ratio

    @property
    def tokens(self) -> int:
        """As planned so far."""
        return self.tokens_of(self.estimate)

    def tokens_of(self, estimate: int) -> int:
        """COMP8's number if the estimate were this."""
        if self._request_tokens is None:
            return round(self._ratio * estimate)
        return max(0, self._request_tokens + round(self._ratio * (estimate - self._before)))


def _keep_together(drafts: Sequence[Draft]) -> None:
    """Signed thoughts of a message go if all of them can: their maker signed them as a row."""
    signed = (draft for draft in drafts if draft.goes_with_others)
    for _, group in groupby(signed, key=lambda draft: draft.measured.path.message):
        row = list(group)
        if any(draft.replacement is None for draft in row):
            for draft in row:
                if draft.replacement is not None:
                    draft.keep(SkipReason.SIGNED)


def _escalate(drafts: Sequence[Draft], request: _Request, limit_tokens: int) -> None:
    """Stage 2: the oldest first, one step each, and again while the request is too large (docs/adr/0017)."""
    has_freed = True
    while has_freed:
        has_freed = False
        for draft in drafts:
            if request.tokens <= limit_tokens:
                return
            freed = draft.step_down()
            request.estimate -= freed
            has_freed = has_freed or freed > 0
