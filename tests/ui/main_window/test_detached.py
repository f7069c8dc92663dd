"""Conversations in windows of their own: streaming on, reached by the same keys, never lost."""

from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

from agdesk.core.providers.scripted import text_answer
from tests.ui.main_window.conftest import ENDLESS, ask, end, until
from tests.ui.main_window.stand_ins import CommandPalette

CONTROL, SHIFT = Qt.KeyboardModifier.ControlModifier, Qt.KeyboardModifier.ShiftModifier


async def detach(window):
    window.actions_registry["tab.detach"].trigger()
    detached = window.desk.detached[-1]
    await until(lambda: QApplication.activeWindow() is detached)
    return detached


async def test_a_tab_moves_into_a_window_by_its_key_and_the_main_window_keeps_one(open_window):
    window, workspace, _ = await open_window(text_answer("ok"))
    page = await ask(window, "hi")
    QTest.keyClick(window.current_tab.composer, Qt.Key.Key_D, CONTROL | SHIFT)
    (detached,) = window.desk.detached
    assert detached.page is page and page.isVisible()
    assert detached.windowTitle() == "hi"
    assert detached.focusWidget() is page.chat.composer
    assert window.tabs.count() == 1 and window.tabs.current is not page
    await end(window, workspace)


async def test_it_streams_on_while_it_moves_there_and_back(open_window):
    window, workspace, _ = await open_window(text_answer(*[f"word{number} " for number in range(300)], delay_s=0.002))
    page = await ask(window, "go", is_endless=True)
    detached = await detach(window)
    assert page.activity == "busy"
    QTest.mouseClick(detached.return_button, Qt.MouseButton.LeftButton)
    assert window.desk.detached == []
    assert window.tabs.current is page and page.isVisible()
    await until(lambda: page.activity == "idle")
    assert page.chat.session.records is not None
    assert page.chat.status_line.text().startswith("Done")
    await end(window, workspace)


async def test_its_model_is_chosen_over_it_by_the_same_key(open_window):
    window, workspace, _ = await open_window(text_answer("ok"))
    page = await ask(window, "hi")
    detached = await detach(window)
    QTest.keyClick(page.chat.composer, Qt.Key.Key_M, CONTROL | SHIFT)
    field = detached.focusWidget()
    assert field is not page.chat.composer and field.window() is detached
    QTest.keyClicks(field, "test/other")
    QTest.keyClick(field, Qt.Key.Key_Return)
    await until(lambda: page.chat.session.model_ref == "test/other")
    assert detached.focusWidget() is page.chat.composer
    await end(window, workspace)


async def test_closing_it_gives_the_tab_back(open_window):
    window, workspace, _ = await open_window(text_answer("ok"))
    page = await ask(window, "hi")
    detached = await detach(window)
    detached.close()
    assert window.tabs.current is page
    assert not detached.isVisible()
    assert window.focusWidget() is page.chat.composer
    await detach(window)
    QTest.keyClick(page.chat.composer, Qt.Key.Key_W, CONTROL)
    assert window.tabs.current is page, "the key that closes a tab closes no conversation here"
    await end(window, workspace)


async def test_the_keys_act_on_the_window_one_is_in(open_window):
    window, workspace, provider = await open_window(ENDLESS, ENDLESS)
    page = await ask(window, "one", is_endless=True)
    detached = await detach(window)
    other = window.tabs.current
    other.chat.send("two")
    await until(lambda: provider.open_count == 2)
    QTest.keyClick(page.chat.composer, Qt.Key.Key_Escape)
    await until(lambda: page.activity == "idle")
    assert other.activity == "busy", "Esc stopped the answer in front of the user only"
    scales = []
    window.scale_chosen.connect(scales.append)
    QTest.keyClick(page.chat.composer, Qt.Key.Key_Plus, CONTROL)
    assert len(scales) == 1
    detached.return_button.setFocus()
    QTest.keyClick(detached.return_button, Qt.Key.Key_L, CONTROL)
    assert detached.focusWidget() is page.chat.composer
    window.activateWindow()
    await until(lambda: QApplication.activeWindow() is window)
    QTest.keyClick(other.chat.composer, Qt.Key.Key_Escape)
    await until(lambda: other.activity == "idle")
    await end(window, workspace)


async def test_the_palette_opens_over_the_window_one_is_in(open_window):
    window, workspace, _ = await open_window()
    detached = await detach(window)
    QTest.keyClick(detached.page.chat.composer, Qt.Key.Key_K, CONTROL)
    (palette,) = detached.findChildren(CommandPalette)
    assert palette.isVisible()
    palette.close()
    await end(window, workspace)


async def test_tabs_of_the_main_window_are_not_switched_from_a_detached_one(open_window):
    window, workspace, _ = await open_window()
    window.open_tab(), window.open_tab()
    detached = await detach(window)
    in_front = window.tabs.current
    for key, modifiers in ((Qt.Key.Key_Tab, CONTROL), (Qt.Key.Key_1, CONTROL), (Qt.Key.Key_B, CONTROL)):
        QTest.keyClick(detached.page.chat.composer, key, modifiers)
    assert window.tabs.current is in_front
    assert window.panels.splitter.is_folded("left")
    await end(window, workspace)


async def test_a_conversation_that_is_open_there_is_brought_to_the_front_there(open_window):
    window, workspace, _ = await open_window(text_answer("ok"))
    page = await ask(window, "hi")
    detached = await detach(window)
    window.activateWindow()
    await until(lambda: QApplication.activeWindow() is window)
    window.open_conversation(page.session_id)
    await until(lambda: QApplication.activeWindow() is detached)
    assert window.tabs.count() == 1
    await end(window, workspace)


async def test_a_deleted_conversation_takes_its_window_along(open_window):
    window, workspace, _ = await open_window(text_answer("ok"))
    page = await ask(window, "hi")
    detached = await detach(window)
    workspace.conversations.delete(page.session_id)
    assert window.desk.detached == []
    assert not detached.isVisible()
    await end(window, workspace)


async def test_the_last_answer_of_a_hidden_tab_is_unread_and_of_a_detached_one_is_seen(open_window):
    window, workspace, _ = await open_window(text_answer("ok", delay_s=0.02))
    page = await ask(window, "hi", is_endless=True)
    await detach(window)
    await until(lambda: page.activity != "busy")
    assert page.activity == "idle"
    await end(window, workspace)
