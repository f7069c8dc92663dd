"""The list of the picker: thousands of models, one of them current, under a line that names the columns."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from PySide6.QtCore import QModelIndex, Qt, Signal
from PySide6.QtGui import QHelpEvent, QKeyEvent, QPainter, QPaintEvent, QResizeEvent
from PySide6.QtWidgets import QFrame, QListView, QToolTip, QWidget
from typing_extensions import override

from agdesk.ui.chat.picker.item_delegate import ItemDelegate, columns_of
from agdesk.ui.chat.picker.items import Entry, Item, ItemKind, is_heading, item_of
from agdesk.ui.models.values import ABILITIES, ICONS, descriptions, field_name
from agdesk.ui.theme import current_theme
from agdesk.ui.widgets.row_model import Index, RowModel
from agdesk.ui.widgets.row_painting import paint_text, row_height
from agdesk.ui.widgets.text import plain_tool_tip

_READ_OUT = (*ABILITIES, "max_context_window", "input_per_million", "output_per_million")


class ItemModel(RowModel[Entry]):
    """The entries that are shown."""

    def show(self, entries: list[Entry]) -> None:
        """Shows other entries."""
        self._reset(entries)

    def item(self, index: Index) -> Item | None:
        """The entry of an index, None for one that is not valid."""
        entry = self.row(index)
        return item_of(entry) if entry is not None else None

    @override
    def flags(self, index: Index) -> Qt.ItemFlag:
        entry = self.row(index)
        if entry is not None and is_heading(entry):
            return Qt.ItemFlag.ItemIsEnabled | Qt.ItemFlag.ItemNeverHasChildren
        return super().flags(index)

    @override
    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        item = self.item(index)
        if item is None:
            return None
        match role:
            case Qt.ItemDataRole.DisplayRole:
                return item.text
            case Qt.ItemDataRole.ToolTipRole:
                return "" if item.kind is ItemKind.HEADING else plain_tool_tip(self._spoken(item))
            case Qt.ItemDataRole.AccessibleTextRole:
                return self._spoken(item)
            case _:
                return None

    def _spoken(self, item: Item) -> str:
        parts = [item.text, item.detail]
        if (row := item.row) is not None:
            name = row.model.display_name
            parts += ["" if name == row.model.id else name, descriptions(row.model, _READ_OUT)]
        return ", ".join(filter(None, parts))


class ItemList(QListView):
    """Entries, one of which is current; headings never are.

    Args:
        hits_of: which letters of a text were searched for.

    Signals:
        chosen(object): an entry was clicked.
        current_changed(): another entry is current.
    """

    chosen = Signal(object)
    current_changed = Signal()

    def __init__(self, hits_of: Callable[[str], frozenset[int]], parent: QWidget) -> None:
        super().__init__(parent)
        self._items = ItemModel(self)
        self.setModel(self._items)
        self._delegate = ItemDelegate(self._items.item, hits_of, self)
        self.setItemDelegate(self._delegate)
        self.setAccessibleName(self.tr("Models"))
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setUniformItemSizes(True)
        self.setMouseTracking(True)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)  # the field above moves it
        self.setEditTriggers(QListView.EditTrigger.NoEditTriggers)
        self.setVerticalScrollMode(QListView.ScrollMode.ScrollPerPixel)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.viewport().setAutoFillBackground(False)
        self._heads = _ColumnHeads(self)
        self.clicked.connect(self._choose)
        self.selectionModel().currentChanged.connect(lambda _now, _before: self.current_changed.emit())
        current_theme().theme_changed.connect(self._restyle)
        self._restyle()

    @property
    def items(self) -> tuple[Item, ...]:
        """What is shown."""
        return tuple(map(item_of, self._items.rows))

    @property
    def count(self) -> int:
        """How many entries there are."""
        return len(self._items.rows)

    @property
    def current(self) -> Item | None:
        """The entry that Enter chooses."""
        item = self._items.item(self.currentIndex())
        return item if item is not None and item.kind is not ItemKind.HEADING else None

    def show_entries(self, entries: list[Entry], *, used_ref: str, current_ref: str = "") -> None:
        """Shows other entries; that of a reference is current, else the first. ``used_ref`` has a check mark."""
        self._delegate.used_ref = used_ref
        self._items.show(entries)
        first = next((at for at, entry in enumerate(entries) if not is_heading(entry)), -1)
        wanted = first
        if current_ref:
            refs = (entry.ref for entry in entries)
            wanted = next((at for at, ref in enumerate(refs) if ref == current_ref), first)
        self.setCurrentIndex(self._items.index(wanted))
        if wanted == first:
            self.scrollToTop()
        self.current_changed.emit()

    def move_by_key(self, key: int) -> bool:
        """Moves the current entry as a key says; False if it is no such key."""
        page = max(1, self.viewport().height() // max(1, row_height()) - 1)
        at, last = self.currentIndex().row(), len(self._items.rows) - 1
        match key:
            case Qt.Key.Key_Up:
                self._move(at - 1 if at > 0 else last, step=-1)
            case Qt.Key.Key_Down:
                self._move(at + 1 if at < last else 0, step=1)
            case Qt.Key.Key_PageUp:
                self._move(max(0, at - page), step=-1)
            case Qt.Key.Key_PageDown:
                self._move(min(last, at + page), step=1)
            case _:
                return False
        return True

    @override
    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._place_heads()

    @override
    def keyPressEvent(self, event: QKeyEvent) -> None:
        event.ignore()

    def _move(self, at: int, *, step: int) -> None:
        rows = self._items.rows
        for _ in rows:
            if not is_heading(rows[at % len(rows)]):
                break
            at += step
        if at % len(rows) == 1 and is_heading(rows[0]):
            self.scrollToTop()
        self.setCurrentIndex(self._items.index(at % len(rows)))

    def _choose(self, index: QModelIndex) -> None:
        item = self._items.item(index)
        if item is not None and item.kind is not ItemKind.HEADING:
            self.chosen.emit(item)

    def _restyle(self) -> None:
        self.setViewportMargins(0, row_height(), 0, 0)
        self._delegate.sizeHintChanged.emit(QModelIndex())
        self.scheduleDelayedItemsLayout()
        self._place_heads()

    def _place_heads(self) -> None:
        place = self.viewport().geometry()
        self._heads.setGeometry(place.x(), place.y() - row_height(), place.width(), row_height())


class _ColumnHeads(QWidget):
    """What the columns of the list are: icons for abilities, words for figures."""

    @override
    def paintEvent(self, event: QPaintEvent) -> None:
        theme = current_theme()
        painter = QPainter(self)
        columns = columns_of(self.rect(), is_mirrored=self.isRightToLeft())
        size = theme.metrics.icon
        for ability, area in columns.abilities.items():
            pixmap = theme.pixmap(ICONS[ability], color="muted", size=size, ratio=self.devicePixelRatioF())
            place = area.center()
            painter.drawPixmap(place.x() - size // 2, place.y() - size // 2, pixmap)
        for title, figure in (
            (self.tr("Window"), columns.window),
            (self.tr("In $/M"), columns.price_in),
            (self.tr("Out $/M"), columns.price_out),
        ):
            color = theme.color("muted")
            paint_text(painter, figure, title, font=theme.font("caption"), color=color, at_end=True)
        painter.end()

    @override
    def event(self, event: Any) -> bool:
        if isinstance(event, QHelpEvent):
            columns = columns_of(self.rect(), is_mirrored=self.isRightToLeft())
            hit = next((ability for ability, area in columns.abilities.items() if area.contains(event.pos())), None)
            QToolTip.showText(event.globalPos(), plain_tool_tip(field_name(hit) if hit else ""), self)
            return True
        return super().event(event)
