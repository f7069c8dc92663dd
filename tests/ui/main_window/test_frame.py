"""Panels, banners, the undo of a toast, the menu and where the keyboard is."""

import asyncio

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QAccessible
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QInputDialog, QMenu, QWidget

from agdesk.core.providers.scripted import text_answer
from agdesk.core.workspace import StoreState
from agdesk.ui.theme import apply_theme
from tests.ui.main_window.conftest import ENDLESS, REFUSED, ask, end, until
from tests.ui.main_window.stand_ins import CommandPalette, SettingsDialog, ShortcutPage

CONTROL, SHIFT = Qt.KeyboardModifier.ControlModifier, Qt.KeyboardModifier.ShiftModifier


@pytest.mark.parametrize(("width", "is_open"), [(999, False), (1000, True)])
async def test_at_the_first_start_the_list_is_open_where_there_is_room(open_window, width, is_open):
    window, workspace, _ = await open_window(width=width)
    assert window.panels.splitter.is_folded("left") != is_open
    assert window.panels.splitter.is_folded("right")
    assert window.actions_registry["panel.conversations"].isChecked() == is_open
    await end(window, workspace)


async def test_panels_fold_by_key_and_the_keyboard_stays_where_one_writes(open_window):
    window, workspace, _ = await open_window()
    composer = window.current_tab.composer
    for key, side in ((Qt.Key.Key_B, "left"), (Qt.Key.Key_J, "right")):
        QTest.keyClick(composer, key, CONTROL)
        assert not window.panels.splitter.is_folded(side)
        assert window.focusWidget() is composer
        QTest.keyClick(composer, key, CONTROL)
        assert window.panels.splitter.is_folded(side)
        assert window.focusWidget() is composer
    await end(window, workspace)


async def test_a_panel_that_is_unfolded_again_is_as_wide_as_before(open_window):
    window, workspace, _ = await open_window(width=1200)
    splitter = window.panels.splitter
    await asyncio.sleep(0)
    splitter.moveSplitter(300, 1)
    window.actions_registry["panel.conversations"].trigger()
    window.actions_registry["panel.conversations"].trigger()
    assert window.panels.conversations.width() == 300
    await end(window, workspace)


async def test_both_panels_leave_room_for_the_conversation_at_900_pixels(open_window):
    window, workspace, _ = await open_window(width=900)
    window.actions_registry["panel.conversations"].trigger()
    window.actions_registry["panel.inspector"].trigger()
    await asyncio.sleep(0)
    assert window.tabs.stack.width() >= 320
    assert window.width() <= 900
    await end(window, workspace)


async def test_the_panels_follow_the_tab_in_front(open_window):
    window, workspace, _ = await open_window(ENDLESS, width=1200)
    window.actions_registry["panel.inspector"].trigger()
    panels = window.panels
    page = await ask(window, "go", is_endless=True)
    assert panels.conversations.current == page.session_id
    assert panels.conversations.busy == {page.session_id}
    assert panels.inspector.session is page.chat.session
    panels.conversations.new_requested.emit()
    assert panels.conversations.current == window.tabs.current.session_id != page.session_id
    assert panels.inspector.session is window.current_tab.session
    panels.conversations.open_requested.emit(page.session_id)
    assert window.tabs.current is page
    page.chat.stop()
    await until(lambda: panels.conversations.busy == frozenset())
    await end(window, workspace)


async def test_an_undo_that_the_list_offers_is_a_toast(open_window):
    window, workspace, _ = await open_window(width=1200)
    undone = []
    window.panels.conversations.undo_offered.emit("Deleted 3 conversations", lambda: undone.append(True))
    toast = window.notices.toast
    assert toast.label.text() == "Deleted 3 conversations"
    top = window.current_tab.composer.mapTo(window.centralWidget(), window.current_tab.composer.rect().topLeft()).y()
    assert toast.geometry().bottom() < top, "it does not cover the composer"
    window.actions_registry["undo.last"].trigger()
    assert undone == [True]
    assert not toast.isVisible()
    assert not window.actions_registry["undo.last"].isEnabled(), "once"
    await end(window, workspace)


async def test_ctrl_z_belongs_to_the_field_that_has_the_keyboard(open_window):
    window, workspace, _ = await open_window()
    composer, undone = window.current_tab.composer, []
    QTest.keyClicks(composer, "x")
    window.notices.offer_undo("Deleted", lambda: undone.append(True))
    QTest.keyClick(composer, Qt.Key.Key_Z, CONTROL)
    assert (composer.toPlainText(), undone) == ("", [])
    window.top_bar.search_button.setFocus()
    QTest.keyClick(window.top_bar.search_button, Qt.Key.Key_Z, CONTROL)
    assert undone == [True]
    await end(window, workspace)


