"""A line of text that is asked for in the place where it will stand."""

from __future__ import annotations

from PySide6.QtCore import QEvent, Qt, Signal
from PySide6.QtGui import QFocusEvent, QKeyEvent
from PySide6.QtWidgets import QLineEdit, QWidget
from typing_extensions import override


class InlineEditor(QLineEdit):
    """Asks for a name: Enter takes it, Esc or leaving the field does not. It is hidden until ``ask`` and afterwards.

    Args:
        name: what is asked for; read out, and shown while the field is empty.

    Signals:
        accepted(str): what was written, never only blanks.
        closed(bool): it is hidden again; True if that was by key, so that the focus has to go somewhere.
    """

    accepted = Signal(str)
    closed = Signal(bool)

    def __init__(self, name: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setAccessibleName(name)
        self.setPlaceholderText(name)
        self.hide()

    def ask(self) -> None:
        """Shows the empty field and gives it the focus."""
        self.clear()
        self.show()
        self.setFocus()

    @override
    def event(self, event: QEvent) -> bool:
        is_override = event.type() == QEvent.Type.ShortcutOverride
        if is_override and isinstance(event, QKeyEvent) and event.key() == Qt.Key.Key_Escape:
            event.accept()  # a window's own Esc must not be taken for this one
            return True
        return super().event(event)

    @override
    def keyPressEvent(self, event: QKeyEvent) -> None:
        match event.key():
            case Qt.Key.Key_Escape:
                self._close(is_by_key=True)
            case Qt.Key.Key_Return | Qt.Key.Key_Enter:
                if text := self.text().strip():
                    self._close(is_by_key=True)
                    self.accepted.emit(text)
            case _:
                super().keyPressEvent(event)

    @override
    def focusOutEvent(self, event: QFocusEvent) -> None:
        super().focusOutEvent(event)
        if event.reason() not in (Qt.FocusReason.PopupFocusReason, Qt.FocusReason.ActiveWindowFocusReason):
            self._close(is_by_key=False)

    def _close(self, *, is_by_key: bool) -> None:
        if not self.isHidden():
            self.hide()
            self.closed.emit(is_by_key)
