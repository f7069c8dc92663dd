"""What can be done with the row under the mouse, or with the one that has the keyboard."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QPainter, QPaintEvent
from PySide6.QtWidgets import QHBoxLayout, QWidget
from typing_extensions import override

from agdesk.ui.theme import current_theme
from agdesk.ui.widgets.icon_button import IconButton


class RowTools(QWidget):
    """Buttons at the end of a row. Each has a key in the list, so that none takes the focus.

    Signals:
        send_chosen(), edit_chosen(), remove_chosen(): of ``row_id``.

    Attributes:
        row_id: whose buttons they are.
    """

    send_chosen = Signal()
    edit_chosen = Signal()
    remove_chosen = Signal()

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self.row_id = ""
        self.setCursor(Qt.CursorShape.ArrowCursor)
        self.send_button = self._add("send", self.tr("Send now"), self.tr("Send now (Ctrl+Enter)"))
        self.edit_button = self._add("edit", self.tr("Edit queued message"), self.tr("Edit (F2)"))
        self.remove_button = self._add("close", self.tr("Remove queued message"), self.tr("Remove (Delete)"))
        self.send_button.clicked.connect(self.send_chosen)
        self.edit_button.clicked.connect(self.edit_chosen)
        self.remove_button.clicked.connect(self.remove_chosen)
        line = QHBoxLayout(self)
        line.setContentsMargins(0, 0, 0, 0)
        line.setSpacing(0)
        for button in (self.send_button, self.edit_button, self.remove_button):
            line.addWidget(button)
        self.hide()

    @override
    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.fillRect(self.rect(), current_theme().color("user_block"))
        painter.end()

    def _add(self, icon: str, name: str, tip: str) -> IconButton:
        button = IconButton(icon, name, self)
        button.setToolTip(tip)
        button.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        return button
