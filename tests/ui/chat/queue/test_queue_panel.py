"""CHAT6 as a user has it: messages that wait above the composer, edited, moved, removed and paused there."""

import pytest
from PySide6.QtCore import QEvent, QPoint, QPointF, Qt
from PySide6.QtGui import QMouseEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QPlainTextEdit

from agdesk.core.errors import ErrorCategory, ProviderRejection
from agdesk.core.providers.scripted import Pause, text_answer
from agdesk.ui.chat.queue.view import VISIBLE_ROWS
from agdesk.ui.main_window import MainWindow
from agdesk.ui.theme import apply_theme
from tests.fakes.workspace import scripted_workspace
from tests.ui.main_window import stand_ins
from tests.ui.main_window.conftest import until

SLOW = (*text_answer("slow")[:3], Pause(600))
FINE = [text_answer(f"answer {number}") for number in range(6)]
REFUSED = ProviderRejection("The key was refused", "Check it.", category=ErrorCategory.AUTH, status=401)


@pytest.fixture(autouse=True)
def theme(qapp):
    apply_theme(qapp, "light")


@pytest.fixture
def open_window(tmp_path, monkeypatch):
    stand_ins.install(monkeypatch)

    async def open_it(*scripts):
        workspace, provider = scripted_workspace(tmp_path, *scripts)
        window = MainWindow(workspace)
        window.resize(900, 700)
        window.show()
        window.activateWindow()
        await until(lambda: QApplication.activeWindow() is window and window.current_tab is not None)
        return window, workspace, provider

    return open_it


async def end(window, workspace):
    window.hide()
    await window.finish()
    await workspace.aclose()


def write(window, text):
    composer = window.current_tab.composer
    composer.setPlainText(text)
    QTest.keyClick(composer, Qt.Key.Key_Return)


async def queue_up(window, provider, *texts):
    """An answer that is coming, and messages that wait for it."""
    write(window, "one")
    await until(lambda: provider.requests and window.current_tab.send_button.accessibleName() == "Stop")
    for text in texts:
        write(window, text)


def lines(window):
    panel = window.current_tab.queue.panel
    return [] if panel is None or panel.isHidden() else [row.line for row in panel.view.rows.rows]


def view_of(window):
    return window.current_tab.queue.panel.view


def move(view, pos):
    """The mouse with its button held; ``QTest.mouseMove`` tells of no button."""
    there, left = QPointF(pos), Qt.MouseButton.LeftButton
    moved = QMouseEvent(
        QEvent.Type.MouseMove,
        there,
        view.viewport().mapToGlobal(there),
        Qt.MouseButton.NoButton,
        left,
        Qt.KeyboardModifier.NoModifier,
    )
    QApplication.sendEvent(view.viewport(), moved)


def center(view, place):
    return view.visualRect(view.rows.index(place)).center()


async def test_enter_during_an_answer_puts_the_message_into_the_queue_and_nothing_is_shown_before(qtbot, open_window):
    window, workspace, provider = await open_window(SLOW)
    tab = window.current_tab
    await queue_up(window, provider)
    assert tab.queue.panel is None
    tab.composer.setPlainText("two")
    assert (tab.send_button.accessibleName(), "Esc stops" in tab.send_button.toolTip()) == ("Queue", True)
    QTest.mouseClick(tab.send_button, Qt.MouseButton.LeftButton)
    assert (lines(window), tab.composer.toPlainText()) == (["two"], "")
    assert tab.send_button.accessibleName() == "Stop"
    QTest.mouseClick(tab.send_button, Qt.MouseButton.LeftButton)  # the second of a double click
    assert tab.session.is_running
    write(window, "three " + "long " * 300 + "\nand a second line")
    assert lines(window)[1].startswith("three long long")
    view = view_of(window)
    assert view.visualRect(view.rows.index(1)).height() == view.visualRect(view.rows.index(0)).height()
    await end(window, workspace)


