"""The line above the composer while an older message is edited in it."""

from __future__ import annotations

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QHBoxLayout, QWidget

from agdesk.ui.theme import current_theme
from agdesk.ui.widgets.announce import announce
from agdesk.ui.widgets.buttons import PushButton
from agdesk.ui.widgets.labels import ElidedLabel


class EditBar(QWidget):
    """Says which message is edited and what becomes of it; hidden while none is.

    Signals:
        cancelled(): the message is to stay as it is.
    """

    cancelled = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.label = ElidedLabel(self, color="muted", font="caption")
        self.cancel_button = PushButton(self.tr("Cancel"), self)
        self.cancel_button.setAccessibleName(self.tr("Leave the message as it is"))
        self.cancel_button.setToolTip(self.tr("Leave the message as it is (Esc)"))
        self.cancel_button.clicked.connect(self.cancelled)
        line = QHBoxLayout(self)
        line.setContentsMargins(0, 0, 0, 0)
        line.setSpacing(current_theme().metrics.space_8)
        line.addWidget(self.label, 1)
        line.addWidget(self.cancel_button)
        self.hide()

    def show_text(self, text: str) -> None:
        """Shows what is edited, and has it read out."""
        self.label.setText(text)
        self.show()
        announce(self, text)
