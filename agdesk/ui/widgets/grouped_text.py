"""Lines under headings, as high as they are up to a limit; can be read, selected and copied."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QFont, QPainter, QPaintEvent, QPen, QTextBlockFormat, QTextCharFormat, QTextCursor
from PySide6.QtWidgets import QFrame, QSizePolicy, QTextEdit, QWidget
from typing_extensions import override

from agdesk.ui.theme import current_theme
from agdesk.ui.widgets.text import safe_text


class GroupedText(QTextEdit):
    """Headings and the lines below each.

    Args:
        name: what is read out for it.
        most_lines: how many lines high it grows; the rest is scrolled.
    """

    def __init__(self, name: str, parent: QWidget | None = None, *, most_lines: int = 8) -> None:
        super().__init__(parent)
        self._groups: tuple[tuple[str, tuple[str, ...]], ...] = ()
        self._most_lines = most_lines
        self.setAccessibleName(name)
        self.setReadOnly(True)
        self.setUndoRedoEnabled(False)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setTabChangesFocus(True)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        # a palette of its own would not outlive the next stylesheet of the application
        self.setStyleSheet("QTextEdit { background: transparent; }")
        self.document().documentLayout().documentSizeChanged.connect(lambda _size: self._fit())
        current_theme().theme_changed.connect(self._fill)

    def show_groups(self, groups: Sequence[tuple[str, Sequence[str]]]) -> None:
        """Shows other groups; a heading may be empty."""
        self._groups = tuple((heading, tuple(lines)) for heading, lines in groups)
        self._fill()

    @override
    def paintEvent(self, event: QPaintEvent) -> None:
        super().paintEvent(event)
        if self.hasFocus():
            theme = current_theme()
            ring = theme.metrics.focus_ring
            painter = QPainter(self.viewport())
            painter.setPen(QPen(theme.color("accent"), ring))
            edge = ring / 2
            painter.drawRect(QRectF(self.viewport().rect()).adjusted(edge, edge, -edge, -edge))
            painter.end()

    def _fill(self) -> None:
        theme = current_theme()
        self.setFont(theme.font("body"))
        self.document().setDocumentMargin(theme.metrics.focus_ring)
        self.document().clear()
        cursor = QTextCursor(self.document())
        bold, plain = QTextCharFormat(), QTextCharFormat()
        bold.setFontWeight(QFont.Weight.DemiBold)
        bold.setForeground(theme.color("text"))
        plain.setForeground(theme.color("text"))
        is_first = True
        for heading, lines in self._groups:
            for text, look, indent in ((heading, bold, 0), *((line, plain, theme.metrics.space_12) for line in lines)):
                if not text:
                    continue
                block = QTextBlockFormat()
                block.setLeftMargin(indent)
                if look is bold and not is_first:
                    block.setTopMargin(theme.metrics.space_8)
                if is_first:
                    cursor.setBlockFormat(block)
                else:
                    cursor.insertBlock(block)
                cursor.insertText(" ".join(safe_text(text).split()), look)
                is_first = False
        self.moveCursor(QTextCursor.MoveOperation.Start)
        self._fit()

    def _fit(self) -> None:
        most = self._most_lines * self.fontMetrics().lineSpacing()
        self.setFixedHeight(min(round(self.document().size().height()) + 2, most))