async def test_search_unfolds_the_list_and_goes_into_its_field(open_window):
    window, workspace, _ = await open_window()
    QTest.keyClick(window.current_tab.composer, Qt.Key.Key_F, CONTROL | SHIFT)
    assert not window.panels.splitter.is_folded("left")
    assert window.focusWidget() is window.panels.conversations.search
    await end(window, workspace)


async def test_a_full_disk_is_a_banner_until_it_is_not(open_window):
    window, workspace, _ = await open_window()
    tried = []
    workspace.try_store_again = lambda: tried.append(True)
    workspace.store_states.emit(StoreState("full", "The disk is full", "Free some space."))
    (banner,) = window.notices.banners.values()
    assert banner.isVisible() and not banner.close_button.isVisible()
    assert banner.label.text() == "The disk is full. Free some space."
    QTest.mouseClick(banner.action_button, Qt.MouseButton.LeftButton)
    assert tried == [True]
    workspace.store_states.emit(StoreState())
    assert not banner.isVisible()
    await end(window, workspace)


async def test_a_problem_is_shown_once_and_put_away_by_the_user(open_window):
    window, workspace, _ = await open_window()
    window.show_problem("settings.toml is broken", "Correct it.")
    window.show_problem("settings.toml is broken", "Correct it.")
    window.show_problem("Another thing", "")
    assert [b.label.text() for b in window.notices.banners.values()] == [
        "settings.toml is broken. Correct it.",
        "Another thing",
    ]
    for banner in window.notices.banners.values():
        QTest.mouseClick(banner.close_button, Qt.MouseButton.LeftButton)
        assert not banner.isVisible()
    await end(window, workspace)


async def test_palette_and_settings_open_by_key_and_are_made_then(open_window):
    window, workspace, _ = await open_window()
    assert window.findChildren(CommandPalette) == window.findChildren(SettingsDialog) == []
    QTest.keyClick(window.current_tab.composer, Qt.Key.Key_K, CONTROL)
    (palette,) = window.findChildren(CommandPalette)
    assert palette.registry is window.actions_registry
    palette.close()
    window.activateWindow()
    await until(lambda: QApplication.activeWindow() is window)
    QTest.mouseClick(window.top_bar.search_button, Qt.MouseButton.LeftButton)
    assert window.findChildren(CommandPalette) == [palette] and palette.isVisible()
    window.open_settings("providers")
    window.actions_registry["settings.open"].trigger()
    (settings,) = window.findChildren(SettingsDialog)
    assert settings.isVisible() and settings.page == "providers"
    settings.setGeometry(30, 40, 400, 300)
    settings.close()
    assert window.state().settings_geometry is not None
    assert (window.state().settings_geometry.width, window.state().settings_geometry.height) == (400, 300)
    await end(window, workspace)


async def test_conversations_are_found_in_the_palette(open_window):
    window, workspace, _ = await open_window(text_answer("ok"))
    page = await ask(window, "hi")
    window.open_tab()
    window.actions_registry["palette.open"].trigger()
    (palette,) = window.findChildren(CommandPalette)
    *_, source = palette.sources
    assert source("") == (), "the actions stand alone before something is typed"
    (entry,) = source("h")
    assert entry.text == "hi"
    entry.run()
    assert window.tabs.current is page
    workspace.conversations.rename(page.session_id, "Greetings")
    assert [found.text for found in source("h")] == ["Greetings"]
    palette.close()
    await end(window, workspace)


async def test_an_answer_that_ended_is_told_to_the_owner_unless_it_was_stopped(open_window):
    window, workspace, _ = await open_window(text_answer("Bonjour"), (REFUSED,), ENDLESS)
    told = []
    window.answer_ended.connect(lambda title, text: told.append((title, text)))
    await ask(window, "hi")
    page = await ask(window, "again")
    await ask(window, "and again", is_endless=True)
    page.chat.stop()
    await until(lambda: page.activity == "idle")
    assert told == [("hi", "Bonjour"), ("hi", "The key was refused")]
    await end(window, workspace)


async def test_a_minimised_window_comes_to_the_front(open_window):
    window, workspace, _ = await open_window()
    window.showMinimized()
    window.come_to_front()
    assert not window.isMinimized()
    await until(lambda: QApplication.activeWindow() is window)
    await end(window, workspace)


async def test_a_chosen_shortcut_is_kept(open_window):
    window, workspace, _ = await open_window()
    kept = []

    async def change(changes):
        kept.append(changes)

    workspace.change_settings = change
    window.open_settings()
    (page,) = window.findChildren(ShortcutPage)
    page.shortcut_chosen.emit("chat.rename", "F2")
    page.shortcut_chosen.emit("chat.rename", "")
    page.shortcut_reset.emit("chat.rename")
    await until(lambda: len(kept) == 3)
    keys = [change["shortcuts.chat.rename"] for change in kept]
    assert keys == ["F2", "", None], "no keys are a choice too, and the default has no entry"
    await end(window, workspace)


