"""The list as a user has it: keys, mouse, menu, and what it looks like when there is nothing."""

from datetime import timedelta

import pytest
from PySide6.QtCore import QEvent, QPoint, Qt
from PySide6.QtGui import QAccessible, QContextMenuEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QAbstractButton, QApplication, QLineEdit, QMenu, QPushButton, QWidget

from agdesk.ui.conversations import ConversationPanel
from agdesk.ui.theme import apply_theme
from agdesk.ui.widgets.row_painting import row_height
from tests.ui.conversations.stored import NOON, StoredConversations, conversation

Key, Left = Qt.Key, Qt.MouseButton.LeftButton
DAY = timedelta(days=1)
FEW = (
    conversation("a", "Paris trip", ago=timedelta(minutes=5)),
    conversation("b", "Regex", ago=timedelta(hours=1)),
    conversation("c", "Café", ago=DAY),
    conversation("g", "巴黎行程", ago=3 * DAY, group="Work"),
)


class Told:
    def __init__(self, panel):
        self.opened, self.new, self.undo = [], [], []
        panel.open_requested.connect(self.opened.append)
        panel.new_requested.connect(lambda: self.new.append(1))
        panel.undo_offered.connect(lambda text, undo: self.undo.append((text, undo)))


def make_panel(store):
    return ConversationPanel(store, now=lambda: NOON)


@pytest.fixture
def open_panel(qapp, qtbot):
    apply_theme(qapp, "light")

    def open_it(*rows):
        store = StoredConversations(*rows)
        panel = make_panel(store)
        qtbot.addWidget(panel)
        panel.resize(280, 500)
        panel.show()
        panel.activateWindow()
        qtbot.waitUntil(panel.isActiveWindow)
        return panel, store, Told(panel)

    return open_it


@pytest.fixture
def menu_of(monkeypatch):
    """Opens the context menu of the selection without showing it; gives its actions by text."""
    monkeypatch.setattr(QMenu, "popup", lambda menu, place: None)

    def open_it(panel):
        place = panel.view.visualRect(panel.view.currentIndex()).center()
        event = QContextMenuEvent(QContextMenuEvent.Reason.Mouse, place, panel.view.viewport().mapToGlobal(place))
        QApplication.sendEvent(panel.view.viewport(), event)
        menus = panel.findChildren(QMenu)
        return {action.text(): action for menu in menus[-2:] for action in menu.actions()}

    return open_it


def titles(panel):
    model = panel.view.model()
    return [model.index(row, 0).data() for row in range(model.rowCount())]


def click(panel, conversation_id, modifiers=Qt.KeyboardModifier.NoModifier):
    place = panel.view.visualRect(panel.view.model().index_of(conversation_id)).center()
    QTest.mouseClick(panel.view.viewport(), Left, modifiers, place)


def press(panel, *keys):
    panel.view.setFocus()
    for key in keys:
        QTest.keyClick(panel.view, key)


def editor(panel):
    (found,) = panel.view.viewport().findChildren(QLineEdit)
    return found


def finish(panel, key):
    """Ends the renaming; Qt takes the text over after the key."""
    QTest.keyClick(editor(panel), key)
    QApplication.processEvents()
    QApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete.value)


def test_a_click_or_enter_opens_and_arrows_only_move(open_panel):
    panel, _, told = open_panel(*FEW)
    click(panel, "b")
    assert told.opened == ["b"]
    press(panel, Key.Key_Up)
    assert told.opened == ["b"] and panel.view.selected_ids() == ("a",)
    press(panel, Key.Key_Return)
    assert told.opened == ["b", "a"]


def test_clicks_with_a_modifier_select_and_do_not_open(open_panel):
    panel, _, told = open_panel(*FEW)
    click(panel, "a", Qt.KeyboardModifier.ControlModifier)
    click(panel, "c", Qt.KeyboardModifier.ControlModifier)
    assert panel.view.selected_ids() == ("a", "c") and told.opened == []


def test_f2_renames_in_place_and_escape_cancels(open_panel):
    panel, store, _ = open_panel(*FEW)
    panel.view.select("a")
    press(panel, Key.Key_F2)
    assert editor(panel).text() == "Paris trip" and editor(panel).accessibleName() == "New title"
    QTest.keyClicks(editor(panel), "London")
    finish(panel, Key.Key_Return)
    assert store.get("a").title == "London" and "London" in titles(panel)
    press(panel, Key.Key_F2)
    QTest.keyClicks(editor(panel), "Rome")
    finish(panel, Key.Key_Escape)
    assert store.get("a").title == "London"
    assert panel.focusWidget() is panel.view


