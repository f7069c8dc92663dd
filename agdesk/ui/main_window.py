"""The main window: tabs of conversations, and every action of the program in its registry."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtGui import QCloseEvent
from PySide6.QtWidgets import QMainWindow, QMenu, QMessageBox, QTabBar, QTabWidget, QToolButton, QWidget
from typing_extensions import override

from agdesk.core.tasks import spawn
from agdesk.core.workspace import Workspace
from agdesk.ui.actions import ActionRegistry
from agdesk.ui.bridge import DrainTimer
from agdesk.ui.chat import ChatTab
from agdesk.ui.theme import current_theme
from agdesk.ui.widgets.composer import SendKey
from agdesk.ui.widgets.icon_button import IconButton

_DEFAULT_SIZE = QSize(1100, 760)
_MENU_GROUPS = (
    ("tab.new", "tab.close", "tab.next", "tab.previous"),
    ("chat.stop", "chat.focus_composer", "chat.jump_to_latest"),
    ("view.zoom_in", "view.zoom_out", "view.zoom_reset"),
    ("view.theme_system", "view.theme_light", "view.theme_dark"),
    ("app.quit",),
)


class MainWindow(QMainWindow):
    """Tabs, each bound to one ``AgentSession``.

    Signals:
        close_requested(): the user wants to quit. The window stays until its owner has ended the running turns.
        theme_chosen(str): ``system``, ``light`` or ``dark``.
        scale_chosen(float): the new size factor of all text.
    """

    close_requested = Signal()
    theme_chosen = Signal(str)
    scale_chosen = Signal(float)

    def __init__(self, workspace: Workspace) -> None:
        super().__init__()
        self._workspace = workspace
        self._drain = DrainTimer(self)
        self._send_key: SendKey = "enter"
        self.setWindowTitle(self.tr("agdesk"))
        self.resize(_DEFAULT_SIZE)
        self.tabs = QTabWidget()
        self.tabs.setDocumentMode(True)
        self.tabs.setMovable(True)
        self.tabs.setElideMode(Qt.TextElideMode.ElideRight)
        self.tabs.setAccessibleName(self.tr("Conversations"))
        self.tabs.tabBar().setAccessibleName(self.tr("Conversation tabs"))
        self.tabs.currentChanged.connect(self._focus_composer)
        self.setCentralWidget(self.tabs)
        self.actions_registry = ActionRegistry(self)
        self._add_actions()
        self._add_corner_buttons()
        self.open_tab()

    @property
    def current_tab(self) -> ChatTab | None:
        """The conversation in front."""
        tab = self.tabs.currentWidget()
        return tab if isinstance(tab, ChatTab) else None

    def open_tab(self) -> ChatTab:
        """A new, empty conversation in front, with the focus in its composer."""
        current = self.current_tab
        model_ref = current.session.model_ref if current is not None else None
        tab = ChatTab(self._workspace, self._workspace.open_session(model_ref), self._drain)
        tab.composer.send_key = self._send_key
        tab.title_changed.connect(lambda title: self._set_title(tab, title))
        index = self.tabs.addTab(tab, self.tr("New conversation"))
        close = IconButton("close", self.tr("Close this conversation"))
        close.setFocusPolicy(Qt.FocusPolicy.NoFocus)  # the keyboard has Ctrl+W
        close.clicked.connect(lambda: self.close_tab(self.tabs.indexOf(tab)))
        self.tabs.tabBar().setTabButton(index, QTabBar.ButtonPosition.RightSide, close)
        self.tabs.setCurrentIndex(index)
        tab.focus_composer()
        return tab

    def set_models(self, model_refs: Sequence[str]) -> None:
        """Fills the model lists of every conversation."""
        for tab in self._chat_tabs():
            tab.picker.set_models(model_refs)

    def set_send_key(self, send_key: SendKey) -> None:
        """Which key sends, in every conversation, the new ones too."""
        self._send_key = send_key
        for tab in self._chat_tabs():
            tab.composer.send_key = send_key

    def show_problem(self, message: str, hint: str) -> None:
        """Tells of something that concerns no single conversation; the window stays usable meanwhile."""
        box = QMessageBox(QMessageBox.Icon.Warning, self.tr("agdesk"), message, QMessageBox.StandardButton.Ok, self)
        box.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        box.setTextFormat(Qt.TextFormat.PlainText)
        box.setInformativeText(hint)
        box.setWindowModality(Qt.WindowModality.NonModal)
        box.show()

    def close_tab(self, index: int) -> None:
        """Closes a conversation and stops what it is doing; the last one is replaced by an empty one."""
        tab = self.tabs.widget(index)
        if not isinstance(tab, ChatTab):
            return
        self.tabs.removeTab(index)
        tab.close_session()
        spawn(self._workspace.close_session(tab.session), name=f"close {tab.session.id}")
        tab.deleteLater()
        if self.tabs.count() == 0:
            self.open_tab()
        self._focus_composer()

    @override
    def closeEvent(self, event: QCloseEvent) -> None:
        event.ignore()  # the owner of the loop ends the turns first, then hides the window
        self.close_requested.emit()

    def _focus_composer(self) -> None:
        if (tab := self.current_tab) is not None:
            tab.focus_composer()

    def _chat_tabs(self) -> list[ChatTab]:
        tabs = (self.tabs.widget(index) for index in range(self.tabs.count()))
        return [tab for tab in tabs if isinstance(tab, ChatTab)]

    def _set_title(self, tab: QWidget, title: str) -> None:
        index = self.tabs.indexOf(tab)
        self.tabs.setTabText(index, title.replace("&", "&&"))
        self.tabs.setTabToolTip(index, title)

    def _add_actions(self) -> None:
        add = self.actions_registry.add
        add("tab.new", self.tr("New conversation"), self._open_tab, shortcut="Ctrl+T")
        add("tab.close", self.tr("Close conversation"), self._close_current, shortcut="Ctrl+W")
        add("tab.next", self.tr("Next conversation"), lambda: self._step_tab(1), shortcut="Ctrl+Tab")
        add("tab.previous", self.tr("Previous conversation"), lambda: self._step_tab(-1), shortcut="Ctrl+Shift+Tab")
        add("chat.stop", self.tr("Stop answering"), self._on_tab(ChatTab.stop), shortcut="Esc")
        add("chat.focus_composer", self.tr("Write a message"), self._on_tab(ChatTab.focus_composer), shortcut="Ctrl+L")
        add(
            "chat.jump_to_latest",
            self.tr("Jump to the latest message"),
            self._on_tab(ChatTab.jump_to_latest),
            shortcut="Ctrl+End",
        )
        add("view.zoom_in", self.tr("Larger text"), lambda: self._zoom(1.1), shortcut="Ctrl++")
        add("view.zoom_out", self.tr("Smaller text"), lambda: self._zoom(1 / 1.1), shortcut="Ctrl+-")
        add("view.zoom_reset", self.tr("Normal text size"), lambda: self.scale_chosen.emit(1.0), shortcut="Ctrl+0")
        add("view.theme_system", self.tr("Theme of the system"), lambda: self.theme_chosen.emit("system"))
        add("view.theme_light", self.tr("Light theme"), lambda: self.theme_chosen.emit("light"))
        add("view.theme_dark", self.tr("Dark theme"), lambda: self.theme_chosen.emit("dark"))
        add("app.quit", self.tr("Quit agdesk"), self.close_requested.emit, shortcut="Ctrl+Q")

    def _add_corner_buttons(self) -> None:
        menu = QMenu(self)
        for position, group in enumerate(_MENU_GROUPS):
            if position:
                menu.addSeparator()
            for action_id in group:
                menu.addAction(self.actions_registry[action_id])
        menu.aboutToHide.connect(self._focus_composer)
        button = IconButton("menu", self.tr("All actions"))
        button.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        button.setPopupMode(QToolButton.ToolButtonPopupMode.InstantPopup)
        button.setMenu(menu)
        self.tabs.setCornerWidget(button, Qt.Corner.TopRightCorner)
        new = IconButton("plus", self.tr("New conversation (Ctrl+T)"))
        new.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        new.clicked.connect(self.actions_registry["tab.new"].trigger)
        self.tabs.setCornerWidget(new, Qt.Corner.TopLeftCorner)

    def _on_tab(self, call: Callable[[ChatTab], None]) -> Callable[[], None]:
        def handler() -> None:
            if (tab := self.current_tab) is not None:
                call(tab)

        return handler

    def _open_tab(self) -> None:
        self.open_tab()

    def _close_current(self) -> None:
        self.close_tab(self.tabs.currentIndex())

    def _step_tab(self, step: int) -> None:
        self.tabs.setCurrentIndex((self.tabs.currentIndex() + step) % self.tabs.count())

    def _zoom(self, factor: float) -> None:
        self.scale_chosen.emit(min(2.5, max(0.6, current_theme().scale * factor)))
