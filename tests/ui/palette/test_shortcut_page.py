"""Choosing keys: capture, conflicts, taking over, giving back."""

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QLabel, QWidget

from agdesk.ui.actions import ActionRegistry
from agdesk.ui.palette import ShortcutPage
from agdesk.ui.theme import apply_theme

Key = Qt.Key
Ctrl, Shift, No = Qt.KeyboardModifier.ControlModifier, Qt.KeyboardModifier.ShiftModifier, Qt.KeyboardModifier.NoModifier


@pytest.fixture
def registry(qtbot):
    window = QWidget()
    qtbot.addWidget(window)
    registry = ActionRegistry(window)
    for action_id, text, keys in (
        ("tab.new", "New conversation", "Ctrl+T"),
        ("tab.close", "Close conversation", "Ctrl+W"),
        ("dark", "Dark theme", ""),
    ):
        registry.add(action_id, text, lambda: None, shortcut=keys, group="Group")
    return registry


@pytest.fixture
def page(qapp, qtbot, registry):
    apply_theme(qapp, "light")
    page = ShortcutPage(registry)
    qtbot.addWidget(page)
    page.show()
    page.activateWindow()
    qtbot.waitUntil(page.isActiveWindow)
    return page


@pytest.fixture
def told(page):
    told = []
    page.shortcut_chosen.connect(lambda action_id, keys: told.append((action_id, keys)))
    page.shortcut_reset.connect(lambda action_id: told.append((action_id, None)))
    return told


def go_to(page, text):
    texts = [entry.text for entry in page.list.entries]
    page.list.setCurrentIndex(page.list.model().index(texts.index(text), 0))


def press(page, text, key, modifiers=No):
    """Presses new keys for an action."""
    go_to(page, text)
    page.list.setFocus()
    QTest.keyClick(page.list, Key.Key_Return)
    assert page.capture.is_listening and page.focusWidget() is page.capture
    QTest.keyClick(page.capture, key, modifiers)


def notice(page):
    return [label.text() for label in page.findChildren(QLabel) if label.isVisible() and len(label.text()) > 20]


@pytest.mark.parametrize(
    ("key", "modifiers", "keys"),
    [
        (Key.Key_M, Ctrl | Shift, "Ctrl+Shift+M"),
        (Key.Key_F9, No, "F9"),
        (Key.Key_Tab, Ctrl, "Ctrl+Tab"),
        (Key.Key_Backtab, Ctrl | Shift, "Ctrl+Shift+Tab"),
        (Key.Key_Plus, Ctrl | Shift, "Ctrl++"),
        (Key.Key_1, Ctrl, "Ctrl+1"),
        (Key.Key_Return, Ctrl, "Ctrl+Return"),
    ],
)
def test_pressed_keys_are_in_force_at_once_and_told(page, told, registry, key, modifiers, keys):
    press(page, "Dark theme", key, modifiers)
    assert registry.shortcut("dark") == keys
    assert told == [("dark", keys)]
    assert page.list.current.keys == keys and page.capture.text() == keys
    assert page.focusWidget() is page.list


def test_a_key_that_writes_is_refused_with_a_reason(page, told, registry):
    press(page, "Dark theme", Key.Key_A)
    assert told == [] and registry.shortcut("dark") == ""
    assert notice(page) == ["A is needed for writing: add Ctrl, Alt or Meta, or use a function key."]


def test_escape_and_leaving_the_field_end_the_listening(page, told):
    press(page, "Dark theme", Key.Key_Escape)
    assert not page.capture.is_listening and told == [] and page.focusWidget() is page.list
    QTest.keyClick(page.list, Key.Key_Return)
    page.search.setFocus()
    assert not page.capture.is_listening


def test_modifiers_alone_are_waited_out(page):
    go_to(page, "Dark theme")
    page.capture.listen()
    QTest.keyClick(page.capture, Key.Key_Control, Ctrl)
    assert page.capture.is_listening