def test_a_blank_title_is_refused(open_panel):
    panel, store, _ = open_panel(*FEW)
    panel.view.select("a")
    press(panel, Key.Key_F2)
    editor(panel).setText("   ")
    finish(panel, Key.Key_Return)
    assert store.get("a").title == "Paris trip"


def test_what_is_being_written_outlives_changes_of_the_conversation(open_panel):
    panel, store, _ = open_panel(*FEW)
    panel.view.select("b")
    press(panel, Key.Key_F2)
    QTest.keyClicks(editor(panel), "Half a ti")
    store.touch("b")
    panel.set_busy({"b"})
    QApplication.processEvents()
    assert editor(panel).text() == "Half a ti"
    QTest.keyClicks(editor(panel), "tle")
    finish(panel, Key.Key_Return)
    assert store.get("b").title == "Half a title"


def test_delete_hides_at_once_and_can_be_undone(open_panel):
    panel, store, told = open_panel(*FEW)
    panel.view.select("a")
    press(panel, Key.Key_Delete)
    assert "Paris trip" not in titles(panel)
    ((text, undo),) = told.undo
    assert text == "Deleted “Paris trip”"
    undo()
    assert "Paris trip" in titles(panel) and store.get("a") is not None


def test_several_are_deleted_and_restored_together(open_panel):
    panel, _, told = open_panel(*FEW, conversation("x", "x" * 300))
    before = titles(panel)
    panel.view.selectAll()
    press(panel, Key.Key_Delete)
    assert titles(panel) == []
    text, undo = told.undo[0]
    assert text == "Deleted 5 conversations"
    undo()
    assert titles(panel) == before
    panel.view.select("x")
    press(panel, Key.Key_Delete)
    assert told.undo[1][0] == "Deleted “" + "x" * 39 + "…”"


def test_delete_on_a_heading_does_nothing(open_panel):
    panel, _, told = open_panel(*FEW)
    panel.view.setCurrentIndex(panel.view.model().index(0, 0))
    press(panel, Key.Key_Delete)
    assert told.undo == []


def test_the_menu_pins_records_opens_and_deletes(open_panel, menu_of):
    panel, store, told = open_panel(*FEW)
    panel.view.select("b")
    actions = menu_of(panel)
    assert actions["Record traffic"].isChecked()
    for text in ("Open", "Pin", "Record traffic"):
        actions[text].trigger()
    assert told.opened == ["b"]
    assert store.get("b").is_pinned and not store.get("b").is_traced
    actions = menu_of(panel)
    assert not actions["Record traffic"].isChecked()
    actions["Unpin"].trigger()
    actions["Delete"].trigger()
    assert store.get("b") is None and told.undo[0][0] == "Deleted “Regex”"


def test_the_menu_renames(open_panel, menu_of):
    panel, _, _ = open_panel(*FEW)
    panel.view.select("a")
    menu_of(panel)["Rename"].trigger()
    assert editor(panel).text() == "Paris trip"


def test_the_menu_moves_several_to_a_group_and_out_of_it(open_panel, menu_of):
    panel, store, _ = open_panel(*FEW)
    click(panel, "c")
    click(panel, "a", Qt.KeyboardModifier.ControlModifier)
    actions = menu_of(panel)
    assert not actions["Open"].isEnabled() and not actions["Rename"].isEnabled()
    assert actions["No group"].isChecked() and not actions["Work"].isChecked()
    actions["Work"].trigger()
    assert store.get("a").group == store.get("c").group == "Work"
    assert set(panel.view.selected_ids()) == {"a", "c"}, "the selection goes with them"
    menu_of(panel)["No group"].trigger()
    assert store.get("a").group == ""


def test_a_new_group_is_named_in_place(open_panel, menu_of):
    panel, store, _ = open_panel(*FEW)
    panel.view.select("a")
    menu_of(panel)["New group…"].trigger()
    assert panel.focusWidget() is panel.group_editor and panel.group_editor.isVisible()
    QTest.keyClick(panel.group_editor, Key.Key_Return)
    assert panel.group_editor.isVisible(), "a blank name is none"
    QTest.keyClicks(panel.group_editor, " Tr&ips ")
    QTest.keyClick(panel.group_editor, Key.Key_Return)
    assert store.get("a").group == "Tr&ips" and titles(panel)[:2] == ["Tr&ips", "Paris trip"]
    assert panel.focusWidget() is panel.view
    assert "Tr&&ips" in menu_of(panel), "an ampersand is no mnemonic"


