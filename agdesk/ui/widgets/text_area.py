"""A field for several lines of text, in the theme's colours."""

from __future__ import annotations

from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QPlainTextEdit, QWidget
from typing_extensions import override

from agdesk.ui.theme import FontRole, current_theme
from agdesk.ui.widgets.text import safe_text
from agdesk.ui.widgets.text_height import fit_height

_GROWING_MARGIN = 2


class TextArea(QPlainTextEdit):
    """A few lines high; Tab leaves it.

    Args:
        name: what is read out for it.
        lines: its height.
        font: of the theme.
    """

    def __init__(self, name: str, parent: QWidget | None = None, *, lines: int, font: FontRole = "body") -> None:
        super().__init__(parent)
        self._lines = lines
        self._grows = False
        self._font: FontRole = font
        self.setAccessibleName(name)
        self.setTabChangesFocus(True)
        current_theme().theme_changed.connect(self._restyle)
        self._restyle()

    def show_text(self, text: str) -> None:
        """Shows a text that did not come from the user: nothing is emitted."""
        text = safe_text(text)
        if text != self.toPlainText():
            self.blockSignals(True)
            self.setPlainText(text)
            self.blockSignals(False)

    def grow(self, most_lines: int) -> None:
        """From now on it is as high as its text, up to a number of lines."""
        self._lines = most_lines
        self._grows = True
        self.document().setDocumentMargin(_GROWING_MARGIN)
        self.document().documentLayout().documentSizeChanged.connect(lambda _size: self._set_height())
        self._set_height()

    @override
    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        if event.size().width() != event.oldSize().width():
            self._set_height()

    def _set_height(self) -> None:
        metrics = current_theme().metrics
        if self._grows:
            fit_height(self, most_lines=self._lines, frame=2 * (metrics.space_4 + 1))
        else:
            self.setFixedHeight(self._lines * self.fontMetrics().lineSpacing() + 2 * metrics.space_8)

    def _restyle(self) -> None:
        theme = current_theme()
        tokens, metrics = theme.tokens, theme.metrics
        ring, pad = metrics.focus_ring, metrics.space_4
        self.setFont(theme.font(self._font))
        self._set_height()
        self.setStyleSheet(f"""
QPlainTextEdit {{ background: {tokens.surface}; color: {tokens.text}; border: 1px solid {tokens.control_edge};
    border-radius: {metrics.radius}px; padding: {pad}px; }}
QPlainTextEdit:focus {{ border: {ring}px solid {tokens.accent}; padding: {pad - ring + 1}px; }}
QPlainTextEdit:disabled {{ color: {tokens.muted}; background: {tokens.window}; border-color: {tokens.border}; }}
""")