def test_a_conflict_is_named_and_can_be_cancelled(page, told, registry):
    press(page, "Dark theme", Key.Key_T, Ctrl)
    assert notice(page) == ["Ctrl+T is used by “New conversation”: take it over?"]
    assert page.focusWidget() is page.cancel_button
    page.cancel_button.click()
    assert notice(page) == [] and told == []
    assert registry.shortcut("tab.new") == "Ctrl+T"


def test_keys_can_be_taken_over(page, told, registry):
    press(page, "Dark theme", Key.Key_T, Ctrl)
    page.take_over_button.click()
    assert told == [("tab.new", ""), ("dark", "Ctrl+T")]
    assert registry.shortcut("tab.new") == "" and registry.shortcut("dark") == "Ctrl+T"
    assert notice(page) == []


def test_keys_that_two_others_begin_with_are_asked_for_twice(page, told, registry):
    registry.set_shortcut("tab.new", "Ctrl+K, Ctrl+T")
    registry.set_shortcut("tab.close", "Ctrl+K, Ctrl+W")
    press(page, "Dark theme", Key.Key_K, Ctrl)
    page.take_over_button.click()
    assert notice(page) == ["Ctrl+K is used by “Close conversation”: take it over?"]
    page.take_over_button.click()
    assert told == [("tab.new", ""), ("tab.close", ""), ("dark", "Ctrl+K")]


def test_the_question_is_gone_with_another_action(page):
    press(page, "Dark theme", Key.Key_T, Ctrl)
    go_to(page, "Close conversation")
    assert notice(page) == [] and page.take_over_button.isHidden()


def test_keys_can_be_removed_and_reset(page, told, registry):
    go_to(page, "New conversation")
    assert not page.reset_button.isEnabled()
    page.remove_button.click()
    assert registry.shortcut("tab.new") == "" and told == [("tab.new", "")]
    assert page.reset_button.isEnabled() and not page.remove_button.isEnabled()
    page.reset_button.click()
    assert registry.shortcut("tab.new") == "Ctrl+T" and told[-1] == ("tab.new", None)


def test_a_reset_asks_for_keys_that_another_has_by_now(page, told, registry):
    press(page, "Dark theme", Key.Key_T, Ctrl)
    page.take_over_button.click()
    go_to(page, "New conversation")
    page.reset_button.click()
    assert notice(page) == ["Ctrl+T is used by “Dark theme”: take it over?"]
    page.take_over_button.click()
    assert told[2:] == [("dark", ""), ("tab.new", None)]
    assert registry.shortcut("tab.new") == "Ctrl+T"


def test_all_keys_can_be_reset_at_once(page, told):
    assert not page.reset_all_button.isEnabled()
    press(page, "Dark theme", Key.Key_T, Ctrl)
    page.take_over_button.click()
    told.clear()
    page.reset_all_button.click()
    assert told == [("tab.new", None), ("dark", None)]
    assert not page.reset_all_button.isEnabled()


def test_the_search_finds_actions_and_says_when_there_is_none(page):
    QTest.keyClicks(page.search, "dark")
    assert [entry.text for entry in page.list.entries] == ["Dark theme"]
    QTest.keyClick(page.search, Key.Key_Down)
    assert page.focusWidget() is page.list
    page.search.setText("qqq")
    assert page.list.isHidden() and notice(page) == ["No action has these letters."]
    assert not page.capture.isEnabled()


def test_a_change_of_another_origin_shows_and_does_not_end_the_listening(page, registry):
    go_to(page, "Dark theme")
    page.capture.listen()
    registry["tab.new"].setEnabled(False)
    assert page.capture.is_listening
    registry.apply_shortcuts({"tab.new": "F8"})
    assert [entry.keys for entry in page.list.entries] == ["F8", "Ctrl+W", ""]
    assert all(entry.is_enabled for entry in page.list.entries), "it can be given keys all the same"


def test_every_control_has_a_name(page):
    for control in (page.search, page.list, page.capture, page.reset_button, page.remove_button, page.take_over_button):
        assert control.accessibleName()