def test_a_new_group_can_be_left_unnamed(open_panel, menu_of):
    panel, store, _ = open_panel(*FEW)
    panel.view.select("a")
    menu_of(panel)["New group…"].trigger()
    QTest.keyClicks(panel.group_editor, "Tr")
    QTest.keyClick(panel.group_editor, Key.Key_Escape)
    assert panel.group_editor.isHidden() and panel.focusWidget() is panel.view
    menu_of(panel)["New group…"].trigger()
    assert panel.group_editor.text() == ""
    panel.search.setFocus()
    assert panel.group_editor.isHidden() and panel.focusWidget() is panel.search
    assert store.get("a").group == ""


def test_the_search_selects_the_first_hit_and_enter_opens_it(open_panel):
    panel, _, told = open_panel(*FEW)
    panel.focus_search()
    assert panel.focusWidget() is panel.search
    QTest.keyClicks(panel.search, "cafe")
    assert titles(panel) == ["Yesterday", "Café"]
    QTest.keyClick(panel.search, Key.Key_Return)
    assert told.opened == ["c"]
    QTest.keyClick(panel.search, Key.Key_Down)
    assert panel.focusWidget() is panel.view
    press(panel, Key.Key_Up, Key.Key_Up)
    assert panel.focusWidget() is panel.search, "from the first row it goes up to the field"
    press(panel, Key.Key_Down)
    panel.focus_search()
    QTest.keyClick(panel.search, Key.Key_Escape)
    assert panel.search.text() == "" and len(titles(panel)) == 7
    assert panel.view.selected_ids() == ("c",)


def test_no_hit_says_so_and_a_button_clears(open_panel):
    panel, _, _ = open_panel(*FEW)
    panel.search.setText("qqq")
    (button,) = [button for button in panel.findChildren(QPushButton) if button.isVisible()]
    assert button.text() == "Clear the search" and not panel.view.isVisible()
    QTest.mouseClick(button, Left)
    assert panel.view.isVisible() and panel.search.text() == "" and panel.focusWidget() is panel.search


def test_an_empty_list_offers_a_new_conversation_until_there_is_one(open_panel):
    panel, store, told = open_panel()
    (button,) = [button for button in panel.findChildren(QPushButton) if button.isVisible()]
    QTest.mouseClick(button, Left)
    QTest.mouseClick(panel.new_button, Left)
    assert told.new == [1, 1]
    store.put(conversation("n"))
    assert panel.view.isVisible() and titles(panel) == ["Today", "n"]
    store.delete("n")
    assert not panel.view.isVisible()


def test_headings_fold_by_click_and_key_and_the_state_can_be_restored(open_panel):
    panel, _, told = open_panel(*FEW)
    place = panel.view.visualRect(panel.view.model().index(0, 0)).center()
    QTest.mouseClick(panel.view.viewport(), Left, pos=place)
    assert titles(panel)[:2] == ["Work", "Today"] and told.opened == []
    panel.view.select("a")
    press(panel, Key.Key_Left, Key.Key_Left)
    assert titles(panel) == ["Work", "Today", "Yesterday", "Café"]
    other, _, _ = open_panel(*FEW)
    other.restore(panel.state())
    assert titles(other) == titles(panel)
    press(panel, Key.Key_Right)
    assert "Paris trip" in titles(panel)
    press(panel, Key.Key_Return)
    assert "Paris trip" not in titles(panel)
    press(panel, Key.Key_Space)
    assert "Paris trip" in titles(panel)


@pytest.mark.parametrize("state", ["", "no json", "{}", "[1, null]"])
def test_a_state_of_other_origin_changes_nothing(open_panel, state):
    panel, _, _ = open_panel(*FEW)
    panel.restore(state)
    assert panel.state() == "[]"


def many():
    return [conversation(f"c{number:03}", ago=timedelta(hours=number)) for number in range(200)]


def test_scroll_and_selection_stay_when_a_conversation_moves_to_the_top(open_panel):
    panel, store, _ = open_panel(*many())
    panel.view.select("c100")
    bar = panel.view.verticalScrollBar()
    for moving in ("c150", "c010", "c100"):
        seen_at = panel.view.visualRect(panel.view.model().index_of("c095")).top()
        store.touch(moving)
        QApplication.processEvents()
        assert panel.view.visualRect(panel.view.model().index_of("c095")).top() == seen_at, moving
        assert panel.view.selected_ids() == ("c100",)
    bar.setValue(0)
    store.touch("c160")
    assert bar.value() == 0, "the top stays the top"


def test_at_the_end_of_the_list_nothing_jumps_either(open_panel):
    panel, store, _ = open_panel(*many())
    panel.view.scrollToBottom()
    last = panel.view.visualRect(panel.view.model().index_of("c199")).top()
    store.put(conversation("new"))
    QApplication.processEvents()
    assert panel.view.visualRect(panel.view.model().index_of("c199")).top() == last


