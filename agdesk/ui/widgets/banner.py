"""A bar across a window for what stays true until something is done about it."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QPainter, QPaintEvent
from PySide6.QtWidgets import QHBoxLayout, QLabel, QWidget
from typing_extensions import override

from agdesk.ui.theme import current_theme
from agdesk.ui.widgets.announce import announce
from agdesk.ui.widgets.buttons import PushButton
from agdesk.ui.widgets.icon_button import IconButton
from agdesk.ui.widgets.labels import PlainLabel
from agdesk.ui.widgets.text import safe_text


class Banner(QWidget):
    """A warning sign, a text of any length, at most one thing to do, and a button that puts the bar away.

    Signals:
        dismissed(): the user has put it away.
    """

    dismissed = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._action: Callable[[], None] | None = None
        self._sign = QLabel(self)
        self.label = PlainLabel(self)
        self.label.setWordWrap(True)
        self.label.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        self.action_button = PushButton(self)
        self.action_button.clicked.connect(self._act)
        self.close_button = IconButton("close", self.tr("Dismiss"), self)
        self.close_button.clicked.connect(self._dismiss)
        self._layout = QHBoxLayout(self)
        self._layout.addWidget(self._sign, 0, Qt.AlignmentFlag.AlignTop)
        self._layout.addWidget(self.label, 1)
        self._layout.addWidget(self.action_button, 0, Qt.AlignmentFlag.AlignTop)
        self._layout.addWidget(self.close_button, 0, Qt.AlignmentFlag.AlignTop)
        current_theme().theme_changed.connect(self._restyle)
        self._restyle()
        self.hide()

    def show_text(self, text: str, *, action_text: str = "", action: Callable[[], None] | None = None) -> None:
        """Shows ``text`` in place of what stood here. ``action`` may be called again and again."""
        is_new = self.isHidden() or self.label.text() != safe_text(text)
        self._action = action
        self.label.setText(text)
        self.setAccessibleName(text)
        self.action_button.setText(safe_text(action_text).replace("&", "&&"))
        self.action_button.setAccessibleName(action_text)
        self.action_button.setVisible(action is not None)
        self.show()
        if is_new:
            announce(self, text)

    def clear(self) -> None:
        """Takes the bar away: it is not true any more."""
        self._action = None
        self.hide()

    @override
    def paintEvent(self, event: QPaintEvent) -> None:
        theme = current_theme()
        painter = QPainter(self)
        painter.fillRect(self.rect(), theme.color("raised"))
        painter.fillRect(0, 0, theme.metrics.space_4, self.height(), theme.color("warning"))
        painter.fillRect(0, self.height() - 1, self.width(), 1, theme.color("border"))
        painter.end()

    def _act(self) -> None:
        if self._action is not None:
            self._action()

    def _dismiss(self) -> None:
        self.clear()
        self.dismissed.emit()

    def _restyle(self) -> None:
        theme = current_theme()
        metrics = theme.metrics
        self._sign.setPixmap(theme.icon("warning", color="warning").pixmap(metrics.icon, metrics.icon))
        self._sign.setFixedHeight(metrics.hit_area)
        self.label.setMinimumHeight(metrics.hit_area)
        self._layout.setContentsMargins(metrics.space_16, metrics.space_4, metrics.space_8, metrics.space_4)
        self._layout.setSpacing(metrics.space_12)
