"""A choice among a few, in the theme's colours."""

from __future__ import annotations

from PySide6.QtCore import QRect, Qt
from PySide6.QtGui import QPainter, QPaintEvent, QWheelEvent
from PySide6.QtWidgets import QComboBox, QStyle, QStyleOptionComboBox, QWidget
from typing_extensions import override

from agdesk.ui.theme import current_theme


class ChoiceBox(QComboBox):
    """A drop-down list; what is chosen is cut with "…" where it does not fit.

    The wheel scrolls the page it stands on, unless the box has the focus.
    """

    def __init__(self, name: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setAccessibleName(name)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToContents)

    @override
    def wheelEvent(self, event: QWheelEvent) -> None:
        if self.hasFocus():
            super().wheelEvent(event)
        else:
            event.ignore()

    @override
    def initStyleOption(self, option: QStyleOptionComboBox) -> None:
        super().initStyleOption(option)
        control, field = QStyle.ComplexControl.CC_ComboBox, QStyle.SubControl.SC_ComboBoxEditField
        room = self.style().subControlRect(control, option, field, self).width()
        option.currentText = self.fontMetrics().elidedText(option.currentText, Qt.TextElideMode.ElideRight, room)

    @override
    def paintEvent(self, event: QPaintEvent) -> None:
        super().paintEvent(event)
        theme = current_theme()
        size = theme.metrics.icon
        color = "muted" if self.isEnabled() else "control_edge"
        arrow = theme.pixmap("chevron_down", color=color, size=size, ratio=self.devicePixelRatioF())
        place = QRect(self.width() - size - theme.metrics.space_8, (self.height() - size) // 2, size, size)
        place = QStyle.visualRect(self.layoutDirection(), self.rect(), place)
        QPainter(self).drawPixmap(place.topLeft(), arrow)
