"""A short message over the bottom of a window that goes away by itself, with at most one thing to do."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QEvent, QMargins, QObject, Qt, QTimer
from PySide6.QtGui import QEnterEvent, QPaintEvent
from PySide6.QtWidgets import QHBoxLayout, QSizePolicy, QWidget
from typing_extensions import override

from agdesk.ui.theme import current_theme
from agdesk.ui.widgets.announce import announce
from agdesk.ui.widgets.buttons import PushButton
from agdesk.ui.widgets.card import paint_raised
from agdesk.ui.widgets.icon_button import IconButton
from agdesk.ui.widgets.labels import ElidedLabel
from agdesk.ui.widgets.text import safe_text

SHOWN_MS = 8000
LEAST_MS = 2000  # that it stays after the pointer or the keyboard has left it


class Toast(QWidget):
    """Confirms, and offers to undo. It stands over ``parent``, follows its size, and takes the focus only when asked.

    It is there for ``SHOWN_MS``; the time stands still while the pointer or the keyboard is in it.

    Args:
        parent: a window's surface.
    """

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self._surface = parent
        self._action: Callable[[], None] | None = None
        self._margins = QMargins()
        self._left_ms = SHOWN_MS
        self._timer = QTimer(self)
        self._timer.setSingleShot(True)
        self._timer.timeout.connect(self.hide)
        self.label = ElidedLabel(self)
        self.label.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Preferred)
        self.action_button = PushButton(self)
        self.action_button.clicked.connect(self.act)
        self.close_button = IconButton("close", self.tr("Dismiss"), self)
        self.close_button.clicked.connect(self.hide)
        self._layout = QHBoxLayout(self)
        for widget in (self.label, self.action_button, self.close_button):
            self._layout.addWidget(widget)
        for button in (self.action_button, self.close_button):
            button.installEventFilter(self)
        parent.installEventFilter(self)
        current_theme().theme_changed.connect(self._restyle)
        self._restyle()
        self.hide()

    def show_text(self, text: str, *, action_text: str = "", action: Callable[[], None] | None = None) -> None:
        """Shows ``text`` in place of what stood here; ``action`` is called at most once, by its button or ``act``."""
        self._action = action
        self.label.setText(text)
        self.action_button.setText(safe_text(action_text).replace("&", "&&"))
        self.action_button.setAccessibleName(action_text)
        self.action_button.setVisible(action is not None)
        self._left_ms = SHOWN_MS
        self._timer.start(self._left_ms)
        self.show()
        self.raise_()
        self._place()
        announce(self, f"{text} {action_text}" if action is not None else text)

    def act(self) -> None:
        """Does what the toast offers and takes it away."""
        action, self._action = self._action, None
        self.hide()
        if action is not None:
            action()

    def set_margins(self, margins: QMargins) -> None:
        """What of its surface it leaves free: where one writes, and the panels beside."""
        self._margins = margins
        self._place()

    @override
    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        match event.type():
            case QEvent.Type.Resize if watched is self._surface:
                self._place()
            case QEvent.Type.FocusIn:
                self._pause()
            case QEvent.Type.FocusOut:
                self._go_on()
            case _:
                pass
        return super().eventFilter(watched, event)

    @override
    def enterEvent(self, event: QEnterEvent) -> None:
        super().enterEvent(event)
        self._pause()

    @override
    def leaveEvent(self, event: QEvent) -> None:
        super().leaveEvent(event)
        self._go_on()

    @override
    def paintEvent(self, event: QPaintEvent) -> None:
        paint_raised(self)

    def _pause(self) -> None:
        if self._timer.isActive():
            self._left_ms = max(LEAST_MS, self._timer.remainingTime())
            self._timer.stop()

    def _go_on(self) -> None:
        has_focus = self.action_button.hasFocus() or self.close_button.hasFocus()
        if self.isVisible() and not has_focus and not self.underMouse():
            self._timer.start(self._left_ms)

    def _place(self) -> None:
        gap = current_theme().metrics.space_16
        size = self.sizeHint()
        area = self._surface.rect().marginsRemoved(self._margins)
        width = min(size.width(), area.width() - 2 * gap)
        left = area.left() + (area.width() - width) // 2
        self.setGeometry(left, area.bottom() + 1 - gap - size.height(), width, size.height())

    def _restyle(self) -> None:
        metrics = current_theme().metrics
        self._layout.setContentsMargins(metrics.space_16, metrics.space_4, metrics.space_8, metrics.space_4)
        self._layout.setSpacing(metrics.space_12)
        self.setCursor(Qt.CursorShape.ArrowCursor)
        self._place()
