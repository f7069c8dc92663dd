"""What stands in a place whose content takes longer than a moment."""

from __future__ import annotations

from PySide6.QtCore import QRectF, Qt, QTimer
from PySide6.QtGui import QHideEvent, QPainter, QPaintEvent, QShowEvent
from PySide6.QtWidgets import QWidget
from typing_extensions import override

from agdesk.ui.theme import current_theme

DELAY_MS = 150
_LINES = (0.45, 0.0, 0.9, 0.95, 0.6, 0.0, 0.4, 0.0, 0.85, 0.7)  # shares of the column's width; 0 is a gap


class Skeleton(QWidget):
    """Grey lines where text will be. They stand still, and appear ``DELAY_MS`` after the widget: what is quick does not
    flicker.

    Args:
        name: what is being loaded, as it is read out.
    """

    def __init__(self, name: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setAccessibleName(name)
        self.is_drawn = False
        self._timer = QTimer(self)
        self._timer.setSingleShot(True)
        self._timer.setInterval(DELAY_MS)
        self._timer.timeout.connect(self._draw)

    @override
    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self._timer.start()

    @override
    def hideEvent(self, event: QHideEvent) -> None:
        super().hideEvent(event)
        self._timer.stop()
        self.is_drawn = False

    @override
    def paintEvent(self, event: QPaintEvent) -> None:
        if not self.is_drawn:
            return
        theme = current_theme()
        metrics = theme.metrics
        column = min(metrics.text_column, self.width() - 2 * (metrics.space_16 + metrics.space_12))
        left = (self.width() - column) / 2
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(theme.color("border"))
        for number, share in enumerate(_LINES):
            if share:
                top = metrics.space_32 + number * metrics.line_height
                area = QRectF(left, top, column * share, metrics.space_12)
                painter.drawRoundedRect(area, metrics.radius, metrics.radius)
        painter.end()

    def _draw(self) -> None:
        self.is_drawn = True
        self.update()