async def test_all_are_sent_in_their_order_with_one_notification_at_the_end(qtbot, open_window):
    window, workspace, provider = await open_window((Pause(0.2), *FINE[0]), *FINE[1:])
    told, busy = [], []
    window.answer_ended.connect(lambda _title, text: told.append(text))
    window.current_tab.busy_changed.connect(busy.append)
    await queue_up(window, provider, "two", "three")
    await until(lambda: told)
    assert [request.messages[-1].content[0].text for request in provider.requests] == ["one", "two", "three"]
    assert told == ["answer 2"]
    assert busy == [True, False]
    assert lines(window) == []
    await end(window, workspace)


async def test_esc_stops_the_answer_and_pauses_the_queue_and_resume_goes_on(qtbot, open_window):
    window, workspace, provider = await open_window(SLOW, *FINE)
    await queue_up(window, provider, "two")
    QTest.keyClick(window.current_tab.composer, Qt.Key.Key_Escape)
    panel = window.current_tab.queue.panel
    await until(lambda: not window.current_tab.session.is_running)
    assert "you stopped the answer" in panel.label.text()
    assert (lines(window), panel.button.accessibleName()) == (["two"], "Resume the queue")
    window.actions_registry["queue.resume"].trigger()
    await until(lambda: len(provider.requests) == 2 and not window.current_tab.session.is_running)
    assert panel.isHidden()
    await end(window, workspace)


async def test_a_failed_answer_is_named_and_pauses_it(qtbot, open_window):
    window, workspace, provider = await open_window((Pause(0.2), REFUSED), *FINE)
    await queue_up(window, provider, "two")
    await until(lambda: not window.current_tab.session.is_running)
    assert "The key was refused" in window.current_tab.queue.panel.label.text()
    assert lines(window) == ["two"]
    await end(window, workspace)


async def test_the_keyboard_moves_removes_and_undoes(qtbot, open_window):
    window, workspace, provider = await open_window(SLOW)
    await queue_up(window, provider, "a", "b", "c")
    window.actions_registry["queue.focus"].trigger()
    view = view_of(window)
    assert view.hasFocus()
    QTest.keyClick(view, Qt.Key.Key_Down, Qt.KeyboardModifier.AltModifier)
    assert lines(window) == ["b", "a", "c"]
    QTest.keyClick(view, Qt.Key.Key_Down, Qt.KeyboardModifier.AltModifier)
    QTest.keyClick(view, Qt.Key.Key_Down, Qt.KeyboardModifier.AltModifier)
    assert lines(window) == ["b", "c", "a"]
    QTest.keyClick(view, Qt.Key.Key_Up, Qt.KeyboardModifier.AltModifier)
    assert lines(window) == ["b", "a", "c"]
    QTest.keyClick(view, Qt.Key.Key_Delete)
    assert lines(window) == ["b", "c"]
    window.actions_registry["undo.last"].trigger()
    assert lines(window) == ["b", "a", "c"]
    for _ in range(3):
        QTest.keyClick(view, Qt.Key.Key_Delete)
    assert lines(window) == []
    assert window.current_tab.composer.hasFocus()
    await end(window, workspace)


async def test_a_row_is_dragged_to_another_place(qtbot, open_window):
    window, workspace, provider = await open_window(SLOW)
    await queue_up(window, provider, "a", "b", "c")
    view = view_of(window)
    view.doItemsLayout()
    QTest.mousePress(view.viewport(), Qt.MouseButton.LeftButton, pos=center(view, 0))
    for pos in (center(view, 1), center(view, 2), center(view, 2) + QPoint(0, 1)):
        move(view, pos)
    QTest.mouseRelease(view.viewport(), Qt.MouseButton.LeftButton, pos=center(view, 2))
    assert lines(window) == ["b", "c", "a"]
    await end(window, workspace)


