"""A catalogue of Qt Linguist, a ``.ts`` file, as values."""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple
from xml.etree import ElementTree

from tools.translations.texts import Text


class Entry(NamedTuple):
    """A text with its translation: one form, or those that ``%n`` chooses from; ``state`` is empty when finished."""

    text: Text
    forms: tuple[str, ...]
    state: str


def read_catalogue(path: Path) -> list[Entry]:
    """The entries of a ``.ts`` file in its order."""
    return [
        _entry(context.findtext("name") or "", message)
        for context in ElementTree.parse(path).getroot().iter("context")
        for message in context.iter("message")
    ]


def _entry(context: str, message: ElementTree.Element) -> Entry:
    is_plural = message.get("numerus") == "yes"
    translation = message.find("translation")
    if translation is None:
        return Entry(Text(context, message.findtext("source") or "", is_plural), (), "missing")
    forms = [form.text or "" for form in translation.iter("numerusform")] if is_plural else [translation.text or ""]
    return Entry(
        Text(context, message.findtext("source") or "", is_plural), tuple(forms), translation.get("type") or ""
    )
