"""The frame around the conversations: puts the parts together and is what the rest of the program sees."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QMargins, QPoint, QSize, Qt, QTimer, Signal
from PySide6.QtGui import QCloseEvent, QMoveEvent, QResizeEvent, QShowEvent
from PySide6.QtWidgets import QMainWindow, QMenu, QVBoxLayout, QWidget
from typing_extensions import override

from agdesk.core.settings.window_state import WindowState
from agdesk.core.tasks import spawn
from agdesk.core.workspace import Workspace
from agdesk.ui.actions import ActionRegistry
from agdesk.ui.bridge import DrainTimer
from agdesk.ui.chat import ChatTab
from agdesk.ui.main_window.actions import WindowActions
from agdesk.ui.main_window.desk import Desk, bring_to_front
from agdesk.ui.main_window.dialogs import Dialogs
from agdesk.ui.main_window.notices import Notices
from agdesk.ui.main_window.page import TabPage
from agdesk.ui.main_window.page_loader import PageLoader
from agdesk.ui.main_window.panels import Panels
from agdesk.ui.main_window.placement import place, place_of
from agdesk.ui.main_window.state_keeper import StateKeeper
from agdesk.ui.main_window.tab_area import TabArea
from agdesk.ui.main_window.top_bar import TopBar
from agdesk.ui.theme import ThemeMode
from agdesk.ui.widgets.code_look import CodeLook
from agdesk.ui.widgets.composer import SendKey
from agdesk.ui.widgets.focus_order import set_reading_order

_DEFAULT_SIZE = QSize(1100, 760)
_TAB_MENU = ("chat.rename", "tab.detach", "", "tab.close", "conversation.delete")


class MainWindow(QMainWindow):
    """Tabs, each bound to one ``AgentSession``, between two side panels. The first tab is there when it is shown.

    Signals:
        close_requested(): the user wants to quit. The window stays until its owner has ended the running turns.
        theme_chosen(str): ``system``, ``light`` or ``dark``.
        scale_chosen(float): the new size factor of all text.
        answer_ended(str, str): an answer ended by itself: its conversation's title, and its beginning or its error.
        log_requested(): the user wants to see the log file.
        diagnostics_requested(): the user wants what a report of a fault needs.

    Attributes:
        actions_registry: whatever the user can do.
        tabs: the conversations that are not in windows of their own.
        desk: every open conversation.
        notices: banners and the toast.
    """

    close_requested = Signal()
    theme_chosen = Signal(str)
    scale_chosen = Signal(float)
    answer_ended = Signal(str, str)
    log_requested = Signal()
    diagnostics_requested = Signal()

    def __init__(self, workspace: Workspace) -> None:
        super().__init__()
        self.setWindowTitle(self.tr("agdesk"))
        self.resize(_DEFAULT_SIZE)
        self._stored = WindowState()
        self._is_started = False
        self._is_painted = False
        self.actions_registry = ActionRegistry(self)
        actions = WindowActions(self)
        self._surface = QWidget()
        self.tabs = TabArea(self)
        self.notices = Notices(workspace, surface=self._surface, margins=self._toast_margins)
        self._loader = PageLoader(workspace, DrainTimer(self))
        self.desk = Desk(
            workspace,
            tabs=self.tabs,
            loader=self._loader,
            notices=self.notices,
            registry=self.actions_registry,
            main_window=self,
        )
        self.panels = Panels(workspace, self.desk, self.notices, self.tabs.stack)
        self._dialogs = Dialogs(workspace, self.actions_registry, self.notices, self)
        actions.attach(desk=self.desk, panels=self.panels, dialogs=self._dialogs, notices=self.notices)
        self._loader.open_models = self._dialogs.open_models
        self._dialogs.conversation_chosen.connect(self.desk.open_conversation)
        self._keeper = StateKeeper(workspace.data_dir, self.state, self)
        self.top_bar = TopBar(self.tabs, self.actions_registry)
        self._lay_out()
        self.top_bar.menu_closed.connect(self._focus_writing)
        self.tabs.current_changed.connect(self._on_tab_switched)
        self.tabs.menu_requested.connect(self._open_tab_menu)
        self.desk.answer_ended.connect(self.answer_ended)
        self.desk.changed.connect(self._keeper.touch)
        self.panels.changed.connect(self._keeper.touch)

    @property
    def current_tab(self) -> ChatTab | None:
        """The conversation in front of the tabs; None while it is being loaded."""
        page = self.tabs.current
        return page.chat if page is not None else None

    def open_tab(self) -> ChatTab:
        """A new, empty conversation in front, with the focus in its composer."""
        chat = self.desk.open_new().chat
        assert chat is not None, "a new conversation needs no loading"
        return chat

    def open_conversation(self, conversation_id: str) -> None:
        """Brings a stored conversation to the front, wherever it is open."""
        self.desk.open_conversation(conversation_id)

    def open_settings(self, page: str = "") -> None:
        """The settings; ``page`` is the id of one of their pages."""
        self._dialogs.open_settings(page)

    def come_to_front(self) -> None:
        """Shows the window above all others, as far as the desktop lets it."""
        bring_to_front(self)

    def set_send_key(self, send_key: SendKey) -> None:
        """Which key sends, in every conversation, the new ones too."""
        self._loader.send_key = send_key
        for chat in self._chats():
            chat.composer.send_key = send_key

    def set_code_look(self, look: CodeLook) -> None:
        """How code is shown in every conversation, the new ones too."""
        self._loader.code_look = look
        for chat in self._chats():
            chat.reading.set_code_look(look)

    def set_theme_mode(self, mode: ThemeMode) -> None:
        """Ticks the action of the theme in force."""
        self.actions_registry[f"view.theme_{mode}"].setChecked(True)

    def show_problem(self, message: str, hint: str) -> None:
        """Tells of something that concerns no single conversation; the window stays usable meanwhile."""
        self.notices.show_problem(message, hint)

    def restore(self, state: WindowState) -> None:
        """Brings back what was open and where; before the window is shown."""
        self._stored = state
        if state.geometry is not None:
            place(self, state.geometry)
        if state.is_maximized:
            self.setWindowState(self.windowState() | Qt.WindowState.WindowMaximized)
        self.panels.restore(state)
        self._dialogs.restore_settings_place(state.settings_geometry)
        self.desk.restore(state.tabs, state.current)

    def state(self) -> WindowState:
        """What ``restore`` takes."""
        page = self.tabs.current
        return self.panels.add_to(
            WindowState(
                tabs=self.desk.tab_states(),
                current=page.session_id if page is not None else "",
                geometry=place_of(self),
                is_maximized=self.isMaximized() or self.isFullScreen(),
                settings_geometry=self._dialogs.settings_place(),
                unknown=self._stored.unknown,
            )
        )

    async def finish(self) -> None:
        """Keeps the drafts and what the window looks like; the owner calls it before the window goes."""
        for page in self.desk.pages:
            page.save_draft()
        await self._keeper.finish()

    @override
    def closeEvent(self, event: QCloseEvent) -> None:
        event.ignore()  # the owner of the loop ends the turns first, then hides the window
        self.close_requested.emit()

    @override
    def focusNextPrevChild(self, next: bool) -> bool:
        left, right = self.panels.conversations, self.panels.inspector
        set_reading_order((self.notices.area, self.top_bar, left, self.tabs.stack, right, self.notices.toast))
        return super().focusNextPrevChild(next)

    @override
    def showEvent(self, event: QShowEvent) -> None:
        if not self._is_started:
            self._is_started = True
            self.panels.decide_first_time(self.width())
            if self.tabs.count() == 0:
                self.open_tab()
            self._focus_writing()
        super().showEvent(event)

    @override
    def event(self, event: QEvent) -> bool:
        match event.type():
            case QEvent.Type.WindowActivate:
                self.desk.activate_main()
            case QEvent.Type.Paint if not self._is_painted:
                self._is_painted = True
                QTimer.singleShot(0, self, self._after_first_paint)
            case _:
                pass
        return super().event(event)

    @override
    def moveEvent(self, event: QMoveEvent) -> None:
        super().moveEvent(event)
        self._keeper.touch()

    @override
    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._keeper.touch()

    def _after_first_paint(self) -> None:
        spawn(self.panels.make(), name="make the panels")
        self.desk.show_detached()

    def _lay_out(self) -> None:
        layout = QVBoxLayout(self._surface)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(0)
        layout.addWidget(self.notices.area)
        layout.addWidget(self.top_bar)
        layout.addWidget(self.panels.splitter, 1)
        self.setCentralWidget(self._surface)

    def _chats(self) -> list[ChatTab]:
        return [page.chat for page in self.desk.pages if page.chat is not None]

    def _focus_writing(self) -> None:
        if (page := self.tabs.current) is not None:
            page.focus_writing()

    def _on_tab_switched(self) -> None:
        if not self.tabs.bar.hasFocus():  # who walks along the tabs with the arrow keys goes on doing so
            self._focus_writing()

    def _open_tab_menu(self, page: TabPage, there: QPoint) -> None:
        self.tabs.set_current(page)
        menu = QMenu(self)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        for action_id in _TAB_MENU:
            if action_id:
                menu.addAction(self.actions_registry[action_id])
            else:
                menu.addSeparator()
        menu.aboutToHide.connect(self._focus_writing)
        menu.popup(there)

    def _toast_margins(self) -> QMargins:
        """So that the toast covers neither the composer nor the side panels."""
        center, chat = self.tabs.stack, self.current_tab
        left = center.mapTo(self._surface, QPoint(0, 0)).x()
        right = self._surface.width() - left - center.width()
        if chat is None:
            return QMargins(left, 0, right, 0)
        top = chat.composer.mapTo(self._surface, QPoint(0, 0)).y()
        return QMargins(left, 0, right, max(0, self._surface.height() - top))
