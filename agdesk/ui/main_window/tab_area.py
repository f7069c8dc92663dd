"""The tabs of the main window: their bar and their pages, kept in step."""

from __future__ import annotations

from PySide6.QtCore import QObject, QPoint, Signal
from PySide6.QtWidgets import QStackedWidget

from agdesk.ui.main_window.page import TabPage
from agdesk.ui.main_window.tab_bar import TabBar
from agdesk.ui.theme import current_theme


class TabArea(QObject):
    """The pages in the order of the bar; ``bar`` and ``stack`` are put where the window wants them.

    Signals:
        current_changed(): another page is in front.
        changed(): a page was added, moved or taken away.
        close_requested(TabPage): the user wants to close it.
        menu_requested(TabPage, QPoint): its menu is wanted, there on the screen.
    """

    current_changed = Signal()
    changed = Signal()
    close_requested = Signal(object)
    menu_requested = Signal(object, QPoint)

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.bar = TabBar()
        self.stack = QStackedWidget()
        self._pages: list[TabPage] = []
        self.bar.currentChanged.connect(self._show_current)
        self.bar.tabMoved.connect(self._on_moved)
        self.bar.close_requested.connect(lambda index: self.close_requested.emit(self._pages[index]))
        self.bar.menu_requested.connect(lambda index, place: self.menu_requested.emit(self._pages[index], place))
        current_theme().theme_changed.connect(self._refresh_all)

    @property
    def pages(self) -> tuple[TabPage, ...]:
        """All pages, in the order of the bar."""
        return tuple(self._pages)

    @property
    def current(self) -> TabPage | None:
        """The page in front."""
        index = self.bar.currentIndex()
        return self._pages[index] if 0 <= index < len(self._pages) else None

    def count(self) -> int:
        """How many tabs there are."""
        return len(self._pages)

    def insert(self, index: int, page: TabPage) -> None:
        """Adds a page; the one in front stays there."""
        index = max(0, min(index, len(self._pages)))
        self._pages.insert(index, page)
        self.bar.insert(index)
        self.refresh(page)
        self.changed.emit()

    def remove(self, page: TabPage) -> None:
        """Takes a page out; it has no parent then."""
        index = self._pages.index(page)
        del self._pages[index]
        self.bar.removeTab(index)  # the neighbour comes to the front first: the stack alone might show another one
        self.stack.removeWidget(page)
        page.setParent(None)
        self.changed.emit()

    def refresh(self, page: TabPage) -> None:
        """Shows what the page is called and does, if it is here."""
        if page in self._pages:
            self.bar.show_tab(self._pages.index(page), page.title, page.activity)

    def set_current(self, page: TabPage) -> None:
        """Brings a page to the front."""
        self.bar.setCurrentIndex(self._pages.index(page))

    def go_to(self, index: int) -> None:
        """Brings the page of an index to the front, if there is one."""
        if 0 <= index < len(self._pages):
            self.bar.setCurrentIndex(index)

    def step(self, step: int) -> None:
        """Brings the next page to the front, or the previous one, round and round."""
        if self._pages:
            self.bar.setCurrentIndex((self.bar.currentIndex() + step) % len(self._pages))

    def move_current(self, step: int) -> None:
        """Moves the tab in front by so many places; at the end it stays."""
        index = self.bar.currentIndex()
        if 0 <= index + step < len(self._pages):
            self.bar.moveTab(index, index + step)

    def _show_current(self) -> None:
        if (page := self.current) is not None:
            if self.stack.indexOf(page) < 0:  # only now: the stack shows, and so loads, what it has first
                self.stack.addWidget(page)
            self.stack.setCurrentWidget(page)
        self.current_changed.emit()

    def _on_moved(self, start: int, end: int) -> None:
        self._pages.insert(end, self._pages.pop(start))
        self.changed.emit()

    def _refresh_all(self) -> None:
        for page in self._pages:
            self.refresh(page)
