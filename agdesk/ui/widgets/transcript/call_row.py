"""The widget of a call: a card that says what became of it, and unfolds to its arguments and result."""

from __future__ import annotations

from PySide6.QtCore import QRectF, QSize, Qt
from PySide6.QtGui import QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QWidget
from typing_extensions import override

from agdesk.ui.theme import current_theme
from agdesk.ui.widgets.buttons import ToolButton
from agdesk.ui.widgets.labels import ElidedLabel
from agdesk.ui.widgets.text import plain_tool_tip, safe_text
from agdesk.ui.widgets.transcript.row_widget import RowContext, RowWidget, paint_card
from agdesk.ui.widgets.transcript.rows import CallRow, Row
from agdesk.ui.widgets.transcript.values import CallState

_COLORS: dict[CallState, str] = {
    "proposed": "muted",
    "pending": "warning",
    "running": "accent",
    "done": "success",
    "answered": "success",
    "denied": "muted",
    "failed": "danger",
    "cancelled": "warning",
}


class CallWidget(RowWidget):
    """One line in a card. A text of the model has no border and no button, so that it cannot look like one."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self._button = ToolButton(self)
        self._button.setCheckable(True)
        self._button.setProperty("quiet", True)
        self._button.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonTextBesideIcon)
        self._button.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self._button.clicked.connect(lambda _checked=False: self.fold_chosen.emit(self.row))
        self._words = ElidedLabel(self, font="caption")
        self._color = "muted"
        self._space = self._line = 0

    @override
    def bind(self, row: Row, context: RowContext) -> None:
        assert isinstance(row, CallRow) and row.block.call is not None
        theme, view = current_theme(), row.block.call
        self.row = row
        self._space, self._line = context.metrics.space_4, context.metrics.hit_area
        self._color = _COLORS[view.state]
        is_open = row.block.is_expanded
        self._button.setText(safe_text(view.name).replace("&", "&&"))
        self._button.setAccessibleName(self.tr("Call of {name}: {words}").format(name=view.name, words=view.words))
        self._button.setChecked(is_open)
        tip = self.tr("Hide arguments and result") if is_open else self.tr("Show arguments and result")
        self._button.setToolTip(plain_tool_tip(tip))
        self._button.setIcon(theme.icon("chevron_down" if is_open else "chevron_right", color="muted"))
        self._button.setIconSize(QSize(theme.metrics.icon, theme.metrics.icon))
        palette = self._words.palette()
        palette.setColor(palette.ColorRole.WindowText, theme.color(self._color))
        self._words.setPalette(palette)
        self._words.setText(view.words)
        self.update()

    @override
    def measure(self, width: int) -> int:
        return self._line + 2 * self._space

    @override
    def arrange(self) -> None:
        inset, room = 2 * self._space, self.width()
        width = min(self._button.sizeHint().width(), room * 2 // 3)
        self._button.setGeometry(inset, self._space, width, self._line)
        left = inset + width + 2 * self._space
        self._words.setGeometry(left, self._space, max(0, room - left - inset), self._line)

    @override
    def focus_widgets(self) -> tuple[QWidget, ...]:
        return (self._button,)

    @override
    def paintEvent(self, event: QPaintEvent) -> None:
        theme = current_theme()
        painter = QPainter(self)
        painter.setPen(QPen(theme.color(self._color), 1))
        painter.setBrush(theme.color("raised"))
        area = QRectF(self.rect()).adjusted(0, self._space / 2, 0, -self._space / 2)
        paint_card(painter, area, radius=theme.metrics.card_radius, is_first=True, is_last=True)
        painter.end()
