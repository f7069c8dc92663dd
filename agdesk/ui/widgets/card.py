"""A raised surface that holds what belongs together."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QRect, QRectF, Qt, Signal
from PySide6.QtGui import QKeyEvent, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QFrame, QVBoxLayout, QWidget
from typing_extensions import override

from agdesk.ui.theme import current_theme


def paint_surface(painter: QPainter, area: QRect, *, background: str, edge: str) -> None:
    """A rounded surface with a hairline around it; ``background`` and ``edge`` are fields of ``theme.Tokens``."""
    theme = current_theme()
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.setPen(QPen(theme.color(edge), 1))
    painter.setBrush(theme.color(background))
    radius = theme.metrics.card_radius
    painter.drawRoundedRect(QRectF(area).adjusted(0.5, 0.5, -0.5, -0.5), radius, radius)


def paint_raised(widget: QWidget) -> None:
    """The surface of a widget that stands over others; from its ``paintEvent``."""
    painter = QPainter(widget)
    paint_surface(painter, widget.rect(), background="raised", edge="control_edge")
    painter.end()


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
        painter = QPainter(self)
        paint_surface(painter, self.contentsRect(), background=self._background, edge=self._edge)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing, on=False)
        shown = [item.geometry() for item in self._items() if item.isVisible()]
        for above in shown[:-1]:
            painter.fillRect(above.left(), above.bottom() + 1, above.width(), 1, current_theme().color(self._edge))
        painter.end()

    def _items(self) -> list[QWidget]:
        places = (self.column.itemAt(index) for index in range(self.column.count()))
        return [widget for place in places if place is not None and (widget := place.widget()) is not None]


def is_escape_override(event: QEvent) -> bool:
    """Whether a widget is asked if Escape is its own: who closes with it says so, or the window's Esc comes first."""
    is_override = event.type() == QEvent.Type.ShortcutOverride
    return is_override and isinstance(event, QKeyEvent) and event.key() == Qt.Key.Key_Escape


class EscapableCard(Card):
    """A card that Escape closes, while the keyboard is inside it.

    Signals:
        escaped(): Escape was pressed.
    """

    escaped = Signal()

    @override
    def event(self, event: QEvent) -> bool:
        if is_escape_override(event):
            event.accept()
            return True
        return super().event(event)

    @override
    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Escape:
            self.escaped.emit()
        else:
            super().keyPressEvent(event)
