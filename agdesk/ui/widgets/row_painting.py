"""What the rows of all lists have in common when they are drawn."""

from __future__ import annotations

from collections.abc import Set

from PySide6.QtCore import QPointF, QRect, QRectF, Qt
from PySide6.QtGui import QColor, QFont, QFontMetrics, QPainter, QPen, QTextCharFormat, QTextLayout
from PySide6.QtWidgets import QStyle, QStyleOptionViewItem

from agdesk.ui.theme import current_theme

State = QStyle.StateFlag


def row_height() -> int:
    """Height in pixels of a row with one line of text."""
    theme = current_theme()
    return max(theme.metrics.hit_area, QFontMetrics(theme.font("body")).height() + theme.metrics.space_8)


def paint_row_ground(painter: QPainter, option: QStyleOptionViewItem, *, has_ring: bool) -> None:
    """The tint of a selected row or the one under the mouse, and the focus ring."""
    theme = current_theme()
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    is_selected = bool(option.state & State.State_Selected)
    area = QRectF(option.rect).adjusted(0.5, 0.5, -0.5, -0.5)
    if is_selected or option.state & State.State_MouseOver:
        ground = theme.color("user_block")
        painter.setPen(QPen(theme.color("control_edge"), 1) if is_selected else Qt.PenStyle.NoPen)
        painter.setBrush(ground)
        painter.drawRoundedRect(area, theme.metrics.radius, theme.metrics.radius)
    if has_ring:
        ring = theme.metrics.focus_ring
        inset = ring / 2 - 0.5
        painter.setPen(QPen(theme.color("accent"), ring))
        painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.drawRoundedRect(area.adjusted(inset, inset, -inset, -inset), theme.metrics.radius, theme.metrics.radius)


def paint_text(painter: QPainter, area: QRect, text: str, *, font: QFont, color: QColor, at_end: bool = False) -> None:
    """One line, cut with "…" where it does not fit."""
    painter.setFont(font)
    painter.setPen(color)
    shown = QFontMetrics(font).elidedText(text, Qt.TextElideMode.ElideRight, area.width())
    side = Qt.AlignmentFlag.AlignTrailing if at_end else Qt.AlignmentFlag.AlignLeading
    flags = side | Qt.AlignmentFlag.AlignVCenter
    painter.drawText(area, flags.value | Qt.TextFlag.TextSingleLine.value, shown)


def text_width(font: QFont, text: str) -> int:
    """Pixels that ``paint_text`` needs for a whole line."""
    return QFontMetrics(font).horizontalAdvance(text) + 2 if text else 0  # eliding counts in fractions of a pixel


def mirrored(option: QStyleOptionViewItem, area: QRect) -> QRect:
    """A part of a row where it stands in the row's direction of reading."""
    return QStyle.visualRect(option.direction, option.rect, area)


def bold(font: QFont) -> QFont:
    """The same font, bold."""
    other = QFont(font)
    other.setBold(True)
    return other


def paint_hits(painter: QPainter, area: QRect, text: str, *, hits: Set[int], color: QColor) -> None:
    """One line like ``paint_text``, with some letters bold and in the accent colour."""
    theme = current_theme()
    font = theme.font("body")
    shown = QFontMetrics(bold(font)).elidedText(text, Qt.TextElideMode.ElideRight, area.width())
    look = QTextCharFormat()
    look.setFontWeight(QFont.Weight.Bold)
    look.setForeground(theme.color("accent"))
    layout = QTextLayout(shown, font)
    ranges = []
    for place in hits:
        part = QTextLayout.FormatRange()
        part.start, part.length, part.format = place, 1, look
        ranges.append(part)
    layout.setFormats(ranges)
    layout.beginLayout()
    line = layout.createLine()
    line.setLineWidth(area.width())
    layout.endLayout()
    painter.setPen(color)
    layout.draw(painter, QPointF(area.left(), area.top() + (area.height() - line.height()) / 2))
