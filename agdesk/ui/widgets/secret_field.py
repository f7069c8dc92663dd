"""A field for a secret: it goes in and, but for its owner, never comes out."""

from __future__ import annotations

from PySide6.QtCore import QObject, Qt
from PySide6.QtGui import QContextMenuEvent, QKeyEvent, QKeySequence, QValidator
from PySide6.QtWidgets import QLineEdit, QMenu, QWidget
from typing_extensions import override


class SecretField(QLineEdit):
    """A line that shows dots. Nothing can be copied, dragged or undone out of it, and it can be wiped.

    What cannot be printed (line ends and tabs of a paste, invisible marks) does not enter.

    Args:
        name: what is asked for; the accessible name.
    """

    def __init__(self, name: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setAccessibleName(name)
        self.setEchoMode(QLineEdit.EchoMode.Password)
        self.setDragEnabled(False)
        hint = Qt.InputMethodHint
        self.setInputMethodHints(
            hint.ImhHiddenText | hint.ImhSensitiveData | hint.ImhNoPredictiveText | hint.ImhNoAutoUppercase
        )
        self.setValidator(_Printable(self))

    def secret(self) -> str:
        """What was entered, without the blanks around it."""
        return self.text().strip()

    def wipe(self) -> None:
        """Empties the field, its undo history too: ``clear`` would leave the text in it."""
        self.setText("")

    @override
    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.matches(QKeySequence.StandardKey.Undo) or event.matches(QKeySequence.StandardKey.Redo):
            event.accept()
        else:
            super().keyPressEvent(event)

    @override
    def contextMenuEvent(self, event: QContextMenuEvent) -> None:
        menu = QMenu(self)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        menu.addAction(self.tr("Paste"), self.paste)
        menu.popup(event.globalPos())


class _Printable(QValidator):
    def __init__(self, parent: QObject) -> None:
        super().__init__(parent)

    @override
    def validate(self, text: str, position: int) -> tuple[QValidator.State, str, int]:
        kept = "".join(filter(str.isprintable, text))
        before = "".join(filter(str.isprintable, text[:position]))
        return QValidator.State.Acceptable, kept, len(before)
