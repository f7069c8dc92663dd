"""Everything that the user can do in the window, in the one registry, and the menu made of it."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import QCoreApplication, QObject
from PySide6.QtGui import QActionGroup
from PySide6.QtWidgets import QMenu

from agdesk.ui.actions import ActionRegistry
from agdesk.ui.chat import ChatTab
from agdesk.ui.theme import current_theme
from agdesk.ui.widgets.side_panels import Side

if TYPE_CHECKING:
    from agdesk.ui.main_window.desk import Desk
    from agdesk.ui.main_window.dialogs import Dialogs
    from agdesk.ui.main_window.notices import Notices
    from agdesk.ui.main_window.page import TabPage
    from agdesk.ui.main_window.panels import Panels
    from agdesk.ui.main_window.window import MainWindow

GO_TO_COUNT = 9
_ZOOM_STEP = 1.1
_WIDTH_STEP = 40
_ZOOM_LEAST, _ZOOM_MOST = 0.6, 2.5
_THEMES = "view.theme_"
_GO_TO = "tab.go_"


class WindowActions(QObject):
    """Adds the actions to ``window.actions_registry``; they act on the window that was active last.

    The parts that they reach are given to ``attach`` later, because those show the actions.
    """

    def __init__(self, window: MainWindow) -> None:
        super().__init__(window)
        self._window = window
        self._registry = window.actions_registry
        self._desk: Desk
        self._panels: Panels
        self._dialogs: Dialogs
        self._notices: Notices
        self._add_tabs()
        self._add_chat()
        self._add_view()
        self._add_program()

    def attach(self, *, desk: Desk, panels: Panels, dialogs: Dialogs, notices: Notices) -> None:
        """Whom the actions call."""
        self._desk, self._panels, self._dialogs, self._notices = desk, panels, dialogs, notices
        notices.undo_changed.connect(self._registry["undo.last"].setEnabled)
        panels.changed.connect(self._check_panels)
        dialogs.preset_chosen.connect(self._apply_preset)
        current_theme().theme_changed.connect(self._check_theme)

    def _add_tabs(self) -> None:
        add = partial(self._registry.add, group=self.tr("Tabs"))
        add("tab.new", self.tr("New conversation"), self._open_new, shortcut="Ctrl+T")
        add("tab.close", self.tr("Close conversation"), self._close, shortcut="Ctrl+W")
        add("tab.reopen", self.tr("Reopen closed conversation"), lambda: self._desk.reopen(), shortcut="Ctrl+Shift+T")
        add("tab.next", self.tr("Next conversation"), lambda: self._desk.tabs.step(1), shortcut="Ctrl+Tab")
        add(
            "tab.previous",
            self.tr("Previous conversation"),
            lambda: self._desk.tabs.step(-1),
            shortcut="Ctrl+Shift+Tab",
        )
        left, right = (lambda: self._desk.tabs.move_current(-1)), (lambda: self._desk.tabs.move_current(1))
        add("tab.move_left", self.tr("Move conversation to the left"), left, shortcut="Ctrl+Shift+PgUp")
        add("tab.move_right", self.tr("Move conversation to the right"), right, shortcut="Ctrl+Shift+PgDown")
        detach = self._on_page(lambda page: self._desk.detach(page))
        add("tab.detach", self.tr("Detach into a window of its own"), detach, shortcut="Ctrl+Shift+D")
        add("tab.return", self.tr("Return to the main window"), self._give_back)
        for number in range(1, GO_TO_COUNT + 1):
            text = self.tr("Conversation in tab {number}").format(number=number)
            add(f"{_GO_TO}{number}", text, self._go_to(number - 1), shortcut=f"Ctrl+{number}")

    def _add_chat(self) -> None:
        add = partial(self._registry.add, group=self.tr("Conversation"))
        add("chat.stop", self.tr("Stop answering"), self._on_chat(ChatTab.stop), shortcut="Esc")
        add(
            "chat.retry_now",
            self.tr("Retry now"),
            self._on_chat(lambda chat: chat.session.retry_now()),
            shortcut="Ctrl+Shift+R",
        )
        again = self._on_chat(lambda chat: chat.branches.regenerate())
        add("chat.regenerate", self.tr("Answer again"), again, shortcut="Ctrl+R")
        again_with = self._on_chat(lambda chat: chat.answer_with_another())
        go_on = self._on_chat(lambda chat: chat.branches.go_on())
        add("chat.continue", self.tr("Continue the last answer"), go_on, shortcut="Ctrl+G")
        add("chat.regenerate_with", self.tr("Answer again with another model…"), again_with)
        add(
            "chat.edit",
            self.tr("Edit last message"),
            self._on_chat(lambda chat: chat.branches.edit()),
            shortcut="Ctrl+E",
        )
        previous = self._on_chat(lambda chat: chat.branches.step(-1))
        add("chat.previous_version", self.tr("Previous version"), previous, shortcut="Alt+Left")
        following = self._on_chat(lambda chat: chat.branches.step(1))
        add("chat.next_version", self.tr("Next version"), following, shortcut="Alt+Right")
        every = self._on_chat(lambda chat: chat.branches.when_whole(chat.branches.show_all))
        add("chat.branches", self.tr("All branches…"), every, shortcut="Ctrl+Shift+B")
        add("chat.fork", self.tr("Fork into a new conversation"), self._on_chat(lambda chat: chat.branches.fork()))
        add("chat.delete_last", self.tr("Delete last message"), self._on_chat(lambda chat: chat.branches.delete()))
        attach = self._on_chat(lambda chat: chat.attachments.choose_files())
        add("chat.attach", self.tr("Attach files…"), attach, shortcut="Ctrl+Shift+A")
        pause = self._on_chat(lambda chat: chat.queue.pause())
        add("queue.pause", self.tr("Pause queued messages"), pause)
        resume = self._on_chat(lambda chat: chat.queue.resume())
        add("queue.resume", self.tr("Resume queued messages"), resume)
        decide = self._on_chat(lambda chat: chat.calls.focus())
        add("calls.focus", self.tr("Go to the call that waits"), decide, shortcut="Ctrl+Shift+Y")
        add("calls.revoke", self.tr("Revoke rules for calls"), self._on_chat(lambda chat: chat.calls.revoke_rules()))
        add("queue.focus", self.tr("Go to queued messages"), self._on_chat(lambda chat: chat.queue.focus()))
        add("chat.focus_composer", self.tr("Write a message"), self._focus_writing, shortcut="Ctrl+L")
        jump = self._on_chat(ChatTab.jump_to_latest)
        add("chat.jump_to_latest", self.tr("Jump to the latest message"), jump, shortcut="Ctrl+End")
        find = self._on_chat(lambda chat: chat.reading.open_find())
        add("chat.find", self.tr("Find in the conversation"), find, shortcut="Ctrl+F")
        find_next = self._on_chat(lambda chat: chat.reading.step_find(1))
        add("chat.find_next", self.tr("Next match"), find_next, shortcut="F3")
        find_previous = self._on_chat(lambda chat: chat.reading.step_find(-1))
        add("chat.find_previous", self.tr("Previous match"), find_previous, shortcut="Shift+F3")
        copy = self._on_chat(lambda chat: chat.branches.when_whole(chat.reading.copy_markdown))
        add("chat.copy_markdown", self.tr("Copy conversation as Markdown"), copy)
        choose_model = self._on_chat(lambda chat: chat.picker.open())
        add("chat.choose_model", self.tr("Choose model…"), choose_model, shortcut="Ctrl+Shift+M")
        parameters = self._on_chat(lambda chat: chat.parameters.toggle())
        add("chat.parameters", self.tr("Parameters"), parameters)
        presets = self._on_chat(lambda chat: chat.parameters.show_presets())
        add("chat.presets", self.tr("Presets of parameters…"), presets)
        save_preset = self._on_chat(lambda chat: chat.parameters.presets.ask_to_save())
        add("chat.save_preset", self.tr("Save parameters as preset…"), save_preset)
        effort = self._on_chat(lambda chat: chat.parameters.choose_effort())
        add("chat.effort", self.tr("Reasoning effort…"), effort)
        add("chat.tools", self.tr("Tools…"), self._on_chat(lambda chat: chat.tools.open()))
        tools_folder = self._on_chat(lambda chat: chat.tools.choose_folder())
        add("chat.tools_folder", self.tr("Folder for tools…"), tools_folder)
        receive = self._on_chat(lambda chat: chat.switch.show_received())
        add("chat.receive", self.tr("What would a model receive?…"), receive)
        add("gauge.open", self.tr("Context…"), self._on_chat(lambda chat: chat.gauge.open()))
        add("chat.cost", self.tr("Cost and prices…"), self._on_chat(ChatTab.explain_cost))
        add("chat.rename", self.tr("Rename conversation…"), self._rename)
        delete = self._on_page(lambda page: self._desk.delete(page))
        add("conversation.delete", self.tr("Delete conversation"), delete)
        add("conversations.search", self.tr("Search conversations"), self._search, shortcut="Ctrl+Shift+F")

    def _add_view(self) -> None:
        add, window = partial(self._registry.add, group=self.tr("View")), self._window
        fold_left, fold_right = self._fold("left"), self._fold("right")
        add("panel.conversations", self.tr("Conversation list"), fold_left, shortcut="Ctrl+B", is_checkable=True)
        add("panel.inspector", self.tr("Inspector"), fold_right, shortcut="Ctrl+J", is_checkable=True)
        panels: tuple[tuple[Side, str, str], ...] = (
            ("left", self.tr("Wider conversation list"), self.tr("Narrower conversation list")),
            ("right", self.tr("Wider inspector"), self.tr("Narrower inspector")),
        )
        for side, wider, narrower in panels:
            add(f"panel.{side}_wider", wider, self._widen(side, _WIDTH_STEP))
            add(f"panel.{side}_narrower", narrower, self._widen(side, -_WIDTH_STEP))
        add("view.zoom_in", self.tr("Larger text"), lambda: self._zoom(_ZOOM_STEP), shortcut="Ctrl++")
        add("view.zoom_out", self.tr("Smaller text"), lambda: self._zoom(1 / _ZOOM_STEP), shortcut="Ctrl+-")
        add("view.zoom_reset", self.tr("Normal text size"), lambda: window.scale_chosen.emit(1.0), shortcut="Ctrl+0")
        themes = QActionGroup(window)
        for mode, text in (
            ("system", self.tr("Theme of the system")),
            ("light", self.tr("Light theme")),
            ("dark", self.tr("Dark theme")),
        ):
            themes.addAction(add(_THEMES + mode, text, self._choose_theme(mode), is_checkable=True))
        self._check_theme()

    def _add_program(self) -> None:
        add, window = partial(self._registry.add, group=self.tr("Program")), self._window
        add("palette.open", self.tr("Search or run…"), self._open_palette, shortcut="Ctrl+K")
        add("models.open", self.tr("Models…"), lambda: self._dialogs.open_models())
        add("settings.open", self.tr("Settings…"), lambda: self._dialogs.open_settings(), shortcut="Ctrl+,")
        # a field of text keeps its own Ctrl+Z: it takes the key before the window does
        undo = add("undo.last", self.tr("Undo closing or deleting"), lambda: self._notices.undo(), shortcut="Ctrl+Z")
        undo.setEnabled(False)
        add("log.show", self.tr("Show log"), window.log_requested.emit)
        add("diagnostics.copy", self.tr("Copy diagnostics"), window.diagnostics_requested.emit)
        add("app.quit", self.tr("Quit agdesk"), window.close_requested.emit, shortcut="Ctrl+Q")

    def _on_chat(self, call: Callable[[ChatTab], object]) -> Callable[[], None]:
        def handler() -> None:
            if (page := self._desk.front) is not None and page.chat is not None:
                call(page.chat)

        return handler

    def _on_page(self, call: Callable[[TabPage], None]) -> Callable[[], None]:
        def handler() -> None:
            if (page := self._desk.front) is not None:
                call(page)

        return handler

    def _go_to(self, index: int) -> Callable[[], None]:
        return lambda: self._desk.tabs.go_to(index)

    def _choose_theme(self, mode: str) -> Callable[[], None]:
        return lambda: self._window.theme_chosen.emit(mode)

    def _open_new(self) -> None:
        self._desk.open_new()

    def _close(self) -> None:
        if (page := self._desk.front) is None:
            return
        if page in self._desk.tabs.pages:
            self._desk.close(page)
        else:
            self._give_back()  # closing a detached window loses no tab

    def _give_back(self) -> None:
        window = next((window for window in self._desk.detached if window.page is self._desk.front), None)
        if window is not None:
            self._desk.give_back(window)

    def _focus_writing(self) -> None:
        if (page := self._desk.front) is not None:
            page.focus_writing()

    def _rename(self) -> None:
        if (page := self._desk.front) is not None:
            self._dialogs.ask_title(page.session_id, self._desk.active_window)

    def _apply_preset(self, preset_id: str) -> None:
        if (page := self._desk.front) is not None and page.chat is not None:
            page.chat.parameters.presets.apply(preset_id)

    def _search(self) -> None:
        self._panels.search_conversations()

    def _fold(self, side: Side) -> Callable[[], None]:
        def handler() -> None:
            self._panels.toggle(side)
            self._focus_writing()

        return handler

    def _widen(self, side: Side, by: int) -> Callable[[], None]:
        return lambda: self._panels.splitter.widen(side, by)

    def _open_palette(self) -> None:
        self._dialogs.open_palette(self._desk.active_window)

    def _zoom(self, factor: float) -> None:
        self._window.scale_chosen.emit(min(_ZOOM_MOST, max(_ZOOM_LEAST, current_theme().scale * factor)))

    def _check_panels(self) -> None:
        splitter = self._panels.splitter
        self._registry["panel.conversations"].setChecked(not splitter.is_folded("left"))
        self._registry["panel.inspector"].setChecked(not splitter.is_folded("right"))

    def _check_theme(self) -> None:
        self._window.set_theme_mode(current_theme().mode)


def fill_menu(menu: QMenu, registry: ActionRegistry) -> None:
    """Every action, a menu for each group but that of the program; the tabs have a list of their own."""
    flat = ("", QCoreApplication.translate("WindowActions", "Program"))
    parts = {part.title(): part for part in menu.findChildren(QMenu)}
    for part in (menu, *parts.values()):
        part.clear()
    for title in dict.fromkeys(registry.group(action.objectName()) for action in registry):
        actions = [action for action in registry if registry.group(action.objectName()) == title]
        if title in flat:
            menu.addActions(actions)
        else:
            part = parts.get(title) or QMenu(title, menu)
            part.addActions([action for action in actions if not action.objectName().startswith(_GO_TO)])
            menu.addMenu(part)