async def test_a_message_is_edited_in_its_row_and_waits_for_the_end_of_that(qtbot, open_window):
    window, workspace, provider = await open_window((*FINE[0][:2], Pause(0.3), *FINE[0][2:]), *FINE[1:])
    await queue_up(window, provider, "first line\nsecond line")
    view = view_of(window)
    view.begin_edit(view.rows.rows[0].id)
    editor = QApplication.focusWidget()
    assert isinstance(editor, QPlainTextEdit)
    assert editor.toPlainText() == "first line\nsecond line"
    await until(lambda: not window.current_tab.session.is_running)
    assert "finished editing" in window.current_tab.queue.panel.label.text()
    editor.setPlainText("other\ntext")
    QTest.keyClick(editor, Qt.Key.Key_Return)
    await until(lambda: len(provider.requests) == 2 and not window.current_tab.session.is_running)
    assert provider.requests[1].messages[-1].content[0].text == "other\ntext"
    await end(window, workspace)


async def test_esc_leaves_a_message_as_it_is_and_does_not_stop_the_answer(qtbot, open_window):
    window, workspace, provider = await open_window(SLOW)
    await queue_up(window, provider, "two")
    view = view_of(window)
    view.begin_edit(view.rows.rows[0].id)
    editor = QApplication.focusWidget()
    assert isinstance(editor, QPlainTextEdit)
    editor.setPlainText("changed")
    QTest.keyClick(editor, Qt.Key.Key_Escape)
    assert (lines(window), window.current_tab.session.is_running, view.hasFocus()) == (["two"], True, True)
    await end(window, workspace)


async def test_one_can_be_sent_now_while_the_queue_is_paused(qtbot, open_window):
    window, workspace, provider = await open_window(SLOW, *FINE)
    await queue_up(window, provider, "a", "b")
    window.current_tab.stop()
    await until(lambda: not window.current_tab.session.is_running and not window.current_tab._is_running)
    view = view_of(window)
    view.setFocus()
    view.select(1)
    QTest.keyClick(view, Qt.Key.Key_Return, Qt.KeyboardModifier.ControlModifier)
    await until(lambda: len(provider.requests) == 2 and not window.current_tab.session.is_running)
    assert provider.requests[1].messages[-1].content[0].text == "b"
    assert lines(window) == ["a"]
    await end(window, workspace)


async def test_a_hundred_scroll_within_a_bounded_height(qtbot, open_window):
    window, workspace, provider = await open_window(SLOW)
    await queue_up(window, provider, *(f"message {number}" for number in range(100)))
    view = view_of(window)
    view.doItemsLayout()
    assert len(lines(window)) == 100
    assert view.sizeHint().height() == VISIBLE_ROWS * view.visualRect(view.rows.index(0)).height()
    assert view.verticalScrollBar().maximum() > 0
    await end(window, workspace)


async def test_what_waits_comes_back_paused_when_the_tab_is_reopened(qtbot, open_window):
    window, workspace, provider = await open_window(SLOW, *FINE)
    await queue_up(window, provider, "two", "three")
    window.actions_registry["tab.close"].trigger()
    window.actions_registry["tab.reopen"].trigger()
    await until(lambda: window.current_tab is not None and window.current_tab.queue.panel is not None)
    assert lines(window) == ["two", "three"]
    assert "kept from before" in window.current_tab.queue.panel.label.text()
    assert len(provider.requests) == 1
    await end(window, workspace)


async def test_when_the_last_message_goes_the_keyboard_is_where_one_writes(open_window):
    window, workspace, provider = await open_window(SLOW, *FINE)
    await queue_up(window, provider, "two")
    QTest.keyClick(window.current_tab.composer, Qt.Key.Key_Escape)
    panel = window.current_tab.queue.panel
    await until(lambda: panel.button.text() == "Resume" and not window.current_tab.session.is_running)
    panel.button.setFocus()
    QTest.keyClick(panel.button, Qt.Key.Key_Space)
    await until(lambda: not lines(window))
    assert QApplication.focusWidget() is window.current_tab.composer
    await end(window, workspace)
