"""Tabs: opened, moved, closed and reopened, with signs for what they do."""

import asyncio

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QMenu

from agdesk.core.providers.scripted import text_answer
from tests.ui.main_window.conftest import ENDLESS, REFUSED, ask, end, until


def run(window, action_id):
    window.actions_registry[action_id].trigger()


def titles(window):
    return [window.tabs.bar.tabText(index) for index in range(window.tabs.bar.count())]


async def test_a_new_tab_is_in_front_with_the_model_of_the_last_one(open_window):
    window, workspace, _ = await open_window()
    window.current_tab.session.model_ref = "test/other"
    run(window, "tab.new")
    assert window.tabs.count() == 2
    assert window.current_tab.session.model_ref == "test/other"
    assert window.focusWidget() is window.current_tab.composer
    await end(window, workspace)


async def test_tabs_are_reached_by_keys(open_window):
    window, workspace, _ = await open_window()
    first = window.current_tab
    second, third = window.open_tab(), window.open_tab()
    control, shift = Qt.KeyboardModifier.ControlModifier, Qt.KeyboardModifier.ShiftModifier
    for key, modifiers, expected in (
        (Qt.Key.Key_Tab, control, first),
        (Qt.Key.Key_Tab, control | shift, third),
        (Qt.Key.Key_2, control, second),
        (Qt.Key.Key_9, control, second),  # there is none
        (Qt.Key.Key_1, control, first),
    ):
        QTest.keyClick(window.focusWidget(), key, modifiers)
        assert window.current_tab is expected
        assert window.focusWidget() is expected.composer
    await end(window, workspace)


async def test_a_tab_is_dragged_to_another_place_and_its_page_goes_with_it(open_window):
    window, workspace, _ = await open_window()
    first = window.tabs.current
    window.open_tab()
    second = window.tabs.current
    window.tabs.bar.moveTab(1, 0)
    assert window.tabs.pages == (second, first)
    window.tabs.go_to(1)
    assert window.tabs.current is first
    assert window.tabs.stack.currentWidget() is first
    await end(window, workspace)


async def test_a_tab_is_closed_by_its_button_and_by_the_middle_mouse_button(open_window):
    window, workspace, _ = await open_window()
    first = window.tabs.current
    window.open_tab(), window.open_tab()
    bar = window.tabs.bar
    button = bar.tabButton(1, bar.ButtonPosition.RightSide)
    assert button.accessibleName() == "Close this conversation"
    QTest.mouseClick(button, Qt.MouseButton.LeftButton)
    assert window.tabs.count() == 2
    QTest.mouseClick(bar, Qt.MouseButton.MiddleButton, pos=bar.tabRect(1).center())
    assert window.tabs.pages == (first,)
    await end(window, workspace)


async def test_an_empty_tab_goes_without_a_word(open_window):
    window, workspace, _ = await open_window()
    run(window, "tab.new")
    run(window, "tab.close")
    assert window.notices.toast is None
    run(window, "tab.reopen")
    assert window.tabs.count() == 1
    await end(window, workspace)


async def test_a_closed_conversation_comes_back_where_it_was_with_what_was_in_it(open_window):
    window, workspace, provider = await open_window(text_answer("Bonjour"), text_answer("encore"))
    page = await ask(window, "Say hello")
    window.open_tab()
    QTest.keyClicks(window.tabs.pages[0].chat.composer, "a draft")
    window.tabs.go_to(0)
    run(window, "tab.close")
    assert titles(window) == ["New conversation"]
    toast = window.notices.toast
    assert toast.isVisible()
    assert toast.label.text() == "Closed “Say hello”"
    QTest.mouseClick(toast.action_button, Qt.MouseButton.LeftButton)
    assert not toast.isVisible()
    assert titles(window) == ["Say hello", "New conversation"]
    again = window.tabs.current
    assert again is not page and again.session_id == page.session_id
    await until(lambda: again.draft == "a draft")
    again.chat.composer.clear()
    await ask(window, "And again")
    assert len(provider.requests) == 2
    await end(window, workspace)


