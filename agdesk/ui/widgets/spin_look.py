"""How every spin box looks: its arrows and its frame."""

from __future__ import annotations

from PySide6.QtCore import QRectF
from PySide6.QtGui import QPainter, QTransform
from PySide6.QtWidgets import QAbstractSpinBox, QStyle, QStyleOptionSpinBox

from agdesk.ui.theme import current_theme


def draw_spin_arrows(box: QAbstractSpinBox, option: QStyleOptionSpinBox) -> None:
    """Draws the two arrows over a box that is painted without; ``option`` as the box initialises it."""
    control = QStyle.SubControl
    painter = QPainter(box)
    for part, is_up in ((control.SC_SpinBoxUp, True), (control.SC_SpinBoxDown, False)):
        theme = current_theme()
        size = theme.metrics.px(10)
        area = box.style().subControlRect(QStyle.ComplexControl.CC_SpinBox, option, part, box)
        color = "muted" if box.isEnabled() else "control_edge"
        arrow = theme.pixmap("chevron_down", color=color, size=size, ratio=box.devicePixelRatioF())
        place = QRectF(0, 0, size, size)
        place.moveCenter(QRectF(area).center())
        if is_up:
            arrow = arrow.transformed(QTransform.fromScale(1, -1))
        painter.drawPixmap(place.topLeft(), arrow)
    painter.end()


def spin_stylesheet() -> str:
    """The style sheet of a spin box in the theme in force."""
    theme = current_theme()
    tokens, metrics = theme.tokens, theme.metrics
    ring, pad = metrics.focus_ring, metrics.space_8
    return f"""
QAbstractSpinBox {{ background: {tokens.surface}; color: {tokens.text}; border: 1px solid {tokens.control_edge};
    border-radius: {metrics.radius}px; padding: 0 {pad}px; min-height: {metrics.hit_area - 2}px; }}
QAbstractSpinBox:focus {{ border: {ring}px solid {tokens.accent}; padding: 0 {pad - ring + 1}px;
    min-height: {metrics.hit_area - 2 * ring}px; }}
QAbstractSpinBox:disabled {{ color: {tokens.muted}; background: {tokens.window}; border-color: {tokens.border}; }}
QAbstractSpinBox QLineEdit {{ border: none; background: transparent; min-height: 0; padding: 0; }}
QAbstractSpinBox::up-button, QAbstractSpinBox::down-button {{ subcontrol-origin: border;
    width: {metrics.space_24}px; border: none; }}
QAbstractSpinBox::up-button {{ subcontrol-position: top right; }}
QAbstractSpinBox::down-button {{ subcontrol-position: bottom right; }}
QAbstractSpinBox::up-arrow, QAbstractSpinBox::down-arrow {{ image: none; }}
"""
