"""How high a field must be for its text; letters of some scripts are higher than a line of the font."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QPlainTextEdit


def fit_height(edit: QPlainTextEdit, *, most_lines: int, frame: int) -> None:
    """Makes a field as high as its text, at least a line and at most ``most_lines``; more is scrolled.

    Args:
        frame: pixels around the text, above and below together.
    """
    margins = 3 * edit.document().documentMargin() + 2  # Qt counts that below twice before it takes all for seen
    least, most = (lines * edit.fontMetrics().lineSpacing() + margins for lines in (1, most_lines))
    layout, block = edit.document().documentLayout(), edit.document().firstBlock()
    height = edit.document().documentMargin() + 2
    while block.isValid() and height <= most:
        height += layout.blockBoundingRect(block).height()
        block = block.next()
    policy = Qt.ScrollBarPolicy.ScrollBarAlwaysOff if height <= most else Qt.ScrollBarPolicy.ScrollBarAsNeeded
    if edit.verticalScrollBarPolicy() != policy:
        edit.setVerticalScrollBarPolicy(policy)
    edit.setFixedHeight(round(max(least, min(height, most))) + frame)
