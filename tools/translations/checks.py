"""What a catalogue must not have: gaps, other placeholders, other ends, half-width marks among Chinese characters."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator

from tools.translations.catalogue import Entry
from tools.translations.texts import Text

_PLACEHOLDER = re.compile(r"\{\w*\}|%\d|%n|%(?=L\d)")
_MNEMONIC = re.compile(r"&(?=\w)")
_ENDS = {".": "。", "?": "？", "!": "！", ":": "：", "…": "…", "": ""}
_LETTER = r"[\u3400-\u9fff]"
_LATIN = r"[A-Za-z0-9$~]"
_NO_SPACE = re.compile(f"{_LETTER}{_LATIN}|{_LATIN}{_LETTER}")
_NARROW_MARK = re.compile(rf"{_LETTER}[,;:!?.]|[,;:!?]{_LETTER}")
_DATE = re.compile(r"[yMd年月日]+")


def gaps(texts: Iterable[Text], entries: Iterable[Entry], *, forms: int) -> Iterator[str]:
    """What is in the source and has no finished translation, and what is in the catalogue for nothing.

    Args:
        texts: everything that is to be translated.
        entries: of the catalogue.
        forms: how many the language has for ``%n``.
    """
    known = {entry.text: entry for entry in entries}
    wanted = set(texts)
    for text in sorted(wanted | known.keys()):
        entry = known.get(text)
        if entry is None:
            yield f"missing: {_name(text)}"
        elif text not in wanted:
            yield f"not in the source any more: {_name(text)}"
        elif entry.state:
            yield f"{entry.state}: {_name(text)}"
        elif len(entry.forms) != (forms if text.is_plural else 1) or not all(entry.forms):
            yield f"a form is missing: {_name(text)}"


def differences(entries: Iterable[Entry]) -> Iterator[str]:
    """Translations that could not stand in the place of their source: other placeholders, mnemonics, blanks."""
    for entry in entries:
        source = entry.text.source
        for form in entry.forms:
            if Counter(_PLACEHOLDER.findall(source)) != Counter(_PLACEHOLDER.findall(form)):
                yield f"placeholders: {_name(entry.text)} → {form}"
            if len(_MNEMONIC.findall(source)) != len(_MNEMONIC.findall(form)):
                yield f"mnemonic: {_name(entry.text)} → {form}"
            if [source[:1].isspace(), source[-1:].isspace()] != [form[:1].isspace(), form[-1:].isspace()]:
                yield f"blanks around: {_name(entry.text)} → {form}"


def chinese_faults(entries: Iterable[Entry]) -> Iterator[str]:
    """Breaches of the typography that docs/translating.md asks of Chinese."""
    for entry in entries:
        for form in entry.forms:
            if _DATE.fullmatch(form):
                continue
            if _ENDS[_end(entry.text.source, _ENDS)] != _end(form, _ENDS.values()):
                yield f"end: {_name(entry.text)} → {form}"
            if _NO_SPACE.search(form):
                yield f"no space between Chinese and Latin: {_name(entry.text)} → {form}"
            if _NARROW_MARK.search(form):
                yield f"half-width mark: {_name(entry.text)} → {form}"


def _end(text: str, ends: Iterable[str]) -> str:
    """The mark at the end of a text, also of one that a placeholder follows (``…: {reason}`` ends with none)."""
    return next((end for end in ends if end and text.endswith(end)), "")


def _name(text: Text) -> str:
    return f"{text.context}: {text.source}"
