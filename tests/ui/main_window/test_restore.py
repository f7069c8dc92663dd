"""The next start finds what the last one left: tabs, drafts, places, panels."""

import asyncio
import json

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QWidget

from agdesk.core.errors import StoreError
from agdesk.core.providers.scripted import text_answer
from agdesk.core.settings.window_state import PanelState, Rect, TabState, WindowState, read_window_state
from agdesk.ui.widgets.empty_state import EmptyState
from agdesk.ui.widgets.skeleton import Skeleton
from tests.ui.main_window.conftest import ask, end, until


async def restart(window, workspace, open_window):
    """Ends the window as its owner does and opens the next one over what is on the disk."""
    await window.finish()
    for page in window.desk.pages:
        if (session := workspace.sessions.get(page.session_id)) is not None:
            page.release()
            await workspace.close_session(session)
    for detached in window.desk.detached:
        detached.hide()
    window.hide()
    again, _, _ = await open_window(state=read_window_state(workspace.data_dir))
    return again


async def test_tabs_come_back_in_their_order_and_only_the_one_in_front_is_loaded(open_window):
    window, workspace, _ = await open_window(text_answer("eins"), text_answer("zwei"), text_answer("drei"))
    for number, text in enumerate(("one", "two", "three")):
        if number:
            window.open_tab()
        await ask(window, text)
    window.tabs.bar.moveTab(2, 0)
    window.tabs.go_to(1)
    ids = [page.session_id for page in window.tabs.pages]
    again = await restart(window, workspace, open_window)
    assert [page.session_id for page in again.tabs.pages] == ids
    assert [again.tabs.bar.tabText(index) for index in range(3)] == ["three", "one", "two"]
    assert again.tabs.current.session_id == ids[1]
    await until(lambda: again.current_tab is not None)
    assert list(workspace.sessions) == [ids[1]], "the others are not opened before they are shown"
    assert again.focusWidget() is again.current_tab.composer
    again.tabs.go_to(0)
    await until(lambda: again.current_tab is not None)
    assert again.current_tab.title == "three"
    await end(again, workspace)


async def test_what_was_written_and_not_sent_comes_back(open_window):
    window, workspace, _ = await open_window(text_answer("ok"))
    await ask(window, "hi")
    QTest.keyClicks(window.current_tab.composer, "and then")
    again = await restart(window, workspace, open_window)
    await until(lambda: again.tabs.current.draft == "and then")
    QTest.keyClicks(again.current_tab.composer, " what")
    assert again.tabs.current.draft == "and then what"
    await end(again, workspace)


async def test_a_draft_is_kept_while_one_writes_and_removed_when_it_is_sent(open_window):
    window, workspace, _ = await open_window(text_answer("ok"))
    page = window.tabs.current
    QTest.keyClicks(window.current_tab.composer, "hello")
    kept = ""
    for _ in range(2000):
        if (kept := await workspace.draft(page.session_id)) == "hello":
            break
        await asyncio.sleep(0.005)
    assert kept == "hello"
    await ask(window, " there")
    page.save_draft()
    assert await workspace.draft(page.session_id) == ""
    await end(window, workspace)


async def test_an_empty_tab_comes_back_as_the_same_conversation_with_its_model(open_window):
    window, workspace, _ = await open_window()
    window.current_tab.session.model_ref = "test/other"
    session_id = window.tabs.current.session_id
    again = await restart(window, workspace, open_window)
    assert again.current_tab is not None, "there is nothing to load"
    assert again.tabs.current.session_id == session_id == again.current_tab.session.id
    assert again.current_tab.session.model_ref == "test/other"
    await end(again, workspace)


async def test_a_conversation_nobody_knows_is_an_empty_one(open_window):
    state = WindowState(tabs=(TabState("gone"),), current="also-gone")
    window, workspace, _ = await open_window(state=state)
    assert window.current_tab.session.id == "gone"
    assert window.tabs.current.title == "New conversation"
    await end(window, workspace)


async def test_a_detached_tab_comes_back_detached_where_it_can_be_seen(open_window):
    window, workspace, _ = await open_window(text_answer("ok"))
    page = await ask(window, "hi")
    window.actions_registry["tab.detach"].trigger()
    window.desk.detached[0].setGeometry(60, 60, 500, 400)
    await window.finish()
    state = read_window_state(workspace.data_dir)
    assert state.tabs[-1] == TabState(page.session_id, "test/model", is_detached=True, geometry=Rect(60, 60, 500, 400))
    again = await restart(window, workspace, open_window)
    await until(lambda: again.desk.detached and again.desk.detached[0].isVisible())
    detached = again.desk.detached[0]
    assert QGuiApplication.primaryScreen().geometry().contains(detached.geometry())
    await until(lambda: detached.page.chat is not None)
    assert detached.windowTitle() == "hi"
    await end(again, workspace)


