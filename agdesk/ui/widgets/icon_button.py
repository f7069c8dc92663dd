"""A flat button that shows an icon of the theme."""

from __future__ import annotations

from PySide6.QtCore import QSize, Qt, QTimer
from PySide6.QtWidgets import QWidget
from typing_extensions import override

from agdesk.ui.theme import current_theme
from agdesk.ui.widgets.buttons import ToolButton

CONFIRM_MS = 1500


class IconButton(ToolButton):
    """An icon that can be clicked; its name is read out and is its tool tip.

    Args:
        icon: a key of ``theme.icons.ICONS``.
        name: what the button does.
        color: a field of ``theme.Tokens``.
    """

    def __init__(self, icon: str, name: str, parent: QWidget | None = None, *, color: str = "muted") -> None:
        super().__init__(parent)
        self._icon = icon
        self._shown = icon
        self._color = color
        self._back = QTimer(self)
        self._back.setSingleShot(True)
        self._back.setInterval(CONFIRM_MS)
        self._back.timeout.connect(self._show_own_icon)
        self.setAccessibleName(name)
        self.setToolTip(name)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        current_theme().theme_changed.connect(self._refresh)
        self._refresh()

    def set_icon(self, icon: str) -> None:
        """Shows another icon."""
        self._icon = icon
        self._show_own_icon()

    def confirm(self) -> None:
        """Shows a check mark for a moment: it is done."""
        self._shown = "check"
        self._refresh()
        self._back.start()

    @override
    def sizeHint(self) -> QSize:
        least = current_theme().metrics.hit_area
        return super().sizeHint().expandedTo(QSize(least, least))

    def _show_own_icon(self) -> None:
        self._shown = self._icon
        self._refresh()

    def _refresh(self) -> None:
        theme = current_theme()
        self.setIcon(theme.icon(self._shown, color=self._color))
        self.setIconSize(QSize(theme.metrics.icon, theme.metrics.icon))
