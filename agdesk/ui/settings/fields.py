"""Reads the rows of the settings dialog from the metadata of the settings model."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import Any, Literal, get_args, get_origin

from PySide6.QtCore import QCoreApplication

from agdesk.core.settings.model import Provider, Settings
from agdesk.core.settings.validation import BaseModel, FieldInfo

PROVIDERS = "providers"


class FieldKind(StrEnum):
    """What a value is, and so which control it gets."""

    CHOICE = "choice"
    FLAG = "flag"
    NUMBER = "number"
    FACTOR = "factor"
    TEXT = "text"
    FILE = "file"
    HEADERS = "headers"


@dataclass(frozen=True, slots=True)
class SettingField:
    """One setting.

    Attributes:
        key: as ``Workspace.change_settings`` takes it: ``section.name`` or ``providers.<id>.<name>``.
        title, description: translated.
        choices: value and words of each choice, translated.
        minimum, maximum: limits of a number or factor; None where the model has none.
    """

    key: str
    title: str
    description: str
    kind: FieldKind
    default: object
    choices: tuple[tuple[str, str], ...] = ()
    minimum: float | None = None
    maximum: float | None = None

    @property
    def words(self) -> str:
        """Everything that a search finds the setting by."""
        return " ".join((self.title, self.description, *(words for _, words in self.choices)))


@dataclass(frozen=True, slots=True)
class SettingSection:
    """A page of plain settings: a section of the model and its fields, in the model's order."""

    name: str
    title: str
    fields: tuple[SettingField, ...]


def translated(text: str) -> str:
    """A title or description of the model in the user's language; they are the context ``Settings``."""
    return QCoreApplication.translate("Settings", text) if text else ""


def describe_sections(model: type[Settings]) -> tuple[SettingSection, ...]:
    """Every section of a settings model that is made of plain fields."""
    return tuple(
        SettingSection(name, translated(info.title or name), describe_fields(info.annotation, prefix=name))
        for name, info in model.model_fields.items()
        if isinstance(info.annotation, type) and issubclass(info.annotation, BaseModel)
    )


def describe_fields(
    section: type[BaseModel], *, prefix: str, without: tuple[str, ...] = ()
) -> tuple[SettingField, ...]:
    """The fields of one section; ``prefix`` stands before the dot of their keys.

    Raises:
        TypeError: a field is of a type that no control can show.
    """
    return tuple(
        _describe(f"{prefix}.{name}", name, info) for name, info in section.model_fields.items() if name not in without
    )


def value_of(settings: Settings, key: str) -> object:
    """The value that a key has in ``settings``."""
    section, *path = key.split(".")
    if section != PROVIDERS:
        return getattr(getattr(settings, section), path[0])
    provider_id, name = ".".join(path[:-1]), path[-1]
    return getattr(settings.providers.get(provider_id, Provider()), name)


def _describe(key: str, name: str, info: FieldInfo) -> SettingField:
    extra: dict[str, Any] = info.json_schema_extra if isinstance(info.json_schema_extra, dict) else {}
    titles: dict[str, str] = extra.get("choices", {})
    is_choice = get_origin(info.annotation) is Literal
    values = get_args(info.annotation) if is_choice else ()
    return SettingField(
        key,
        translated(info.title or name),
        translated(info.description or ""),
        _kind(name, info.annotation),
        info.get_default(call_default_factory=True, validated_data={}),
        choices=tuple((value, translated(titles.get(value, value))) for value in values),
        minimum=_limit(info, "ge"),
        maximum=_limit(info, "le"),
    )


def _kind(name: str, annotation: object) -> FieldKind:
    if get_origin(annotation) is Literal:
        return FieldKind.CHOICE
    if annotation is bool:
        return FieldKind.FLAG
    if annotation is int:
        return FieldKind.NUMBER
    if annotation is float:
        return FieldKind.FACTOR
    if annotation is str:
        return FieldKind.FILE if name == "path" or name.endswith(("_file", "_path")) else FieldKind.TEXT
    if annotation == dict[str, str]:
        return FieldKind.HEADERS
    raise TypeError(f"no control shows the setting {name} of type {annotation}")


def _limit(info: FieldInfo, name: str) -> float | None:
    return next((limit for part in info.metadata if (limit := getattr(part, name, None)) is not None), None)
