"""What stands in the list of the picker, and in which order."""

from __future__ import annotations

from collections.abc import Container, Iterable, Sequence
from dataclasses import dataclass
from enum import Enum, auto
from typing import TypeAlias

from PySide6.QtCore import QCoreApplication

from agdesk.core.providers.catalogue import ModelRow
from agdesk.core.providers.router import AUTO
from agdesk.ui.models.filters import ModelFilter
from agdesk.ui.models.finder import Found
from agdesk.ui.widgets.folding import folded

translate = QCoreApplication.translate


class ItemKind(Enum):
    """What an entry of the list is."""

    HEADING = auto()
    AUTO = auto()
    MODEL = auto()
    TYPED = auto()


@dataclass(frozen=True, slots=True)
class Item:
    """An entry of the list.

    Attributes:
        ref: ``provider/model`` that choosing it means; empty for a heading.
        row: what is known of the model; None for all that is no listed one.
    """

    kind: ItemKind
    text: str
    ref: str = ""
    detail: str = ""
    row: ModelRow | None = None


Entry: TypeAlias = Item | ModelRow
"""A model becomes an ``Item`` when it is painted: of thousands that are listed, few are."""


def item_of(entry: Entry) -> Item:
    """An entry of the list, as it is shown."""
    if isinstance(entry, Item):
        return entry
    detail = entry.provider_name or entry.provider_id
    if not entry.is_usable:
        detail = translate("PickerItems", "{provider} · not set up").format(provider=detail)
    return Item(ItemKind.MODEL, entry.model.id, entry.ref, detail, entry)


def is_heading(entry: Entry) -> bool:
    """Whether an entry cannot be chosen."""
    return isinstance(entry, Item) and entry.kind is ItemKind.HEADING


def typed_ref(query: str) -> str:
    """The reference that was typed, tidied up; empty if it is none."""
    provider_id, _, model_id = (part.strip() for part in query.partition("/"))
    is_ref = bool(provider_id and model_id) and not any(map(str.isspace, provider_id))
    return f"{provider_id}/{model_id}" if is_ref else ""


def auto_item() -> Item:
    """The entry that leaves the choice to the router."""
    detail = translate(
        "PickerItems", "for each message a usable model that has what it needs; your default, else the cheapest"
    )
    return Item(ItemKind.AUTO, translate("PickerItems", "Auto"), AUTO, detail)


def browsed(found: Found, *, recent: Iterable[ModelRow], model_filter: ModelFilter) -> list[Entry]:
    """The list while nothing is typed: what was used last, then what can be used, then the rest."""
    entries: list[Entry] = [] if model_filter.is_narrow else [auto_item()]
    shown_recent = [row for row in recent if model_filter.is_met(row)]
    refs = {row.ref for row in shown_recent}
    known, unknown = found.rows[: found.unknown_from], found.rows[found.unknown_from :]
    entries += _section(translate("PickerItems", "Recently used"), shown_recent)
    for heading, rows in (
        (translate("PickerItems", "Can be used now"), [row for row in known if row.is_usable]),
        (translate("PickerItems", "Not set up: no key or no address"), [row for row in known if not row.is_usable]),
        (translate("PickerItems", "Unknown whether they fit"), unknown),
    ):
        entries += _section(heading, [row for row in rows if row.ref not in refs])
    return entries


def provider_of(ref: str) -> str:
    """The provider of a ``provider/model``."""
    return ref.partition("/")[0]


def searched(
    found: Found, query: str, *, model_filter: ModelFilter, known: Container[str], has_provider: bool = True
) -> list[Entry]:
    """The list for what was typed, the best first; empty if nothing is known that fits.

    A reference that is not in the list stands at the end, and first if what is known fits it only by letters.
    ``known``: the references of all models, whether they fit or not. ``has_provider``: whether there is the one that
    was typed.
    """
    auto_one = auto_item()
    typed = folded(query).strip()
    is_auto = any(name.startswith(typed) for name in (folded(auto_one.text), AUTO))
    entries: list[Entry] = [auto_one] if is_auto and not model_filter.is_narrow else []
    entries += found.rows[: found.unknown_from]
    entries += _section(translate("PickerItems", "Unknown whether they fit"), found.rows[found.unknown_from :])
    ref = typed_ref(query)
    if entries and ref and (ref not in known or all(entry.ref != ref for entry in entries)):
        text = translate("PickerItems", "Use “{model}” anyway").format(model=ref)
        detail = translate("PickerItems", "not in the list")
        if not has_provider:
            detail = translate("PickerItems", "there is no provider “{id}”").format(id=provider_of(ref))
        anyway = Item(ItemKind.TYPED, text, ref, detail)
        entries.insert(len(entries) if found.is_as_typed else 0, anyway)
    return entries


def _section(heading: str, rows: Sequence[ModelRow]) -> list[Entry]:
    return [Item(ItemKind.HEADING, heading), *rows] if rows else []
