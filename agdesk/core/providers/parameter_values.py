"""The values of ``RequestParameters`` by the names of ``parameter_names``, as JSON.

None stands for what is not sent. The value of ``response_format`` is its JSON Schema; ``{}`` asks for any JSON object.
"""

from __future__ import annotations

import dataclasses
import json
import math
from collections.abc import Mapping
from typing import Any, Never, assert_never

from agdesk.core.errors import ConfigurationError
from agdesk.core.ir.request import RequestParameters, ResponseFormat, ThinkingOptions
from agdesk.core.providers.parameter_names import NAMES
from agdesk.core.providers.parameters import KINDS, ParameterKind

_THINKING = "thinking."
_TYPES = ("array", "boolean", "integer", "null", "number", "object", "string")  # of JSON Schema


def value_of(parameters: RequestParameters, name: str) -> Any:
    """The value of one parameter; None if it is not set."""
    if name.startswith(_THINKING):
        return getattr(parameters.thinking, name.removeprefix(_THINKING), None)
    value = getattr(parameters, name)
    match value:
        case ResponseFormat(schema=schema):
            return dict(schema or {})
        case tuple():
            return list(value) or None
        case Mapping():
            return dict(value) or None
    return value


def set_names(parameters: RequestParameters) -> tuple[str, ...]:
    """The parameters that are set, in the order of the panel."""
    return tuple(name for name in NAMES if value_of(parameters, name) is not None)


def with_value(parameters: RequestParameters, name: str, value: Any) -> RequestParameters:
    """The parameters with another value for one of them; None sets it no longer.

    Raises:
        ConfigurationError: there is no such parameter, or it cannot have this value.
    """
    if name not in KINDS:
        raise ConfigurationError(f"There is no parameter {name!r}", f"Known are: {', '.join(NAMES)}.")
    if value is not None:
        value = _checked(name, value)
    if name.startswith(_THINKING):
        changed = {name.removeprefix(_THINKING): value}
        thinking = dataclasses.replace(parameters.thinking or ThinkingOptions(), **changed)
        return dataclasses.replace(parameters, thinking=None if thinking == ThinkingOptions() else thinking)
    empty = getattr(RequestParameters(), name)
    return dataclasses.replace(parameters, **{name: empty if value is None else value})


def read_values(assignments: tuple[str, ...]) -> RequestParameters:
    """Parameters from texts such as ``temperature=0.2``: a name, and its value as JSON.

    Raises:
        ConfigurationError: one is not of this form.
    """
    parameters = RequestParameters()
    for assignment in assignments:
        name, sign, text = assignment.partition("=")
        if not sign:
            raise ConfigurationError(f"{assignment!r} sets nothing", "Write it as NAME=JSON, as in temperature=0.2.")
        try:
            value = json.loads(text)
        except (ValueError, RecursionError) as error:
            raise ConfigurationError(
                f"The value of {name} is not JSON: {text}", f"Text is written in quotes, as in {name}='\"high\"'."
            ) from error
        parameters = with_value(parameters, name.strip(), value)
    return parameters


def _checked(name: str, value: Any) -> Any:
    """``value`` as ``RequestParameters`` has it."""
    match KINDS[name]:
        case ParameterKind.NUMBER:
            if isinstance(value, bool) or not isinstance(value, int | float) or not math.isfinite(value):
                _refuse(name, "a number")
            return float(value)
        case ParameterKind.INTEGER:
            if isinstance(value, bool) or not isinstance(value, int):
                _refuse(name, "a whole number")
            return value
        case ParameterKind.SWITCH:
            if not isinstance(value, bool):
                _refuse(name, "true or false")
            return value
        case ParameterKind.CHOICE:
            if not isinstance(value, str) or not value.strip():
                _refuse(name, "a word")
            return value.strip()
        case ParameterKind.LIST:
            items = [value] if isinstance(value, str) else value
            if not isinstance(items, list) or not all(isinstance(item, str) and item for item in items):
                _refuse(name, "a list of texts")
            return tuple(items)
        case ParameterKind.JSON:
            return _checked_object(name, value)
    assert_never(KINDS[name])


def _checked_object(name: str, value: Any) -> Any:
    try:
        json.dumps(value, allow_nan=False)
    except (ValueError, RecursionError):  # NaN, a number too large, a nesting too deep
        _refuse(name, "JSON that can be sent")
    if not isinstance(value, dict):
        _refuse(name, "an object")
    if name != "response_format":
        return value
    types = value.get("type", [])
    for kind in types if isinstance(types, list) else [types]:
        if kind not in _TYPES:
            raise ConfigurationError(
                f"{json.dumps(kind)} is no type of JSON Schema",
                f"The types are {', '.join(_TYPES)}; an empty schema, {{}}, asks for any JSON object.",
            )
    return ResponseFormat(value or None)


def _refuse(name: str, wanted: str) -> Never:
    raise ConfigurationError(f"{name} has to be {wanted}", "Correct the value, or leave it out.")