async def test_a_draft_that_was_never_sent_is_worth_an_undo(open_window):
    window, workspace, _ = await open_window()
    session_id = window.tabs.current.session_id
    QTest.keyClicks(window.current_tab.composer, "not sent yet")
    run(window, "tab.close")
    assert window.tabs.current.session_id != session_id
    run(window, "tab.reopen")
    assert window.tabs.current.session_id == session_id
    await until(lambda: window.tabs.current.draft == "not sent yet")
    await end(window, workspace)


async def test_closing_a_tab_that_answers_stops_it_and_says_so(open_window):
    window, workspace, provider = await open_window(ENDLESS)
    page = await ask(window, "go", is_endless=True)
    run(window, "tab.close")
    assert "stopped its answer; what had arrived is kept" in window.notices.toast.label.text()
    await until(lambda: provider.open_count == 0)
    window.notices.undo()
    await until(lambda: window.current_tab is not None)
    assert window.tabs.current.session_id == page.session_id
    assert not window.current_tab.session.is_running
    await end(window, workspace)


async def test_a_tab_that_is_reopened_at_once_waits_for_its_end(open_window):
    window, workspace, _ = await open_window(ENDLESS)
    await ask(window, "go", is_endless=True)
    run(window, "tab.close")
    run(window, "tab.reopen")
    await until(lambda: window.current_tab is not None)
    assert list(workspace.sessions).count(window.tabs.current.session_id) == 1
    assert window.tabs.current.title == "go"
    await end(window, workspace)


async def test_ten_closed_tabs_are_remembered_the_newest_first(open_window):
    window, workspace, _ = await open_window()
    for number in range(12):
        window.open_tab().composer.setPlainText(f"draft {number}")
    ids = [page.session_id for page in window.tabs.pages][1:]
    for _ in ids:
        window.tabs.go_to(window.tabs.count() - 1)
        run(window, "tab.close")
    for _ in range(13):
        run(window, "tab.reopen")
    assert [page.session_id for page in window.tabs.pages][1:] == ids[:10]
    await end(window, workspace)


async def test_a_tab_tells_what_its_conversation_does(open_window):
    window, workspace, _ = await open_window(ENDLESS, text_answer("ok"), (REFUSED,))
    bar = window.tabs.bar
    await ask(window, "one", is_endless=True)
    assert bar.accessibleTabName(0) == "one, answering"
    assert not bar.tabIcon(0).isNull()
    for number, text, told in ((1, "two", "new answer"), (2, "three", "failed")):
        chat = window.open_tab()
        chat.send(text)
        window.tabs.go_to(0)
        await until(lambda number=number, told=told: bar.accessibleTabName(number).endswith(told))
        assert told in bar.tabToolTip(number)
        window.tabs.go_to(number)
        assert bar.accessibleTabName(number) == text, "it has been seen"
        assert bar.tabIcon(number).isNull()
    await end(window, workspace)


async def test_an_answer_that_ends_before_the_eyes_of_the_user_leaves_no_sign(open_window):
    window, workspace, _ = await open_window(text_answer("ok"))
    page = await ask(window, "hi")
    assert page.activity == "idle"
    await end(window, workspace)


async def test_a_conversation_is_open_once(open_window):
    window, workspace, _ = await open_window(text_answer("ok"))
    page = await ask(window, "hi")
    window.open_tab()
    window.open_conversation(page.session_id)
    assert window.tabs.count() == 2
    assert window.tabs.current is page
    await end(window, workspace)


async def test_a_title_with_an_ampersand_and_markup_stands_as_it_is(open_window):
    window, workspace, _ = await open_window(text_answer("ok"))
    await ask(window, "cats & <b>dogs</b>")
    assert titles(window) == ["cats && <b>dogs</b>"]
    assert "&lt;b&gt;dogs" in window.tabs.bar.tabToolTip(0)
    await end(window, workspace)


