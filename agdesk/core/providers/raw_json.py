"""JSON that is passed on as it came, made fit to be written again.

Readers of JSON take ``NaN``, ``Infinity`` and ``1e999``. Written again they are no JSON: nobody could read the stored
trace, and the provider would refuse the history.
"""

from __future__ import annotations

import math
from typing import Any

from agdesk.core.ir.rewriting import rewritten
from agdesk.core.ir.stream import ContentBlockEnd, ContentBlockStart, MessageComplete, StreamEvent

_WITH_RAW = frozenset({ContentBlockStart, ContentBlockEnd, MessageComplete})


def clean_numbers(events: list[StreamEvent]) -> None:
    """Puts null, as writers of JSON do, in the place of every number that JSON cannot say."""
    for place, event in enumerate(events):
        if event.__class__ in _WITH_RAW:
            events[place] = rewritten(event, _finite)


def _finite(leaf: Any) -> Any:
    return None if isinstance(leaf, float) and not math.isfinite(leaf) else leaf
