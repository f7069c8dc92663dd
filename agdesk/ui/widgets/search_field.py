"""A field that narrows down what stands below it."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QSize, Qt, Signal
from PySide6.QtGui import QAction, QKeyEvent
from PySide6.QtWidgets import QLineEdit, QToolButton, QWidget
from typing_extensions import override

from agdesk.ui.theme import current_theme


class SearchField(QLineEdit):
    """A line of text with a button that empties it; Esc empties it too.

    Args:
        name: what is searched; read out, and shown while the field is empty.

    Signals:
        down_pressed(): the user wants to go on in the results.
    """

    down_pressed = Signal()

    def __init__(self, name: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setAccessibleName(name)
        self.setPlaceholderText(name)
        self._clear = QAction(self.tr("Clear the search"), self)
        self._clear.triggered.connect(self.clear)
        self.addAction(self._clear, QLineEdit.ActionPosition.TrailingPosition)
        self._clear.setVisible(False)
        for button in self.findChildren(QToolButton):
            button.setAccessibleName(self._clear.text())
        self.textChanged.connect(lambda text: self._clear.setVisible(bool(text)))
        current_theme().theme_changed.connect(self._restyle)
        self._restyle()

    @override
    def sizeHint(self) -> QSize:
        return super().sizeHint().expandedTo(QSize(0, current_theme().metrics.hit_area))

    @override
    def event(self, event: QEvent) -> bool:
        # a window's own Esc must not be taken for this one
        if event.type() == QEvent.Type.ShortcutOverride and isinstance(event, QKeyEvent) and self._takes(event):
            event.accept()
            return True
        return super().event(event)

    @override
    def keyPressEvent(self, event: QKeyEvent) -> None:
        if self._takes(event):
            self.clear()
        elif event.key() == Qt.Key.Key_Down:
            self.down_pressed.emit()
        else:
            super().keyPressEvent(event)

    def _takes(self, event: QKeyEvent) -> bool:
        return event.key() == Qt.Key.Key_Escape and bool(self.text())

    def _restyle(self) -> None:
        self._clear.setIcon(current_theme().icon("close", color="muted"))