@pytest.mark.parametrize("geometry", [Rect(-9000, -9000, 600, 500), Rect(0, 0, 50_000, 50_000)])
async def test_a_window_on_a_screen_that_is_gone_comes_back_to_one_that_is_there(open_window, geometry):
    window, workspace, _ = await open_window(state=WindowState(geometry=geometry))
    area = QGuiApplication.primaryScreen().availableGeometry()
    assert area.adjusted(0, 0, 8, 8).contains(window.geometry()), "but for the frame that the platform adds"
    await end(window, workspace)


async def test_a_maximised_window_comes_back_maximised_and_keeps_its_normal_place(open_window):
    normal = Rect(40, 60, 700, 500)
    window, workspace, _ = await open_window(state=WindowState(geometry=normal, is_maximized=True))
    assert window.isMaximized()
    assert window.state().is_maximized
    await end(window, workspace)


async def test_panels_come_back_as_wide_as_they_were(open_window):
    state = WindowState(
        geometry=Rect(10, 40, 1000, 600),
        left_panel=PanelState(230, False),
        right_panel=PanelState(300, True),
        conversation_list='["x"]',
    )
    window, workspace, _ = await open_window(state=state)
    panels = window.panels
    assert panels.conversations.folded == '["x"]'
    assert not panels.splitter.is_folded("left")
    assert panels.inspector is None, "a folded panel is not even made"
    assert window.state().left_panel == PanelState(230, False)
    assert panels.conversations.width() == 230
    assert window.state().right_panel == PanelState(300, True)
    assert window.state().conversation_list == '["x"]'
    await end(window, workspace)


async def test_a_wide_panel_comes_back_as_wide_as_it_was(open_window):
    state = WindowState(
        geometry=Rect(0, 0, 780, 600), left_panel=PanelState(230, True), right_panel=PanelState(370, False)
    )
    window, workspace, _ = await open_window(state=state)
    await until(lambda: window.panels.inspector is not None and window.panels.inspector.isVisible())
    assert window.panels.inspector.width() == 370
    await end(window, workspace)


async def test_what_the_window_looks_like_is_written_when_there_is_space_again(open_window, caplog, monkeypatch):
    def refuse(folder, state):
        raise OSError("no space left")

    monkeypatch.setattr("agdesk.ui.main_window.state_keeper._AGAIN_MS", 20)
    with monkeypatch.context() as full:
        full.setattr("agdesk.ui.main_window.state_keeper.write_window_state", refuse)
        window, workspace, _ = await open_window()
        window.open_tab()
        await until(lambda: "no space left" in caplog.text)
    await until(lambda: len(read_window_state(workspace.data_dir).tabs) == 2)
    await end(window, workspace)


async def test_what_a_newer_agdesk_wrote_is_written_again(open_window):
    state = WindowState(tabs=(TabState("a", unknown={"color": "red"}),), unknown={"later": [1]})
    window, workspace, _ = await open_window(state=state)
    await end(window, workspace)
    document = json.loads((workspace.data_dir / "window.json").read_bytes())
    assert document["later"] == [1]
    assert document["tabs"][0]["color"] == "red"


async def test_a_change_is_on_the_disk_a_moment_later_without_an_end(open_window):
    window, workspace, _ = await open_window()
    window.open_tab()
    await until(lambda: len(read_window_state(workspace.data_dir).tabs) == 2)
    await end(window, workspace)


async def test_a_disk_that_takes_no_state_is_logged_and_stops_nothing(open_window, caplog, monkeypatch):
    def refuse(folder, state):
        raise OSError("no space left")

    monkeypatch.setattr("agdesk.ui.main_window.state_keeper.write_window_state", refuse)
    window, workspace, _ = await open_window()
    await end(window, workspace)
    assert "no space left" in caplog.text


