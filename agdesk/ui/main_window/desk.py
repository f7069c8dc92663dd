"""What is open: the pages in the tabs and in windows of their own, and the ones that were closed last."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal
from PySide6.QtWidgets import QWidget

from agdesk.core.settings.window_state import TabState
from agdesk.core.workspace import Workspace
from agdesk.ui.actions import ActionRegistry
from agdesk.ui.main_window.closed_tabs import ClosedTab, ClosedTabs
from agdesk.ui.main_window.notices import Notices
from agdesk.ui.main_window.page import TabPage
from agdesk.ui.main_window.page_loader import PageLoader
from agdesk.ui.main_window.placement import place, place_of
from agdesk.ui.main_window.tab_area import TabArea

if TYPE_CHECKING:
    from agdesk.ui.main_window.detached import DetachedWindow


class Desk(QObject):
    """Opens, closes, detaches and returns pages; a conversation is open at most once.

    Signals:
        front_changed(): another conversation is in front of the tabs, or it has been loaded.
        busy_changed(): a conversation began or ended something.
        changed(): something that the next start is to find again.
        answer_ended(str, str): the title of its conversation, and its beginning.

    Attributes:
        detached: the windows beside the main one, in the order in which they were made.
    """

    front_changed = Signal()
    busy_changed = Signal()
    answer_ended = Signal(str, str)
    changed = Signal()

    def __init__(
        self,
        workspace: Workspace,
        *,
        tabs: TabArea,
        loader: PageLoader,
        notices: Notices,
        registry: ActionRegistry,
        main_window: QWidget,
    ) -> None:
        super().__init__(main_window)
        self.tabs = tabs
        self.detached: list[DetachedWindow] = []
        self._workspace = workspace
        self._loader = loader
        self._notices = notices
        self._registry = registry
        self._main_window = main_window
        self._active: DetachedWindow | None = None
        self._closed = ClosedTabs()
        tabs.close_requested.connect(self.close)
        tabs.current_changed.connect(self.front_changed)
        for signal in (tabs.changed, tabs.current_changed):
            signal.connect(self.changed)
        unsubscribe = workspace.conversations.changed.subscribe(self._on_conversation_changed)
        self.destroyed.connect(lambda: unsubscribe())

    @property
    def pages(self) -> tuple[TabPage, ...]:
        """Every open page, those of detached windows last."""
        return (*self.tabs.pages, *(window.page for window in self.detached))

    @property
    def front(self) -> TabPage | None:
        """The page that the user works in: of the window that was active last."""
        return self._active.page if self._active is not None else self.tabs.current

    @property
    def active_window(self) -> QWidget:
        """The window that was active last."""
        return self._active if self._active is not None else self._main_window

    def activate_main(self) -> None:
        """The user is in the main window."""
        self._active = None

    def find(self, session_id: str) -> TabPage | None:
        """The page of a conversation, if it is open."""
        return next((page for page in self.pages if page.session_id == session_id), None)

    def open_new(self) -> TabPage:
        """A new conversation in front, asking the model of the one that was there."""
        front = self.front
        page = self._adopt(self._loader.new_page(front.model_ref if front is not None else None))
        self._insert(page, self.tabs.count())
        return page

    def open_conversation(self, conversation_id: str) -> TabPage:
        """Brings a conversation to the front, in its own window if it has one, else in a tab."""
        page = self.find(conversation_id)
        if page is None:
            page = self._adopt(self._loader.stored_page(TabState(conversation_id)))
            self._insert(page, self.tabs.count())
        else:
            self.show(page)
        return page

    def show(self, page: TabPage) -> None:
        """Brings an open page to the front."""
        window = self._window_of(page)
        if window is None:
            self.tabs.set_current(page)
            bring_to_front(self._main_window)
        else:
            bring_to_front(window)
        page.focus_writing()

    def close(self, page: TabPage) -> None:
        """Closes a page and stops what its conversation is doing. It can be opened again if anything was in it."""
        was_answering = page.activity == "busy"
        is_stored = self._loader.is_stored(page.session_id)
        title = page.title
        closed = self._take_away(page)
        if not (is_stored or page.draft.strip() or was_answering):
            return
        self._closed.add(closed)
        text = (
            self.tr("Closed “{title}” and stopped its answer; what had arrived is kept")
            if was_answering
            else self.tr("Closed “{title}”")
        )
        self._notices.offer_undo(text.format(title=title), lambda: self._reopen(closed))

    def reopen(self) -> None:
        """Opens the tab again that was closed last."""
        if (closed := self._closed.last) is not None:
            self._reopen(closed)

    def delete(self, page: TabPage) -> None:
        """Deletes the page's conversation, which closes the page; it can be undone."""
        conversations = self._workspace.conversations
        session_id = page.session_id
        if not self._loader.is_stored(session_id):
            self.close(page)  # there is nothing to delete yet
            return
        text = self.tr("Deleted “{title}”").format(title=page.title)
        conversations.delete(session_id)
        self._notices.offer_undo(text, lambda: conversations.restore(session_id))

    def detach(self, page: TabPage) -> None:
        """Gives a page of the tabs a window of its own."""
        if self._window_of(page) is None:
            self.tabs.remove(page)
            window = self._make_window(page)
            window.show()
            bring_to_front(window)
            page.focus_writing()
            self._keep_a_tab()

    def give_back(self, window: DetachedWindow) -> None:
        """Puts the page of a detached window back among the tabs, and in front."""
        page = window.page
        self._remove_window(window)
        self._insert(page, self.tabs.count())
        bring_to_front(self._main_window)

    def restore(self, tabs: tuple[TabState, ...], current: str) -> None:
        """Opens what was open; conversations are loaded when they are shown. Before the main window is shown."""
        for tab in tabs:
            page = self._adopt(self._loader.stored_page(tab))
            if tab.is_detached:
                self._make_window(page)
            else:
                self.tabs.insert(self.tabs.count(), page)
                if tab.session_id == current:
                    self.tabs.set_current(page)

    def show_detached(self) -> None:
        """Shows the restored windows; the main one is active all the same."""
        for window in self.detached:
            window.show()
        if self.detached:
            bring_to_front(self._main_window)

    def tab_states(self) -> tuple[TabState, ...]:
        """What ``restore`` takes."""
        tabs = [replace(page.state(), is_detached=False) for page in self.tabs.pages]
        windows = [replace(w.page.state(), is_detached=True, geometry=place_of(w)) for w in self.detached]
        return (*tabs, *windows)

    def _adopt(self, page: TabPage) -> TabPage:
        page.changed.connect(lambda: self._on_page_changed(page))
        self._serve(page)
        page.chat_ready.connect(lambda: self._on_chat_ready(page))
        page.answer_ended.connect(self.answer_ended)
        return page

    def _insert(self, page: TabPage, index: int) -> None:
        self._active = None
        self.tabs.insert(index, page)
        self.tabs.set_current(page)
        page.focus_writing()

    def _make_window(self, page: TabPage) -> DetachedWindow:
        from agdesk.ui.main_window.detached import DetachedWindow

        window = DetachedWindow(page, self._registry)
        window.return_requested.connect(lambda: self.give_back(window))
        window.activated.connect(lambda: self._activate(window))
        window.moved.connect(self.changed)
        if (rect := page.stored.geometry) is not None:
            place(window, rect)
        else:
            window.resize(self._main_window.size())
        self.detached.append(window)
        self.changed.emit()
        return window

    def _remove_window(self, window: DetachedWindow) -> None:
        window.page.stored = replace(window.page.stored, geometry=place_of(window))
        self.detached.remove(window)
        if self._active is window:
            self._active = None
        window.hide()
        window.page.setParent(None)
        window.deleteLater()
        self.changed.emit()

    def _activate(self, window: DetachedWindow) -> None:
        if window in self.detached:
            self._active = window

    def _window_of(self, page: TabPage) -> DetachedWindow | None:
        return next((window for window in self.detached if window.page is page), None)

    def _take_away(self, page: TabPage) -> ClosedTab:
        """Closes a page for good, wherever it is."""
        window = self._window_of(page)
        index = self.tabs.count() if window is not None else self.tabs.pages.index(page)
        closed = ClosedTab(replace(page.state(), is_detached=False), index)
        if window is not None:
            self._remove_window(window)
        else:
            self.tabs.remove(page)
        self._loader.close(page)
        self._keep_a_tab()
        self.busy_changed.emit()
        return closed

    def _keep_a_tab(self) -> None:
        if self.tabs.count() == 0:
            self.open_new()

    def _reopen(self, closed: ClosedTab) -> None:
        self._closed.discard(closed)
        page = self.find(closed.tab.session_id)
        if page is None:
            self._insert(self._adopt(self._loader.stored_page(closed.tab)), closed.index)
        else:
            self.show(page)

    def _on_page_changed(self, page: TabPage) -> None:
        self.tabs.refresh(page)
        if (window := self._window_of(page)) is not None:
            window.show_title()
        self.busy_changed.emit()

    def _on_chat_ready(self, page: TabPage) -> None:
        self._serve(page)
        if page is self.front:
            page.focus_writing()
        self.front_changed.emit()
        self.changed.emit()

    def _serve(self, page: TabPage) -> None:
        """Does what a conversation cannot do alone."""
        if page.chat is not None:
            page.chat.branches.undo_offered.connect(self._notices.offer_undo)
            page.chat.branches.forked.connect(self.open_conversation)

    def _on_conversation_changed(self, conversation_id: str) -> None:
        row = self._workspace.conversations.get(conversation_id)
        page = self.find(conversation_id)
        if row is None:
            self._closed.discard_conversation(conversation_id)
            if page is not None:
                self._closed.add_deleted(self._take_away(page))
        elif page is not None:
            page.set_title(row.title)
        elif (closed := self._closed.take_deleted(conversation_id)) is not None:  # the deletion was undone
            self._reopen(closed)


def bring_to_front(window: QWidget) -> None:
    """Makes a window the active one: what is made active is raised by every window system."""
    if window.isMinimized():
        window.showNormal()
    window.activateWindow()
