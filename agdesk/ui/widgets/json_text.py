"""JSON as a user reads and writes it: nothing in it is hidden, and what is read back is what was shown."""

from __future__ import annotations

import json
import math
import re
from typing import Any, Never

from PySide6.QtCore import QCoreApplication

from agdesk.ui.widgets.hidden_characters import escaped

_PLAIN_NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_-]*")

translate = QCoreApplication.translate


class JsonProblem(ValueError):
    """A text is no JSON.

    Attributes:
        place: the character that it fails at, from 0; None if that is not known.
    """

    def __init__(self, message: str, place: int | None = None) -> None:
        super().__init__(message)
        self.place = place


def json_text(value: Any, *, is_pretty: bool = True) -> str:
    """A value as JSON, in its own order of keys; hidden characters stand as their escapes."""
    return escaped(json.dumps(value, ensure_ascii=False, indent=2 if is_pretty else None))


def key_text(name: str) -> str:
    """The name of a member as it is shown: in quotes unless it is plain ASCII, so that none passes for another."""
    return name if _PLAIN_NAME.fullmatch(name) else json_text(name)


def same_json(one: Any, other: Any) -> bool:
    """Whether two values are the same JSON: 1 is not 1.0 and not true, and the order of keys counts."""
    return json.dumps(one) == json.dumps(other)


def read_json(text: str) -> Any:
    """The value of a text that a user wrote.

    Raises:
        JsonProblem: it is no JSON, has a number that is too large to be one, or an object with a key twice.
    """
    try:
        return json.loads(text, parse_constant=_refuse, parse_float=_finite, object_pairs_hook=_object)
    except json.JSONDecodeError as error:
        place = translate("JsonText", "Line {line}, column {column}").format(line=error.lineno, column=error.colno)
        raise JsonProblem(f"{place}: {error.msg}", error.pos) from error
    except RecursionError as error:
        raise JsonProblem(translate("JsonText", "It is nested too deeply")) from error
    except JsonProblem:
        raise
    except ValueError as error:  # a whole number of more digits than Python reads
        raise JsonProblem(str(error)) from error


def _refuse(name: str) -> Never:
    raise JsonProblem(translate("JsonText", "{name} is no JSON").format(name=name))


def _finite(text: str) -> float:
    number = float(text)
    if not math.isfinite(number):
        raise JsonProblem(translate("JsonText", "{number} is too large a number").format(number=text))
    return number


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) < len(pairs):
        names = [name for name, _ in pairs]
        twice = next(name for name in names if names.count(name) > 1)
        raise JsonProblem(translate("JsonText", "“{name}” stands twice in one object").format(name=twice))
    return found