async def test_a_conversation_that_takes_long_has_a_skeleton_and_then_the_keyboard(open_window, monkeypatch):
    window, workspace, _ = await open_window(text_answer("ok"))
    page = await ask(window, "hi")
    window.actions_registry["tab.close"].trigger()
    await until(lambda: not workspace.sessions.get(page.session_id))
    gate = asyncio.Event()
    real = workspace.open_conversation

    async def slow(conversation_id):
        await gate.wait()
        return await real(conversation_id)

    monkeypatch.setattr(workspace, "open_conversation", slow)
    window.open_conversation(page.session_id)
    assert window.tabs.current.chat is None
    skeleton = window.tabs.current.currentWidget()
    assert isinstance(skeleton, Skeleton)
    assert not skeleton.is_drawn, "what is quick does not flicker"
    await until(lambda: skeleton.is_drawn)
    gate.set()
    await until(lambda: window.current_tab is not None)
    assert window.focusWidget() is window.current_tab.composer
    await end(window, workspace)


async def test_a_tab_that_is_closed_while_it_loads_leaves_nothing_behind(open_window, monkeypatch):
    window, workspace, _ = await open_window(text_answer("ok"))
    page = await ask(window, "hi")
    window.actions_registry["tab.close"].trigger()
    await until(lambda: not workspace.sessions.get(page.session_id))

    async def never(conversation_id):
        await asyncio.Event().wait()

    monkeypatch.setattr(workspace, "open_conversation", never)
    window.open_conversation(page.session_id)
    loading = window.tabs.current.loading
    window.actions_registry["tab.close"].trigger()
    await until(loading.done)
    assert window.desk.find(page.session_id) is None
    await end(window, workspace)


async def test_a_conversation_that_cannot_be_read_says_why_and_is_tried_again(open_window, monkeypatch):
    window, workspace, _ = await open_window(text_answer("ok"))
    page = await ask(window, "hi")
    window.actions_registry["tab.close"].trigger()
    await until(lambda: not workspace.sessions.get(page.session_id))
    real = workspace.open_conversation

    async def fail(conversation_id):
        raise StoreError("The database is locked", "Close the other program.")

    monkeypatch.setattr(workspace, "open_conversation", fail)
    window.open_conversation(page.session_id)
    shown = window.tabs.current
    await until(lambda: isinstance(shown.currentWidget(), EmptyState))
    state = shown.currentWidget()
    assert window.focusWidget() is state.buttons[0]  # the keyboard has waited there
    assert "The database is locked" in " ".join(
        label.text() for label in state.findChildren(QWidget) if hasattr(label, "text")
    )
    assert window.tabs.bar.accessibleTabName(1).endswith("failed")
    monkeypatch.setattr(workspace, "open_conversation", real)
    QTest.mouseClick(state.buttons[0], Qt.MouseButton.LeftButton)
    await until(lambda: window.current_tab is not None)
    assert window.current_tab.title == "hi"
    await end(window, workspace)


async def test_thirty_tabs_are_there_without_loading_one(open_window):
    state = WindowState(tabs=tuple(TabState(f"s{number}") for number in range(30)), current="s29")
    window, workspace, _ = await open_window(state=state)
    assert window.tabs.count() == 30
    assert list(workspace.sessions) == ["s29"]
    await end(window, workspace)


async def test_who_writes_without_a_pause_loses_no_more_than_the_last_moment(open_window):
    window, workspace, _ = await open_window()
    page = window.tabs.current
    kept = ""
    for _ in range(3_000):
        QTest.keyClicks(window.current_tab.composer, "x")
        if kept := await workspace.draft(page.session_id):
            break
        await asyncio.sleep(0.005)
    assert kept, "nothing was kept while it was written"
    await end(window, workspace)


async def test_a_tab_that_is_closed_while_a_long_conversation_is_drawn_leaves_nothing_behind(open_window, monkeypatch):
    window, workspace, _ = await open_window(text_answer("ok"), text_answer("ok"))
    await ask(window, "hi")
    page = await ask(window, "and again")
    window.actions_registry["tab.close"].trigger()
    await until(lambda: not workspace.sessions.get(page.session_id))
    monkeypatch.setattr("agdesk.ui.main_window.page_loader._PIECE_RECORDS", 1)
    window.open_conversation(page.session_id)
    await until(lambda: workspace.sessions.get(page.session_id))
    loading = window.tabs.current.loading
    window.actions_registry["tab.close"].trigger()
    await until(lambda: loading.done() and not workspace.sessions.get(page.session_id))
    window.open_conversation(page.session_id)
    await until(lambda: window.current_tab is not None)
    assert len(window.current_tab.transcript._model.messages) == 4
    await end(window, workspace)
