"""A button whose words are cut with "…" where they do not fit."""

from __future__ import annotations

from PySide6.QtCore import QPoint, QSize, Qt
from PySide6.QtGui import QFontMetrics, QPainter, QPaintEvent, QTransform
from PySide6.QtWidgets import QSizePolicy, QWidget
from typing_extensions import override

from agdesk.ui.theme import current_theme
from agdesk.ui.widgets.buttons import PushButton
from agdesk.ui.widgets.text import plain_tool_tip

_LEAST_WIDTH = 64


class ElidedButton(PushButton):
    """Words in the colour of text or of a warning; one that can be checked folds something out and has an arrow.

    A click leaves the keyboard where one writes.
    """

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._words = ""
        self._is_warning = False
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.setSizePolicy(QSizePolicy.Policy.Maximum, QSizePolicy.Policy.Fixed)

    @property
    def words(self) -> str:
        """What stands on it, as long as there is room."""
        return self._words

    @property
    def is_warning(self) -> bool:
        """Whether it warns."""
        return self._is_warning

    def show_words(self, words: str, *, name: str, tip: str, is_warning: bool) -> None:
        """Another state.

        Args:
            name: all of it, for assistive technology.
            tip: the tool tip.
        """
        self._words, self._is_warning = words, is_warning
        self.setAccessibleName(name)
        self.setToolTip(plain_tool_tip(tip))
        self.updateGeometry()
        self.update()

    @override
    def sizeHint(self) -> QSize:
        metrics = current_theme().metrics
        arrow = metrics.icon + metrics.space_4 if self.isCheckable() else 0
        width = QFontMetrics(self.font()).horizontalAdvance(self._words) + 2 * metrics.space_12 + arrow
        return QSize(width, metrics.hit_area)

    @override
    def minimumSizeHint(self) -> QSize:
        metrics = current_theme().metrics
        return QSize(min(self.sizeHint().width(), metrics.px(_LEAST_WIDTH)), metrics.hit_area)

    @override
    def paintEvent(self, event: QPaintEvent) -> None:
        super().paintEvent(event)
        theme = current_theme()
        is_mirrored = self.isRightToLeft()
        painter = QPainter(self)
        near = far = theme.metrics.space_12
        if self.isCheckable():
            far = theme.metrics.icon + theme.metrics.space_8
            self._paint_arrow(painter, is_mirrored=is_mirrored)
        area = self.rect().adjusted(far if is_mirrored else near, 0, -near if is_mirrored else -far, 0)
        painter.setPen(theme.color("warning" if self._is_warning else "text"))
        painter.setLayoutDirection(self.layoutDirection())
        shown = QFontMetrics(self.font()).elidedText(self._words, Qt.TextElideMode.ElideRight, area.width())
        painter.drawText(area, Qt.AlignmentFlag.AlignVCenter.value | Qt.TextFlag.TextSingleLine.value, shown)
        painter.end()

    def _paint_arrow(self, painter: QPainter, *, is_mirrored: bool) -> None:
        theme = current_theme()
        size, margin = theme.metrics.icon, theme.metrics.space_8
        arrow = theme.pixmap("chevron_down", color="muted", size=size, ratio=self.devicePixelRatioF())
        if self.isChecked():
            arrow = arrow.transformed(QTransform.fromScale(1, -1))
        x = margin if is_mirrored else self.width() - size - margin
        painter.drawPixmap(QPoint(x, (self.height() - size) // 2), arrow)
