"""Values rewritten leaf by leaf: those of the IR with the foreign JSON inside them."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable
from typing import Any, TypeVar, cast

Value = TypeVar("Value")


def rewritten(value: Value, change: Callable[[Any], Any]) -> Value:
    """``value`` with every leaf replaced by what ``change`` makes of it.

    Looks into dicts (their keys too), lists, tuples (named ones too) and dataclasses. What needs no change is given
    back as it is, and the look at it goes past ``explain``; what is copied counts as read.
    """
    return cast(Value, _rewritten(value, change))


def _rewritten(value: Any, change: Callable[[Any], Any]) -> Any:
    if isinstance(value, dict):
        members = list(dict.items(value))
        pairs = [(_rewritten(key, change), _rewritten(item, change)) for key, item in members]
        if all(new[0] is old[0] and new[1] is old[1] for new, old in zip(pairs, members, strict=True)):
            return value
        list(value.items())
        return dict(pairs)
    if isinstance(value, list | tuple):
        items = list(list.__iter__(value) if isinstance(value, list) else value)
        changed_items = [_rewritten(item, change) for item in items]
        if all(new is old for new, old in zip(changed_items, items, strict=True)):
            return value
        list(value)
        return changed_items if isinstance(value, list) else getattr(value, "_make", tuple)(changed_items)
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        fields = {field.name: getattr(value, field.name) for field in dataclasses.fields(value)}
        changed = {name: new for name, old in fields.items() if (new := _rewritten(old, change)) is not old}
        return dataclasses.replace(value, **changed) if changed else value
    return change(value)
