"""The gauge in the header: a figure, and a bar that fills."""

from __future__ import annotations

from PySide6.QtCore import QRect, QRectF, QSize, Qt
from PySide6.QtGui import QFontMetrics, QPainter, QPaintEvent
from PySide6.QtWidgets import QSizePolicy, QWidget
from typing_extensions import override

from agdesk.ui.theme import current_theme
from agdesk.ui.widgets.buttons import PushButton
from agdesk.ui.widgets.text import plain_tool_tip

_BAR_WIDTH, _BAR_HEIGHT = 44, 8


class GaugeButton(PushButton):
    """A text, and beside it a bar of which a share is filled; without a share there is no bar."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._words = ""
        self._share: float | None = 0.0
        self._color = "accent"
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)  # a click leaves the keyboard where one writes
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)

    @property
    def words(self) -> str:
        """What stands beside the bar."""
        return self._words

    def show_share(self, words: str, share: float | None, *, color: str, name: str) -> None:
        """Another state.

        Args:
            share: of the bar; None for no bar.
            color: of the filled part, a field of ``theme.Tokens``.
            name: all of it in words, for the tool tip and for assistive technology.
        """
        is_other_size = len(words) != len(self._words) or (share is None) is not (self._share is None)
        self._words, self._share, self._color = words, share, color
        self.setAccessibleName(name)
        self.setToolTip(plain_tool_tip(name))
        if is_other_size:
            self.updateGeometry()
        self.update()

    @override
    def sizeHint(self) -> QSize:
        metrics = current_theme().metrics
        text = QFontMetrics(self.font()).horizontalAdvance(self._words)
        bar = 0 if self._share is None else metrics.px(_BAR_WIDTH) + (metrics.space_8 if text else 0)
        return QSize(text + bar + 2 * metrics.space_12, metrics.hit_area)

    @override
    def minimumSizeHint(self) -> QSize:
        return self.sizeHint()

    @override
    def paintEvent(self, event: QPaintEvent) -> None:
        super().paintEvent(event)
        theme = current_theme()
        painter = QPainter(self)
        side, is_mirrored = theme.metrics.space_12, self.isRightToLeft()
        area = self.rect().adjusted(side, 0, -side, 0)
        painter.setPen(theme.color("text" if self._color == "accent" else self._color))
        painter.setLayoutDirection(self.layoutDirection())
        painter.drawText(area, Qt.AlignmentFlag.AlignVCenter.value | Qt.TextFlag.TextSingleLine.value, self._words)
        if self._share is not None:
            self._paint_bar(painter, area, share=min(1.0, self._share), is_mirrored=is_mirrored)
        painter.end()

    def _paint_bar(self, painter: QPainter, area: QRect, *, share: float, is_mirrored: bool) -> None:
        theme = current_theme()
        width, height = theme.metrics.px(_BAR_WIDTH), theme.metrics.px(_BAR_HEIGHT)
        left = area.left() if is_mirrored else area.right() + 1 - width
        bar = QRectF(left, area.center().y() + 1 - height / 2, width, height)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(theme.color("border"))
        painter.drawRoundedRect(bar, height / 2, height / 2)
        filled = bar.width() * share
        if filled > 0:
            painter.setClipRect(QRectF(bar.right() - filled if is_mirrored else bar.left(), bar.top(), filled, height))
            painter.setBrush(theme.color(self._color))
            painter.drawRoundedRect(bar, height / 2, height / 2)
