"""The side panels of the window: the conversation list and the inspector, made when they are first unfolded."""

from __future__ import annotations

import asyncio
from contextlib import suppress
from dataclasses import replace
from typing import TYPE_CHECKING

from PySide6 import QtWidgets
from PySide6.QtCore import QObject, Signal
from PySide6.QtWidgets import QWidget

from agdesk.core.settings.window_state import PanelState, WindowState
from agdesk.core.workspace import Workspace
from agdesk.ui.main_window.desk import Desk
from agdesk.ui.main_window.notices import Notices
from agdesk.ui.widgets.side_panels import Side, SidePanels

if TYPE_CHECKING:
    from agdesk.ui.conversations import ConversationPanel
    from agdesk.ui.inspector import InspectorPanel

_WIDE_ENOUGH = 1000  # for the conversation list to be open at the first start


class Panels(QObject):
    """Keeps the panels in step with the tab in front. ``splitter`` is what is put into the window.

    Signals:
        changed(): a panel was folded or unfolded, or has another width.
    """

    changed = Signal()

    def __init__(self, workspace: Workspace, desk: Desk, notices: Notices, center: QWidget) -> None:
        super().__init__(desk)
        self._workspace = workspace
        self._desk = desk
        self._notices = notices
        self._is_decided = False
        self._list_state = ""
        self._inspector_state = ""
        self.conversations: ConversationPanel | None = None
        self.inspector: InspectorPanel | None = None
        self.splitter = SidePanels(center, left=self._make_conversations, right=self._make_inspector)
        self.splitter.changed.connect(self.changed)
        desk.front_changed.connect(self._follow)
        desk.busy_changed.connect(self._show_busy)

    async def make(self) -> None:
        """Makes the panels that are unfolded, loaded one by one; before that their places are empty (PERF5).

        Not on a thread: PySide6 completes its types when they are first used, and two threads that do it at once crash.
        """
        for name in dir(QtWidgets):  # else the first viewport() that is asked for loads all types of widgets at once
            getattr(QtWidgets, name)
            await asyncio.sleep(0)
        if not self.splitter.is_folded("left"):
            import agdesk.ui.conversations

            await asyncio.sleep(0)
        if not self.splitter.is_folded("right"):
            import agdesk.ui.inspector  # noqa: F401

            await asyncio.sleep(0)
        self.splitter.make_panels()

    def toggle(self, side: Side) -> None:
        """Folds a panel, or unfolds it."""
        self._is_decided = True
        self.splitter.set_folded(side, not self.splitter.is_folded(side))

    def search_conversations(self) -> None:
        """Unfolds the list and puts the keyboard into its search."""
        self.splitter.make_panels()
        self.splitter.set_folded("left", False)
        if self.conversations is not None:
            self.conversations.focus_search()

    def restore(self, state: WindowState) -> None:
        """Puts the panels back as they were."""
        self._list_state = state.conversation_list
        self._inspector_state = state.inspector
        self._is_decided = state.left_panel is not None
        sides: tuple[tuple[Side, PanelState | None], ...] = (("left", state.left_panel), ("right", state.right_panel))
        for side, panel in sides:
            if panel is not None:
                self.splitter.set_panel_width(side, panel.width)
                self.splitter.set_folded(side, panel.is_folded)

    def decide_first_time(self, window_width: int) -> None:
        """At the first start of all: the list is open if there is room for it."""
        if not self._is_decided:
            self._is_decided = True
            self.splitter.set_folded("left", window_width < _WIDE_ENOUGH)

    def add_to(self, state: WindowState) -> WindowState:
        """``state`` with how the panels stand."""
        if self.conversations is not None:
            self._list_state = self.conversations.state()
        if self.inspector is not None:
            self._inspector_state = self.inspector.splitter_state().hex()
        if not self._is_decided:
            return state
        return replace(
            state,
            left_panel=self._state_of("left"),
            right_panel=self._state_of("right"),
            conversation_list=self._list_state,
            inspector=self._inspector_state,
        )

    def _state_of(self, side: Side) -> PanelState:
        return PanelState(self.splitter.panel_width(side), self.splitter.is_folded(side))

    def _make_conversations(self) -> ConversationPanel:
        from agdesk.ui.conversations import ConversationPanel

        panel = self.conversations = ConversationPanel(self._workspace.conversations)
        panel.restore(self._list_state)
        panel.open_requested.connect(self._desk.open_conversation)
        panel.new_requested.connect(self._desk.open_new)
        panel.undo_offered.connect(self._notices.offer_undo)
        self._follow()
        self._show_busy()
        return panel

    def _make_inspector(self) -> InspectorPanel:
        from agdesk.ui.inspector import InspectorPanel

        panel = self.inspector = InspectorPanel(self._workspace)
        with suppress(ValueError):  # not what was written
            panel.restore_splitter(bytes.fromhex(self._inspector_state))
        self._follow()
        return panel

    def _follow(self) -> None:
        page = self._desk.tabs.current
        if self.conversations is not None:
            self.conversations.set_current(page.session_id if page is not None else None)
        if self.inspector is not None:
            self.inspector.show_session(page.chat.session if page is not None and page.chat is not None else None)

    def _show_busy(self) -> None:
        if self.conversations is not None:
            self.conversations.set_busy(frozenset(p.session_id for p in self._desk.pages if p.activity == "busy"))
