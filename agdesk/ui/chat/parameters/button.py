"""The button that folds the parameters out, with how many are set."""

from __future__ import annotations

from PySide6.QtCore import QPoint, QSize, Qt
from PySide6.QtGui import QFontMetrics, QPainter, QPaintEvent, QTransform
from PySide6.QtWidgets import QSizePolicy, QWidget
from typing_extensions import override

from agdesk.ui.theme import current_theme
from agdesk.ui.widgets.buttons import PushButton


class ParametersButton(PushButton):
    """A word, a number and an arrow; checked while the panel is open."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._words = ""
        self.setCheckable(True)
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)  # a click leaves the keyboard where one writes
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
        self.show_count(0)

    def show_count(self, count: int) -> None:
        """How many are set."""
        name = self.tr("Parameters")
        self._words = self.tr("{name} ({count})").format(name=name, count=count) if count else name
        state = self.tr("{count} set").format(count=count) if count else self.tr("none set")
        self.setAccessibleName(f"{name}: {state}")
        self.setToolTip(self.tr("What this conversation sets in its requests: {state}").format(state=state))
        self.updateGeometry()
        self.update()

    @override
    def sizeHint(self) -> QSize:
        metrics = current_theme().metrics
        room = 2 * metrics.space_12 + metrics.icon + metrics.space_4
        return QSize(QFontMetrics(self.font()).horizontalAdvance(self._words) + room, metrics.hit_area)

    @override
    def minimumSizeHint(self) -> QSize:
        return self.sizeHint()

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
        painter.setPen(theme.color("text"))
        painter.setLayoutDirection(self.layoutDirection())
        painter.drawText(area, Qt.AlignmentFlag.AlignVCenter.value | Qt.TextFlag.TextSingleLine.value, self._words)
        painter.end()
