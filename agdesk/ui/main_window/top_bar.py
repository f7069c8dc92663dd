"""The row above everything: the side panel's button, the tabs, and what opens the rest of the program."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QKeySequence, QPainter, QPaintEvent
from PySide6.QtWidgets import QHBoxLayout, QMenu, QToolButton, QWidget
from typing_extensions import override

from agdesk.ui.actions import ActionRegistry
from agdesk.ui.main_window.actions import fill_menu
from agdesk.ui.main_window.tab_area import TabArea
from agdesk.ui.theme import current_theme
from agdesk.ui.widgets.buttons import PushButton, ToolButton
from agdesk.ui.widgets.icon_button import IconButton
from agdesk.ui.widgets.text import safe_text

_MANY_TABS = 5  # from which on a list of them is offered


class TopBar(QWidget):
    """The tab bar and the buttons around it; what they do is in the registry.

    Signals:
        menu_closed(): a menu went away; the keyboard belongs where one writes again.
    """

    menu_closed = Signal()

    def __init__(self, tabs: TabArea, registry: ActionRegistry) -> None:
        super().__init__()
        self._tabs = tabs
        self._registry = registry
        self.panel_button = self._button("panel_left", self.tr("Conversation list"), "panel.conversations")
        self.new_button = self._button("plus", self.tr("New conversation"), "tab.new")
        self.inspector_button = self._button("panel_right", self.tr("Inspector"), "panel.inspector")
        self.list_button = self._menu_button(ToolButton(), self.tr("All tabs"), self._fill_list)
        self.menu_button = self._menu_button(IconButton("menu", ""), self.tr("All actions"), self._fill_actions)
        self.search_button = PushButton(self)
        self.search_button.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.search_button.clicked.connect(registry["palette.open"].trigger)
        registry["palette.open"].changed.connect(self._name_search)
        self._layout = QHBoxLayout(self)
        left: tuple[QWidget, ...] = (self.panel_button, tabs.bar, self.new_button)
        right: tuple[QWidget, ...] = (self.list_button, self.search_button, self.inspector_button, self.menu_button)
        for widget in left:
            self._layout.addWidget(widget)
        self._layout.addStretch(1)
        for widget in right:
            self._layout.addWidget(widget)
        tabs.changed.connect(self._count_tabs)
        current_theme().theme_changed.connect(self._restyle)
        self._count_tabs()
        self._name_search()
        self._restyle()

    @override
    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(current_theme().color("border"))
        # not fillRect, which would load the types of gradients: 3 ms of the start
        painter.drawRect(0, self.height() - 1, self.width(), 1)
        painter.end()

    def _button(self, icon: str, name: str, action_id: str) -> IconButton:
        action = self._registry[action_id]
        button = IconButton(icon, name, self)
        button.setFocusPolicy(Qt.FocusPolicy.TabFocus)  # a click leaves the keyboard where one writes
        button.clicked.connect(action.trigger)

        def name_keys() -> None:
            button.setToolTip(_with_keys(name, action.shortcut()))

        action.changed.connect(name_keys)
        name_keys()
        return button

    def _menu_button(self, button: QToolButton, name: str, fill: Callable[[], None]) -> QToolButton:
        menu = QMenu(button)
        menu.aboutToShow.connect(fill)
        menu.aboutToHide.connect(self.menu_closed)
        button.setParent(self)
        button.setAccessibleName(name)
        button.setToolTip(name)
        button.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        button.setPopupMode(QToolButton.ToolButtonPopupMode.InstantPopup)
        button.setMenu(menu)
        return button

    def _fill_list(self) -> None:
        menu = self.list_button.menu()
        menu.clear()
        for page in self._tabs.pages:
            entry = menu.addAction(safe_text(page.title).replace("&", "&&"))
            entry.setCheckable(True)
            entry.setChecked(page is self._tabs.current)
            entry.triggered.connect(lambda _checked=False, page=page: self._tabs.set_current(page))

    def _fill_actions(self) -> None:
        fill_menu(self.menu_button.menu(), self._registry)

    def _count_tabs(self) -> None:
        count = self._tabs.count()
        self.list_button.setText(str(count))
        self.list_button.setVisible(count >= _MANY_TABS)

    def _name_search(self) -> None:
        text = _with_keys(self.tr("Search or run…"), self._registry["palette.open"].shortcut(), "{name}   {keys}")
        self.search_button.setText(text)
        self.search_button.setAccessibleName(self.tr("Search or run…"))

    def _restyle(self) -> None:
        metrics = current_theme().metrics
        self._layout.setContentsMargins(metrics.space_8, metrics.space_4, metrics.space_8, 1)
        self._layout.setSpacing(metrics.space_4)


def _with_keys(name: str, keys: QKeySequence, pattern: str = "{name} ({keys})") -> str:
    shown = keys.toString(QKeySequence.SequenceFormat.NativeText)
    return pattern.format(name=name, keys=shown) if shown else name
