"""Size × importance → action: the documents' ``decide_strategy`` (stage 1), and its escalation (stage 2)."""

from __future__ import annotations

from enum import IntEnum

from agdesk.core.ir.compaction import CompactAction, Replace, Skip, Truncate, TruncateStructured

SMALL_CHARACTERS, MEDIUM_CHARACTERS = 200, 2000
TRUNCATED = Truncate(200)
STRUCTURED = TruncateStructured(500)


class SizeClass(IntEnum):
    """Up to 200 characters, 201 to 2,000, and more."""

    SMALL = 0
    MEDIUM = 1
    LARGE = 2


class ScoreClass(IntEnum):
    """Below 1 (actions, mixed, faded), from 1 to below 2, and 2 or more."""

    LOW = 0
    HIGH = 1
    HIGHEST = 2


def size_class(size: int) -> SizeClass:
    """The row of the board that a text of ``size`` characters stands in."""
    if size <= SMALL_CHARACTERS:
        return SizeClass.SMALL
    return SizeClass.MEDIUM if size <= MEDIUM_CHARACTERS else SizeClass.LARGE


def score_class(score: float) -> ScoreClass:
    """The column of the board that a score stands in."""
    if score >= 2:
        return ScoreClass.HIGHEST
    return ScoreClass.HIGH if score >= 1 else ScoreClass.LOW


def decide_strategy(size: int, score: float) -> CompactAction:
    """What the documents' function says: ``size`` in characters, ``score`` as a float (docs/adr/0016, 0017)."""
    match size_class(size), score_class(score):
        case SizeClass.SMALL, _:
            return Skip()
        case SizeClass.MEDIUM, ScoreClass.LOW:
            return TRUNCATED
        case SizeClass.MEDIUM, _:
            return Skip()
        case _, ScoreClass.HIGHEST:
            return STRUCTURED
        case _, ScoreClass.HIGH:
            return TRUNCATED
        case _:
            return Replace()


def harder(size: int, score: float, action: CompactAction) -> CompactAction | None:
    """The next action of stage 2 for a block that has ``action`` now; None if there is none.

    Only important blocks have one: below 1, stage 1 has done what can be done. A medium one is truncated with its
    structure, a large one goes down one step: structured › truncated › replaced.
    """
    if score_class(score) is ScoreClass.LOW:
        return None
    match size_class(size), action:
        case SizeClass.MEDIUM, Skip():
            return STRUCTURED
        case SizeClass.LARGE, TruncateStructured():
            return TRUNCATED
        case SizeClass.LARGE, Truncate():
            return Replace()
        case _:
            return None
