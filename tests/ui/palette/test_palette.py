"""The palette over a window: opening, finding, running, and where the focus goes."""

from functools import partial

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QLineEdit, QMainWindow, QVBoxLayout, QWidget

from agdesk.ui.actions import ActionRegistry
from agdesk.ui.palette import CommandPalette, Entry
from agdesk.ui.theme import apply_theme

Key = Qt.Key


class Desk:
    """A window with two fields, some actions, and the palette."""

    def __init__(self, qtbot):
        self.window = QMainWindow()
        qtbot.addWidget(self.window)
        self.window.resize(900, 600)
        body = QWidget()
        layout = QVBoxLayout(body)
        self.first, self.second = QLineEdit(), QLineEdit()
        layout.addWidget(self.first)
        layout.addWidget(self.second)
        self.window.setCentralWidget(body)
        self.ran = []
        self.registry = ActionRegistry(self.window)
        for action_id, text, keys in (
            ("tab.new", "New conversation", "Ctrl+T"),
            ("tab.close", "Close conversation", "Ctrl+W"),
            ("chat.stop", "Stop answering", "Esc"),
            ("dark", "Dark theme", ""),
        ):
            self.registry.add(action_id, text, partial(self.run, action_id), shortcut=keys, group="Group")
        self.palette = CommandPalette(self.registry, self.first)
        self.window.show()
        self.window.activateWindow()
        qtbot.waitUntil(self.window.isActiveWindow)
        self.second.setFocus()

    def run(self, what):
        self.ran.append((what, self.palette.isVisible(), self.window.focusWidget()))

    def type(self, text):
        QTest.keyClicks(self.palette.field, text)

    def press(self, key):
        QTest.keyClick(self.palette.field, key)

    @property
    def texts(self):
        return [entry.text for entry in self.palette.list.entries]


@pytest.fixture
def desk(qapp, qtbot):
    apply_theme(qapp, "light")
    return Desk(qtbot)


def test_it_lists_every_action_with_group_and_keys(desk):
    desk.palette.open()
    rows = [(entry.text, entry.detail, entry.keys) for entry in desk.palette.list.entries]
    assert rows[0] == ("New conversation", "Group", "Ctrl+T")
    assert len(rows) == 4
    assert desk.window.focusWidget() is desk.palette.field


def test_enter_runs_after_the_palette_is_closed_and_the_focus_is_back(desk):
    desk.palette.open()
    desk.type("dark")
    desk.press(Key.Key_Return)
    assert desk.ran == [("dark", False, desk.second)]


def test_escape_closes_and_stops_no_answer(desk):
    desk.palette.open()
    desk.press(Key.Key_Escape)
    assert not desk.palette.isVisible()
    assert desk.ran == []
    assert desk.window.focusWidget() is desk.second


def test_a_click_beside_it_closes_and_a_click_on_a_row_runs(desk):
    desk.palette.open()
    QTest.mouseClick(desk.palette, Qt.MouseButton.LeftButton, pos=QPoint(5, 590))
    assert not desk.palette.isVisible() and desk.window.focusWidget() is desk.second
    desk.palette.open()
    rows = desk.palette.list
    place = rows.visualRect(rows.model().index(1, 0)).center()
    QTest.mouseClick(rows.viewport(), Qt.MouseButton.LeftButton, pos=place)
    assert desk.ran == [("tab.close", False, desk.second)]


def test_it_closes_when_the_focus_goes_elsewhere_and_leaves_it_there(desk):
    desk.palette.open()
    desk.first.setFocus()
    assert not desk.palette.isVisible()
    assert desk.window.focusWidget() is desk.first


