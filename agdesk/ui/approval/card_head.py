"""The first line of a card: what is asked, which of the calls that wait it is, and what can be done with the card."""

from __future__ import annotations

from PySide6.QtWidgets import QHBoxLayout, QWidget

from agdesk.core.ir.approval import ApprovalRequest
from agdesk.ui.approval.semantic_badge import SemanticBadge
from agdesk.ui.theme import current_theme
from agdesk.ui.widgets.hidden_characters import revealed
from agdesk.ui.widgets.icon_button import IconButton
from agdesk.ui.widgets.labels import ElidedLabel, PlainLabel


class CardHead(QWidget):
    """Its name may be cut; the facts of the card have it whole."""

    def __init__(self, request: ApprovalRequest, parent: QWidget) -> None:
        super().__init__(parent)
        title = ElidedLabel(self)
        font = title.font()
        font.setBold(True)
        title.setFont(font)
        title.setText(self.tr("Run “{tool}”?").replace("{tool}", revealed(request.tool)))
        server = ElidedLabel(self, color="muted")
        server.setText(revealed(f"{request.server} · {request.transport}" if request.endpoint else request.server))
        self.place = PlainLabel(self, color="muted")
        self.window_button = IconButton("detach", self.tr("Open as window"), self)
        self.close_button = IconButton("close", self.tr("Deny this call"), self)
        line = QHBoxLayout(self)
        line.setContentsMargins(0, 0, 0, 0)
        line.setSpacing(current_theme().metrics.space_8)
        line.addWidget(SemanticBadge(request.semantic, self))
        line.addWidget(title, 3)
        line.addWidget(server, 2)
        for widget in (self.place, self.window_button, self.close_button):
            line.addWidget(widget)

    def show_place(self, place: int, count: int) -> None:
        """Says which of the calls that wait it is, from 1; nothing if it is the only one."""
        self.place.setText(self.tr("{place} of {count}").format(place=place, count=count))
        self.place.setVisible(count > 1)
