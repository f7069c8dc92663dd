"""What is seen while something is dragged over a place where it can be dropped."""

from __future__ import annotations

from PySide6.QtCore import QRect, QRectF, Qt
from PySide6.QtGui import QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QWidget
from typing_extensions import override

from agdesk.ui.theme import current_theme

_OPACITY = 0.9


class DropHint(QWidget):
    """A frame and a word over its parent; it takes no events.

    Args:
        text: what dropping does.
    """

    def __init__(self, text: str, parent: QWidget) -> None:
        super().__init__(parent)
        self._text = text
        self.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        self.setAccessibleName(text)
        self.hide()

    def cover(self, area: QRect) -> None:
        """Shows it over a part of the parent."""
        self.setGeometry(area)
        self.show()
        self.raise_()

    @override
    def paintEvent(self, event: QPaintEvent) -> None:
        theme = current_theme()
        metrics = theme.metrics
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setOpacity(_OPACITY)
        painter.fillRect(self.rect(), theme.color("surface"))
        painter.setOpacity(1.0)
        gap = metrics.space_12
        painter.setPen(QPen(theme.color("accent"), metrics.focus_ring, Qt.PenStyle.DashLine))
        painter.drawRoundedRect(
            QRectF(self.rect()).adjusted(gap, gap, -gap, -gap), metrics.card_radius, metrics.card_radius
        )
        painter.setPen(theme.color("text"))
        painter.setFont(theme.font("title"))
        painter.drawText(self.rect(), Qt.AlignmentFlag.AlignCenter, self._text)
        painter.end()
