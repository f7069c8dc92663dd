"""The left panel: a search field, the list, and what stands there when it is empty."""

from __future__ import annotations

import json
from collections.abc import Callable, Set
from datetime import datetime
from typing import TYPE_CHECKING

from PySide6.QtCore import QPoint, Qt, QTimer, Signal
from PySide6.QtGui import QHideEvent, QShowEvent
from PySide6.QtWidgets import QHBoxLayout, QStackedWidget, QVBoxLayout, QWidget
from typing_extensions import override

from agdesk.ui.conversations.commands import ConversationCommands
from agdesk.ui.conversations.context_menu import ConversationMenu
from agdesk.ui.conversations.list_model import ConversationListModel
from agdesk.ui.conversations.list_view import ConversationView
from agdesk.ui.conversations.rows import Entry
from agdesk.ui.conversations.sections import Section
from agdesk.ui.theme import current_theme
from agdesk.ui.widgets.empty_state import EmptyState
from agdesk.ui.widgets.icon_button import IconButton
from agdesk.ui.widgets.inline_editor import InlineEditor
from agdesk.ui.widgets.search_field import SearchField

if TYPE_CHECKING:
    from agdesk.core.workspace import Conversations

_TICK_MS = 60_000  # the smallest unit that the list tells time in


class ConversationPanel(QWidget):
    """All stored conversations, to be found and opened.

    Args:
        conversations: of the store; the panel follows its changes.
        now: what the times in the list are counted from, and where a day ends.

    Signals:
        open_requested(str): the conversation of that id.
        new_requested(): an empty one.
        undo_offered(str, object): what was done, in words, and the call that takes it back.
    """

    open_requested = Signal(str)
    new_requested = Signal()
    undo_offered = Signal(str, object)

    def __init__(
        self,
        conversations: Conversations,
        parent: QWidget | None = None,
        *,
        now: Callable[[], datetime] = datetime.now,
    ) -> None:
        super().__init__(parent)
        self._commands = ConversationCommands(conversations, self)
        self._commands.undo_offered.connect(self.undo_offered)
        self._model = ConversationListModel(conversations, self, now=now)
        self._grouped_ids: tuple[str, ...] = ()  # what the new group is asked for
        self._build()
        self._clock = QTimer(self)
        self._clock.setInterval(_TICK_MS)
        self._clock.timeout.connect(self._update_times)
        current_theme().theme_changed.connect(self._restyle)
        self._restyle()
        self._show_state()
        self.destroyed.connect(conversations.changed.subscribe(self._on_changed))

    def set_current(self, conversation_id: str | None) -> None:
        """Marks the conversation in front; None, or one that is not stored yet, marks none."""
        self._model.set_current(conversation_id)
        if conversation_id is not None and not self.view.hasFocus():
            self._show_current(conversation_id)

    def set_busy(self, ids: Set[str]) -> None:
        """Marks the conversations that answer just now."""
        self._model.set_busy(ids)

    def focus_search(self) -> None:
        """Puts the cursor into the search field."""
        self.search.setFocus(Qt.FocusReason.ShortcutFocusReason)
        self.search.selectAll()

    def state(self) -> str:
        """Which sections are folded, for ``restore``."""
        return json.dumps(sorted(self._model.folded_keys))

    def restore(self, state: str) -> None:
        """Folds the sections that were folded when ``state`` was called; a text of other origin changes nothing."""
        try:
            keys = json.loads(state)
        except ValueError:
            return
        if isinstance(keys, list) and all(isinstance(key, str) for key in keys):
            self._model.set_folded(keys)

    @override
    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self._update_times()
        self._clock.start()

    @override
    def hideEvent(self, event: QHideEvent) -> None:
        self._clock.stop()
        super().hideEvent(event)

    # --- parts ---

    def _build(self) -> None:
        self.search = SearchField(self.tr("Search conversations"))
        self.search.textChanged.connect(self._filter)
        self.search.down_pressed.connect(self._focus_list)
        self.search.returnPressed.connect(self._open_selected)
        self.new_button = IconButton("plus", self.tr("New conversation"))
        self.new_button.clicked.connect(self.new_requested)
        self._top = QHBoxLayout()
        self._top.addWidget(self.search, stretch=1)
        self._top.addWidget(self.new_button)
        self.group_editor = InlineEditor(self.tr("Name of the new group"))
        self.group_editor.accepted.connect(lambda name: self._commands.move(self._grouped_ids, name))
        self.group_editor.closed.connect(self._on_group_closed)
        self.view = ConversationView(self._model)
        self.view.opened.connect(self.open_requested)
        self.view.fold_chosen.connect(self._toggle_fold)
        self.view.delete_chosen.connect(self._delete_selected)
        self.view.menu_wanted.connect(self._show_menu)
        self.view.search_wanted.connect(self.focus_search)
        self._empty = EmptyState(
            self.tr("No conversations yet."),
            self.tr("What you ask a model is kept here."),
            choices=(self.tr("New conversation"),),
            has_primary=True,
        )
        self._empty.chosen.connect(lambda _index: self.new_requested.emit())
        self._no_hits = EmptyState(
            self.tr("Nothing found."), self.tr("No title has these words."), choices=(self.tr("Clear the search"),)
        )
        self._no_hits.chosen.connect(self._clear_search)
        self._stack = QStackedWidget()
        for page in (self.view, self._empty, self._no_hits):
            self._stack.addWidget(page)
        self._column = QVBoxLayout(self)
        self._column.addLayout(self._top)
        self._column.addWidget(self.group_editor)
        self._column.addWidget(self._stack, stretch=1)

    def _restyle(self) -> None:
        metrics = current_theme().metrics
        self._column.setContentsMargins(metrics.space_8, metrics.space_8, metrics.space_4, 0)
        self._column.setSpacing(metrics.space_8)
        self._top.setSpacing(metrics.space_4)

    def _show_state(self) -> None:
        if self._model.hits:
            page: QWidget = self.view
        else:
            page = self._no_hits if self._model.total else self._empty
        self._stack.setCurrentWidget(page)

    # --- following ---

    def _on_changed(self, conversation_id: str) -> None:
        was_shown = self._model.index_of(conversation_id).isValid()
        with self.view.keeping_place(conversation_id):
            self._model.update(conversation_id)
        self._show_state()
        if not was_shown and conversation_id == self._model.current_id and not self.view.hasFocus():
            self._show_current(conversation_id)

    def _show_current(self, conversation_id: str) -> None:
        """Only the conversation in front looks selected while the keyboard is elsewhere."""
        if not self.view.select(conversation_id):
            self.view.clearSelection()

    def _update_times(self) -> None:
        self._model.update_day()
        self.view.viewport().update()

    # --- what the user does ---

    def _filter(self, text: str) -> None:
        was_filtered = self._model.is_filtered
        selected = self.view.selected_ids()
        self._model.set_filter(text)
        self._show_state()
        if self._model.is_filtered:
            first = next((row for row in self._model.rows if isinstance(row, Entry)), None)
            if first is not None:
                self.view.select(first.conversation.id)
            self.view.scrollToTop()
        elif was_filtered:
            self.view.select(selected[0] if selected else self._model.current_id or "")

    def _clear_search(self) -> None:
        self.search.clear()
        self.focus_search()

    def _focus_list(self) -> None:
        if self._model.hits:
            self.view.setFocus()

    def _open_selected(self) -> None:
        if selected := self.view.selected_ids():
            self.open_requested.emit(selected[0])

    def _toggle_fold(self, section: Section) -> None:
        if not self._model.is_filtered:
            place = self.view.verticalScrollBar().value()
            self._model.set_folded(self._model.folded_keys ^ {section.key})
            self.view.select_only(self._model.index_of_heading(section))
            self.view.verticalScrollBar().setValue(place)

    def _delete_selected(self) -> None:
        self._commands.delete(self.view.selected_ids())

    def _show_menu(self, place: QPoint) -> None:
        ids = self.view.selected_ids()
        chosen = [found for found in map(self._model.conversation, ids) if found is not None]
        menu = ConversationMenu(chosen, self._model.groups(), self)
        menu.open_chosen.connect(self._open_selected)
        menu.rename_chosen.connect(lambda: self.view.edit(self.view.currentIndex()))
        menu.pin_chosen.connect(lambda is_pinned: self._commands.pin(ids, is_pinned))
        menu.group_chosen.connect(lambda group: self._commands.move(ids, group))
        menu.new_group_chosen.connect(lambda: self._ask_group(ids))
        menu.trace_chosen.connect(lambda is_traced: self._commands.trace(ids, is_traced))
        menu.delete_chosen.connect(lambda: self._commands.delete(ids))
        menu.popup(place)

    def _ask_group(self, ids: tuple[str, ...]) -> None:
        self._grouped_ids = ids
        self.group_editor.ask()

    def _on_group_closed(self, is_by_key: bool) -> None:
        if is_by_key:
            self.view.setFocus()
