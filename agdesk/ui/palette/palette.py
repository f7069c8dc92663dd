"""The command palette: type a few letters of anything that can be done, and Enter does it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TypeAlias

from PySide6.QtCore import QEvent, QObject, Qt
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QLineEdit, QVBoxLayout, QWidget
from typing_extensions import override

from agdesk.ui.actions import ActionRegistry
from agdesk.ui.palette.entries import Entry, EntrySearch, action_entries
from agdesk.ui.palette.entry_list import EntryList
from agdesk.ui.theme import current_theme
from agdesk.ui.widgets.announce import announce
from agdesk.ui.widgets.labels import PlainLabel
from agdesk.ui.widgets.overlay import Overlay
from agdesk.ui.widgets.row_painting import row_height

Source: TypeAlias = Callable[[str], Sequence[Entry]]

_WIDTH = 620
_ROWS = 10


class CommandPalette(Overlay):
    """All actions of a registry, and what other sources offer, over a window.

    Enter, a click and Esc close it. The focus goes back to where it was, and only then what was chosen is run.

    Args:
        registry: whose actions it offers; remembers which were chosen.
        parent: any widget of the window.
    """

    def __init__(self, registry: ActionRegistry, parent: QWidget) -> None:
        super().__init__(parent)
        self._registry = registry
        self._sources: list[Source] = []
        self._search = EntrySearch()
        self._actions: Sequence[Entry] = ()
        self.setAccessibleName(self.tr("Command palette"))
        self.field = QLineEdit(self.panel)
        self.field.setAccessibleName(self.tr("What do you want to do?"))
        self.field.setPlaceholderText(self.field.accessibleName())
        self.field.textChanged.connect(self._show_results)
        self.field.installEventFilter(self)
        self.list = EntryList(self.tr("Actions"), hits_of=self._hits_of, parent=self.panel)
        self.list.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.list.chosen.connect(self._run)
        self._nothing = PlainLabel(self.panel, color="muted")
        self._nothing.setText(self.tr("Nothing has these letters in this order."))
        self._column = QVBoxLayout(self.panel)
        for part in (self.field, self.list, self._nothing):
            self._column.addWidget(part)

    def add_source(self, source: Source) -> None:
        """Offers more than actions.

        Args:
            source: gives entries for what was typed, empty at first; only those that fit are shown. It is called for
                every key.
        """
        self._sources.append(source)

    def open(self) -> None:
        """Shows the palette over its window, with the cursor in the field."""
        if self.isHidden():
            recent = {action_id: at for at, action_id in enumerate(self._registry.recently_chosen())}
            entries = action_entries(self._registry)
            self._actions = sorted(entries, key=lambda entry: recent.get(entry.action_id, len(recent)))
            self.rise()
        self.field.setFocus(Qt.FocusReason.ShortcutFocusReason)
        self.field.clear()
        self._show_results()

    @override
    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() == QEvent.Type.KeyPress and isinstance(event, QKeyEvent) and watched is self.field:
            return self._take_key(event)
        return super().eventFilter(watched, event)

    def _take_key(self, event: QKeyEvent) -> bool:
        match event.key():
            case Qt.Key.Key_Return | Qt.Key.Key_Enter:
                if (entry := self.list.current) is not None and self.list.count:
                    self._run(entry)
            case Qt.Key.Key_Tab | Qt.Key.Key_Backtab:
                pass  # there is nowhere else to go
            case _ if event.modifiers() & ~Qt.KeyboardModifier.KeypadModifier:
                return False
            case _:
                if not self.list.count or not self.list.move_by_key(event):
                    return False
                announce(self.field, self.list.currentIndex().data(Qt.ItemDataRole.AccessibleTextRole))
        return True

    def _run(self, entry: Entry) -> None:
        if not entry.is_enabled:
            return
        self.close()
        if entry.action_id:
            self._registry.remember_choice(entry.action_id)
        entry.run()

    def _show_results(self) -> None:
        query = self.field.text()
        entries = [*self._actions]
        for source in self._sources:
            entries += source(query)
        found = self._search.find(query, entries)
        self.list.show_entries(found)
        self.list.setVisible(bool(found))
        self._nothing.setVisible(not found)
        self._fit()
        announce(self.field, self._nothing.text() if not found else self._count_text(len(found)))

    def _count_text(self, count: int) -> str:
        return self.tr("1 result") if count == 1 else self.tr("%1 results").replace("%1", str(count))

    def _hits_of(self, text: str) -> frozenset[int]:
        return self._search.hits(self.field.text(), text)

    @override
    def arrange(self) -> None:
        super().arrange()
        metrics = current_theme().metrics
        space = metrics.space_8
        self._column.setContentsMargins(space, space, space, space)
        self._column.setSpacing(space)
        self._nothing.setContentsMargins(metrics.space_4, 0, metrics.space_4, metrics.space_4)
        self._fit()

    def _fit(self) -> None:
        """Gives the panel the height that its rows need, as far as the window has it."""
        metrics = current_theme().metrics
        width = min(metrics.px(_WIDTH), self.width() - 2 * metrics.space_24)
        self.list.setFixedHeight(min(self.list.count, _ROWS) * row_height())
        top = min(metrics.px(72), self.height() // 8)
        height = min(self._column.sizeHint().height(), self.height() - top - metrics.space_8)
        self.panel.setGeometry((self.width() - width) // 2, top, width, height)
