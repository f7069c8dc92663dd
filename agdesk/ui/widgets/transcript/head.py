"""The widget above a message: who speaks, what can be done, and which of several versions this one is."""

from __future__ import annotations

from functools import partial

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QWidget
from typing_extensions import override

from agdesk.ui.widgets.icon_button import IconButton
from agdesk.ui.widgets.labels import ElidedLabel, PlainLabel
from agdesk.ui.widgets.transcript.row_widget import RowContext, RowWidget
from agdesk.ui.widgets.transcript.rows import HeadRow, Row


class HeadWidget(RowWidget):
    """A title at the left and buttons at the right; the arrows are there while there are several versions."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self._title = ElidedLabel(self, color="muted", font="caption")
        self._previous = self._button("chevron_left", self.tr("Previous version"), "previous")
        self._place = PlainLabel(self, color="muted", font="caption")
        self._place.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self._next = self._button("chevron_right", self.tr("Next version"), "next")
        self._edit = self._button("edit", self.tr("Edit message"), "edit")
        self._again = self._button("refresh", self.tr("Answer again"), "again")
        self._copy = IconButton("copy", self.tr("Copy message"), self)
        self._copy.clicked.connect(self._on_copy)
        self._more = self._button("more", self.tr("More for this message"), "more")
        self._gutter = self._above = self._height = 0

    @override
    def bind(self, row: Row, context: RowContext) -> None:
        assert isinstance(row, HeadRow)
        self.row = row
        self._gutter = context.gutter
        self._above = context.metrics.space_16
        self._height = context.metrics.hit_area
        self._title.setText(row.message.view.title)
        number, count = row.message.place
        self._place.setText(f"{number}/{count}")
        self._place.setAccessibleName(self.tr("Version %1 of %2").replace("%1", str(number)).replace("%2", str(count)))
        for part in (self._previous, self._place, self._next):
            part.setVisible(count > 1)
        self._previous.setEnabled(number > 1)
        self._next.setEnabled(number < count)
        self._again.setVisible(row.message.view.role == "assistant")

    @override
    def measure(self, width: int) -> int:
        return self._above + self._height

    @override
    def arrange(self) -> None:
        right = self.width() - self._gutter // 2
        for part in reversed(self._parts()):
            width = part.sizeHint().width()
            right -= width
            part.setGeometry(right, self._above, width, self._height)
        self._title.setGeometry(self._gutter, self._above, max(0, right - 2 * self._gutter), self._height)
        if self.isRightToLeft():
            for widget in (self._title, *self._parts()):
                widget.move(self.width() - widget.x() - widget.width(), widget.y())

    @override
    def focus_widgets(self) -> tuple[QWidget, ...]:
        return tuple(part for part in self._parts() if part is not self._place)

    def more_place(self) -> QWidget:
        """Where the menu of the message opens."""
        return self._more

    def _parts(self) -> list[QWidget]:
        parts = (self._previous, self._place, self._next, self._edit, self._again, self._copy, self._more)
        return [part for part in parts if not part.isHidden()]

    def _button(self, icon: str, name: str, action: str) -> IconButton:
        button = IconButton(icon, name, self)
        button.clicked.connect(partial(self._on_action, action))
        return button

    def _on_action(self, action: str, _is_checked: bool = False) -> None:
        self.message_action_chosen.emit(self.row, action)

    def _on_copy(self) -> None:
        self._copy.confirm()
        self.copy_chosen.emit(self.row)
