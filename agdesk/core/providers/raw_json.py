"""JSON that is passed on as it came, made fit to be written again.

Readers of JSON take ``NaN``, ``Infinity`` and ``1e999``. Written again they are no JSON: nobody could read the stored
trace, and the provider would refuse the history.
"""

from __future__ import annotations

import dataclasses
import math
from typing import Any, TypeVar

from agdesk.core.ir.stream import ContentBlockEnd, ContentBlockStart, MessageComplete, StreamEvent

Value = TypeVar("Value")
_WITH_RAW = frozenset({ContentBlockStart, ContentBlockEnd, MessageComplete})


def clean_numbers(events: list[StreamEvent]) -> None:
    """Puts null, as writers of JSON do, in the place of every number that JSON cannot say."""
    for place, event in enumerate(events):
        if event.__class__ in _WITH_RAW and not _is_clean(event):
            events[place] = _cleaned(event)


def _is_clean(value: Any) -> bool:
    if isinstance(value, float):
        return math.isfinite(value)
    if isinstance(value, dict):
        return all(map(_is_clean, dict.values(value)))  # a glance past ``explain``, here and below
    if isinstance(value, list):
        return all(map(_is_clean, list.__iter__(value)))
    if isinstance(value, tuple):
        return all(map(_is_clean, value))
    if dataclasses.is_dataclass(value):
        return all(_is_clean(getattr(value, field.name)) for field in dataclasses.fields(value))
    return True


def _cleaned(value: Value) -> Value:
    result: Any = value
    if isinstance(value, float):
        result = value if math.isfinite(value) else None
    elif isinstance(value, dict):
        result = {key: _cleaned(item) for key, item in value.items()}
    elif isinstance(value, list):
        result = [_cleaned(item) for item in value]
    elif isinstance(value, tuple):
        result = tuple(map(_cleaned, value))
    elif dataclasses.is_dataclass(value) and not isinstance(value, type):
        fields = {field.name: _cleaned(getattr(value, field.name)) for field in dataclasses.fields(value)}
        result = dataclasses.replace(value, **fields)
    return result  # type: ignore[no-any-return]
