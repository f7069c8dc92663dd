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
    """A text, and beside it a bar of which a share is filled; without a share, or room for it, there is no bar."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._words = ""
        self._share: float | None = 0.0
        self._color = "accent"
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)  # a click leaves the keyboard where one writes
        self.setSizePolicy(QSizePolicy.Policy.Maximum, QSizePolicy.Policy.Fixed)

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
        bar = 0 if self._share is None else metrics.px(_BAR_WIDTH) + (metrics.space_8 if self._words else 0)
        return self._text_size() + QSize(bar, 0)

    @override
    def minimumSizeHint(self) -> QSize:
        return self._text_size() if self._words else self.sizeHint()

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
        room = self.width() - self._text_size().width() - (theme.metrics.space_4 if self._words else 0)
        width = min(theme.metrics.px(_BAR_WIDTH), room)
        if self._share is not None and width >= theme.metrics.px(_BAR_HEIGHT):
            self._paint_bar(painter, area, width=width, share=min(1.0, self._share), is_mirrored=is_mirrored)
        painter.end()

    def _text_size(self) -> QSize:
        metrics = current_theme().metrics
        text = QFontMetrics(self.font()).horizontalAdvance(self._words)
        return QSize(text + 2 * metrics.space_12, metrics.hit_area)

    def _paint_bar(self, painter: QPainter, area: QRect, *, width: int, share: float, is_mirrored: bool) -> None:
        theme = current_theme()
        height = theme.metrics.px(_BAR_HEIGHT)
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
