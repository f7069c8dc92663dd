"""A label of several lines that never makes its place wider."""

from __future__ import annotations

from PySide6.QtWidgets import QWidget

from agdesk.ui.theme import FontRole
from agdesk.ui.widgets.labels import PlainLabel


class WrappedLabel(PlainLabel):
    """Breaks between words; a word that is too long for the place, such as a name or an address, is cut off."""

    def __init__(self, parent: QWidget | None = None, *, color: str = "text", font: FontRole = "body") -> None:
        super().__init__(parent, color=color, font=font)
        self.setWordWrap(True)
        self.setMinimumWidth(1)  # else the longest word would be the least width
