"""CHAT10 in the window: Ctrl+F, F3, Esc, copying the conversation, and how code looks."""

from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

from agdesk.core.providers.scripted import text_answer
from agdesk.ui.widgets.code_look import CodeLook
from agdesk.ui.widgets.transcript.code_row import CodeWidget
from tests.ui.main_window.conftest import ask, end, until

ANSWER = "A needle in a **haystack**.\n\n```python\nneedle = 1\n```\n\nNo more needles."


async def shown(window, text):
    await ask(window, text)
    return window.current_tab


async def test_ctrl_f_finds_f3_goes_on_and_escape_returns_to_the_composer(qtbot, open_window):
    window, workspace, _ = await open_window(text_answer(ANSWER))
    chat = await shown(window, "where is the needle?")
    actions = window.actions_registry
    assert [actions.shortcut(f"chat.{name}") for name in ("find", "find_next", "find_previous")] == [
        "Ctrl+F",
        "F3",
        "Shift+F3",
    ]
    actions["chat.find"].trigger()
    bar = chat.reading.bar
    assert bar.isVisible()
    QTest.keyClicks(bar.field, "needle")
    await until(lambda: bar.count.text() == "1 of 4")
    actions["chat.find_next"].trigger()
    assert bar.count.text() == "2 of 4"
    actions["chat.find_previous"].trigger()
    actions["chat.find_previous"].trigger()
    assert bar.count.text() == "4 of 4"
    QTest.keyClick(bar.field, Qt.Key.Key_Escape)
    assert not bar.isVisible()
    assert QApplication.focusWidget() is chat.composer
    actions["chat.find_next"].trigger()
    assert bar.isVisible()
    await until(lambda: bar.count.text().endswith("of 4"))
    await end(window, workspace)


async def test_an_empty_conversation_has_nothing_to_find_or_copy(qtbot, open_window):
    window, workspace, _ = await open_window()
    QGuiApplication.clipboard().setText("before")
    window.actions_registry["chat.find"].trigger()
    window.actions_registry["chat.copy_markdown"].trigger()
    assert window.current_tab.reading.bar is None
    assert QGuiApplication.clipboard().text() == "before"
    await end(window, workspace)


async def test_the_conversation_is_copied_as_markdown(qtbot, open_window):
    window, workspace, _ = await open_window(text_answer(ANSWER))
    chat = await shown(window, "where?")
    window.actions_registry["chat.copy_markdown"].trigger()
    expected = f"## You\n\nwhere?\n\n## {chat.session.model_ref}\n\n{ANSWER}\n"
    assert QGuiApplication.clipboard().text() == expected
    await end(window, workspace)


async def test_how_code_looks_is_shown_at_once_and_in_new_conversations(qtbot, open_window):
    window, workspace, _ = await open_window(text_answer(ANSWER), text_answer(ANSWER))
    chat = await shown(window, "code?")
    (code,) = [widget for widget in chat.transcript.findChildren(CodeWidget) if widget.isVisible()]
    left = code.pane.x()
    window.set_code_look(CodeLook(is_wrapped=False, has_numbers=True))
    (code,) = [widget for widget in chat.transcript.findChildren(CodeWidget) if widget.isVisible()]
    assert code.pane.x() > left
    window.open_tab()
    chat = await shown(window, "more code?")
    (code,) = [widget for widget in chat.transcript.findChildren(CodeWidget) if widget.isVisible()]
    assert code.pane.x() > left
    await end(window, workspace)
