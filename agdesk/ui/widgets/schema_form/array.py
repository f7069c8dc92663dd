"""A list of scalars, one field a line."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QHBoxLayout, QVBoxLayout, QWidget
from typing_extensions import override

from agdesk.ui.theme import current_theme
from agdesk.ui.widgets.buttons import PushButton
from agdesk.ui.widgets.icon_button import IconButton
from agdesk.ui.widgets.labels import PlainLabel
from agdesk.ui.widgets.schema_form.fields import Field
from agdesk.ui.widgets.schema_form.leaves import make_leaf
from agdesk.ui.widgets.schema_form.part import Part, PartProblem, Told


class ListPart(Part):
    """Items can be changed, taken out, and added at the end."""

    def __init__(self, item: Field, name: str, value: list[Any], path: str, parent: QWidget) -> None:
        super().__init__(path, parent)
        self._item = item
        self._name = name
        self._items: list[Part] = []
        self._place = QWidget(self)
        self._rows = QVBoxLayout(self._place)
        self._rows.setContentsMargins(0, 0, 0, 0)
        self._rows.setSpacing(current_theme().metrics.space_4)
        self.add_button = PushButton(self.tr("Add item"), self)
        self.add_button.setAccessibleName(self.tr("Add an item to {name}").format(name=name))
        self.add_button.clicked.connect(self._add)
        line = QWidget(self)
        foot = QHBoxLayout(line)
        foot.setContentsMargins(0, 0, 0, 0)
        foot.addWidget(self.add_button)
        foot.addStretch(1)
        self.put(self._place)
        self.put(line)
        self._show(value)

    @override
    def value(self) -> list[Any]:
        return [item.value() for item in self._items]

    @override
    def parts(self) -> Iterable[Part]:
        return self._items

    def _values(self) -> list[Any] | None:
        """What stands there; None, with the reason at its field, if an item is no value."""
        try:
            return self.value()
        except PartProblem as problem:
            self.show_problems((Told(problem.path, str(problem)),))
            return None

    def _show(self, values: list[Any]) -> None:
        self._items.clear()
        while (place := self._rows.takeAt(0)) is not None:
            if (row := place.widget()) is not None:
                row.hide()
                row.deleteLater()
        for at, value in enumerate(values):
            row = self._row(at, value)
            self._rows.addWidget(row)
            row.show()  # at once, so that it can have the focus
        self._place.setVisible(bool(values))
        self.control = self._items[0].control if self._items else self.add_button

    def _row(self, at: int, value: Any) -> QWidget:
        row = QWidget(self._place)
        name = f"{self._name} {at}"
        number = PlainLabel(row, color="muted", font="code")
        number.setText(str(at))
        number.setMinimumSize(current_theme().metrics.space_24, current_theme().metrics.hit_area)
        item = make_leaf(self._item, name, value, f"{self.path}[{at}]", row)
        item.edited.connect(self.edited)
        self._items.append(item)
        remove = IconButton("close", self.tr("Take {name} out").format(name=name), row)
        remove.clicked.connect(lambda: self._remove(at))
        line = QHBoxLayout(row)
        line.setContentsMargins(0, 0, 0, 0)
        line.setSpacing(current_theme().metrics.space_4)
        line.addWidget(number, 0, Qt.AlignmentFlag.AlignTop)
        line.addWidget(item, 1)
        line.addWidget(remove, 0, Qt.AlignmentFlag.AlignTop)
        return row

    def _add(self) -> None:
        if (values := self._values()) is None:
            return
        self._show([*values, self._item.first_value()])
        if (control := self._items[-1].control) is not None:
            control.setFocus()
        self.edited.emit()

    def _remove(self, at: int) -> None:
        if (values := self._values()) is None:
            return
        self._show(values[:at] + values[at + 1 :])
        if self.control is not None:
            self.control.setFocus()
        self.edited.emit()
