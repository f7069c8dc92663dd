"""The keys of a card; they count while the card itself has the focus, and nowhere else."""

from __future__ import annotations

from dataclasses import dataclass

from PySide6.QtCore import Qt
from PySide6.QtGui import QKeyEvent, QKeySequence


@dataclass(frozen=True, slots=True)
class CardKeys:
    """Each as settings keep keys, ``A``."""

    run: str = "A"
    edit: str = "E"
    deny: str = "D"
    next: str = "J"
    previous: str = "K"


ENTER = (Qt.Key.Key_Return, Qt.Key.Key_Enter)


def key_text(event: QKeyEvent) -> str:
    """The keys of an event as ``CardKeys`` has them."""
    return QKeySequence(event.keyCombination()).toString()
