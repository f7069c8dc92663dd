"""The lines of a loss ledger, message by message (PROV7)."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TypeAlias

from PySide6.QtCore import QCoreApplication

from agdesk.core.ir.ledger import LedgerLine
from agdesk.core.ir.messages import Assistant, Message, System, Tool, User, text_of
from agdesk.ui.core_words import said

translate = QCoreApplication.translate

ChangeGroups: TypeAlias = tuple[tuple[str, tuple[str, ...]], ...]
"""Headings, each with its changes."""

_QUOTED_CHARACTERS = 48
_NAMED_MESSAGES = 8


def changes_by_message(lines: Iterable[LedgerLine], messages: Sequence[Message]) -> ChangeGroups:
    """A heading and its changes for each message, and for the whole first; messages with the same changes share one.

    Args:
        lines: of a ledger.
        messages: of the request that it is about.
    """
    whole: list[str] = []
    by_message: dict[int, list[str]] = {}
    for line in lines:
        if not line.messages:
            whole.append(said(line.what))
        for number in line.messages:
            by_message.setdefault(number, []).append(said(line.what))
    alike: dict[tuple[str, ...], list[int]] = {}
    for number in sorted(by_message):
        alike.setdefault(tuple(by_message[number]), []).append(number)
    groups = [(_heading(numbers, messages), changes) for changes, numbers in alike.items()]
    if whole:
        groups.insert(0, (translate("LedgerChanges", "The whole conversation"), tuple(whole)))
    return tuple(groups)


def _heading(numbers: Sequence[int], messages: Sequence[Message]) -> str:
    if len(numbers) == 1:
        return _one(numbers[0], messages)
    named = ", ".join(map(str, numbers[:_NAMED_MESSAGES]))
    if len(numbers) <= _NAMED_MESSAGES:
        return translate("LedgerChanges", "Messages {numbers}").format(numbers=named)
    rest = len(numbers) - _NAMED_MESSAGES
    return translate("LedgerChanges", "Messages {numbers} and {count} more").format(numbers=named, count=rest)


def _one(number: int, messages: Sequence[Message]) -> str:
    heading = translate("LedgerChanges", "Message {number}").format(number=number)
    if not 0 < number <= len(messages):
        return heading
    message = messages[number - 1]
    match message:
        case System():
            who = translate("LedgerChanges", "system text")
        case User():
            who = translate("LedgerChanges", "you")
        case Assistant():
            who = translate("LedgerChanges", "answer")
        case Tool():
            who = translate("LedgerChanges", "results of tools")
            return translate("LedgerChanges", "{heading}, {who}").format(heading=heading, who=who)
    words = " ".join(text_of(message.content)[: 4 * _QUOTED_CHARACTERS].split())
    if not words:
        return translate("LedgerChanges", "{heading}, {who}").format(heading=heading, who=who)
    quoted = words if len(words) <= _QUOTED_CHARACTERS else f"{words[:_QUOTED_CHARACTERS].rstrip()}…"
    return translate("LedgerChanges", "{heading}, {who}: “{words}”").format(heading=heading, who=who, words=quoted)
