"""All actions with their keys, and the place where other keys are chosen for them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QAction, QKeySequence
from PySide6.QtWidgets import QHBoxLayout, QPushButton, QVBoxLayout, QWidget

from agdesk.ui.actions import ActionRegistry
from agdesk.ui.palette.entries import Entry, EntrySearch, action_entries, native_text
from agdesk.ui.palette.entry_list import EntryList
from agdesk.ui.palette.key_capture import KeyCapture
from agdesk.ui.theme import current_theme
from agdesk.ui.widgets.announce import announce
from agdesk.ui.widgets.labels import ElidedLabel, PlainLabel
from agdesk.ui.widgets.search_field import SearchField


class ShortcutPage(QWidget):
    """Lists the actions of a registry; what is chosen is in force at once.

    Args:
        registry: whose keys are shown and changed.

    Signals:
        shortcut_chosen(str, str): id of an action and its new keys, empty for none. Of an action that keys were taken
            from, first.
        shortcut_reset(str): id of an action that has its default keys again.
    """

    shortcut_chosen = Signal(str, str)
    shortcut_reset = Signal(str)

    def __init__(self, registry: ActionRegistry, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._registry = registry
        self._search = EntrySearch()
        self._question: Callable[[], None] | None = None  # what taking keys over does, until the user has answered
        self._build()
        for action in registry:
            action.changed.connect(self._refresh)
        current_theme().theme_changed.connect(self._restyle)
        self._restyle()
        self._show_found()

    # --- parts ---

    def _build(self) -> None:
        self.search = SearchField(self.tr("Search actions"))
        self.search.textChanged.connect(self._show_found)
        self.reset_all_button = self._button(self.tr("Reset all"), self._reset_all)
        self.list = EntryList(self.tr("Actions and their keys"), hits_of=self._hits_of)
        self.list.selectionModel().currentChanged.connect(self._show_current)
        self.search.down_pressed.connect(self.list.setFocus)
        self._nothing = PlainLabel(color="muted")
        self._nothing.setText(self.tr("No action has these letters."))
        self._nothing.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self._name = ElidedLabel()
        self.capture = KeyCapture()
        self.capture.captured.connect(self._choose)
        self.capture.refused.connect(self._refuse)
        self.capture.ended.connect(self.list.setFocus)
        self.list.chosen.connect(self._listen)
        self.remove_button = self._button(self.tr("Remove"), lambda: self._choose(""))
        self.reset_button = self._button(self.tr("Reset"), self._reset_current)
        self._notice = PlainLabel(color="warning")
        self._notice.setWordWrap(True)
        self.take_over_button = self._button(self.tr("Take over"), self._take_over)
        self.cancel_button = self._button(self.tr("Cancel"), self._cancel)
        self._rows = (
            _row((self.search, 1), (self.reset_all_button, 0)),
            _row((self._name, 1), (self.capture, 0), (self.remove_button, 0), (self.reset_button, 0)),
            _row((self._notice, 1), (self.take_over_button, 0), (self.cancel_button, 0)),
        )
        self._column = QVBoxLayout(self)
        self._column.addLayout(self._rows[0])
        self._column.addWidget(self.list, stretch=1)
        self._column.addWidget(self._nothing, stretch=1)
        self._column.addLayout(self._rows[1])
        self._column.addLayout(self._rows[2])

    def _button(self, text: str, handler: Callable[[], None]) -> QPushButton:
        button = QPushButton(text)
        button.setAccessibleName(text)
        button.clicked.connect(lambda _checked=False: handler())
        return button

    def _restyle(self) -> None:
        metrics = current_theme().metrics
        self._column.setContentsMargins(0, 0, 0, 0)
        self._column.setSpacing(metrics.space_8)
        for row in self._rows:
            row.setSpacing(metrics.space_8)
        self.capture.setFixedWidth(metrics.px(210))

    # --- showing ---

    def _show_found(self) -> None:
        found = self._find()
        self.list.show_entries(found)
        self.list.setVisible(bool(found))
        self._nothing.setVisible(not found)
        self._show_current()

    def _find(self) -> list[Entry]:
        entries = action_entries(self._registry)
        # whether it can be done just now does not matter here
        return self._search.find(self.search.text(), [replace(entry, is_enabled=True) for entry in entries])

    def _refresh(self) -> None:
        """Shows the keys as they are now, with the same action current. An action may have changed otherwise, too."""
        found = self._find()
        if [entry.keys for entry in found] != [entry.keys for entry in self.list.entries]:
            self.list.show_entries(found, current=self.list.currentIndex().row())
            self._show_current()

    def _show_current(self) -> None:
        self._forget_question()
        entry = self.list.current
        action_id = entry.action_id if entry is not None else ""
        keys = self._registry.shortcut(action_id) if action_id else ""
        self._name.setText(entry.text if entry is not None else "")
        self.capture.set_keys(keys)
        self.capture.setEnabled(bool(action_id))
        self.remove_button.setEnabled(bool(keys))
        self.reset_button.setEnabled(bool(action_id) and self._is_changed(self._registry[action_id]))
        self.reset_all_button.setEnabled(any(map(self._is_changed, self._registry)))

    def _is_changed(self, action: QAction) -> bool:
        return action.shortcut() != QKeySequence(self._registry.default_shortcut(action.objectName()))

    def _hits_of(self, text: str) -> frozenset[int]:
        return self._search.hits(self.search.text(), text)

    def _say(self, text: str, *, is_question: bool) -> None:
        self._notice.setText(text)
        self._notice.setVisible(bool(text))
        self.take_over_button.setVisible(is_question)
        self.cancel_button.setVisible(is_question)
        if text:
            announce(self, text)

    def _forget_question(self) -> None:
        self._question = None
        self._say("", is_question=False)

    # --- changing ---

    def _listen(self, _entry: Entry) -> None:
        self.capture.listen()

    def _choose(self, keys: str) -> None:
        if (entry := self.list.current) is not None:
            self._set_unless_taken(entry.action_id, keys, lambda: self.shortcut_chosen.emit(entry.action_id, keys))

    def _reset_current(self) -> None:
        if (entry := self.list.current) is not None:
            keys = self._registry.default_shortcut(entry.action_id)
            self._set_unless_taken(entry.action_id, keys, lambda: self.shortcut_reset.emit(entry.action_id))

    def _set_unless_taken(self, action_id: str, keys: str, tell: Callable[[], None]) -> None:
        """Gives an action keys and tells so; asks first if another has them, and again if one more has."""
        owner_id = self._registry.conflict(action_id, keys)
        if owner_id is None:
            self._forget_question()
            self._registry.set_shortcut(action_id, keys)
            tell()
            self.list.setFocus()
            return

        def take_over() -> None:
            self._registry.set_shortcut(owner_id, "")
            self.shortcut_chosen.emit(owner_id, "")
            self._set_unless_taken(action_id, keys, tell)

        text = self.tr("%1 is used by “%2”: take it over?").replace("%1", native_text(keys))
        self._say(text.replace("%2", self._registry[owner_id].text()), is_question=True)
        self._question = take_over
        self.cancel_button.setFocus()

    def _refuse(self, keys: str) -> None:
        self._forget_question()
        text = self.tr("%1 is needed for writing: add Ctrl, Alt or Meta, or use a function key.")
        self._say(text.replace("%1", native_text(keys)), is_question=False)

    def _take_over(self) -> None:
        take_over = self._question
        self._forget_question()
        if take_over is not None:
            take_over()

    def _cancel(self) -> None:
        self._forget_question()
        self.list.setFocus()

    def _reset_all(self) -> None:
        changed = [action.objectName() for action in self._registry if self._is_changed(action)]
        self._registry.apply_shortcuts({})
        for action_id in changed:
            self.shortcut_reset.emit(action_id)


def _row(*parts: tuple[QWidget, int]) -> QHBoxLayout:
    row = QHBoxLayout()
    for part, stretch in parts:
        row.addWidget(part, stretch=stretch)
    return row
