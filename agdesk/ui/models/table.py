"""The view of the matrix: columns as wide as their words, a ring around the current cell, keys for everything."""

from __future__ import annotations

from PySide6.QtCore import QModelIndex, QPersistentModelIndex, QSize, Qt, Signal
from PySide6.QtGui import QFontMetrics, QKeyEvent, QKeySequence, QPainter
from PySide6.QtWidgets import (
    QAbstractItemView,
    QFrame,
    QHeaderView,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QTableView,
    QWidget,
)
from typing_extensions import override

from agdesk.core.providers.catalogue import ModelRow
from agdesk.ui.models.matrix import COLUMNS, FIGURES, MODEL, PROVIDER, MatrixModel
from agdesk.ui.models.values import UNKNOWN_MARK, source_text
from agdesk.ui.theme import current_theme
from agdesk.ui.widgets.row_painting import paint_row_ground, paint_text, row_height

Index = QModelIndex | QPersistentModelIndex

_MODEL_WIDTH, _PROVIDER_WIDTH = 250, 110
_SAMPLES = {"max_context_window": "1.05 M", "max_output_tokens": "1.05 M"}


class MatrixTable(QTableView):
    """All models that are shown.

    Signals:
        current_changed(): another cell is current.
        edit_requested(): the user wants to change the value of the current cell.
        revert_requested(): the user wants the value of the current cell back as others say it.
        copy_requested(): the user wants the current row as text.
    """

    current_changed = Signal()
    edit_requested = Signal()
    revert_requested = Signal()
    copy_requested = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.matrix = MatrixModel(self)
        self.setModel(self.matrix)
        self.setItemDelegate(_CellDelegate(self))
        self.setAccessibleName(self.tr("Models and what is known of them"))
        self.setAccessibleDescription(
            self.tr("Enter changes a value, Delete takes a change back, Alt+Up and Alt+Down sort by the current column")
        )
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setShowGrid(False)
        self.setWordWrap(False)
        self.setCornerButtonEnabled(False)
        self.setTabKeyNavigation(False)
        self.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        self.setSelectionMode(QAbstractItemView.SelectionMode.SingleSelection)
        self.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.setHorizontalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.setSortingEnabled(False)
        rows, columns = self.verticalHeader(), self.horizontalHeader()
        rows.setSectionResizeMode(QHeaderView.ResizeMode.Fixed)
        rows.hide()
        columns.setSectionsClickable(True)
        columns.setHighlightSections(False)
        columns.setDefaultAlignment(Qt.AlignmentFlag.AlignLeading | Qt.AlignmentFlag.AlignVCenter)
        columns.sectionClicked.connect(self._sort_by_click)
        self.selectionModel().currentChanged.connect(lambda _now, _before: self._show_current())
        self.doubleClicked.connect(lambda _index: self.edit_requested.emit())
        current_theme().theme_changed.connect(self._restyle)
        self._restyle()

    @property
    def current_row(self) -> ModelRow | None:
        """The model of the current cell."""
        index = self.currentIndex()
        return self.matrix.rows[index.row()] if index.isValid() else None

    @property
    def current_field(self) -> str:
        """The field of the current cell; empty if it shows none."""
        return self.matrix.field_of(self.currentIndex())

    def show_rows(self, rows: tuple[ModelRow, ...]) -> None:
        """Shows other models; the current cell stays current if its model is still there."""
        row, column = self.current_row, max(0, self.currentIndex().column())
        place, bar = self.rowAt(0), self.verticalScrollBar().value()
        self.matrix.show_rows(rows)
        at = self.matrix.place(row.ref) if row is not None else -1
        if self.matrix.rows:
            self.setCurrentIndex(self.matrix.index(max(0, at), column))
        if at >= 0 and place >= 0:
            self.verticalScrollBar().setValue(bar)
            self.scrollTo(self.currentIndex())
        self.current_changed.emit()

    def go_to(self, model_ref: str, field: str) -> bool:
        """Makes the cell of a model and a field current; whether it is there."""
        if (row := self.matrix.place(model_ref)) < 0:
            return False
        self.setCurrentIndex(self.matrix.index(row, COLUMNS.index(field)))
        self.scrollTo(self.currentIndex(), QAbstractItemView.ScrollHint.PositionAtCenter)
        return True

    def sort_by(self, column: int, order: Qt.SortOrder) -> None:
        """Sorts by a column."""
        header = self.horizontalHeader()
        header.setSortIndicatorShown(True)
        header.setSortIndicator(column, order)
        self.matrix.sort(column, order)
        self.scrollTo(self.currentIndex())

    @override
    def keyPressEvent(self, event: QKeyEvent) -> None:
        has_alt = event.modifiers() == Qt.KeyboardModifier.AltModifier
        match event.key():
            case _ if event.matches(QKeySequence.StandardKey.Copy):
                self.copy_requested.emit()
            case Qt.Key.Key_Return | Qt.Key.Key_Enter | Qt.Key.Key_F2:
                self.edit_requested.emit()
            case Qt.Key.Key_Delete | Qt.Key.Key_Backspace:
                self.revert_requested.emit()
            case Qt.Key.Key_Up if has_alt and self.currentIndex().isValid():
                self.sort_by(self.currentIndex().column(), Qt.SortOrder.AscendingOrder)
            case Qt.Key.Key_Down if has_alt and self.currentIndex().isValid():
                self.sort_by(self.currentIndex().column(), Qt.SortOrder.DescendingOrder)
            case _:
                super().keyPressEvent(event)

    @override
    def keyboardSearch(self, search: str) -> None:
        """Letters are for the search field."""

    def _show_current(self) -> None:
        self.viewport().update()  # Qt paints the two cells only; the ground is that of the whole row
        self.current_changed.emit()

    def _sort_by_click(self, column: int) -> None:
        header = self.horizontalHeader()
        is_again = header.isSortIndicatorShown() and header.sortIndicatorSection() == column
        is_up = is_again and header.sortIndicatorOrder() is Qt.SortOrder.AscendingOrder
        self.sort_by(column, Qt.SortOrder.DescendingOrder if is_up else Qt.SortOrder.AscendingOrder)

    def _restyle(self) -> None:
        theme = current_theme()
        tokens, metrics = theme.tokens, theme.metrics
        self.setStyleSheet(
            f"QTableView, QAbstractScrollArea::corner {{ background: {tokens.surface}; border: none; }}"
            f"QHeaderView {{ background: {tokens.surface}; }}"
            f"QHeaderView::section {{ background: {tokens.surface}; color: {tokens.muted}; border: none;"
            f" border-bottom: 1px solid {tokens.border}; padding: {metrics.space_4}px {metrics.space_8}px; }}"
        )
        self.verticalHeader().setDefaultSectionSize(row_height())
        font = QFontMetrics(theme.font("body"))
        room = 2 * metrics.space_8 + metrics.space_16  # for the arrow of the column that is sorted by
        own = font.horizontalAdvance(f" · {source_text('user')}")
        for at, column in enumerate(COLUMNS):
            title = str(self.matrix.headerData(at, Qt.Orientation.Horizontal))
            width = max(font.horizontalAdvance(title), font.horizontalAdvance(_SAMPLES.get(column, "$00.00")) + own)
            if column == MODEL:
                width = metrics.px(_MODEL_WIDTH)
            elif column == PROVIDER:
                width = metrics.px(_PROVIDER_WIDTH)
            self.setColumnWidth(at, width + room)


