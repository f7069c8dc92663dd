"""The words and figures for what is known of a model; what nobody knows is "unknown", never 0 and never "no"."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from PySide6.QtCore import QCoreApplication

from agdesk.core.providers.base import ModelInfo
from agdesk.core.providers.capabilities import value_of as value_of

translate = QCoreApplication.translate

THIN_SPACE = "\u2009"
UNKNOWN_MARK = "?"
ABILITIES = ("vision", "tool_use", "thinking", "audio_input", "parallel_tool_calls")
"""The features that models are chosen by, in the order in which they are shown."""
ICONS = {
    "vision": "vision",
    "tool_use": "tools",
    "thinking": "thinking",
    "audio_input": "audio",
    "parallel_tool_calls": "parallel",
}
_STEPS = ((1_000_000_000, "G"), (1_000_000, "M"), (1_000, "k"))


def field_name(field: str) -> str:
    """What a value of a model is called."""
    return {
        "vision": translate("ModelValues", "vision"),
        "tool_use": translate("ModelValues", "tools"),
        "thinking": translate("ModelValues", "thinking"),
        "audio_input": translate("ModelValues", "audio"),
        "parallel_tool_calls": translate("ModelValues", "parallel tools"),
        "streaming": translate("ModelValues", "streaming"),
        "system_prompt_in_messages": translate("ModelValues", "system text among messages"),
        "max_context_window": translate("ModelValues", "window"),
        "max_output_tokens": translate("ModelValues", "longest answer"),
        "input_per_million": translate("ModelValues", "input price"),
        "output_per_million": translate("ModelValues", "output price"),
    }[field]


def value_text(field: str, value: Any) -> str:
    """A value in full: ``yes``, ``200 000 tokens``, ``$3.00 per million tokens``."""
    if value is None:
        return translate("ModelValues", "unknown")
    if field.endswith("_per_million"):
        return translate("ModelValues", "{price} per million tokens").format(price=price(value))
    if isinstance(value, bool):
        return translate("ModelValues", "yes") if value else translate("ModelValues", "no")
    return translate("ModelValues", "{count} tokens").format(count=f"{value:,}".replace(",", THIN_SPACE))


def cell_text(field: str, value: Any) -> str:
    """A value as it stands in a narrow column: ``yes``, ``200 k``, ``$3.00``, ``?``."""
    if value is None:
        return UNKNOWN_MARK
    if field.endswith("_per_million"):
        return price(value)
    return value_text(field, value) if isinstance(value, bool) else tokens(value)


def source_text(source: str) -> str:
    """Who said a value; empty if nobody did."""
    return {
        "user": translate("ModelValues", "you"),
        "list": translate("ModelValues", "list"),
        "preset": translate("ModelValues", "preset"),
        "catalogue": translate("ModelValues", "catalogue"),
    }.get(source, source)


def described(info: ModelInfo, field: str) -> str:
    """A value with its name and its source: ``vision: yes (list)``."""
    name, value = field_name(field), value_text(field, value_of(info, field))
    if source := source_text(info.source.get(field, "")):
        return translate("ModelValues", "{name}: {value} ({source})").format(name=name, value=value, source=source)
    return translate("ModelValues", "{name}: {value}").format(name=name, value=value)


def descriptions(info: ModelInfo, fields: Iterable[str]) -> str:
    """Several values, as they are read out."""
    return ", ".join(described(info, field) for field in fields)


def tokens(value: int) -> str:
    """A number of tokens in three digits or so: ``8 192``, ``200 k``, ``1.05 M``."""
    for step, letter in _STEPS:
        if value >= 10 * step or (value >= step and step > 1_000):
            return f"{value / step:.3g}{THIN_SPACE}{letter}"
    return f"{value:,}".replace(",", THIN_SPACE)


def price(value: float) -> str:
    """US dollars, with as many digits as a small price needs."""
    if value == 0 or value >= 0.1:
        return f"${value:,.2f}".replace(",", THIN_SPACE)
    return f"${value:.3g}"
