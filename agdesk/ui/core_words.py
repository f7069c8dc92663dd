"""What the core says of failures, in the language of the window.

The core speaks English: in the log, on the command line, in what is stored. Its texts are translated where they are
shown, also those of a conversation from before. ``resources/translations/core.txt`` has them as patterns, ``{host}
refused the connection``, which ``python3 dev.py translations`` reads from the core's source; their translations are the
context ``Core``. What a provider says stays as it is.
"""

from __future__ import annotations

import re
from functools import cache
from typing import Protocol

from PySide6.QtCore import QCoreApplication

from agdesk.core.settings.paths import resource

translate = QCoreApplication.translate

_GAP = re.compile(r"\{(\w+)\}")
_BETWEEN_SENTENCES = re.compile(r"(?<=\.) (?=[A-Z])")


class Saying(Protocol):
    """An error, its record, or a state of the store."""

    @property
    def message(self) -> str: ...
    @property
    def hint(self) -> str: ...


def words_of(saying: Saying) -> tuple[str, str]:
    """The message and the hint as the user reads them."""
    return said(saying.message), said(saying.hint)


def said(text: str) -> str:
    """A text of the core as the user reads it; as it is if there is no translation."""
    if text in ("", "."):
        return text and translate("CoreWords", ".")  # a stop behind a message is in the gap at its end
    for words, stop in ((text, ""), (text.removesuffix("."), "。")):
        if (whole := translate("Core", words)) != words:
            return whole + stop
    for pattern, parts in _patterns():
        values = _between(parts, text)
        if values is not None and (translation := translate("Core", pattern)) != pattern:
            return _filled(translation, dict(zip(_GAP.findall(pattern), map(said, values), strict=True)))
    sentences = _BETWEEN_SENTENCES.split(text)
    translated = [said(sentence) for sentence in sentences] if len(sentences) > 1 else sentences
    return text if translated == sentences else _joined(translated)


def _filled(translation: str, values: dict[str, str]) -> str:
    return _GAP.sub(lambda gap: values[gap[1]], translation)


def _joined(sentences: list[str]) -> str:
    return "".join(text if text.endswith("。") else f"{text} " for text in sentences).rstrip()


@cache
def _patterns() -> list[tuple[str, list[str]]]:
    """Patterns that have gaps, each with what stands around these; those that say most of their own first."""
    lines = resource("translations", "core.txt").read_text("utf-8").splitlines()
    patterns = [(line, _GAP.split(line)[::2]) for line in lines if _GAP.search(line)]
    return sorted(patterns, key=lambda pattern: -sum(map(len, pattern[1])))


def _between(parts: list[str], text: str) -> list[str] | None:
    """What a text has in the gaps between parts; None if it has not these parts. In one pass."""
    first, *middle, last = parts
    place, end = len(first), len(text) - len(last)
    if place > end or not text.startswith(first) or not text.endswith(last):
        return None
    values = []
    for part in middle:
        found = text.find(part, place, end)
        if found < 0:
            return None
        values.append(text[place:found])
        place = found + len(part)
    return [*values, text[place:end]]
