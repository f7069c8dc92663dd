"""The status line, the two buttons beside a countdown to a retry, and the cost (CHAT9, PROV6)."""

from __future__ import annotations

import math

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QApplication, QHBoxLayout, QWidget

from agdesk.core.cycle import CostTracker
from agdesk.ui.chat.status import Snapshot
from agdesk.ui.chat.status_cost import CostButton
from agdesk.ui.chat.status_text import retry_text, status_text
from agdesk.ui.theme import current_theme
from agdesk.ui.widgets.announce import announce
from agdesk.ui.widgets.buttons import PushButton
from agdesk.ui.widgets.labels import StatusLine


class StatusRow(QWidget):
    """Shows snapshots of a stream; the buttons for a retry are there only while one is waited for.

    Signals:
        now_chosen(): not to wait any longer.
        cancel_chosen(): not to try again.
        cost_chosen(): what the cost is made of is wanted.
        focus_left(): the buttons went away while one of them had the keyboard.
    """

    now_chosen = Signal()
    cancel_chosen = Signal()
    cost_chosen = Signal()
    focus_left = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.line = StatusLine(self)
        self.now_button = PushButton(self.tr("Now"), self)
        self.now_button.setAccessibleName(self.tr("Try again now"))
        self.now_button.setToolTip(self.tr("Try again now"))
        self.now_button.clicked.connect(self.now_chosen)
        self.cancel_button = PushButton(self.tr("Cancel"), self)
        self.cancel_button.setAccessibleName(self.tr("Do not try again"))
        self.cancel_button.setToolTip(self.tr("Do not try again (Esc)"))
        self.cancel_button.clicked.connect(self.cancel_chosen)
        self._buttons = (self.now_button, self.cancel_button)
        self.cost_button = CostButton(self)
        self.cost_button.clicked.connect(lambda _checked=False: self.cost_chosen.emit())
        self._told = ""
        line = QHBoxLayout(self)
        line.setContentsMargins(0, 0, 0, 0)
        line.setSpacing(current_theme().metrics.space_8)
        line.addWidget(self.line, 1)
        for button in self._buttons:
            button.hide()
            line.addWidget(button)
        line.addWidget(self.cost_button)
        # what stands above must not move when they come
        self.setMinimumHeight(max(button.sizeHint().height() for button in self._buttons))

    def show_snapshot(self, snapshot: Snapshot, cost: CostTracker) -> None:
        """Shows a moment of a stream; that a retry is waited for is read out once."""
        self.line.setText(status_text(snapshot))
        self.cost_button.show_cost(cost)
        if (retry := snapshot.retry) is None:
            self._hide_buttons()
            return
        text = retry_text(retry, math.ceil(retry.wait_s))
        if text != self._told:
            self._told = text
            for button in self._buttons:
                button.show()
            announce(self, text)

    def _hide_buttons(self) -> None:
        if not self._told:
            return
        self._told = ""
        had_focus = QApplication.focusWidget() in self._buttons
        for button in self._buttons:
            button.hide()
        if had_focus:
            self.focus_left.emit()
