"""The button that folds the parameters out, with how many are set and how many of them are not in force."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QPoint, QSize, Qt
from PySide6.QtGui import QFontMetrics, QPainter, QPaintEvent, QTransform
from PySide6.QtWidgets import QSizePolicy, QWidget
from typing_extensions import override

from agdesk.ui.theme import current_theme
from agdesk.ui.widgets.buttons import PushButton
from agdesk.ui.widgets.text import plain_tool_tip

_LEAST_WIDTH = 64


class ParametersButton(PushButton):
    """A word, numbers and an arrow; checked while the panel is open. It warns of what is set and not sent.

    Cut with "…" where it does not fit.
    """

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._words = ""
        self._is_warning = False
        self.setCheckable(True)
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)  # a click leaves the keyboard where one writes
        self.setSizePolicy(QSizePolicy.Policy.Maximum, QSizePolicy.Policy.Fixed)
        self.show_count(0)

    def show_count(self, count: int, idle: Sequence[str] = ()) -> None:
        """How many are set, and a line for each that is not in force."""
        name = self.tr("Parameters")
        state = self.tr("{count} set").format(count=count) if count else self.tr("none set")
        self._words = self.tr("{name} ({count})").format(name=name, count=count) if count else name
        tip = self.tr("What this conversation sets in its requests: {state}").format(state=state)
        self._is_warning = bool(idle)
        if idle:
            not_in_force = self.tr("{count} not in force").format(count=len(idle))
            numbers = self.tr("{count}, {idle}").format(count=count, idle=not_in_force) if count else not_in_force
            self._words = self.tr("{name} ({count})").format(name=name, count=numbers)
            state = f"{state}, {not_in_force}"
            tip = self.tr("{tip}. Not in force: {idle}").format(tip=tip, idle="; ".join(idle))
        self.setAccessibleName(f"{name}: {state}")
        self.setAccessibleDescription("; ".join(idle))
        self.setToolTip(plain_tool_tip(tip))
        self.updateGeometry()
        self.update()

    @override
    def sizeHint(self) -> QSize:
        metrics = current_theme().metrics
        room = 2 * metrics.space_12 + metrics.icon + metrics.space_4
        return QSize(QFontMetrics(self.font()).horizontalAdvance(self._words) + room, metrics.hit_area)

    @override
    def minimumSizeHint(self) -> QSize:
        metrics = current_theme().metrics
        return QSize(min(self.sizeHint().width(), metrics.px(_LEAST_WIDTH)), metrics.hit_area)

    @override
    def paintEvent(self, event: QPaintEvent) -> None:
        super().paintEvent(event)
        theme = current_theme()
        size, margin = theme.metrics.icon, theme.metrics.space_8
        is_mirrored = self.isRightToLeft()
        painter = QPainter(self)
        arrow = theme.pixmap("chevron_down", color="muted", size=size, ratio=self.devicePixelRatioF())
        if self.isChecked():
            arrow = arrow.transformed(QTransform.fromScale(1, -1))
        x = margin if is_mirrored else self.width() - size - margin
        painter.drawPixmap(QPoint(x, (self.height() - size) // 2), arrow)
        near, far = theme.metrics.space_12, size + margin
        area = self.rect().adjusted(far if is_mirrored else near, 0, -near if is_mirrored else -far, 0)
        painter.setPen(theme.color("warning" if self._is_warning else "text"))
        painter.setLayoutDirection(self.layoutDirection())
        shown = QFontMetrics(self.font()).elidedText(self._words, Qt.TextElideMode.ElideRight, area.width())
        painter.drawText(area, Qt.AlignmentFlag.AlignVCenter.value | Qt.TextFlag.TextSingleLine.value, shown)
        painter.end()
