"""A page of code, JSON or bytes that can be read, selected and copied, and nothing else."""

from __future__ import annotations

import re

from PySide6.QtCore import QTimer
from PySide6.QtGui import QPainter, QPaintEvent, QPen, QTextCursor, QTextOption
from PySide6.QtWidgets import QFrame, QPlainTextEdit, QWidget
from typing_extensions import override

from agdesk.ui.theme import current_theme
from agdesk.ui.widgets.hidden_characters import revealed
from agdesk.ui.widgets.json_highlighter import JsonHighlighter, LineHighlighter

_PIECE_CHARACTERS = 32_000  # put into the document at once, about 5 ms
_LINE_CHARACTERS = 2_000  # a paragraph is laid out whole, however little of it is seen
_HIGHLIGHTED_CHARACTERS = 100_000
_LONG_LINE = re.compile(f"[^\n]{{{_LINE_CHARACTERS}}}(?!\n)")


class CodeView(QPlainTextEdit):
    """Read-only text in the fixed font, wrapped; hidden characters are made visible, long lines are broken.

    A long text is put in piece by piece, so that the window never waits for it.

    Args:
        name: what is read out for it.
        highlighter: colours its lines; JSON if it is not another.
    """

    def __init__(
        self, name: str, parent: QWidget | None = None, *, highlighter: type[LineHighlighter] = JsonHighlighter
    ) -> None:
        super().__init__(parent)
        self.setAccessibleName(name)
        self.setReadOnly(True)
        self.setUndoRedoEnabled(False)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setTabChangesFocus(True)
        self.setWordWrapMode(QTextOption.WrapMode.WrapAtWordBoundaryOrAnywhere)
        self._highlighter = highlighter(self.document())
        self._text = ""
        self._place = 0
        self._timer = QTimer(self)
        self._timer.setInterval(0)
        self._timer.timeout.connect(self._add_piece)
        current_theme().theme_changed.connect(self._restyle)
        self._restyle()

    @property
    def is_filling(self) -> bool:
        """Whether a part of the text is not in the document yet."""
        return self._place < len(self._text)

    def set_text(self, text: str) -> None:
        """Shows another text, from its beginning."""
        self._timer.stop()
        self._highlighter.set_enabled(len(text) <= _HIGHLIGHTED_CHARACTERS)
        self._text, self._place = text, 0
        self.setPlainText(self._next_piece())
        if self.is_filling:
            self._timer.start()

    @override
    def paintEvent(self, event: QPaintEvent) -> None:
        super().paintEvent(event)
        if self.hasFocus():
            theme = current_theme()
            ring = theme.metrics.focus_ring
            painter = QPainter(self.viewport())
            painter.setPen(QPen(theme.color("accent"), ring))
            painter.drawRect(self.viewport().rect().adjusted(ring // 2, ring // 2, -ring // 2, -ring // 2))
            painter.end()

    def _add_piece(self) -> None:
        cursor = QTextCursor(self.document())
        cursor.movePosition(QTextCursor.MoveOperation.End)
        cursor.insertText(self._next_piece())
        if not self.is_filling:
            self._timer.stop()

    def _next_piece(self) -> str:
        piece = self._text[self._place : self._place + _PIECE_CHARACTERS]
        self._place += len(piece)
        return _LONG_LINE.sub(lambda match: match[0] + "\n", revealed(piece))

    def _restyle(self) -> None:
        theme = current_theme()
        font = theme.font("code")
        font.setPixelSize(theme.metrics.caption)
        self.setFont(font)
        self.document().setDocumentMargin(theme.metrics.space_8)
        # a palette of its own would not outlive the next stylesheet of the application
        self.setStyleSheet(f"QPlainTextEdit {{ background: {theme.tokens.code}; color: {theme.tokens.text}; }}")
        self._highlighter.rehighlight()
