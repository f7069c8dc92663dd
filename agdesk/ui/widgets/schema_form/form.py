"""The form of one value."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QVBoxLayout, QWidget

from agdesk.ui.widgets.schema_form.fields import read_schema
from agdesk.ui.widgets.schema_form.members import ObjectPart, make_part
from agdesk.ui.widgets.schema_form.part import Part, PartProblem, Told

_ROOT = "$"


class SchemaForm(QWidget):
    """Edits one JSON value after a schema; empty until ``show_value``.

    Args:
        name: of the value, as it is read out.

    Signals:
        edited(): the user has changed something; ``show_value`` does not emit it.
    """

    edited = Signal()

    def __init__(self, name: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._name = name
        self._part: Part | None = None
        self._column = QVBoxLayout(self)
        self._column.setContentsMargins(0, 0, 0, 0)

    def show_value(self, schema: Any, value: Any) -> None:
        """Shows another value.

        Args:
            schema: JSON Schema; what it says that a form cannot show is edited as JSON.
        """
        if self._part is not None:
            self._part.hide()
            self._part.deleteLater()
        self._part = part = make_part(read_schema(schema), self._name, value, _ROOT, self)
        part.edited.connect(self.edited)
        self._column.addWidget(part)

    def value(self) -> Any:
        """The value as it is now; what nobody touched is as it was given.

        Raises:
            PartProblem: a field holds no value; it says so itself, too.
        """
        if self._part is None:
            return None
        try:
            return self._part.value()
        except PartProblem as problem:
            self.show_problems((Told(problem.path, str(problem)),))
            raise

    def show_problems(self, problems: Iterable[Told]) -> None:
        """Says what is wrong with the value, each at its field; none: all is well."""
        if self._part is not None:
            self._part.show_problems(problems)

    def focus_first(self, problems: Iterable[Told] = ()) -> None:
        """Puts the keyboard into the first field that has one of these problems, or into the first of all."""
        if self._part is None:
            return
        wrong = self._part.show_problems(problems)
        control = wrong.control if wrong is not None else None
        if control is None:
            control = self._part.first_control if isinstance(self._part, ObjectPart) else self._part.control
        if control is not None:
            control.setFocus()
