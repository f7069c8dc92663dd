"""A whole number that is typed or stepped, in the theme's colours."""

from __future__ import annotations

from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QPainter, QPaintEvent, QTransform, QWheelEvent
from PySide6.QtWidgets import QSpinBox, QStyle, QStyleOptionSpinBox, QWidget
from typing_extensions import override

from agdesk.ui.theme import current_theme


class NumberBox(QSpinBox):
    """A spin box. The wheel scrolls the page it stands on, unless the box has the focus."""

    def __init__(self, name: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setAccessibleName(name)
        self.lineEdit().setAccessibleName(name)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setGroupSeparatorShown(True)
        current_theme().theme_changed.connect(self._restyle)
        self._restyle()

    @override
    def wheelEvent(self, event: QWheelEvent) -> None:
        if self.hasFocus():
            super().wheelEvent(event)
        else:
            event.ignore()

    @override
    def paintEvent(self, event: QPaintEvent) -> None:
        super().paintEvent(event)
        option = QStyleOptionSpinBox()
        self.initStyleOption(option)
        painter = QPainter(self)
        control = QStyle.SubControl
        self._draw_arrow(painter, option, control.SC_SpinBoxUp, is_up=True)
        self._draw_arrow(painter, option, control.SC_SpinBoxDown, is_up=False)
        painter.end()

    def _draw_arrow(
        self, painter: QPainter, option: QStyleOptionSpinBox, part: QStyle.SubControl, *, is_up: bool
    ) -> None:
        theme = current_theme()
        size = theme.metrics.px(10)
        area = self.style().subControlRect(QStyle.ComplexControl.CC_SpinBox, option, part, self)
        color = "muted" if self.isEnabled() else "control_edge"
        arrow = theme.pixmap("chevron_down", color=color, size=size, ratio=self.devicePixelRatioF())
        place = QRectF(0, 0, size, size)
        place.moveCenter(QRectF(area).center())
        if is_up:
            arrow = arrow.transformed(QTransform.fromScale(1, -1))
        painter.drawPixmap(place.topLeft(), arrow)

    def _restyle(self) -> None:
        theme = current_theme()
        tokens, metrics = theme.tokens, theme.metrics
        ring, pad = metrics.focus_ring, metrics.space_8
        self.lineEdit().setTextMargins(metrics.space_4, 0, 0, 0)
        self.setStyleSheet(f"""
QSpinBox {{ background: {tokens.surface}; color: {tokens.text}; border: 1px solid {tokens.control_edge};
    border-radius: {metrics.radius}px; padding: 0 {pad}px; min-height: {metrics.hit_area - 2}px; }}
QSpinBox:focus {{ border: {ring}px solid {tokens.accent}; padding: 0 {pad - ring + 1}px;
    min-height: {metrics.hit_area - 2 * ring}px; }}
QSpinBox:disabled {{ color: {tokens.muted}; background: {tokens.window}; border-color: {tokens.border}; }}
QSpinBox QLineEdit {{ border: none; background: transparent; min-height: 0; padding: 0; }}
QSpinBox::up-button, QSpinBox::down-button {{ subcontrol-origin: border; width: {metrics.space_24}px; border: none; }}
QSpinBox::up-button {{ subcontrol-position: top right; }}
QSpinBox::down-button {{ subcontrol-position: bottom right; }}
QSpinBox::up-arrow, QSpinBox::down-arrow {{ image: none; }}
""")
