"""What a JSON Schema says of a value, as far as a form can show it. Knows nothing of Qt."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, replace
from enum import Enum, auto
from typing import Any, assert_never

from agdesk.ui.widgets.hidden_characters import has_hidden
from agdesk.ui.widgets.json_text import same_json

_DEPTH_LIMIT = 3  # objects within objects; deeper ones are edited as JSON
_MEMBER_LIMIT = 100
_ITEM_LIMIT = 50
_REFERENCE_LIMIT = 8


class Kind(Enum):
    """How a value is edited."""

    TEXT = auto()
    NUMBER = auto()
    SWITCH = auto()
    CHOICE = auto()
    LIST = auto()
    OBJECT = auto()
    RAW = auto()


class _Nothing(Enum):
    NOTHING = auto()


NOTHING = _Nothing.NOTHING
"""No value at all; None is JSON's null."""


@dataclass(frozen=True, slots=True)
class Member:
    """A property of an object."""

    name: str
    field: Field
    is_required: bool = False


@dataclass(frozen=True, slots=True)
class Field:
    """One value of a form.

    Attributes:
        description: the schema's words.
        type_name: the schema's word for the type; empty if it has none.
        is_nullable: null is a value, too.
        default: what the schema says that it is without one; ``NOTHING`` if it does not.
        choices: what it may be, of ``CHOICE``.
        item: what each item is, of ``LIST``.
        members: of ``OBJECT``.
    """

    kind: Kind
    description: str = ""
    type_name: str = ""
    is_nullable: bool = False
    default: Any = NOTHING
    choices: tuple[Any, ...] = ()
    item: Field | None = None
    members: tuple[Member, ...] = ()

    def can_hold(self, value: Any) -> bool:
        """Whether the field shows and gives back exactly this value. Null is not the field's own business."""
        match self.kind:
            case Kind.TEXT:
                return isinstance(value, str) and not has_hidden(value)
            case Kind.NUMBER:
                is_whole = isinstance(value, int) and not isinstance(value, bool)
                return is_whole or (isinstance(value, float) and math.isfinite(value))
            case Kind.SWITCH:
                return isinstance(value, bool)
            case Kind.CHOICE:
                return any(same_json(choice, value) for choice in self.choices)
            case Kind.LIST:
                item = self.item
                is_short = isinstance(value, list) and len(value) <= _ITEM_LIMIT
                return is_short and item is not None and all(map(item.can_hold, value))
            case Kind.OBJECT:
                return isinstance(value, dict) and len(value) <= _MEMBER_LIMIT
            case Kind.RAW:
                return True
            case _:
                assert_never(self.kind)

    def first_value(self) -> Any:
        """What stands there when the user adds it."""
        if self.default is not NOTHING and self.default is not None:
            return self.default
        match self.kind:
            case Kind.TEXT:
                return ""
            case Kind.NUMBER:
                return 0
            case Kind.SWITCH:
                return False
            case Kind.CHOICE:
                return self.choices[0]
            case Kind.LIST:
                return []
            case Kind.OBJECT:
                return {member.name: member.field.first_value() for member in self.members if member.is_required}
            case Kind.RAW:
                return None
            case _:
                assert_never(self.kind)


RAW = Field(Kind.RAW)
_SCALARS = {"string": Kind.TEXT, "integer": Kind.NUMBER, "number": Kind.NUMBER, "boolean": Kind.SWITCH}


def read_schema(schema: Any) -> Field:
    """The field of a schema; ``RAW`` where it says what a form cannot show. A schema is foreign: it may be anything."""
    return _read(schema, schema, depth=0)


def _read(schema: Any, root: Any, *, depth: int) -> Field:
    schema = _resolved(schema, root)
    if not isinstance(schema, Mapping):
        return RAW
    field = _shape(schema, root, depth=depth)
    words = schema.get("description") or schema.get("title")
    return replace(
        field,
        description=words if isinstance(words, str) else field.description,
        default=schema.get("default", NOTHING),
    )


def _shape(schema: Mapping[str, Any], root: Any, *, depth: int) -> Field:
    for name in ("anyOf", "oneOf"):
        if isinstance(branches := schema.get(name), list):
            return _alternative(branches, root, depth=depth)
    if "const" in schema:
        return Field(Kind.CHOICE, choices=(schema["const"],))
    if isinstance(choices := schema.get("enum"), list) and choices:
        return Field(Kind.CHOICE, choices=tuple(choices))
    types = schema.get("type")
    types = types if isinstance(types, list) else [types]
    others = [name for name in types if name != "null"]
    if len(others) != 1 or not isinstance(others[0], str):
        return RAW
    (type_name,) = others
    field = Field(_SCALARS.get(type_name, Kind.RAW), type_name=type_name, is_nullable="null" in types)
    if type_name == "array":
        item = _read(schema.get("items"), root, depth=depth)
        if item.kind in (*_SCALARS.values(), Kind.CHOICE) and not item.is_nullable:
            return replace(field, kind=Kind.LIST, item=item)
    if type_name == "object" and isinstance(properties := schema.get("properties"), Mapping) and depth < _DEPTH_LIMIT:
        required = schema.get("required")
        needed = required if isinstance(required, list) else []
        members = tuple(
            Member(name, _read(part, root, depth=depth + 1), name in needed) for name, part in properties.items()
        )
        return replace(field, kind=Kind.OBJECT, members=members)
    return field


def _alternative(branches: list[Any], root: Any, *, depth: int) -> Field:
    """One schema or null is a nullable field; everything else is JSON."""
    others = [branch for branch in branches if not (isinstance(branch, Mapping) and branch.get("type") == "null")]
    if len(others) != 1:
        return RAW
    return replace(_read(others[0], root, depth=depth), is_nullable=len(branches) > 1)


def _resolved(schema: Any, root: Any) -> Any:
    """What a reference within the schema points to; what cannot be found, or goes in a circle, is no schema."""
    for _ in range(_REFERENCE_LIMIT):
        if not (isinstance(schema, Mapping) and isinstance(pointer := schema.get("$ref"), str)):
            return schema
        if not pointer.startswith("#/"):
            return None
        target = root
        for step in pointer[2:].split("/"):
            step = step.replace("~1", "/").replace("~0", "~")
            target = target.get(step) if isinstance(target, Mapping) else None
        schema = target
    return None
