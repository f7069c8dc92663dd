"""A card in a window of its own; closing that decides nothing."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QCloseEvent
from PySide6.QtWidgets import QHBoxLayout, QVBoxLayout, QWidget
from typing_extensions import override

from agdesk.ui.approval.card import ApprovalCard
from agdesk.ui.theme import current_theme
from agdesk.ui.widgets.buttons import PushButton
from agdesk.ui.widgets.focus_order import set_reading_order
from agdesk.ui.widgets.labels import ElidedLabel

_SIZE = (720, 640)


class CardWindow(QWidget):
    """Holds a card until it is closed; the call waits on.

    Signals:
        closed(): the card is to go back to where it was.
    """

    closed = Signal()

    def __init__(self, card: ApprovalCard, parent: QWidget) -> None:
        super().__init__(parent, Qt.WindowType.Window)
        metrics = current_theme().metrics
        self.setWindowTitle(card.accessibleName())
        self.setAccessibleName(card.accessibleName())
        layout = QVBoxLayout(self)
        layout.setContentsMargins(metrics.space_12, metrics.space_12, metrics.space_12, metrics.space_12)
        layout.addWidget(card)
        card.head.window_button.hide()
        card.show()
        self.resize(*map(metrics.px, _SIZE))

    @override
    def focusNextPrevChild(self, next: bool) -> bool:
        set_reading_order((self,))
        return super().focusNextPrevChild(next)

    @override
    def closeEvent(self, event: QCloseEvent) -> None:
        super().closeEvent(event)
        self.closed.emit()


class ElsewhereRow(QWidget):
    """Stands in the place of a card that is in its window.

    Signals:
        back_wanted(): the card is to come back.
    """

    back_wanted = Signal()

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        label = ElidedLabel(self, color="muted")
        label.setText(self.tr("This call is shown in a window of its own."))
        self.button = PushButton(self.tr("Bring it back"), self)
        self.button.setAccessibleName(self.tr("Bring the call back here"))
        self.button.clicked.connect(lambda: self.back_wanted.emit())
        line = QHBoxLayout(self)
        line.setContentsMargins(0, 0, 0, 0)
        line.addWidget(label, 1)
        line.addWidget(self.button)
