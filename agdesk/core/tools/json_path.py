"""Where something stands in the arguments of a call, as text: ``$.edits[0].path``, ``$["odd key"]``; ``$`` is all."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable
from typing import Any

Step = str | int
_NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_-]*")
_STEP = re.compile(r'\.([A-Za-z_][A-Za-z0-9_-]*)|\[([0-9]{1,9})\]|\[("(?:[^"\\]|\\.)*")\]')


def path_text(steps: Iterable[Step]) -> str:
    """The text of a path; what is not plain ASCII in a key is escaped."""
    return "$" + "".join(map(_step_text, steps))


def parse_path(text: str) -> tuple[Step, ...]:
    """The steps of a path.

    Raises:
        ValueError: it is none.
    """
    if not text.startswith("$"):
        raise ValueError("a path begins with $")
    steps: list[Step] = []
    place = 1
    while place < len(text):
        found = _STEP.match(text, place)
        if found is None:
            raise ValueError(f"not a path from character {place + 1} on: {text}")
        name, index, quoted = found.groups()
        steps.append(int(index) if index is not None else json.loads(quoted) if quoted is not None else name)
        place = found.end()
    return tuple(steps)


def value_at(document: Any, steps: Iterable[Step]) -> Any:
    """What stands there; None if nothing does."""
    for step in steps:
        if isinstance(step, str) and isinstance(document, dict):
            document = document.get(step)
        elif isinstance(step, int) and isinstance(document, list) and step < len(document):
            document = document[step]
        else:
            return None
    return document


def _step_text(step: Step) -> str:
    if isinstance(step, int):
        return f"[{step}]"
    return f".{step}" if _NAME.fullmatch(step) else f"[{json.dumps(step)}]"
