"""A list to choose one thing from: each has a title and, where there is something to tell, a note below it."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QItemSelectionModel, QModelIndex, QPersistentModelIndex, QSize, Qt, Signal
from PySide6.QtGui import QFocusEvent, QKeyEvent, QPainter
from PySide6.QtWidgets import QListWidget, QListWidgetItem, QStyledItemDelegate, QStyleOptionViewItem, QWidget
from typing_extensions import override

from agdesk.ui.theme import current_theme
from agdesk.ui.widgets.row_painting import State, paint_row_ground, paint_text, row_height
from agdesk.ui.widgets.text import safe_text

_LINE = 1.4  # height of a line, in sizes of its type
_CHOOSING = (Qt.Key.Key_Return, Qt.Key.Key_Enter, Qt.Key.Key_Space)
_ID = Qt.ItemDataRole.UserRole
_NOTE = Qt.ItemDataRole.UserRole + 1


class ChoiceList(QListWidget):
    """Entries by id.

    Args:
        name: what is chosen; the accessible name.

    Signals:
        chosen(str): the id of the entry that is current now.
    """

    chosen = Signal(str)

    def __init__(self, name: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setAccessibleName(name)
        self.setFrameShape(QListWidget.Shape.NoFrame)
        self.setItemDelegate(_TwoLines(self))
        self.setMouseTracking(True)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setVerticalScrollMode(QListWidget.ScrollMode.ScrollPerPixel)
        self.currentItemChanged.connect(self._on_current)
        current_theme().theme_changed.connect(self.scheduleDelayedItemsLayout)

    def set_entries(self, entries: Sequence[tuple[str, str]]) -> None:
        """Fills the list with ids and titles; the current one stays if it is still there."""
        current = self.current()
        self.blockSignals(True)
        self.clear()
        for entry_id, title in entries:
            item = QListWidgetItem(safe_text(title), self)
            item.setData(_ID, entry_id)
        self.blockSignals(False)
        if current:
            self.choose(current)

    def set_note(self, entry_id: str, words: str) -> None:
        """What stands below the title of an entry."""
        if (item := self._item(entry_id)) is not None:
            item.setData(_NOTE, words)
            item.setData(Qt.ItemDataRole.AccessibleTextRole, f"{item.text()}, {words}")

    def note(self, entry_id: str) -> str:
        """What stands below the title of an entry; empty if nothing does."""
        item = self._item(entry_id)
        return str(item.data(_NOTE) or "") if item is not None else ""

    def current(self) -> str:
        """The id of the current entry; empty if there is none."""
        item = self.currentItem()
        return str(item.data(_ID)) if item is not None else ""

    def choose(self, entry_id: str) -> None:
        """Makes an entry the current one; none for an id that is not there."""
        if (item := self._item(entry_id)) is not None:
            self.setCurrentItem(item)
        else:
            self.setCurrentRow(-1)

    def filter(self, text: str) -> int:
        """Shows the entries whose title or id has the text in it; how many these are."""
        wanted = text.strip().casefold()
        count = 0
        for item in self._all_items():
            is_found = wanted in f"{item.text()} {item.data(_ID)}".casefold()
            item.setHidden(not is_found)
            count += is_found
        return count

    @override
    def focusInEvent(self, event: QFocusEvent) -> None:
        self.blockSignals(True)  # where none was chosen the first gets the ring; that chooses nothing yet
        super().focusInEvent(event)
        if not self.currentIndex().isValid():
            first = self._first_shown()
            if first is not None:
                self.setCurrentItem(first, QItemSelectionModel.SelectionFlag.NoUpdate)
        self.blockSignals(False)
        current = self.currentItem()
        if current is not None and current.isHidden():  # filtered out: the keyboard would be on nothing that is seen
            shown = self._first_shown()
            if shown is not None:
                self.setCurrentItem(shown)

    @override
    def keyPressEvent(self, event: QKeyEvent) -> None:
        item = self.currentItem()
        if event.key() in _CHOOSING and item is not None and not item.isSelected():
            item.setSelected(True)
            self._on_current(item)
        else:
            super().keyPressEvent(event)

    def _all_items(self) -> list[QListWidgetItem]:
        return [self.item(row) for row in range(self.count())]

    def _first_shown(self) -> QListWidgetItem | None:
        return next((item for item in self._all_items() if not item.isHidden()), None)

    def _item(self, entry_id: str) -> QListWidgetItem | None:
        return next((item for item in self._all_items() if item.data(_ID) == entry_id), None)

    def _on_current(self, current: QListWidgetItem | None) -> None:
        if current is not None:
            self.chosen.emit(current.data(_ID))


class _TwoLines(QStyledItemDelegate):
    @override
    def sizeHint(self, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex) -> QSize:
        metrics = current_theme().metrics
        if not index.data(_NOTE):
            return QSize(0, row_height())
        return QSize(0, _name_height() + round(metrics.caption * _LINE) + metrics.space_16)

    @override
    def paint(
        self, painter: QPainter, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex
    ) -> None:
        theme = current_theme()
        metrics = theme.metrics
        has_focus = bool(option.state & State.State_HasFocus)
        painter.save()
        paint_row_ground(painter, option, has_ring=has_focus)
        area = option.rect.adjusted(metrics.space_12, 0, -metrics.space_8, 0)
        title = str(index.data(Qt.ItemDataRole.DisplayRole))
        if words := str(index.data(_NOTE) or ""):
            area.adjust(0, metrics.space_8, 0, -metrics.space_8)
            below = area.adjusted(0, _name_height(), 0, 0)
            paint_text(painter, below, words, font=theme.font("caption"), color=theme.color("muted"))
            area.setHeight(_name_height())
        paint_text(painter, area, title, font=theme.font("body"), color=theme.color("text"))
        painter.restore()


def _name_height() -> int:
    return round(current_theme().metrics.body * _LINE)
