"""The marks that compaction leaves in texts, and how they are known again: what carries one is left alone."""

from __future__ import annotations

import re

PRUNED = "[pruned]"
PRUNED_THINKING = "[pruned thinking]"
_LONGEST_MARK = 100
_CUT = re.compile(r'\n\[… \d+ characters cut\]\Z|"\[… \d+ items and \d+ characters cut\]"[\]}]\Z')


def characters_cut(count: int) -> str:
    """The end of a truncated text."""
    return f"\n[… {count} characters cut]"


def more_items(count: int) -> str:
    """The last item of a list that was cut."""
    return f"… {count} more"


def items_cut(items: int, characters: int) -> str:
    """The last item, or last member, of JSON that was cut to its skeleton: what is gone of the whole."""
    return f"[… {items} items and {characters} characters cut]"


def has_mark(text: str) -> bool:
    """Whether compaction has been here before."""
    if text in (PRUNED, PRUNED_THINKING) or text.startswith(f"{PRUNED}\n"):
        return True
    return _CUT.search(text, max(0, len(text) - _LONGEST_MARK)) is not None
