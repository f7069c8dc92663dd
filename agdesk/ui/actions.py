"""The one registry of actions: whatever the user can do by menu, key or (later) palette is an entry here."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from PySide6.QtCore import Qt
from PySide6.QtGui import QAction, QKeySequence
from PySide6.QtWidgets import QWidget


class ActionRegistry:
    """All actions of one window, in the order they were added.

    Ids are stable (``tab.new``): shortcuts and tests refer to them.
    """

    def __init__(self, window: QWidget) -> None:
        self._window = window
        self._actions: dict[str, QAction] = {}

    def add(
        self,
        action_id: str,
        text: str,
        handler: Callable[[], None],
        *,
        shortcut: str = "",
        is_checkable: bool = False,
    ) -> QAction:
        """Registers an action on the window. ``text`` is translated already; ``handler`` is kept alive by the action.

        Raises:
            ValueError: the id or the shortcut is taken; two actions on one key would silently block each other.
        """
        if action_id in self._actions:
            raise ValueError(f"action {action_id} exists")
        sequence = QKeySequence(shortcut)
        if shortcut and any(sequence == action.shortcut() for action in self._actions.values()):
            raise ValueError(f"shortcut {shortcut} is taken")
        action = QAction(text, self._window)
        action.setObjectName(action_id)
        action.setCheckable(is_checkable)
        if shortcut:
            action.setShortcut(sequence)
            action.setShortcutContext(Qt.ShortcutContext.WindowShortcut)
        action.triggered.connect(lambda _checked=False: handler())
        self._window.addAction(action)
        self._actions[action_id] = action
        return action

    def __getitem__(self, action_id: str) -> QAction:
        return self._actions[action_id]

    def __iter__(self) -> Iterator[QAction]:
        return iter(self._actions.values())
