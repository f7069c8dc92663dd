"""What a conversation has cost, at the end of its status line (CHAT9)."""

from __future__ import annotations

from PySide6.QtCore import QCoreApplication
from PySide6.QtWidgets import QSizePolicy, QWidget

from agdesk.core.cycle import CostTracker
from agdesk.ui.chat.status_text import dollars
from agdesk.ui.theme import current_theme
from agdesk.ui.widgets.buttons import ToolButton

translate = QCoreApplication.translate


def cost_text(cost: CostTracker) -> str:
    """What a conversation has cost so far; empty before anything was answered, and never 0 for what is unknown."""
    if not cost.request_count:
        return ""
    return translate("StatusText", "conversation {cost}").format(cost=dollars(cost.total_usd))


class CostButton(ToolButton):
    """The cost at the end of the status line; there once anything was answered."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
        current_theme().theme_changed.connect(self._restyle)
        self._restyle()
        self.hide()

    def show_cost(self, cost: CostTracker) -> None:
        """Another cost."""
        text = cost_text(cost)
        if text == self.text():
            return
        self.setText(text)
        self.setAccessibleName(self.tr("{cost}. Prices…").format(cost=text))
        self.setToolTip(self.tr("What it is made of, the prices and where they come from"))
        self.setVisible(bool(text))

    def _restyle(self) -> None:
        theme = current_theme()
        self.setFont(theme.font("caption"))
        palette = self.palette()
        palette.setColor(palette.ColorRole.ButtonText, theme.color("muted"))
        self.setPalette(palette)
