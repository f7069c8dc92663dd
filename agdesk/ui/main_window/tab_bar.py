"""The bar of tabs: what can be done to a tab with the mouse."""

from __future__ import annotations

from PySide6.QtCore import QPoint, QSize, Qt, Signal
from PySide6.QtGui import QContextMenuEvent, QMouseEvent
from PySide6.QtWidgets import QSizePolicy, QTabBar, QWidget
from typing_extensions import override

from agdesk.ui.main_window.badges import Activity, badge
from agdesk.ui.theme import current_theme
from agdesk.ui.widgets.icon_button import IconButton
from agdesk.ui.widgets.text import plain_tool_tip, safe_text

_LEAST_WIDTH = 120
_MOST_WIDTH = 220


class TabBar(QTabBar):
    """Tabs that are dragged into another order, closed by their button or the middle mouse button, and that shrink
    before they scroll.

    Signals:
        close_requested(int): the tab of that index is to be closed.
        menu_requested(int, QPoint): its menu is wanted, there on the screen.
    """

    close_requested = Signal(int)
    menu_requested = Signal(int, QPoint)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._pressed = -1
        self.setAccessibleName(self.tr("Conversation tabs"))
        self.setMovable(True)
        self.setExpanding(False)
        self.setDocumentMode(True)
        self.setUsesScrollButtons(True)
        self.setElideMode(Qt.TextElideMode.ElideRight)
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Fixed)
        current_theme().theme_changed.connect(self._restyle)
        self._restyle()

    def insert(self, index: int) -> None:
        """A tab without a text yet, with a button that closes it."""
        index = self.insertTab(index, "")
        close = IconButton("close", self.tr("Close this conversation"))
        close.setFocusPolicy(Qt.FocusPolicy.NoFocus)  # the keyboard has Ctrl+W
        close.clicked.connect(lambda: self.close_requested.emit(self._index_of(close)))
        self.setTabButton(index, QTabBar.ButtonPosition.RightSide, close)

    def show_tab(self, index: int, title: str, activity: Activity) -> None:
        """Shows title and activity of a conversation."""
        told = self._told(activity)
        spoken = f"{title}, {told}" if told else title
        self.setTabText(index, safe_text(title).replace("&", "&&"))
        self.setTabIcon(index, badge(activity))
        self.setTabToolTip(index, plain_tool_tip(spoken))
        self.setAccessibleTabName(index, safe_text(spoken))

    @override
    def tabSizeHint(self, index: int) -> QSize:
        size = super().tabSizeHint(index)
        metrics = current_theme().metrics
        return QSize(max(metrics.px(_LEAST_WIDTH), min(size.width(), metrics.px(_MOST_WIDTH))), size.height())

    @override
    def minimumTabSizeHint(self, index: int) -> QSize:
        return QSize(current_theme().metrics.px(_LEAST_WIDTH), super().minimumTabSizeHint(index).height())

    @override
    def mousePressEvent(self, event: QMouseEvent) -> None:
        if event.button() == Qt.MouseButton.MiddleButton:
            self._pressed = self.tabAt(event.position().toPoint())
        super().mousePressEvent(event)

    @override
    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        super().mouseReleaseEvent(event)
        if event.button() == Qt.MouseButton.MiddleButton:
            index = self.tabAt(event.position().toPoint())
            if index >= 0 and index == self._pressed:
                self.close_requested.emit(index)
            self._pressed = -1

    @override
    def contextMenuEvent(self, event: QContextMenuEvent) -> None:
        is_by_mouse = event.reason() == QContextMenuEvent.Reason.Mouse
        index = self.tabAt(event.pos()) if is_by_mouse else self.currentIndex()
        if index >= 0:
            place = event.globalPos() if is_by_mouse else self.mapToGlobal(self.tabRect(index).bottomLeft())
            self.menu_requested.emit(index, place)

    def _index_of(self, button: QWidget) -> int:
        right = QTabBar.ButtonPosition.RightSide
        return next(index for index in range(self.count()) if self.tabButton(index, right) is button)

    def _told(self, activity: Activity) -> str:
        match activity:
            case "busy":
                return self.tr("answering")
            case "waiting":
                return self.tr("waits for you")
            case "unread":
                return self.tr("new answer")
            case "failed":
                return self.tr("failed")
            case "idle":
                return ""

    def _restyle(self) -> None:
        # the two buttons that scroll share the width of one: each as wide as a finger; and no torn edge beside them
        width = 2 * current_theme().metrics.hit_area
        self.setStyleSheet(f"QTabBar::scroller {{ width: {width}px; }} QTabBar::tear {{ image: none; width: 0; }}")
