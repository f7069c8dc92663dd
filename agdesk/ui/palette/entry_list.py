"""A list of entries of which one is chosen."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from PySide6.QtCore import QModelIndex, Qt, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QFrame, QListView, QWidget
from typing_extensions import override

from agdesk.ui.palette.entries import Entry
from agdesk.ui.palette.entry_delegate import EntryDelegate
from agdesk.ui.theme import current_theme
from agdesk.ui.widgets.row_model import Index, RowModel
from agdesk.ui.widgets.text import plain_tool_tip


class EntryModel(RowModel[Entry]):
    """The entries that are shown."""

    def show(self, entries: list[Entry]) -> None:
        """Shows other entries."""
        self._reset(entries)

    @override
    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        entry = self.row(index)
        if entry is None:
            return None
        match role:
            case Qt.ItemDataRole.DisplayRole:
                return entry.text
            case Qt.ItemDataRole.ToolTipRole:
                return plain_tool_tip(entry.text)
            case Qt.ItemDataRole.AccessibleTextRole:
                state = "" if entry.is_enabled else self.tr("not available now")
                return ", ".join(filter(None, (entry.text, entry.detail, entry.keys, state)))
            case _:
                return None


class EntryList(QListView):
    """Entries, one of which is current.

    Args:
        name: what they are.
        hits_of: which letters of a text were searched for.

    Signals:
        chosen(object): an entry was clicked, or Enter pressed on it; it may be a disabled one.
    """

    chosen = Signal(object)

    def __init__(
        self,
        name: str,
        *,
        hits_of: Callable[[str], frozenset[int]] = lambda _text: frozenset(),
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self._entries = EntryModel(self)
        self.setModel(self._entries)
        self._delegate = EntryDelegate(self._entries.row, hits_of, self)
        self.setItemDelegate(self._delegate)
        self.setAccessibleName(name)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setUniformItemSizes(True)
        self.setMouseTracking(True)
        self.setEditTriggers(QListView.EditTrigger.NoEditTriggers)
        self.setVerticalScrollMode(QListView.ScrollMode.ScrollPerPixel)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.viewport().setAutoFillBackground(False)
        self.clicked.connect(self._choose)
        current_theme().theme_changed.connect(self._restyle)

    @property
    def entries(self) -> Sequence[Entry]:
        """What is shown."""
        return self._entries.rows

    @property
    def count(self) -> int:
        """How many entries there are."""
        return len(self._entries.rows)

    @property
    def current(self) -> Entry | None:
        """The entry that Enter chooses."""
        return self._entries.row(self.currentIndex())

    def show_entries(self, entries: list[Entry], *, current: int = 0) -> None:
        """Shows other entries, with the one at an index current."""
        self._entries.show(entries)
        if entries:
            self.setCurrentIndex(self._entries.index(min(current, len(entries) - 1)))

    def move_by_key(self, event: QKeyEvent) -> bool:
        """Moves the current entry as a key says that another widget has got; False if it is no such key."""
        page = max(1, self.viewport().height() // max(1, self.sizeHintForRow(0)) - 1)
        at = self.currentIndex().row()
        match event.key():
            case Qt.Key.Key_Up:
                target = at - 1 if at > 0 else self.count - 1
            case Qt.Key.Key_Down:
                target = (at + 1) % max(1, self.count)
            case Qt.Key.Key_PageUp:
                target = max(0, at - page)
            case Qt.Key.Key_PageDown:
                target = min(self.count - 1, at + page)
            case Qt.Key.Key_Home:
                target = 0
            case Qt.Key.Key_End:
                target = self.count - 1
            case _:
                return False
        self.setCurrentIndex(self._entries.index(target))
        return True

    @override
    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self._choose(self.currentIndex())
        else:
            super().keyPressEvent(event)

    def _choose(self, index: QModelIndex) -> None:
        if (entry := self._entries.row(index)) is not None:
            self.chosen.emit(entry)

    def _restyle(self) -> None:
        self._delegate.sizeHintChanged.emit(QModelIndex())
        self.scheduleDelayedItemsLayout()
