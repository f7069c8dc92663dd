"""A scroll area that shows that the keyboard has come to it."""

from __future__ import annotations

from PySide6.QtCore import QEvent, Qt
from PySide6.QtGui import QFocusEvent, QPainter, QPen
from PySide6.QtWidgets import QAbstractScrollArea, QWidget
from typing_extensions import override

from agdesk.ui.theme import current_theme


class RingedArea(QAbstractScrollArea):
    """Paints the focus ring around itself; the owner keeps its viewport clear of it."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._has_ring = False

    @override
    def event(self, event: QEvent) -> bool:
        result = super().event(event)
        if event.type() == QEvent.Type.Paint and self._has_ring:
            theme = current_theme()
            ring = theme.metrics.focus_ring
            painter = QPainter(self)
            painter.setPen(QPen(theme.color("accent"), ring, Qt.PenStyle.SolidLine, Qt.PenCapStyle.SquareCap))
            painter.drawRect(self.rect().adjusted(ring // 2, ring // 2, -(ring + 1) // 2, -(ring + 1) // 2))
        return result

    @override
    def focusInEvent(self, event: QFocusEvent) -> None:
        super().focusInEvent(event)
        self._set_ring(event.reason() in (Qt.FocusReason.TabFocusReason, Qt.FocusReason.BacktabFocusReason))

    @override
    def focusOutEvent(self, event: QFocusEvent) -> None:
        super().focusOutEvent(event)
        self._set_ring(False)

    def _set_ring(self, has_ring: bool) -> None:
        self._has_ring = has_ring
        self.update()