class _CellDelegate(QStyledItemDelegate):
    """Draws a cell: what the user said stands out, what nobody knows steps back."""

    @override
    def sizeHint(self, option: QStyleOptionViewItem, index: Index) -> QSize:
        return QSize(0, row_height())

    @override
    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        view = self.parent()
        assert isinstance(view, MatrixTable)
        painter.save()
        theme = current_theme()
        current, side = view.currentIndex(), theme.metrics.space_8
        if index.row() == current.row():
            painter.fillRect(option.rect, theme.color("user_block"))
        if index.column() == current.column() and index.row() == current.row():
            paint_row_ground(painter, option, has_ring=view.hasFocus())
        row, column = view.matrix.rows[index.row()], COLUMNS[index.column()]
        text = str(index.data())
        is_own = row.model.source.get(column) == "user"
        steps_back = text == UNKNOWN_MARK or column == PROVIDER or not row.is_usable
        color = theme.color("accent" if is_own else "muted" if steps_back else "text")
        is_figure = column in FIGURES
        area = option.rect.adjusted(side, 0, -side, 0)
        is_mirrored = option.direction is Qt.LayoutDirection.RightToLeft
        if is_figure:  # a figure and its unit, wherever they stand
            painter.setLayoutDirection(Qt.LayoutDirection.LeftToRight)
        paint_text(painter, area, text, font=theme.font("body"), color=color, at_end=is_figure and not is_mirrored)
        painter.restore()
