"""Values ⇄ JSON: one ``to_json`` and one ``from_json`` for every union of the IR and the trace (D1).

A value is a frozen dataclass or a NamedTuple; its JSON is an object whose ``type`` is the class name in snake_case.
Inside a value a plain tuple holds values and a dict or list is foreign JSON, which is handed on as it is. Only the
standard library: these values exist before the first paint, when nothing may load pydantic (PERF5).
"""

from __future__ import annotations

import dataclasses
import functools
import reprlib
import types
from collections.abc import Callable, Mapping
from enum import Enum
from typing import Any, Union, get_args, get_origin, get_type_hints

from agdesk.core.errors import ProtocolError, snake_case


def tag_of(cls: type) -> str:
    """The ``type`` of a value class in JSON: ``TextDelta`` → ``text_delta``."""
    return snake_case(cls.__name__).rstrip("_")


@dataclasses.dataclass(frozen=True, slots=True)
class Unknown:
    """What a union that names this class reads from a kind this version does not know; its JSON is ``raw`` again.

    A known kind with a part that this version does not know is Unknown as well.
    """

    kind: str
    raw: Any


def to_json(value: Any) -> Any:
    """The JSON of a value, recursively. Fields at their default are kept: the form is stable.

    Foreign JSON inside the value is shared with the result, not copied.
    """
    cls: Any = type(value)
    return _writer(cls)(value)


def from_json(kind: Any, document: Any) -> Any:
    """Reads a value of ``kind`` (a value class or a union of them) from its JSON.

    Unknown fields are ignored and missing ones take their default, so that newer files open in older programs.

    Raises:
        ProtocolError: the document is not of that kind; the message names the place.
    """
    try:
        return _reader(kind)(document, "$")
    except RecursionError as error:
        raise _mismatch("$", "nested less deeply", document) from error


Writer = Callable[[Any], Any]
_PLAIN = frozenset({str, int, float, bool, types.NoneType, dict, list})


@functools.cache
def _writer(cls: type) -> Writer:
    if cls is Unknown:
        return lambda value: value.raw
    if _is_value_class(cls):
        return _value_writer(cls)
    if issubclass(cls, Enum):
        return lambda value: value.value
    if issubclass(cls, tuple):
        return lambda value: [to_json(item) for item in value]
    if issubclass(cls, Mapping) and cls is not dict:
        return dict
    return lambda value: value


def _value_writer(cls: Any) -> Writer:
    tag, names = tag_of(cls), tuple(name for name, _ in _fields(cls))

    def write(value: Any) -> Any:
        document: dict[str, Any] = {"type": tag}
        for name in names:
            item = getattr(value, name)
            document[name] = item if type(item) in _PLAIN else to_json(item)  # most fields are plain: this is hot
        return document

    return write


Reader = Callable[[Any, str], Any]


@functools.cache
def _reader(kind: Any) -> Reader:
    origin, arguments = get_origin(kind), get_args(kind)
    if kind is Any or kind is object:
        return lambda document, _path: document
    if origin in (Union, types.UnionType):
        return _union_reader(arguments)
    if origin is tuple:
        return _tuple_reader(arguments)
    if isinstance(origin, type) and issubclass(origin, Mapping):
        return _mapping_reader
    if isinstance(kind, type) and issubclass(kind, Enum):
        return _enum_reader(kind)
    if _is_value_class(kind):
        return _value_reader(kind)
    return _scalar_reader(kind)


def _union_reader(members: tuple[Any, ...]) -> Reader:
    by_tag = {tag_of(member): member for member in members if _is_value_class(member) and member is not Unknown}
    others = [member for member in members if member is not types.NoneType and not _is_value_class(member)]
    allows_none = types.NoneType in members

    def read(document: Any, path: str) -> Any:
        if document is None and allows_none:
            return None
        if isinstance(document, dict) and by_tag:
            member = by_tag.get(str(document.get("type")))
            if member is None:
                raise _mismatch(path, f"one of {', '.join(sorted(by_tag))}", document.get("type"))
            return _reader(member)(document, path)
        if not others:
            raise _mismatch(path, "an object", document)
        return _reader(others[0])(document, path)

    def read_or_keep(document: Any, path: str) -> Any:
        try:
            return read(document, path)
        except (ProtocolError, RecursionError):
            tag = document.get("type") if isinstance(document, dict) else None
            return Unknown(tag if isinstance(tag, str) else "", document)

    return read_or_keep if Unknown in members else read


def _tuple_reader(items: tuple[Any, ...]) -> Reader:
    is_variable = items[-1] is Ellipsis

    def read(document: Any, path: str) -> Any:
        if not isinstance(document, list | tuple):
            raise _mismatch(path, "an array", document)
        if not is_variable and len(document) != len(items):
            raise _mismatch(path, f"an array of {len(items)}", document)
        kinds = [items[0]] * len(document) if is_variable else items
        return tuple(
            _reader(kind)(item, f"{path}[{i}]") for i, (kind, item) in enumerate(zip(kinds, document, strict=True))
        )

    return read


def _mapping_reader(document: Any, path: str) -> Any:
    if not isinstance(document, dict):
        raise _mismatch(path, "an object", document)
    return document


def _enum_reader(kind: type[Enum]) -> Reader:
    def read(document: Any, path: str) -> Any:
        try:
            return kind(document)
        except ValueError as error:
            raise _mismatch(path, f"a {kind.__name__}", document) from error

    return read


def _value_reader(kind: Any) -> Reader:
    tag = tag_of(kind)

    @functools.cache
    def plan() -> tuple[tuple[str, Reader, bool], ...]:
        hints = get_type_hints(kind)
        return tuple((name, _reader(hints[name]), is_required) for name, is_required in _fields(kind))

    def read(document: Any, path: str) -> Any:
        if not isinstance(document, dict) or document.get("type", tag) != tag:
            raise _mismatch(path, f"a {kind.__name__} object", document)
        values = {}
        for name, read_field, is_required in plan():
            if name in document:
                values[name] = read_field(document[name], f"{path}.{name}")
            elif is_required:
                raise _mismatch(f"{path}.{name}", "a value", None)
        return kind(**values)

    return read


def _is_value_class(kind: Any) -> bool:
    return isinstance(kind, type) and (dataclasses.is_dataclass(kind) or hasattr(kind, "_field_defaults"))


def _fields(cls: Any) -> tuple[tuple[str, bool], ...]:
    """Names of the fields of a value class, and whether each must be given."""
    if issubclass(cls, tuple):
        return tuple((name, name not in cls._field_defaults) for name in cls._fields)
    missing = dataclasses.MISSING
    return tuple((f.name, f.default is missing and f.default_factory is missing) for f in dataclasses.fields(cls))


def _scalar_reader(kind: Any) -> Reader:
    accepted: tuple[type, ...] = (int, float) if kind is float else (kind,)

    def read(document: Any, path: str) -> Any:
        if not isinstance(document, accepted) or (isinstance(document, bool) and kind is not bool):
            raise _mismatch(path, kind.__name__, document)
        return document

    return read


def _mismatch(path: str, expected: str, found: Any) -> ProtocolError:
    return ProtocolError(f"{path} is not {expected}", frame=reprlib.repr(found), expected=expected)
