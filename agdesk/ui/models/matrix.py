"""The capability matrix as a table model: a row for each model, a column for each thing that can be known of it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from PySide6.QtCore import QAbstractTableModel, QModelIndex, QObject, QPersistentModelIndex, Qt
from typing_extensions import override

from agdesk.core.providers.capabilities import CORRECTABLE
from agdesk.core.providers.catalogue import ModelRow
from agdesk.ui.models.values import ABILITIES, cell_text, described, field_name, source_text, value_of
from agdesk.ui.widgets.text import plain_tool_tip

Index = QModelIndex | QPersistentModelIndex
_Role = Qt.ItemDataRole

MODEL, PROVIDER = "model", "provider"
FIGURES = ("max_context_window", "max_output_tokens", "input_per_million", "output_per_million")
FIELDS = (*ABILITIES, *FIGURES, "streaming", "system_prompt_in_messages")
COLUMNS = (MODEL, PROVIDER, *FIELDS)


class MatrixModel(QAbstractTableModel):
    """The models that are shown, in the order that they are sorted by.

    Where nobody knows a value it comes last, whichever way a column is sorted.
    """

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.rows: Sequence[ModelRow] = ()
        self._given: Sequence[ModelRow] = ()
        self._column = -1
        self._is_descending = False

    def show_rows(self, rows: Sequence[ModelRow]) -> None:
        """Shows other models, sorted as before."""
        self.beginResetModel()
        self._given = rows
        self._put_in_order()
        self.endResetModel()

    def field_of(self, index: Index) -> str:
        """Which field of a model a cell shows; empty for its name and its provider."""
        field = COLUMNS[index.column()] if index.isValid() else ""
        return field if field in FIELDS else ""

    def place(self, ref: str) -> int:
        """The row of a model; -1 if it is not shown."""
        return next((at for at, row in enumerate(self.rows) if row.ref == ref), -1)

    @override
    def rowCount(self, parent: Index = QModelIndex()) -> int:  # noqa: B008 - as Qt has it
        return 0 if parent.isValid() else len(self.rows)

    @override
    def columnCount(self, parent: Index = QModelIndex()) -> int:  # noqa: B008
        return 0 if parent.isValid() else len(COLUMNS)

    @override
    def headerData(self, section: int, orientation: Qt.Orientation, role: int = _Role.DisplayRole) -> Any:
        if orientation is not Qt.Orientation.Horizontal or not 0 <= section < len(COLUMNS):
            return None
        match role:
            case _Role.DisplayRole | _Role.AccessibleTextRole:
                return self._title(COLUMNS[section])
            case _Role.ToolTipRole:
                return plain_tool_tip(self.tr("Click to sort by {column}").format(column=self._title(COLUMNS[section])))
            case _Role.TextAlignmentRole if COLUMNS[section] in FIGURES:
                return Qt.AlignmentFlag.AlignTrailing | Qt.AlignmentFlag.AlignVCenter
            case _:
                return None

    @override
    def data(self, index: Index, role: int = _Role.DisplayRole) -> Any:
        if not index.isValid():
            return None
        row, column = self.rows[index.row()], COLUMNS[index.column()]
        match role:
            case _Role.DisplayRole:
                return self._text(row, column)
            case _Role.ToolTipRole:
                return plain_tool_tip(self._spoken(row, column))
            case _Role.AccessibleTextRole:
                return self._spoken(row, column)
            case _:
                return None

    @override
    def sort(self, column: int, order: Qt.SortOrder = Qt.SortOrder.AscendingOrder) -> None:
        """Sorts by a column; -1 is the order in which the models came."""
        self.layoutAboutToBeChanged.emit()
        before = [(at, self.rows[at.row()].ref) for at in self.persistentIndexList()]
        self._column, self._is_descending = column, order is Qt.SortOrder.DescendingOrder
        self._put_in_order()
        places = {row.ref: at for at, row in enumerate(self.rows)}
        for index, ref in before:
            self.changePersistentIndex(index, self.index(places[ref], index.column()))
        self.layoutChanged.emit()

    def _put_in_order(self) -> None:
        if self._column < 0:
            self.rows = self._given
            return
        key = _key(COLUMNS[self._column])
        known = [row for row in self._given if key(row) is not None]
        unknown = [row for row in self._given if key(row) is None]
        self.rows = (*sorted(known, key=key, reverse=self._is_descending), *unknown)

    def _title(self, column: str) -> str:
        match column:
            case "model":
                return self.tr("Model")
            case "provider":
                return self.tr("Provider")
            case "input_per_million":
                return self.tr("In $/M")
            case "output_per_million":
                return self.tr("Out $/M")
            case "system_prompt_in_messages":
                return self.tr("System in messages")
            case _:
                name = field_name(column)
                return name[:1].upper() + name[1:]

    def _text(self, row: ModelRow, column: str) -> str:
        if column == MODEL:
            return row.model.id
        if column == PROVIDER:
            return row.provider_name or row.provider_id
        text = cell_text(column, value_of(row.model, column))
        is_own = row.model.source.get(column) == "user"
        return f"{text} · {source_text('user')}" if is_own else text

    def _spoken(self, row: ModelRow, column: str) -> str:
        if column == MODEL:
            name = row.model.display_name
            state = "" if row.is_usable else self.tr("not set up: no key or no address")
            return ", ".join(filter(None, (row.ref, "" if name == row.model.id else name, state)))
        return self._text(row, column) if column == PROVIDER else described(row.model, column)


def is_correctable(field: str) -> bool:
    """Whether a user can know a value better."""
    return field in CORRECTABLE


def _key(column: str) -> Callable[[ModelRow], Any]:
    match column:
        case "model":
            return lambda row: row.model.id.lower()
        case "provider":
            return lambda row: ((row.provider_name or row.provider_id).lower(), row.model.id.lower())
        case _:
            return lambda row: value_of(row.model, column)
