"""The one registry of actions: whatever the user can do by menu, key or palette is an entry here."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import cast

from PySide6.QtCore import QKeyCombination, Qt
from PySide6.QtGui import QAction, QKeySequence
from PySide6.QtWidgets import QWidget

# Which key a symbol is typed with, with Shift, on the most common keyboard: Qt offers both readings of such a stroke.
_SHIFTED = dict(zip('~!@#$%^&*()_{}|:"<>?', "`1234567890-[]\\;',./", strict=True))
_SHIFT = Qt.KeyboardModifier.ShiftModifier


@dataclass(frozen=True, slots=True)
class ShortcutProblem:
    """Why a wanted shortcut is not in force.

    Attributes:
        action_id: whose shortcut it would be.
        keys: as wanted.
        owner_id: the action that has these keys; None if they are no keys at all.
    """

    action_id: str
    keys: str
    owner_id: str | None


class ActionRegistry:
    """All actions of one window, in the order they were added.

    Ids are stable (``tab.new``): settings and tests refer to them; an action has its own as its object name.
    """

    def __init__(self, window: QWidget) -> None:
        self._window = window
        self._actions: dict[str, QAction] = {}
        self._keys: dict[str, str] = {}
        self._defaults: dict[str, str] = {}
        self._groups: dict[str, str] = {}
        self._chosen: list[str] = []

    def add(
        self,
        action_id: str,
        text: str,
        handler: Callable[[], None],
        *,
        shortcut: str = "",
        is_checkable: bool = False,
        group: str = "",
    ) -> QAction:
        """Registers an action on the window.

        Args:
            action_id: of the action.
            text: translated; menus, palette and the list of shortcuts show it.
            handler: is kept alive by the action.
            shortcut: the keys until the user chooses others.
            is_checkable: the action is something that is on or off.
            group: what it belongs to, translated; the palette shows it.

        Raises:
            ValueError: the id or the shortcut is taken, or it is none; two actions on one key would silently block
                each other.
        """
        if action_id in self._actions:
            raise ValueError(f"action {action_id} exists")
        self._check(action_id, shortcut)
        action = QAction(text, self._window)
        action.setObjectName(action_id)
        action.setCheckable(is_checkable)
        action.setShortcutContext(Qt.ShortcutContext.WindowShortcut)
        action.triggered.connect(lambda _checked=False: handler())
        self._window.addAction(action)
        self._actions[action_id] = action
        self._put(action_id, shortcut)
        self._defaults[action_id] = shortcut
        self._groups[action_id] = group
        return action

    def __getitem__(self, action_id: str) -> QAction:
        return self._actions[action_id]

    def __iter__(self) -> Iterator[QAction]:
        return iter(self._actions.values())

    def group(self, action_id: str) -> str:
        """What an action belongs to; empty if nothing."""
        return self._groups[action_id]

    def remember_choice(self, action_id: str) -> None:
        """Notes that the user has looked for an action and found it, as long as the program runs."""
        self._chosen = [action_id, *(other for other in self._chosen if other != action_id)]

    def recently_chosen(self) -> tuple[str, ...]:
        """The actions of ``remember_choice``, the last one first."""
        return tuple(self._chosen)

    def shortcut(self, action_id: str) -> str:
        """The keys of an action as settings keep them, ``Ctrl+T``; empty for none."""
        return self._keys[action_id]

    def default_shortcut(self, action_id: str) -> str:
        """The keys that an action was added with."""
        return self._defaults[action_id]

    def set_shortcut(self, action_id: str, text: str) -> None:
        """Gives an action other keys, at once; empty for none.

        Raises:
            KeyError: there is no such action.
            ValueError: the keys are taken, or they are none.
        """
        if action_id not in self._actions:
            raise KeyError(action_id)
        self._check(action_id, text)
        self._put(action_id, text)

    def conflict(self, action_id: str, text: str) -> str | None:
        """The other action that keys could not be told apart from.

        That is one with the same keys, with keys that these begin with or that begin with these, or with a symbol that
        is on the same key of a keyboard (``Ctrl++`` and ``Ctrl+=``). ``action_id`` may be one that is still to come.
        """
        return _owner(text, {other: keys for other, keys in self._keys.items() if other != action_id})

    def apply_shortcuts(self, shortcuts: Mapping[str, str]) -> tuple[ShortcutProblem, ...]:
        """Puts the user's choice into force: keys of action ids, empty for none. All other actions have their defaults.

        What is chosen goes before a default, and earlier entries before later ones: whoever comes too late stays
        without keys. Keys that cannot be read leave the default. An unknown id is passed over; it may belong to another
        version of the program.

        Returns:
            What is not in force.
        """
        problems = []
        wanted = {action_id: keys for action_id, keys in shortcuts.items() if action_id in self._actions}
        for action_id, keys in tuple(wanted.items()):
            if not is_key_sequence(keys):
                problems.append(ShortcutProblem(action_id, keys, None))
                del wanted[action_id]
        wanted |= {action_id: keys for action_id, keys in self._defaults.items() if action_id not in wanted}
        given: dict[str, str] = {}
        for action_id, keys in wanted.items():
            owner_id = _owner(keys, given)
            if owner_id is not None:
                problems.append(ShortcutProblem(action_id, keys, owner_id))
            given[action_id] = keys if owner_id is None else ""
        for action_id, keys in given.items():  # at the end: an action whose keys stay is not touched at all
            self._put(action_id, keys)
        return tuple(problems)

    def _put(self, action_id: str, keys: str) -> None:
        sequence = QKeySequence(keys)
        self._keys[action_id] = sequence.toString()
        self._actions[action_id].setShortcut(sequence)

    def _check(self, action_id: str, keys: str) -> None:
        if not is_key_sequence(keys):
            raise ValueError(f"{keys!r} is no shortcut")
        if (owner_id := self.conflict(action_id, keys)) is not None:
            raise ValueError(f"shortcut {keys} is taken by {owner_id}")


def is_key_sequence(text: str) -> bool:
    """Whether a text is empty or names keys, such as ``Ctrl+K, Ctrl+T``."""
    keys = [combination.key() for combination in _combinations(text)]
    return bool(keys or not text) and Qt.Key.Key_unknown not in keys


def _owner(text: str, taken: Mapping[str, str]) -> str | None:
    """The first id whose keys cannot be told apart from these."""
    wanted = _strokes(text)
    for action_id, keys in taken.items():
        strokes = _strokes(keys)
        shared = min(len(wanted), len(strokes))
        if shared and wanted[:shared] == strokes[:shared]:
            return action_id
    return None


@cache  # every action that is added is compared with all before it
def _strokes(text: str) -> tuple[tuple[str, bool, int], ...]:
    """Keys as they are on a keyboard: the name of the key, whether it is with Shift, and the other modifiers."""
    return tuple(map(_stroke, _combinations(text)))


def _combinations(text: str) -> list[QKeyCombination]:
    sequence = QKeySequence(text)
    indexed = cast("Sequence[QKeyCombination]", sequence)  # PySide's type information leaves that out
    return [indexed[at] for at in range(sequence.count())]


def _stroke(combination: QKeyCombination) -> tuple[str, bool, int]:
    modifiers = combination.keyboardModifiers()
    has_shift = bool(modifiers & _SHIFT)
    name = QKeySequence(combination.key()).toString()
    match name:
        case "Backtab":
            name, has_shift = "Tab", True
        case "+" | "=":  # whoever wants + presses = where both are on one key
            name, has_shift = "=", False
        case _ if name in _SHIFTED:
            name, has_shift = _SHIFTED[name], True
    return name, has_shift, (modifiers & ~_SHIFT).value
