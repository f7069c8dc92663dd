"""A conversation in a window of its own."""

from __future__ import annotations

from PySide6.QtCore import QEvent, Qt, Signal
from PySide6.QtGui import QCloseEvent, QMoveEvent, QResizeEvent
from PySide6.QtWidgets import QHBoxLayout, QVBoxLayout, QWidget
from typing_extensions import override

from agdesk.ui.actions import ActionRegistry
from agdesk.ui.main_window.page import TabPage
from agdesk.ui.theme import current_theme
from agdesk.ui.widgets.buttons import PushButton
from agdesk.ui.widgets.focus_order import set_reading_order
from agdesk.ui.widgets.text import safe_text

_MAIN_WINDOW_ONLY = ("panel.", "tab.go_", "tab.next", "tab.previous", "conversations.search")


class DetachedWindow(QWidget):
    """A page without tabs around it. It has the actions of the main window that make sense here: the same objects, so
    that a key is bound once, and its window is told by which one is active.

    Closing it gives the page back.

    Signals:
        return_requested(): the page is to go back to the main window.
        activated(): the user is in this window.
        moved(): it has another place or size.
    """

    return_requested = Signal()
    activated = Signal()
    moved = Signal()

    def __init__(self, page: TabPage, registry: ActionRegistry) -> None:
        super().__init__()
        self.page = page
        self.return_button = PushButton(self.tr("Return to the main window"), self)
        self.return_button.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.return_button.clicked.connect(self.return_requested)
        for action in registry:
            if not action.objectName().startswith(_MAIN_WINDOW_ONLY):
                self.addAction(action)
        self._row = QHBoxLayout()
        self._row.addStretch(1)
        self._row.addWidget(self.return_button)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(0)
        layout.addLayout(self._row)
        layout.addWidget(page, 1)
        page.show()
        current_theme().theme_changed.connect(self._restyle)
        self._restyle()
        self.show_title()

    def show_title(self) -> None:
        """Names the window after its conversation."""
        self.setWindowTitle(safe_text(self.page.title))

    @override
    def event(self, event: QEvent) -> bool:
        if event.type() == QEvent.Type.WindowActivate:
            self.activated.emit()
        return super().event(event)

    @override
    def focusNextPrevChild(self, next: bool) -> bool:
        set_reading_order((self.return_button, self.page))
        return super().focusNextPrevChild(next)

    @override
    def closeEvent(self, event: QCloseEvent) -> None:
        event.ignore()  # the window goes when its page has been taken out
        self.return_requested.emit()

    @override
    def moveEvent(self, event: QMoveEvent) -> None:
        super().moveEvent(event)
        self.moved.emit()

    @override
    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self.moved.emit()

    def _restyle(self) -> None:
        metrics = current_theme().metrics
        self._row.setContentsMargins(metrics.space_16, metrics.space_8, metrics.space_16, 0)
