"""Telling an assistive technology what has just appeared."""

from __future__ import annotations

from PySide6.QtWidgets import QWidget


def announce(widget: QWidget, text: str) -> None:
    """Has ``text`` read out once, without moving the focus."""
    from PySide6.QtGui import QAccessible, QAccessibleAnnouncementEvent

    QAccessible.updateAccessibility(QAccessibleAnnouncementEvent(widget, text))
