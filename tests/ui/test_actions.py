"""The registry of actions: keys that are unique, chosen by the user, and given back."""

from functools import partial

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QWidget

from agdesk.ui.actions import ActionRegistry, ShortcutProblem, is_key_sequence


@pytest.fixture
def window(qtbot):
    window = QWidget()
    qtbot.addWidget(window)
    return window


@pytest.fixture
def ran():
    return []


@pytest.fixture
def registry(window, ran):
    registry = ActionRegistry(window)
    for action_id, keys in (("tab.new", "Ctrl+T"), ("tab.close", "Ctrl+W"), ("zoom.in", "Ctrl++"), ("dark", "")):
        registry.add(action_id, action_id, partial(ran.append, action_id), shortcut=keys, group="Group")
    return registry


def shortcuts(registry):
    return {action.objectName(): registry.shortcut(action.objectName()) for action in registry}


DEFAULTS = {"tab.new": "Ctrl+T", "tab.close": "Ctrl+W", "zoom.in": "Ctrl++", "dark": ""}


def test_actions_keep_their_order_group_and_defaults(registry):
    assert shortcuts(registry) == DEFAULTS
    assert list(shortcuts(registry)) == list(DEFAULTS)
    assert registry.group("dark") == "Group"
    assert registry.default_shortcut("tab.new") == "Ctrl+T"


@pytest.mark.parametrize(
    ("action_id", "keys", "problem"),
    [
        ("tab.new", "", "exists"),
        ("other", "Ctrl+T", "taken by tab.new"),
        ("other", "Ctrl+=", "taken by zoom.in"),
        ("other", "Ctrl+T, X", "taken by tab.new"),
        ("other", "Hyper+T", "no shortcut"),
    ],
)
def test_an_action_with_a_taken_id_or_key_is_refused(registry, action_id, keys, problem):
    with pytest.raises(ValueError, match=problem):
        registry.add(action_id, "text", lambda: None, shortcut=keys)
    assert shortcuts(registry) == DEFAULTS


def test_a_new_shortcut_works_at_once_and_the_old_one_no_more(registry, window, ran, qtbot):
    window.show()
    window.activateWindow()
    qtbot.waitUntil(window.isActiveWindow)
    registry.set_shortcut("tab.new", "Ctrl+M")
    QTest.keyClick(window, Qt.Key.Key_T, Qt.KeyboardModifier.ControlModifier)
    assert ran == []
    QTest.keyClick(window, Qt.Key.Key_M, Qt.KeyboardModifier.ControlModifier)
    assert ran == ["tab.new"]
    assert registry.default_shortcut("tab.new") == "Ctrl+T"


def test_an_action_without_a_default_can_get_keys_and_lose_them(registry):
    registry.set_shortcut("dark", "F9")
    assert registry.shortcut("dark") == "F9"
    registry.set_shortcut("dark", "")
    assert registry.shortcut("dark") == ""


def test_keys_of_another_action_are_refused_and_nothing_changes(registry):
    with pytest.raises(ValueError, match=r"taken by tab\.close"):
        registry.set_shortcut("tab.new", "Ctrl+W")
    with pytest.raises(ValueError, match="no shortcut"):
        registry.set_shortcut("tab.new", "nonsense")
    with pytest.raises(KeyError):
        registry.set_shortcut("gone", "F9")
    assert shortcuts(registry) == DEFAULTS


@pytest.mark.parametrize(
    ("taken", "wanted", "is_conflict"),
    [
        ("Ctrl+T", "Ctrl+T", True),
        ("Ctrl+T", "Ctrl+Shift+T", False),
        ("Ctrl+K", "Ctrl+K, Ctrl+T", True),
        ("Ctrl+K, Ctrl+T", "Ctrl+K", True),
        ("Ctrl+K, Ctrl+T", "Ctrl+K, Ctrl+S", False),
        ("Ctrl++", "Ctrl+=", True),
        ("Ctrl+Shift+=", "Ctrl++", True),
        ("Ctrl+?", "Ctrl+Shift+/", True),
        ("Ctrl+?", "Ctrl+/", False),
        ("Ctrl+1", "Ctrl+Shift+1", False),
        ("Ctrl+!", "Ctrl+Shift+1", True),
        ("Ctrl+Shift+Tab", "Ctrl+Shift+Backtab", True),
        ("Ctrl+Tab", "Ctrl+Shift+Tab", False),
        ("Ctrl+T", "", False),
        ("", "", False),
    ],
)
def test_keys_that_cannot_be_told_apart_are_a_conflict(qtbot, taken, wanted, is_conflict):
    window = QWidget()
    qtbot.addWidget(window)
    registry = ActionRegistry(window)
    registry.add("one", "One", lambda: None, shortcut=taken)
    assert registry.conflict("two", wanted) == ("one" if is_conflict else None)
    assert registry.conflict("one", wanted) is None, "never with itself"


def test_chosen_shortcuts_go_before_defaults_and_unknown_ids_are_passed_over(registry):
    problems = registry.apply_shortcuts({"dark": "Ctrl+D", "tab.new": "", "of.a.later.version": "Ctrl+W"})
    assert problems == ()
    assert shortcuts(registry) == DEFAULTS | {"dark": "Ctrl+D", "tab.new": ""}


def test_of_two_on_one_key_the_later_one_stays_without(registry):
    problems = registry.apply_shortcuts({"dark": "Ctrl+D", "tab.new": "Ctrl+D"})
    assert problems == (ShortcutProblem("tab.new", "Ctrl+D", "dark"),)
    assert shortcuts(registry) == DEFAULTS | {"dark": "Ctrl+D", "tab.new": ""}


def test_a_default_gives_way_to_a_choice(registry):
    problems = registry.apply_shortcuts({"dark": "Ctrl+T"})
    assert problems == (ShortcutProblem("tab.new", "Ctrl+T", "dark"),)
    assert shortcuts(registry) == DEFAULTS | {"dark": "Ctrl+T", "tab.new": ""}


def test_actions_can_exchange_their_keys(registry):
    assert registry.apply_shortcuts({"tab.new": "Ctrl+W", "tab.close": "Ctrl+T"}) == ()
    assert shortcuts(registry) == DEFAULTS | {"tab.new": "Ctrl+W", "tab.close": "Ctrl+T"}


def test_unreadable_keys_leave_the_default(registry):
    problems = registry.apply_shortcuts({"tab.new": "Strg+T"})
    assert problems == (ShortcutProblem("tab.new", "Strg+T", None),)
    assert shortcuts(registry) == DEFAULTS


def test_what_is_not_chosen_any_more_has_its_default_again(registry):
    registry.apply_shortcuts({"tab.new": "F9"})
    assert registry.apply_shortcuts({}) == ()
    assert shortcuts(registry) == DEFAULTS


def test_an_action_whose_keys_stay_is_not_touched(registry):
    registry.apply_shortcuts({"tab.new": "F9"})
    changed = []
    for action in registry:
        action.changed.connect(partial(changed.append, action.objectName()))
    registry.apply_shortcuts({"tab.new": "F9", "dark": "F8"})
    assert changed == ["dark"]


def test_choices_are_remembered_the_last_one_first(registry):
    for action_id in ("dark", "tab.new", "dark"):
        registry.remember_choice(action_id)
    assert registry.recently_chosen() == ("dark", "tab.new")


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("", True),
        ("Ctrl+T", True),
        ("Ctrl+K, Ctrl+T", True),
        ("F13", True),
        ("Ctrl+", False),
        ("X+Y", False),
    ],
)
def test_a_text_is_keys_or_not(qapp, text, expected):
    assert is_key_sequence(text) is expected
