"""The button beside the composer: sends, stops, or has a message wait for its turn."""

from __future__ import annotations

import time

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QApplication, QWidget

from agdesk.ui.widgets.icon_button import IconButton


class SendButton(IconButton):
    """Stops while an answer is running and nothing is written; else it sends or queues what is written.

    Signals:
        send_chosen(): what is written is to be sent, now or when its turn comes.
        stop_chosen(): the running answer is to be stopped.
    """

    send_chosen = Signal()
    stop_chosen = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__("send", self.tr("Send"), parent, color="accent")
        self._is_stop = False
        self._sent_s = 0.0
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)  # a click leaves the keyboard where one writes
        self.clicked.connect(self._choose)
        self.show_state(is_running=False, is_empty=True)

    def show_state(self, *, is_running: bool, is_empty: bool) -> None:
        """What a click does now.

        Args:
            is_empty: nothing is written and nothing attached.
        """
        self._is_stop = is_running and is_empty
        if self._is_stop:
            icon, name, tip = "stop", self.tr("Stop"), self.tr("Stop (Esc)")
        elif is_running:
            tip = self.tr("Queue (Enter): sent when the answer is complete. Esc stops it.")
            icon, name = "queue", self.tr("Queue")
        else:
            icon, name, tip = "send", self.tr("Send"), self.tr("Send (Enter)")
        if name != self.accessibleName() or tip != self.toolTip():
            self.set_icon(icon)
            self.setAccessibleName(name)
            self.setToolTip(tip)

    def note_sent(self) -> None:
        """Something was sent: the second click of a double click on the button does not stop it."""
        self._sent_s = time.monotonic()

    def _choose(self) -> None:
        if not self._is_stop:
            self.send_chosen.emit()
        elif time.monotonic() - self._sent_s > QApplication.doubleClickInterval() / 1000:
            self.stop_chosen.emit()
