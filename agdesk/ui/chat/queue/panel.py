"""What is seen of the queue: a line that says what it waits for, and the list."""

from __future__ import annotations

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QHBoxLayout, QLabel, QWidget

from agdesk.ui.chat.queue.view import QueueView
from agdesk.ui.theme import current_theme
from agdesk.ui.widgets.announce import announce
from agdesk.ui.widgets.buttons import PushButton
from agdesk.ui.widgets.card import Card
from agdesk.ui.widgets.labels import ElidedLabel


class QueuePanel(Card):
    """A card above the composer; hidden while nothing waits.

    Signals:
        pause_chosen(), resume_chosen(): the button was pressed.
    """

    pause_chosen = Signal()
    resume_chosen = Signal()

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        metrics = current_theme().metrics
        self._is_paused = False
        self._is_warning = False
        self._sign = QLabel(self)
        self.label = ElidedLabel(self)
        self.button = PushButton(self)
        self.button.clicked.connect(self._choose)
        self.view = QueueView(self)
        self._head = QWidget(self)
        line = QHBoxLayout(self._head)
        line.setContentsMargins(metrics.space_8, metrics.space_4, metrics.space_4, metrics.space_4)
        line.setSpacing(metrics.space_8)
        line.addWidget(self._sign)
        line.addWidget(self.label, 1)
        line.addWidget(self.button)
        self.column.setContentsMargins(metrics.space_4, 0, metrics.space_4, metrics.space_4)
        self.column.addWidget(self._head)
        self.column.addWidget(self.view)
        current_theme().theme_changed.connect(self._restyle)
        self._restyle()
        self.hide()

    def show_state(self, text: str, *, is_paused: bool, is_warning: bool) -> None:
        """Says what the queue waits for.

        Args:
            is_warning: something went wrong.
        """
        was_shown = not self.isHidden() and self.label.text() == text
        self._is_paused, self._is_warning = is_paused, is_warning
        self.label.setText(text)
        self.button.setText(self.tr("Resume") if is_paused else self.tr("Pause"))
        name = self.tr("Resume the queue") if is_paused else self.tr("Pause the queue")
        self.button.setAccessibleName(name)
        self._restyle()
        self.show()
        if not was_shown:
            announce(self, text)

    def _choose(self) -> None:
        (self.resume_chosen if self._is_paused else self.pause_chosen).emit()

    def _restyle(self) -> None:
        theme = current_theme()
        name, color = ("warning", "warning") if self._is_warning else ("queue", "muted")
        self._sign.setPixmap(theme.icon(name, color=color).pixmap(theme.metrics.icon, theme.metrics.icon))