async def test_thirty_tabs_stay_readable_and_are_listed(open_window):
    window, workspace, _ = await open_window()
    assert not window.top_bar.list_button.isVisible()
    for _ in range(29):
        window.open_tab()
    bar = window.tabs.bar
    assert window.width() == 900, "the window has not grown with its tabs"
    assert min(bar.tabRect(index).width() for index in range(30)) >= 100
    assert bar.tabRect(29).right() <= bar.width(), "the one in front is in sight"
    button = window.top_bar.list_button
    assert (button.isVisible(), button.text()) == (True, "30")
    button.menu().aboutToShow.emit()
    entries = button.menu().actions()
    assert len(entries) == 30
    entries[3].trigger()
    assert window.tabs.current is window.tabs.pages[3]
    await end(window, workspace)


async def test_the_menu_of_a_tab_acts_on_that_tab(open_window, monkeypatch):
    window, workspace, _ = await open_window()
    first = window.tabs.current
    window.open_tab()
    shown = []
    monkeypatch.setattr(QMenu, "popup", lambda menu, there: shown.append(menu))
    window.tabs.bar.menu_requested.emit(0, QPoint(0, 0))
    assert window.tabs.current is first
    assert window.actions_registry["tab.detach"] in shown[0].actions()
    await end(window, workspace)


@pytest.mark.parametrize("way", ["action", "list"])
async def test_a_deleted_conversation_leaves_its_tab_and_undo_brings_both_back(open_window, way):
    window, workspace, _ = await open_window(text_answer("ok"))
    page = await ask(window, "hi")
    if way == "action":
        run(window, "conversation.delete")
        assert window.notices.toast.label.text() == "Deleted “hi”"
        undo = window.notices.undo
    else:
        workspace.conversations.delete(page.session_id)

        def undo():
            workspace.conversations.restore(page.session_id)

    assert window.desk.find(page.session_id) is None
    assert window.tabs.count() == 1, "an empty one stands in its place"
    run(window, "tab.reopen")
    assert window.desk.find(page.session_id) is None, "what is deleted is not reopened"
    await asyncio.sleep(0)
    undo()
    assert titles(window)[0] == "hi"
    await until(lambda: window.current_tab is not None)
    await end(window, workspace)


async def test_a_conversation_that_is_renamed_in_the_list_is_renamed_on_its_tab(open_window):
    window, workspace, _ = await open_window(text_answer("ok"))
    page = await ask(window, "hi")
    workspace.conversations.rename(page.session_id, "Greetings")
    assert titles(window) == ["Greetings"]
    await end(window, workspace)


async def test_dropping_focus_on_the_bar_lets_one_walk_along_the_tabs(open_window):
    window, workspace, _ = await open_window()
    window.open_tab(), window.open_tab()
    bar = window.tabs.bar
    bar.setFocus()
    QTest.keyClick(bar, Qt.Key.Key_Left)
    QTest.keyClick(bar, Qt.Key.Key_Left)
    assert bar.currentIndex() == 0
    assert QApplication.focusWidget() is bar
    await end(window, workspace)


async def test_a_tab_is_moved_by_key_and_stays_in_front(open_window):
    window, workspace, _ = await open_window()
    window.open_tab()
    window.open_tab()
    first, second, third = window.tabs.pages
    shift = Qt.KeyboardModifier.ControlModifier | Qt.KeyboardModifier.ShiftModifier
    for key, expected in (
        (Qt.Key.Key_PageUp, (first, third, second)),
        (Qt.Key.Key_PageUp, (third, first, second)),
        (Qt.Key.Key_PageUp, (third, first, second)),
        (Qt.Key.Key_PageDown, (first, third, second)),
    ):
        QTest.keyClick(window.focusWidget(), key, shift)
        assert window.tabs.pages == expected
        assert window.tabs.current is third
        assert window.focusWidget() is window.current_tab.composer
    await end(window, workspace)
