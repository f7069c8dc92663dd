"""A unified diff: each line with its sign and, if it was added or taken away, its colour."""

from __future__ import annotations

from PySide6.QtGui import QColor, QTextCharFormat
from PySide6.QtWidgets import QWidget
from typing_extensions import override

from agdesk.ui.theme import current_theme
from agdesk.ui.widgets.json_highlighter import LineHighlighter
from agdesk.ui.widgets.lined_view import LinedView

_LOOKS = {"+": ("inserted", 400), "-": ("deleted", 400), "@": ("comment", 600)}


class DiffView(LinedView):
    """A piece of a line that is too long for one carries the sign of its line, too.

    Args:
        name: what is read out for it.
        most_lines: how high it grows.
    """

    def __init__(self, name: str, parent: QWidget | None = None, *, most_lines: int) -> None:
        super().__init__(name, parent, most_lines=most_lines, highlighter=_DiffHighlighter)

    def set_diff(self, diff: str) -> None:
        """Shows another diff."""
        self.set_lines(diff.removesuffix("\n").split("\n"))

    @override
    def _piece(self, piece: str, line: str, *, is_first: bool) -> str:
        return piece if is_first else f"{line[:1]}{piece}"


class _DiffHighlighter(LineHighlighter):
    @override
    def highlightBlock(self, text: str) -> None:
        if not self.is_enabled or text[:1] not in _LOOKS:
            return
        color, weight = _LOOKS[text[0]]
        look = QTextCharFormat()
        look.setForeground(QColor(getattr(current_theme().syntax, color)))
        look.setFontWeight(weight)
        self.setFormat(0, len(text) * 2, look)  # Qt counts characters beyond U+FFFF twice
