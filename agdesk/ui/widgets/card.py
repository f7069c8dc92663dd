"""A raised surface that holds what belongs together."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QRectF, Qt, Signal
from PySide6.QtGui import QKeyEvent, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QFrame, QVBoxLayout, QWidget
from typing_extensions import override

from agdesk.ui.theme import current_theme


class Card(QFrame):
    """A rounded surface with a hairline around it; its widgets stand below each other, with hairlines between them.

    Args:
        background, edge: fields of ``theme.Tokens``.
    """

    def __init__(self, parent: QWidget | None = None, *, background: str = "surface", edge: str = "border") -> None:
        super().__init__(parent)
        self._background = background
        self._edge = edge
        metrics = current_theme().metrics
        self.column = QVBoxLayout(self)
        self.column.setContentsMargins(metrics.space_16, metrics.space_4, metrics.space_16, metrics.space_4)
        self.column.setSpacing(0)

    @override
    def paintEvent(self, event: QPaintEvent) -> None:
        theme = current_theme()
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(QPen(theme.color(self._edge), 1))
        painter.setBrush(theme.color(self._background))
        area = QRectF(self.contentsRect()).adjusted(0.5, 0.5, -0.5, -0.5)
        painter.drawRoundedRect(area, theme.metrics.card_radius, theme.metrics.card_radius)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing, on=False)
        shown = [item.geometry() for item in self._items() if item.isVisible()]
        for above in shown[:-1]:
            painter.fillRect(above.left(), above.bottom() + 1, above.width(), 1, theme.color(self._edge))
        painter.end()

    def _items(self) -> list[QWidget]:
        places = (self.column.itemAt(index) for index in range(self.column.count()))
        return [widget for place in places if place is not None and (widget := place.widget()) is not None]


class EscapableCard(Card):
    """A card that Escape closes, while the keyboard is inside it.

    Signals:
        escaped(): Escape was pressed.
    """

    escaped = Signal()

    @override
    def event(self, event: QEvent) -> bool:
        # the window's own Esc stops an answer
        if event.type() == QEvent.Type.ShortcutOverride and isinstance(event, QKeyEvent) and _is_escape(event):
            event.accept()
            return True
        return super().event(event)

    @override
    def keyPressEvent(self, event: QKeyEvent) -> None:
        if _is_escape(event):
            self.escaped.emit()
        else:
            super().keyPressEvent(event)


def _is_escape(event: QKeyEvent) -> bool:
    return event.key() == Qt.Key.Key_Escape
