"""All calls that wait, one a row."""

from __future__ import annotations

from PySide6.QtCore import QModelIndex, QPersistentModelIndex, QPointF, QRect, QSize, Qt, Signal
from PySide6.QtGui import QKeyEvent, QPainter
from PySide6.QtWidgets import QFrame, QListView, QSizePolicy, QStyledItemDelegate, QStyleOptionViewItem, QWidget
from typing_extensions import override

from agdesk.core.ir.approval import ApprovalRequest
from agdesk.ui.approval.keys import ENTER
from agdesk.ui.approval.semantic_badge import badge_edge, paint_mark
from agdesk.ui.approval.words import call_line, semantic_name
from agdesk.ui.theme import current_theme
from agdesk.ui.widgets.hidden_characters import revealed
from agdesk.ui.widgets.row_model import RowModel
from agdesk.ui.widgets.row_painting import State, bold, mirrored, paint_row_ground, paint_text, row_height, text_width

VISIBLE_ROWS = 4
Index = QModelIndex | QPersistentModelIndex


class CallModel(RowModel[ApprovalRequest]):
    """The calls in the order in which the model made them."""

    def show_rows(self, requests: tuple[ApprovalRequest, ...]) -> None:
        """Shows other calls."""
        if tuple(self.rows) != requests:
            self._reset(list(requests))

    @override
    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> object:
        request = self.row(index)
        if request is None:
            return None
        match role:
            case Qt.ItemDataRole.DisplayRole:
                return revealed(request.tool)
            case Qt.ItemDataRole.AccessibleTextRole:
                place = f"{index.row() + 1}: {revealed(request.tool)}, {semantic_name(request.semantic)}"
                return f"{place}, {call_line(request)}"
            case _:
                return None


class CallList(QListView):
    """As high as its rows, up to ``VISIBLE_ROWS`` of them.

    Signals:
        chosen(str): another call is the current one.
        entered(): the keyboard belongs to the card of the current one.
    """

    chosen = Signal(str)
    entered = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.calls = CallModel(self)
        self.setModel(self.calls)
        self.setItemDelegate(_CallDelegate(self.calls, self))
        self.setAccessibleName(self.tr("Calls that wait for your decision"))
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setEditTriggers(QListView.EditTrigger.NoEditTriggers)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Fixed)
        self.viewport().setAutoFillBackground(False)
        self.selectionModel().currentChanged.connect(lambda *_: self._choose())

    def show_calls(self, requests: tuple[ApprovalRequest, ...], current_id: str) -> None:
        """Shows other calls and which is the current one; nothing is emitted."""
        self.selectionModel().blockSignals(True)
        self.calls.show_rows(requests)
        place = next((at for at, request in enumerate(requests) if request.call_id == current_id), 0)
        self.setCurrentIndex(self.calls.index(place))
        self.selectionModel().blockSignals(False)
        self.viewport().update()
        self.updateGeometry()

    @override
    def sizeHint(self) -> QSize:
        return QSize(0, min(len(self.calls.rows), VISIBLE_ROWS) * row_height())

    @override
    def minimumSizeHint(self) -> QSize:
        return self.sizeHint()

    @override
    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() in ENTER and not event.isAutoRepeat():
            self.entered.emit()
        else:
            super().keyPressEvent(event)

    def _choose(self) -> None:
        if (request := self.calls.row(self.currentIndex())) is not None:
            self.chosen.emit(request.call_id)


class _CallDelegate(QStyledItemDelegate):
    """The mark of its class, the tool, and what the call is about."""

    def __init__(self, model: CallModel, view: CallList) -> None:
        super().__init__(view)
        self._model = model
        self._view = view

    @override
    def sizeHint(self, option: QStyleOptionViewItem, index: Index) -> QSize:
        return QSize(0, row_height())

    @override
    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        request = self._model.row(index)
        if request is None:
            return
        theme, area, pad = current_theme(), option.rect, current_theme().metrics.space_8
        has_ring = bool(option.state & State.State_HasFocus) and self._view.hasFocus()
        paint_row_ground(painter, option, has_ring=has_ring)
        edge = badge_edge()
        mark = mirrored(option, QRect(area.left() + pad, area.top() + (area.height() - edge) // 2, edge, edge))
        paint_mark(painter, QPointF(mark.topLeft()), request.semantic)
        left = area.left() + edge + 2 * pad
        font = theme.font("body")
        name = revealed(request.tool)
        width = min(text_width(bold(font), name), area.width() // 2)
        place = mirrored(option, QRect(left, area.top(), width, area.height()))
        paint_text(painter, place, name, font=bold(font), color=theme.color("text"))
        start = left + width + pad
        rest = mirrored(option, QRect(start, area.top(), area.right() - start - pad, area.height()))
        paint_text(painter, rest, call_line(request), font=theme.font("code"), color=theme.color("muted"))