def test_the_conversation_in_front_is_selected_unless_the_user_is_in_the_list(open_panel):
    panel, _, _ = open_panel(*many())
    panel.search.setFocus()
    panel.set_current("c150")
    assert panel.view.selected_ids() == ("c150",)
    assert panel.view.viewport().rect().contains(panel.view.visualRect(panel.view.currentIndex()))
    panel.view.setFocus()
    panel.set_current("c003")
    assert panel.view.selected_ids() == ("c150",)
    panel.set_current(None)
    panel.set_current("not stored yet")


def image_of(panel, conversation_id):
    QApplication.processEvents()
    return panel.view.viewport().grab(panel.view.visualRect(panel.view.model().index_of(conversation_id))).toImage()


def test_current_and_busy_are_drawn_by_more_than_colour(open_panel):
    panel, _, _ = open_panel(*FEW)
    panel.view.setFocus()
    plain = image_of(panel, "c")
    panel.set_busy({"c"})
    busy = image_of(panel, "c")
    panel.set_busy(set())
    panel.set_current("c")
    current = image_of(panel, "c")
    assert plain != busy != current != plain


@pytest.mark.parametrize("direction", [Qt.LayoutDirection.LeftToRight, Qt.LayoutDirection.RightToLeft])
@pytest.mark.parametrize("width", [120, 220, 600])
def test_any_title_fits_any_width(open_panel, direction, width):
    texts = ("x" * 300, "巴黎三日游的行程安排" * 9, "مرحبا كيف أكتب رسالة" * 9, "\u202e<b>")
    panel, _, _ = open_panel(*(conversation(str(number), text) for number, text in enumerate(texts)))
    panel.setLayoutDirection(direction)
    panel.restore('["today"]')
    panel.restore("[]")
    panel.resize(width, 300)
    panel.grab()
    assert panel.view.horizontalScrollBar().maximum() == 0
    assert panel.view.visualRect(panel.view.model().index_of("0")).height() == row_height()


def test_a_larger_type_makes_higher_rows(open_panel, qapp):
    panel, _, _ = open_panel(*FEW)
    apply_theme(qapp, "dark", scale=2.0)
    QApplication.processEvents()
    assert panel.view.visualRect(panel.view.model().index_of("a")).height() == row_height() >= 56
    apply_theme(qapp, "light")


def test_everything_that_takes_the_focus_or_a_click_has_a_name(open_panel):
    panel, _, _ = open_panel(*FEW)
    panel.search.setText("x")
    for widget in panel.findChildren(QWidget):
        if isinstance(widget, QAbstractButton | QLineEdit) or widget.focusPolicy() & Qt.FocusPolicy.TabFocus:
            name = QAccessible.queryAccessibleInterface(widget).text(QAccessible.Text.Name)
            assert name or not widget.isVisible(), widget


def test_the_menu_key_opens_the_menu_at_the_current_row(open_panel, monkeypatch):
    places = []
    monkeypatch.setattr(QMenu, "popup", lambda menu, place: places.append(place))
    panel, _, _ = open_panel(*FEW)
    panel.view.select("b")
    event = QContextMenuEvent(QContextMenuEvent.Reason.Keyboard, QPoint(1, 1), QPoint(1, 1))
    QApplication.sendEvent(panel.view.viewport(), event)
    wanted = panel.view.viewport().mapToGlobal(panel.view.visualRect(panel.view.currentIndex()).center())
    assert places == [wanted]


def test_the_conversation_in_front_is_the_only_one_selected_although_ctrl_is_held(open_panel):
    panel, _, _ = open_panel(*FEW)
    panel.set_current("a")
    window = panel.windowHandle()
    QTest.keyPress(window, Key.Key_Control, Qt.KeyboardModifier.ControlModifier)
    assert QApplication.keyboardModifiers() == Qt.KeyboardModifier.ControlModifier
    panel.set_current("b")
    QTest.keyRelease(window, Key.Key_Control)
    assert panel.view.selected_ids() == ("b",)


def test_a_new_conversation_in_front_is_the_selected_one_as_soon_as_it_is_listed(open_panel):
    panel, store, _ = open_panel(*FEW)
    panel.set_current("b")
    assert panel.view.selected_ids() == ("b",)
    panel.set_current("new")  # opened, and nothing said in it yet
    assert panel.view.selected_ids() == ()
    store.put(conversation("new", "A thought", ago=timedelta()))
    assert panel.view.selected_ids() == ("new",)
    store.put(conversation("other", "Of another window", ago=timedelta()))
    assert panel.view.selected_ids() == ("new",)
