"""The line ends of a text that arrives in pieces, all made ``\\n``."""

from __future__ import annotations

from agdesk.ui.widgets.text import safe_text


class LineEnds:
    """Reads one text.

    Attributes:
        is_half: what came last is perhaps the first half of a line end, and is kept back.
    """

    def __init__(self) -> None:
        self.is_half = False

    def read(self, text: str) -> str:
        """The next piece, as Qt can hold it."""
        if self.is_half:
            text = "\r" + text
        self.is_half = text.endswith("\r")
        if self.is_half:
            text = text[:-1]
        return safe_text(text).replace("\r\n", "\n").replace("\r", "\n")
