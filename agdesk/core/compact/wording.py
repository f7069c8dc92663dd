"""A plan in words, for whoever reads it in a terminal or in JSON."""

from __future__ import annotations

from agdesk.core.ir.compaction import (
    CompactAction,
    CompactItem,
    Contribution,
    Finding,
    Replace,
    Skip,
    SkipReason,
    Truncate,
    TruncateStructured,
)

_FINDINGS = {
    Finding.FACTUAL: "the tool gives facts",
    Finding.ACTION: "the tool does something once",
    Finding.MIXED: "the tool gives facts or does something",
    Finding.UNDECLARED: "nothing is declared of the tool",
    Finding.LIST: "a list",
    Finding.STATUS: "a status",
    Finding.ERROR: "an error",
    Finding.OTHER_CONTENT: "neither list nor status nor error",
    Finding.NOT_REFERENCED: "no later message takes it up",
}
_SKIPPED = {
    SkipReason.SMALL: "too small to be worth it",
    SkipReason.IMPORTANT: "important and not large",
    SkipReason.ERROR: "errors stay",
    SkipReason.RECENT: "among the newest messages",
    SkipReason.NEWEST: "in the newest message of the user",
    SkipReason.PENDING: "another call of its round is still open",
    SkipReason.PINNED: "pinned",
    SkipReason.CHOSEN: "as you chose",
    SkipReason.MARKED: "compacted before",
    SkipReason.NOT_SHORTER: "it would not get shorter",
    SkipReason.THINKING_KEPT: "thinking is not compacted",
    SkipReason.SIGNED: "its maker signed it, and here it has to go back",
    SkipReason.OPAQUE: "it carries data that have to go back unchanged",
}


def contribution_in_words(one: Contribution) -> str:
    """What a source found."""
    if one.finding is Finding.AGE:
        return f"{_count(one.turns or 0, 'turn')} since it came or was taken up"
    if one.finding is Finding.REFERENCED:
        return f"taken up in turn {one.turn}: {', '.join(one.words)}"
    return _FINDINGS[one.finding]


def action_in_words(action: CompactAction) -> str:
    """An action with what it keeps."""
    match action:
        case Skip():
            return "keep"
        case Truncate(keep=keep):
            return f"first {keep}"
        case TruncateStructured(keep=keep):
            return f"skeleton {keep}"
        case Replace():
            return "replace"


def reason_in_words(item: CompactItem) -> str:
    """Why a block stays, or how it was decided what becomes of it."""
    if item.skip_reason is not None:
        return _SKIPPED[item.skip_reason]
    if item.replacement == "":
        return "left out whole"
    said = "as you chose" if item.is_chosen else f"stage {item.stage}"
    return said if item.action == item.decided else f"{said}, has no skeleton that short"


def _count(number: int, noun: str) -> str:
    return f"{number} {noun}" + ("" if number == 1 else "s")
