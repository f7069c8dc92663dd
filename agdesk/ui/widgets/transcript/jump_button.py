"""The way back to the end of a transcript."""

from __future__ import annotations

from PySide6.QtCore import QSize
from PySide6.QtWidgets import QWidget

from agdesk.ui.theme import current_theme
from agdesk.ui.widgets.buttons import PushButton


class JumpButton(PushButton):
    """Floats above the lower edge of a viewport.

    Args:
        viewport: its parent: a sibling above it would keep Qt from moving pixels instead of painting them.
    """

    def __init__(self, viewport: QWidget) -> None:
        super().__init__(viewport)
        self.setText(self.tr("Jump to latest"))
        self.setAccessibleName(self.text())
        self.hide()
        self._viewport = viewport

    def restyle(self) -> None:
        """Takes over the theme."""
        theme = current_theme()
        self.setIcon(theme.icon("jump_down"))
        self.setIconSize(QSize(theme.metrics.icon, theme.metrics.icon))

    def offer(self, is_offered: bool) -> None:
        """Shows it where it belongs, or hides it; it scrolls with the viewport like every child of it."""
        if is_offered:
            size = self.sizeHint()
            area = self._viewport.rect()
            bottom = area.bottom() - current_theme().metrics.space_12
            left = (area.width() - size.width()) // 2
            self.setGeometry(left, bottom - size.height(), size.width(), size.height())
            self.raise_()
        self.setVisible(is_offered)
