"""A whole number that is typed or stepped, in the theme's colours."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtGui import QPaintEvent, QWheelEvent
from PySide6.QtWidgets import QSpinBox, QStyleOptionSpinBox, QWidget
from typing_extensions import override

from agdesk.ui.theme import current_theme
from agdesk.ui.widgets.spin_look import draw_spin_arrows, spin_stylesheet


class NumberBox(QSpinBox):
    """A spin box. The wheel scrolls the page it stands on, unless the box has the focus."""

    def __init__(self, name: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setAccessibleName(name)
        self.lineEdit().setAccessibleName(name)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setGroupSeparatorShown(True)
        current_theme().theme_changed.connect(self._restyle)
        self._restyle()

    @override
    def wheelEvent(self, event: QWheelEvent) -> None:
        if self.hasFocus():
            super().wheelEvent(event)
        else:
            event.ignore()

    @override
    def paintEvent(self, event: QPaintEvent) -> None:
        super().paintEvent(event)
        option = QStyleOptionSpinBox()
        self.initStyleOption(option)
        draw_spin_arrows(self, option)

    def _restyle(self) -> None:
        self.lineEdit().setTextMargins(current_theme().metrics.space_4, 0, 0, 0)
        self.setStyleSheet(spin_stylesheet())
