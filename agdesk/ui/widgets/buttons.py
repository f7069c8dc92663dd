"""Buttons that Enter presses, as Space does; by itself Qt does that in dialogs only, and never with a tool button."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtGui import QKeyEvent, QMouseEvent
from PySide6.QtWidgets import QAbstractButton, QPushButton, QToolButton
from typing_extensions import override


def press_by_enter(button: QAbstractButton, event: QKeyEvent) -> bool:
    """Presses ``button`` if the key that it was given is Enter; whether it was."""
    if event.key() not in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
        return False
    if event.modifiers() & ~Qt.KeyboardModifier.KeypadModifier:
        return False
    event.accept()
    if not event.isAutoRepeat():
        button.click()
    return True


class PushButton(QPushButton):
    """A button with a text. A double click presses it once: the second half would press what it offers next."""

    @override
    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        event.accept()

    @override
    def keyPressEvent(self, event: QKeyEvent) -> None:
        if not press_by_enter(self, event):
            super().keyPressEvent(event)


class ToolButton(QToolButton):
    """A flat button."""

    @override
    def keyPressEvent(self, event: QKeyEvent) -> None:
        if not press_by_enter(self, event):
            super().keyPressEvent(event)
