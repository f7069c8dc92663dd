"""The arguments of a call that come value by value, each with the path of its place (G13)."""

from __future__ import annotations

import json
import re
from typing import Any

from agdesk.core.providers.lenient import text_in

_DEPTH_LIMIT = 100
_STEP = re.compile(
    r"""\.(?P<name>[^.\[\]]+)
      | \[(?P<index>[0-9]{1,6})\]
      | \['(?P<single>(?:[^'\\]|\\.)*)'\]
      | \["(?P<double>(?:[^"\\]|\\.)*)"\]""",
    re.VERBOSE,
)
_NULL = "nullValue"
_VALUES = (_NULL, "stringValue", "numberValue", "boolValue")


class PartialArguments:
    """Puts values at their paths; what cannot be placed spoils the whole, so that the call cannot run."""

    __slots__ = ("_arguments", "_open_paths", "_received")

    def __init__(self) -> None:
        self._arguments: dict[str, Any] | None = {}
        self._open_paths: set[str] = set()
        self._received: list[Any] = []

    def add(self, piece: Any) -> None:
        """Takes one ``{"jsonPath": "$.a[0].b", "stringValue": "x", "willContinue": true}``."""
        self._received.append(piece)
        if self._arguments is None:
            return
        path = text_in(piece.get("jsonPath")) if isinstance(piece, dict) else ""
        steps = _steps(path)
        if steps is None or not self._place(piece, path=path, steps=steps):
            self._arguments = None

    def merge(self, arguments: dict[str, Any]) -> None:
        """Takes arguments that came whole beside the pieces."""
        self._received.append(arguments)
        if self._arguments is not None:
            self._arguments.update(arguments)

    def text(self) -> str:
        """The object in JSON; what was received, an array, if it cannot be assembled."""
        whole = self._received if self._arguments is None else self._arguments
        return json.dumps(whole, ensure_ascii=False)

    def _place(self, piece: dict[str, Any], *, path: str, steps: list[str | int]) -> bool:
        member = next((member for member in _VALUES if member in piece), None)
        if member is None:
            return False
        value = piece[member]
        if member == _NULL:
            value = None  # it comes as the name of the only value there is
        holder: Any = self._arguments
        for step, following in zip(steps, [*steps[1:], None], strict=True):
            if not _has_room(holder, step):
                return False
            if following is None:
                break
            child = _child(holder, step)
            if child is None:
                child = [] if isinstance(following, int) else {}
                _put(holder, step, child)
            holder = child
        old = _child(holder, steps[-1])
        if path in self._open_paths and isinstance(old, str) and isinstance(value, str):
            value = old + value
        _put(holder, steps[-1], value)
        if piece.get("willContinue"):
            self._open_paths.add(path)
        else:
            self._open_paths.discard(path)
        return True


def _steps(path: str) -> list[str | int] | None:
    """The names and indexes of a path below ``$``; None if it is no such path, or deeper than arguments may be."""
    if not path.startswith("$"):
        return None
    steps: list[str | int] = []
    position = 1
    while position < len(path):
        found = _STEP.match(path, position)
        if found is None or len(steps) == _DEPTH_LIMIT:
            return None
        if found["index"] is not None:
            steps.append(int(found["index"]))
        elif found["name"] is not None:
            steps.append(found["name"])
        else:
            quoted = found["single"] if found["single"] is not None else found["double"]
            steps.append(re.sub(r"\\(.)", r"\1", quoted))
        position = found.end()
    return steps or None


def _has_room(holder: Any, step: str | int) -> bool:
    """Whether the container has, or can get, this place; arrays grow one by one."""
    if isinstance(step, int):
        return isinstance(holder, list) and step <= len(holder)
    return isinstance(holder, dict)


def _child(holder: Any, step: Any) -> Any:
    if isinstance(holder, list):
        return list.__getitem__(holder, step) if step < len(holder) else None
    return dict.get(holder, step)


def _put(holder: Any, step: Any, value: Any) -> None:
    if isinstance(holder, list) and step == len(holder):
        holder.append(value)
    else:
        holder[step] = value
