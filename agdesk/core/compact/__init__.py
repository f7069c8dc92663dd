"""Compaction: what of a long history is sent shorter, why, and what that frees (COMP1 to COMP8, SEED4).

Pure: a history goes in, a ``CompactPlan`` comes out, and ``apply_plan`` makes of both what is sent; what is stored
never changes. ``survey`` measures and scores, ``importance`` and ``references`` are the four sources, ``matrix``
decides, ``drafts`` writes what stands instead, ``plan`` escalates and sums up. Nothing here asks a provider.

May import ``core.ir`` and ``core.errors``. A new rule: ``matrix``, ``importance`` or ``thoughts``; a new action: a
class in ``ir.compaction``, a branch in ``drafts``.
"""

from agdesk.core.compact.apply import apply_plan, microcompact, plan_ledger
from agdesk.core.compact.config import CompactConfig
from agdesk.core.compact.matrix import decide_strategy, score_class, size_class
from agdesk.core.compact.plan import plan_compaction, plan_survey
from agdesk.core.compact.survey import Survey, survey_history
from agdesk.core.ir.tokens import estimate_message_tokens

__all__ = [
    "CompactConfig",
    "Survey",
    "apply_plan",
    "decide_strategy",
    "estimate_message_tokens",
    "microcompact",
    "plan_compaction",
    "plan_ledger",
    "plan_survey",
    "score_class",
    "size_class",
    "survey_history",
]
