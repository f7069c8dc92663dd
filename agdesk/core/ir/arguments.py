"""The arguments of a tool call: from the text a model wrote to an object that is safe to run, store and send back."""

from __future__ import annotations

import json
import math
from typing import Any

from agdesk.core.ir.blocks import JsonObject
from agdesk.core.ir.surrogates import mend

_DEPTH_LIMIT = 100  # deeper objects overflow the stack of whoever writes them out again


def parse_arguments(raw: str) -> tuple[JsonObject | None, str | None]:
    """A call's arguments as an object, or the reason why they are none.

    Nothing, or ``null``, is an empty object (K13); an object encoded twice is decoded once more (K14); half a
    character escaped on its own becomes U+FFFD (T27).
    """
    if not raw.strip() or raw.strip() == "null":
        return {}, None
    try:
        value = _loads(raw)
        if isinstance(value, str):
            value = _loads(value)
    except (ValueError, RecursionError) as error:
        return None, f"the arguments are not valid JSON: {error}"
    if not isinstance(value, dict):
        return None, f"the arguments are not a JSON object but {type(value).__name__}"
    if _depth(value) > _DEPTH_LIMIT:
        return None, f"the arguments are nested deeper than {_DEPTH_LIMIT} levels"
    return mend(value), None


def _loads(raw: str) -> Any:
    return json.loads(raw, parse_constant=_finite, parse_float=_finite)


def _finite(text: str) -> float:
    """Python's reader takes NaN, Infinity and 1e999; written out again they are not JSON and poison the history."""
    number = float(text)
    if not math.isfinite(number):
        raise ValueError(f"{text} is not a JSON number")
    return number


def _depth(value: JsonObject) -> int:
    level: list[Any] = [value]
    depth = 0
    while level:
        depth += 1
        children = [child for item in level for child in (item.values() if isinstance(item, dict) else item)]
        level = [child for child in children if isinstance(child, dict | list)]
    return depth
