"""A field that takes the next keys that are pressed, whatever they are, as a shortcut."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QKeyCombination, Qt, Signal
from PySide6.QtGui import QFocusEvent, QKeyEvent, QKeySequence, QMouseEvent
from PySide6.QtWidgets import QLineEdit, QWidget
from typing_extensions import override

_Key = Qt.Key
_SHIFT = Qt.KeyboardModifier.ShiftModifier
_MODIFIER_KEYS = {_Key.Key_Control, _Key.Key_Shift, _Key.Key_Alt, _Key.Key_AltGr, _Key.Key_Meta, _Key.Key_unknown}
_COMMAND_MODIFIERS = (
    Qt.KeyboardModifier.ControlModifier | Qt.KeyboardModifier.AltModifier | Qt.KeyboardModifier.MetaModifier
)


class KeyCapture(QLineEdit):
    """Shows the keys of an action; while it is listening, it takes new ones. Enter or a click begins that, Esc ends it.

    Signals:
        captured(str): the keys, ``Ctrl+Shift+M``.
        refused(str): these keys are needed for writing and moving: without Ctrl, Alt or Meta they are no shortcut.
        ended(): it is not listening any more; the focus stays.

    Attributes:
        is_listening: the next keys will be taken.
    """

    captured = Signal(str)
    refused = Signal(str)
    ended = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.is_listening = False
        self._keys = ""
        self.setReadOnly(True)
        self.setAccessibleName(self.tr("Keys"))
        self.setContextMenuPolicy(Qt.ContextMenuPolicy.NoContextMenu)
        self.set_keys("")

    def set_keys(self, keys: str) -> None:
        """Shows keys, and listens no more."""
        self._keys = keys
        self._stop()

    def listen(self) -> None:
        """Waits for keys."""
        self.setFocus()
        self.is_listening = True
        self.setText(self.tr("Press the new keys, or Esc"))

    @override
    def event(self, event: QEvent) -> bool:
        if self.is_listening and isinstance(event, QKeyEvent):
            if event.type() == QEvent.Type.ShortcutOverride:
                event.accept()  # no shortcut of the window, not even the one that it has now
                return True
            if event.type() == QEvent.Type.KeyPress:  # Tab, too, before it moves the focus
                self._take(event)
                return True
        return super().event(event)

    @override
    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() in (_Key.Key_Return, _Key.Key_Enter, _Key.Key_Space):
            self.listen()
        else:
            super().keyPressEvent(event)

    @override
    def mousePressEvent(self, event: QMouseEvent) -> None:
        super().mousePressEvent(event)
        self.listen()

    @override
    def focusOutEvent(self, event: QFocusEvent) -> None:
        super().focusOutEvent(event)
        self._stop()

    def _take(self, event: QKeyEvent) -> None:
        if event.key() in _MODIFIER_KEYS:
            return
        has_modifier = event.modifiers() & _COMMAND_MODIFIERS
        if event.key() == _Key.Key_Escape and not has_modifier:
            self._stop()
            self.ended.emit()
            return
        keys = _sequence_text(event.keyCombination())
        is_function_key = _Key.Key_F1 <= event.key() <= _Key.Key_F35
        self._stop()
        (self.captured if has_modifier or is_function_key else self.refused).emit(keys)

    def _stop(self) -> None:
        self.is_listening = False
        self.setText(QKeySequence(self._keys).toString(QKeySequence.SequenceFormat.NativeText) or self.tr("No keys"))


def _sequence_text(combination: QKeyCombination) -> str:
    """The keys as they are written: Shift is part of a symbol that is typed with it."""
    key = combination.key()
    modifiers = combination.keyboardModifiers() & ~Qt.KeyboardModifier.KeypadModifier
    if key == _Key.Key_Backtab:
        key, modifiers = _Key.Key_Tab, modifiers | _SHIFT
    elif key < 0x7F and not chr(key).isalnum() and key != _Key.Key_Space:
        modifiers &= ~_SHIFT
    return QKeySequence(QKeyCombination(modifiers, key)).toString()
