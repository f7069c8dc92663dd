"""Labels for text of any origin: always plain, never wider than their place."""

from __future__ import annotations

from PySide6.QtCore import QSize, Qt
from PySide6.QtGui import QPainter, QPaintEvent, QPalette, QResizeEvent
from PySide6.QtWidgets import QLabel, QSizePolicy, QWidget
from typing_extensions import override

from agdesk.ui.theme import FontRole, current_theme
from agdesk.ui.widgets.text import plain_tool_tip, safe_text


class PlainLabel(QLabel):
    """A label that never takes its text for rich text.

    Args:
        color: a field of ``theme.Tokens``.
        font: of the theme. Both follow it.
    """

    def __init__(self, parent: QWidget | None = None, *, color: str = "text", font: FontRole = "body") -> None:
        super().__init__(parent)
        self._color = color
        self._font: FontRole = font
        self.setTextFormat(Qt.TextFormat.PlainText)
        self.setForegroundRole(QPalette.ColorRole.WindowText)  # else it would depend on the background of the parent
        current_theme().theme_changed.connect(self._apply_theme)
        self._apply_theme()

    @override
    def setText(self, text: str) -> None:
        super().setText(safe_text(text))

    def _apply_theme(self) -> None:
        theme = current_theme()
        palette = self.palette()
        palette.setColor(QPalette.ColorRole.WindowText, theme.color(self._color))
        self.setPalette(palette)
        self.setFont(theme.font(self._font))


class ElidedLabel(PlainLabel):
    """One line that ends in "…" where it does not fit; the whole text is its tool tip then and its accessible name."""

    def __init__(self, parent: QWidget | None = None, *, color: str = "text", font: FontRole = "body") -> None:
        super().__init__(parent, color=color, font=font)
        self._shown = ""
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Preferred)

    @override
    def setText(self, text: str) -> None:
        text = " ".join(safe_text(text).split())
        if text == self.text():
            return
        super().setText(text)
        self.setAccessibleName(text)
        self._elide()
        self.update()

    @override
    def minimumSizeHint(self) -> QSize:
        return QSize(0, super().minimumSizeHint().height())

    @override
    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._elide()

    @override
    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setPen(self.palette().color(QPalette.ColorRole.WindowText))
        painter.setLayoutDirection(self.layoutDirection())  # what QStyle does too, whose type costs 9 ms of the start
        painter.drawText(self.contentsRect(), self.alignment().value | Qt.TextFlag.TextSingleLine.value, self._shown)

    def _elide(self) -> None:
        width = self.contentsRect().width()
        self._shown = self.fontMetrics().elidedText(self.text(), Qt.TextElideMode.ElideRight, width)
        self.setToolTip("" if self._shown == self.text() else plain_tool_tip(self.text()))


class StatusLine(ElidedLabel):
    """A muted caption for what is going on; changes are read out politely by being the accessible name."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent, color="muted", font="caption")