def test_keys_in_the_field_move_the_list(desk):
    desk.palette.add_source(lambda query: [Entry(f"Row {number}", "", lambda: None) for number in range(40)])
    desk.palette.open()
    rows = desk.palette.list
    seen = []
    for key in (Key.Key_Down, Key.Key_End, Key.Key_Down, Key.Key_Up, Key.Key_PageUp, Key.Key_Home, Key.Key_PageDown):
        desk.press(key)
        seen.append(rows.currentIndex().row())
    assert seen[:4] == [1, 43, 0, 43]
    assert 30 < seen[4] < 43 and seen[5] == 0 and 0 < seen[6] < 12
    desk.press(Key.Key_Tab)
    assert desk.window.focusWidget() is desk.palette.field, "there is nowhere else to go"


def test_a_disabled_action_is_shown_and_does_not_run(desk):
    desk.registry["dark"].setEnabled(False)
    desk.palette.open()
    desk.type("dark")
    desk.press(Key.Key_Return)
    assert desk.palette.isVisible() and desk.ran == []
    text = desk.palette.list.currentIndex().data(Qt.ItemDataRole.AccessibleTextRole)
    assert text == "Dark theme, Group, not available now"


def test_what_was_chosen_last_comes_first_in_the_next_palette_too(desk):
    for query in ("dark", "close"):
        desk.palette.open()
        desk.type(query)
        desk.press(Key.Key_Return)
    other = CommandPalette(desk.registry, desk.window)
    other.open()
    assert [entry.text for entry in other.list.entries][:3] == ["Close conversation", "Dark theme", "New conversation"]
    other.close()


def test_no_hit_is_said_and_enter_does_nothing(desk):
    desk.palette.open()
    desk.type("qqq")
    assert desk.palette.list.isHidden()
    (label,) = [child for child in desk.palette.findChildren(QWidget) if child.property("text") and child.isVisible()][
        1:
    ]
    assert label.text() == "Nothing has these letters in this order."
    desk.press(Key.Key_Return)
    desk.press(Key.Key_Down)
    assert desk.palette.isVisible() and desk.ran == []


def test_the_number_of_results_is_read_out(desk, monkeypatch):
    said = []
    monkeypatch.setattr("agdesk.ui.palette.palette.announce", lambda _widget, text: said.append(text))
    desk.palette.open()
    desk.type("dark")
    desk.press(Key.Key_Down)
    desk.type("q")
    assert said[0] == "4 results"
    assert said[-3:] == ["1 result", "Dark theme, Group", "Nothing has these letters in this order."]


def test_a_source_offers_other_things_and_choosing_one_opens_it(desk):
    desk.palette.add_source(
        lambda query: [Entry("Paris trip", "Conversation", lambda: desk.run("paris"))] if query else []
    )
    desk.palette.open()
    assert "Paris trip" not in desk.texts
    desk.type("paris")
    assert desk.texts == ["Paris trip"]
    desk.press(Key.Key_Return)
    assert desk.ran == [("paris", False, desk.second)]
    assert desk.registry.recently_chosen() == ()


def test_opened_again_it_starts_anew_and_stays_inside_a_small_window(desk):
    desk.palette.open()
    desk.type("dark")
    desk.palette.open()
    assert desk.palette.field.text() == "" and len(desk.texts) == 4
    desk.window.resize(400, 220)
    QApplication.processEvents()
    assert desk.palette.geometry() == desk.window.rect()
    panel = desk.palette.field.parentWidget()
    assert desk.palette.rect().contains(panel.geometry())


@pytest.mark.parametrize("mode", ["light", "dark"])
def test_hit_letters_long_and_foreign_texts_are_drawn(desk, qapp, mode):
    apply_theme(qapp, mode)
    titles = ("x" * 300, "巴黎三日游的行程安排", "مرحبا كيف أكتب رسالة", "<b>bold</b>")
    desk.palette.add_source(lambda query: [Entry(title, "Conversation " * 9, lambda: None) for title in titles])
    desk.palette.open()
    plain = desk.palette.list.viewport().grab().toImage()
    desk.type("new")
    desk.palette.field.setText("n")
    assert desk.palette.list.viewport().grab().toImage() != plain
    apply_theme(qapp, "light")
