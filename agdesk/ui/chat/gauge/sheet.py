"""What opens at a figure and explains it: a small panel that Esc or a click beside it closes."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QObject, QPoint, Qt
from PySide6.QtWidgets import QHBoxLayout, QVBoxLayout, QWidget
from shiboken6 import isValid
from typing_extensions import override

from agdesk.ui.theme import current_theme
from agdesk.ui.widgets.icon_button import IconButton
from agdesk.ui.widgets.labels import PlainLabel
from agdesk.ui.widgets.overlay import Overlay

_WIDTH = 420


class FigureSheet(Overlay):
    """A title, a button to close it, and what a subclass puts into ``column``.

    Args:
        anchor: what it opens at, below it or above it, wherever there is more room.
    """

    def __init__(self, title: str, anchor: QWidget) -> None:
        super().__init__(anchor)
        self._anchor = anchor
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.panel.setAccessibleName(title)
        self.setAccessibleName(title)
        heading = PlainLabel(self.panel, font="title")
        heading.setText(title)
        self.close_button = IconButton("close", self.tr("Close"), self.panel)
        self.close_button.clicked.connect(lambda _checked=False: self.close())
        self._head = QHBoxLayout()
        self._head.addWidget(heading, 1)
        self._head.addWidget(self.close_button)
        self.panel.installEventFilter(self)
        self.column = QVBoxLayout(self.panel)
        self.column.addLayout(self._head)

    def open(self) -> None:
        """Shows it with the keyboard in it."""
        self.rise()
        self.close_button.setFocus(Qt.FocusReason.PopupFocusReason)

    @override
    def arrange(self) -> None:
        super().arrange()
        metrics = current_theme().metrics
        if not isValid(self._anchor) or self._anchor.window() is not self.window():
            self.close()  # its conversation has gone, or has a window of its own now
            return
        self.column.setContentsMargins(metrics.space_16, metrics.space_12, metrics.space_16, metrics.space_16)
        self.column.setSpacing(metrics.space_8)
        self._place_panel()

    @override
    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() == QEvent.Type.LayoutRequest and watched is self.panel and not self.isHidden():
            self._place_panel()  # what is in it came later, or is of another size now
        return super().eventFilter(watched, event)

    def _place_panel(self) -> None:
        if not isValid(self._anchor) or self._anchor.window() is not self.window():
            return
        metrics = current_theme().metrics
        edge = metrics.space_8
        width = max(1, min(metrics.px(_WIDTH), self.width() - 2 * edge))
        wanted = self.column.totalHeightForWidth(width) if self.column.hasHeightForWidth() else 0
        height = wanted if wanted > 0 else self.column.sizeHint().height()
        place = self._anchor.mapTo(self.window(), QPoint(0, 0))
        below, above = place.y() + self._anchor.height() + metrics.space_4, place.y() - metrics.space_4
        has_room_below = self.height() - below >= above
        top = below if has_room_below else max(edge, above - height)
        left = place.x() if self.isRightToLeft() else place.x() + self._anchor.width() - width
        height = min(height, self.height() - top - edge)
        self.panel.setGeometry(max(edge, min(left, self.width() - width - edge)), top, width, max(1, height))