async def test_a_conversation_is_renamed(open_window):
    window, workspace, _ = await open_window(text_answer("ok"))
    page = await ask(window, "hi")
    window.actions_registry["chat.rename"].trigger()
    (dialog,) = window.findChildren(QInputDialog)
    assert dialog.textValue() == "hi"
    dialog.setTextValue("  Greetings ")
    dialog.accept()
    assert workspace.conversations.get(page.session_id).title == "Greetings"
    assert window.tabs.bar.tabText(0) == "Greetings"
    await end(window, workspace)


async def test_the_theme_in_force_is_ticked(open_window, qapp):
    window, workspace, _ = await open_window()
    chosen = []
    window.theme_chosen.connect(chosen.append)
    assert window.actions_registry["view.theme_light"].isChecked()
    window.actions_registry["view.theme_dark"].trigger()
    assert chosen == ["dark"]
    apply_theme(qapp, "system")
    ticked = [mode for mode in ("system", "light", "dark") if window.actions_registry[f"view.theme_{mode}"].isChecked()]
    assert ticked == ["system"]
    apply_theme(qapp, "light")
    await end(window, workspace)


async def test_what_the_owner_does_is_asked_of_it(open_window):
    window, workspace, _ = await open_window()
    asked = []
    window.log_requested.connect(lambda: asked.append("log"))
    window.diagnostics_requested.connect(lambda: asked.append("diagnostics"))
    window.close_requested.connect(lambda: asked.append("quit"))
    for action_id in ("log.show", "diagnostics.copy", "app.quit"):
        window.actions_registry[action_id].trigger()
    assert asked == ["log", "diagnostics", "quit"]
    await end(window, workspace)


async def test_every_action_is_in_the_menu_and_no_two_share_a_key(open_window):
    window, workspace, _ = await open_window()
    menu = window.top_bar.menu_button.menu()
    for _ in range(2):  # it is filled anew each time
        menu.aboutToShow.emit()
    menus = [menu, *menu.findChildren(QMenu)]
    ids = [action.objectName() for part in menus for action in part.actions() if action.objectName()]
    expected = {action.objectName() for action in window.actions_registry}
    assert set(ids) == {action_id for action_id in expected if not action_id.startswith("tab.go_")}
    assert len(ids) == len(set(ids))
    keys = [action.shortcut().toString() for action in window.actions_registry if not action.shortcut().isEmpty()]
    assert len(keys) == len(set(keys))
    await end(window, workspace)


async def test_every_control_that_takes_the_keyboard_has_a_name(open_window):
    window, workspace, _ = await open_window(text_answer("ok"), width=1200)
    await ask(window, "hi")
    window.actions_registry["panel.inspector"].trigger()
    window.show_problem("x", "y")
    window.notices.offer_undo("Deleted", lambda: None)
    window.open_tab()
    window.actions_registry["tab.detach"].trigger()
    nameless = []
    for top in (window, *window.desk.detached):
        for widget in top.findChildren(QWidget):
            if widget.focusPolicy() == Qt.FocusPolicy.NoFocus or not widget.isVisible():
                continue
            if not QAccessible.queryAccessibleInterface(widget).text(QAccessible.Text.Name):
                nameless.append(f"{type(widget).__name__} in {type(widget.parent()).__name__}")
    assert nameless == []
    await end(window, workspace)


async def test_a_panel_is_made_wider_and_narrower_without_the_mouse(open_window):
    window, workspace, _ = await open_window(width=1200)
    splitter = window.panels.splitter
    told = []
    splitter.changed.connect(lambda: told.append(True))
    for side, name in (("left", "left"), ("right", "right")):
        splitter.set_folded(side, True)
        before = splitter.panel_width(side)
        window.actions_registry[f"panel.{name}_wider"].trigger()
        assert not splitter.is_folded(side) and told.pop()
        assert splitter.panel_width(side) > before
        window.actions_registry[f"panel.{name}_narrower"].trigger()
        assert splitter.panel_width(side) == before
        for _ in range(30):
            window.actions_registry[f"panel.{name}_wider"].trigger()
        widest = splitter.panel_width(side)
        assert widest <= splitter.width() // 2
        window.actions_registry[f"panel.{name}_narrower"].trigger()
        assert splitter.panel_width(side) < widest, "the first step back is seen"
        splitter.set_folded(side, True)
    await end(window, workspace)
