"""A JSON value as a form, as a tree, and raw; edited in the form or raw."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from PySide6.QtCore import QSignalBlocker, Signal
from PySide6.QtWidgets import QTabBar, QVBoxLayout, QWidget

from agdesk.ui.theme import current_theme
from agdesk.ui.widgets.json_tree import JsonTree
from agdesk.ui.widgets.schema_form.form import SchemaForm
from agdesk.ui.widgets.schema_form.leaves import JsonPart
from agdesk.ui.widgets.schema_form.part import PartProblem, Told

_FORM, _TREE, _RAW = range(3)
_TREE_ROWS = 12
_RAW_LINES = 14


class JsonViews(QWidget):
    """The three views show the same value; one that is not shown is filled when it is.

    Args:
        name: of the value, as it is read out.

    Signals:
        edited(): the user has changed the value; it may be none at the moment.
    """

    edited = Signal()

    def __init__(self, name: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._name = name
        self._schema: Any = None
        self._shown = _FORM
        self.tabs = QTabBar(self)
        self.tabs.setAccessibleName(self.tr("How it is shown: {name}").format(name=name))
        self.tabs.setExpanding(False)
        self.tabs.setDrawBase(False)
        for text in (self.tr("Form"), self.tr("Tree"), self.tr("Raw")):
            self.tabs.addTab(text)
        self.tabs.currentChanged.connect(self._go_to)
        self.form = SchemaForm(name, self)
        self.form.edited.connect(self.edited)
        self.tree: JsonTree | None = None
        self.raw: JsonPart | None = None
        self._value: Any = None  # what the views were filled with
        self._problems: tuple[Told, ...] = ()
        self._column = QVBoxLayout(self)
        self._column.setContentsMargins(0, 0, 0, 0)
        self._column.setSpacing(current_theme().metrics.space_8)
        self._column.addWidget(self.tabs)
        self._column.addWidget(self.form)

    def show_value(self, schema: Any, value: Any) -> None:
        """Shows another value, in the form."""
        self._schema, self._value = schema, value
        self.form.show_value(schema, value)
        self._show(_FORM)

    def value(self) -> Any:
        """The value as it is now; what nobody touched is as it was given.

        Raises:
            PartProblem: what was written is none; its place says so, too.
        """
        if self._shown == _RAW and self.raw is not None:
            try:
                return self.raw.value()
            except PartProblem as problem:
                self.raw.show_problems((Told(problem.path, str(problem)),))
                raise
        return self._value if self._shown == _TREE else self.form.value()

    def show_problems(self, problems: Iterable[Told]) -> None:
        """Says what is wrong with the value, each at its field."""
        self._problems = tuple(problems)
        self.form.show_problems(self._problems)
        if self.raw is not None:
            self.raw.show_problems(Told("$", f"{path}: {message}") for path, message in self._problems)

    def begin_edit(self) -> None:
        """Puts the keyboard where the value is changed: into the first field that has a problem, or the first."""
        if self._shown == _TREE:
            self.tabs.setCurrentIndex(_FORM)
        if self._shown == _RAW and self.raw is not None and self.raw.control is not None:
            self.raw.control.setFocus()
        else:
            self.form.focus_first(self._problems)

    def _go_to(self, view: int) -> None:
        try:
            self._value = self.value()
        except PartProblem:  # it stays where it can be mended
            blocker = QSignalBlocker(self.tabs)
            self.tabs.setCurrentIndex(self._shown)
            del blocker
            return
        match view:
            case 0:
                self.form.show_value(self._schema, self._value)
            case 1:
                if self.tree is None:
                    self.tree = JsonTree(self.tr("{name}, as a tree").format(name=self._name), self)
                    self.tree.setFixedHeight(_TREE_ROWS * self.tree.fontMetrics().lineSpacing())
                    self._column.addWidget(self.tree)
                self.tree.show_value(self._value)
            case _:
                self._replace_raw()
        self._show(view)
        self.show_problems(self._problems)

    def _replace_raw(self) -> None:
        if self.raw is not None:
            self.raw.hide()
            self.raw.deleteLater()
        self.raw = JsonPart(self._name, self._value, "$", self, most_lines=_RAW_LINES)
        self.raw.edited.connect(self.edited)
        self._column.addWidget(self.raw)

    def _show(self, view: int) -> None:
        self._shown = view
        blocker = QSignalBlocker(self.tabs)
        self.tabs.setCurrentIndex(view)
        del blocker
        self.form.setVisible(view == _FORM)
        if self.tree is not None:
            self.tree.setVisible(view == _TREE)
        if self.raw is not None:
            self.raw.setVisible(view == _RAW)
