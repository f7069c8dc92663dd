"""A check box in the theme's colours."""

from __future__ import annotations

from PySide6.QtCore import QPoint, QRectF, QSize, Qt
from PySide6.QtGui import QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QCheckBox, QWidget
from typing_extensions import override

from agdesk.ui.theme import current_theme

_BOX = 18


class CheckBox(QCheckBox):
    """A box without words of its own: its label stands elsewhere and is its accessible name."""

    def __init__(self, name: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setAccessibleName(name)

    @override
    def sizeHint(self) -> QSize:
        edge = current_theme().metrics.hit_area
        return QSize(edge, edge)

    @override
    def minimumSizeHint(self) -> QSize:
        return self.sizeHint()

    @override
    def hitButton(self, position: QPoint) -> bool:
        return self.rect().contains(position)

    @override
    def paintEvent(self, event: QPaintEvent) -> None:
        theme = current_theme()
        metrics = theme.metrics
        edge = metrics.px(_BOX)
        box = QRectF((self.width() - edge) / 2, (self.height() - edge) / 2, edge, edge)
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        line = "control_edge" if self.isEnabled() else "border"
        painter.setPen(QPen(theme.color("accent" if self.isChecked() and self.isEnabled() else line), 1))
        painter.setBrush(theme.color("surface" if not self.isChecked() else "accent" if self.isEnabled() else "border"))
        painter.drawRoundedRect(box.adjusted(0.5, 0.5, -0.5, -0.5), metrics.space_4, metrics.space_4)
        if self.isChecked():
            color = "on_accent" if self.isEnabled() else "muted"
            mark = theme.pixmap("check", color=color, size=edge, ratio=self.devicePixelRatioF())
            painter.drawPixmap(box.topLeft(), mark)
        if self.hasFocus():
            ring = metrics.focus_ring
            painter.setPen(QPen(theme.color("accent"), ring))
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.drawRoundedRect(box.adjusted(-ring, -ring, ring, ring), metrics.radius, metrics.radius)
        painter.end()
