"""Which tools a conversation offers, chosen in its window (TOOL1, TOOL3)."""

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QFileDialog

from agdesk.core.ir.request import ResultSemantic
from agdesk.core.ir.tool_selection import ToolSelection
from agdesk.core.providers.base import ProviderFeatures
from agdesk.core.providers.scripted import Pause, text_answer
from agdesk.ui.main_window import MainWindow
from agdesk.ui.theme import apply_theme
from tests.fakes.workspace import scripted_workspace
from tests.ui.main_window import stand_ins
from tests.ui.main_window.conftest import until

SLOW = (*text_answer("half")[:-1], Pause(600))


@pytest.fixture
def open_window(qapp, tmp_path, monkeypatch):
    stand_ins.install(monkeypatch)
    apply_theme(qapp, "light")
    windows = []

    async def open_it(*scripts):
        workspace, provider = scripted_workspace(tmp_path, *scripts, features=ProviderFeatures(tool_use=True))
        window = MainWindow(workspace)
        windows.append(window)
        window.resize(900, 700)
        window.show()
        window.activateWindow()
        await until(lambda: window.current_tab is not None)
        return window, workspace, provider

    yield open_it
    for window in windows:
        window.hide()


async def opened(window):
    """The sheet, once it shows the tools."""
    window.actions_registry["chat.tools"].trigger()
    control = window.current_tab.tools
    await until(lambda: control.sheet is not None and control.sheet.rows)
    return control.sheet


async def close(window, workspace):
    await window.finish()
    await workspace.aclose()


async def test_tools_are_switched_on_one_by_one_and_offered_with_the_next_message(open_window, tmp_path):
    window, workspace, provider = await open_window(text_answer("fine"))
    chat = window.current_tab
    assert chat.session.tools == ToolSelection()
    sheet = await opened(window)
    QTest.mouseClick(sheet.rows["current_time"].box, Qt.MouseButton.LeftButton)
    QTest.mouseClick(sheet.rows["read_file"], Qt.MouseButton.LeftButton)
    assert chat.session.tools.names == ("current_time", "read_file")
    await until(lambda: not sheet.folder_warning.isHidden())
    assert "read_file" in sheet.folder_warning.text()
    chat.session.tools = ToolSelection(chat.session.tools.names, str(tmp_path))
    await until(lambda: sheet.folder_warning.isHidden())
    assert "2" in chat.tools.button.accessibleName()
    sheet.close()
    chat.send("hello")
    await until(lambda: len(provider.requests) == 1 and not chat.session.is_running)
    assert [tool.name for tool in provider.requests[0].tools] == ["read_file", "current_time"]
    await close(window, workspace)


async def test_all_that_only_read_and_none(open_window):
    window, workspace, _ = await open_window()
    session = window.current_tab.session
    sheet = await opened(window)
    QTest.mouseClick(sheet.reading_button, Qt.MouseButton.LeftButton)
    definitions = {tool.name: tool for tool in await workspace.tool_definitions()}
    assert session.tools.names
    assert {definitions[name].result_semantic for name in session.tools.names} == {ResultSemantic.FACTUAL}
    QTest.mouseClick(sheet.none_button, Qt.MouseButton.LeftButton)
    assert session.tools.names == ()
    sheet.close()
    await close(window, workspace)


async def test_a_folder_that_is_gone_is_said(open_window, tmp_path):
    window, workspace, _ = await open_window()
    window.current_tab.session.tools = ToolSelection(("read_file",), str(tmp_path / "gone"))
    sheet = await opened(window)
    await until(lambda: "no longer there" in sheet.folder_warning.text())
    sheet.close()
    await close(window, workspace)


async def test_the_folder_is_chosen_in_a_dialog_that_does_not_hold_the_program(open_window, tmp_path):
    window, workspace, _ = await open_window()
    window.actions_registry["chat.tools_folder"].trigger()
    (dialog,) = window.findChildren(QFileDialog)
    dialog.fileSelected.emit(str(tmp_path))
    dialog.close()
    assert window.current_tab.session.tools.folder == str(tmp_path)
    await close(window, workspace)


async def test_while_an_answer_runs_a_change_is_for_the_next_turn(open_window):
    window, workspace, _ = await open_window(SLOW)
    window.current_tab.send("hello")
    await until(lambda: window.current_tab.session.is_running)
    sheet = await opened(window)
    await until(lambda: not sheet.turn_note.isHidden())
    window.current_tab.stop()
    await until(lambda: sheet.turn_note.isHidden())
    sheet.close()
    await close(window, workspace)


async def test_what_a_model_would_receive_has_the_tools(open_window):
    window, workspace, _ = await open_window()
    session = window.current_tab.session
    session.tools = ToolSelection(("current_time",))
    assert session.must_learn_tools
    await session.learn_tools()
    assert [tool.name for tool in session.next_request("model", "hi").tools] == ["current_time"]
    await close(window, workspace)
