"""The countdown to a retry, and the offer to leave out what was refused, as a user has them (PROV6, E07, CHAT9)."""

import asyncio

import pytest
from PySide6.QtCore import QEvent, QPointF, Qt
from PySide6.QtGui import QMouseEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QPushButton

from agdesk.core.errors import ErrorCategory, ProviderRejection
from agdesk.core.ir import stream as ev
from agdesk.core.providers.scripted import text_answer
from agdesk.ui.bridge import DrainTimer
from agdesk.ui.chat import ChatTab
from agdesk.ui.chat.status import Phase
from agdesk.ui.main_window import MainWindow
from agdesk.ui.theme import apply_theme
from agdesk.ui.widgets.transcript.end_rows import ErrorWidget
from tests.fakes.workspace import scripted_workspace
from tests.ui.chat.test_stored import opened_again, painted
from tests.ui.main_window import stand_ins
from tests.ui.main_window.conftest import until

START = ev.MessageStart("i", "m")
ANSWER = text_answer("at last")


def limited(category=ErrorCategory.RATE_LIMIT, *, wait_s=30.0):
    return ProviderRejection(
        "The rate limit was hit", "Wait.", category=category, status=429, retry_after_s=wait_s, is_retryable=True
    )


def refused(path="temperature"):
    error = ProviderRejection(
        "The provider refused the request", "Change it.", category=ErrorCategory.INVALID_REQUEST, status=400, param=path
    )
    error.removable = path
    return error


@pytest.fixture(autouse=True)
def theme(qapp):
    apply_theme(qapp, "light")


@pytest.fixture
def open_window(tmp_path, monkeypatch):
    stand_ins.install(monkeypatch)
    windows = []

    async def open_it(*scripts):
        workspace, provider = scripted_workspace(tmp_path, *scripts)
        window = MainWindow(workspace)
        windows.append(window)
        window.resize(900, 700)
        window.show()
        window.activateWindow()
        await until(lambda: QApplication.activeWindow() is window and window.current_tab is not None)
        return window, workspace, provider

    yield open_it
    for window in windows:
        window.hide()


async def end(window, workspace):
    await window.finish()
    await workspace.aclose()


async def ask_and_wait(window, text="hello"):
    """Sends a message and returns once the countdown is on the screen."""
    tab = window.current_tab
    QTest.keyClicks(tab.composer, text)
    QTest.keyClick(tab.composer, Qt.Key.Key_Return)
    await until(lambda: tab.phase is Phase.WAITING and tab.status_row.now_button.isVisible())
    return tab


def line_of(tab):
    return tab.status_line.text().replace("\u2009", " ")


async def test_the_line_counts_down_and_says_which_try_it_is(open_window):
    window, workspace, _ = await open_window((limited(),), (limited(ErrorCategory.OVERLOADED, wait_s=12.0),), ANSWER)
    tab = await ask_and_wait(window)
    assert line_of(tab) in {f"Rate limit · next try in {left} s (1 of 3)" for left in range(20, 31)}
    shown = line_of(tab)
    await until(lambda: line_of(tab) != shown)
    assert "no data" not in line_of(tab)
    QTest.mouseClick(tab.status_row.now_button, Qt.MouseButton.LeftButton)
    await until(lambda: "(2 of 3)" in line_of(tab))
    assert line_of(tab).startswith("Provider overloaded · next try in ")
    tab.session.retry_now()
    await until(lambda: tab.phase is Phase.DONE)
    assert not tab.status_row.now_button.isVisible() and not tab.status_row.cancel_button.isVisible()
    assert "at last" in repr(painted(tab))
    await end(window, workspace)


async def test_a_double_click_on_now_skips_one_wait_and_not_the_next(open_window):
    window, workspace, provider = await open_window((limited(),), (limited(),), ANSWER)
    tab = await ask_and_wait(window)
    button = tab.status_row.now_button
    QTest.mouseClick(button, Qt.MouseButton.LeftButton)
    await until(lambda: "(2 of 3)" in line_of(tab))
    # what the window system sends after the first click of two
    kinds = (QEvent.Type.MouseButtonDblClick, QEvent.Type.MouseButtonRelease)
    at = QPointF(button.rect().center())
    left, none = Qt.MouseButton.LeftButton, Qt.MouseButton.NoButton
    for kind, held in zip(kinds, (left, none), strict=True):
        event = QMouseEvent(kind, at, button.mapToGlobal(at), left, held, Qt.KeyboardModifier.NoModifier)
        QApplication.sendEvent(button, event)
    await asyncio.sleep(0.05)
    assert tab.phase is Phase.WAITING and "(2 of 3)" in line_of(tab) and len(provider.requests) == 2
    tab.session.retry_now()
    await until(lambda: tab.phase is Phase.DONE)
    await end(window, workspace)


async def test_now_is_reached_by_the_keyboard_and_gives_it_back_to_the_composer(open_window):
    window, workspace, provider = await open_window((limited(),), ANSWER)
    tab = await ask_and_wait(window)
    assert window.focusWidget() is tab.composer, "a wait takes the keyboard from nobody"
    tab.send_button.setFocus(Qt.FocusReason.TabFocusReason)
    QTest.keyClick(tab.send_button, Qt.Key.Key_Tab)
    assert window.focusWidget() is tab.status_row.now_button
    assert tab.status_row.now_button.accessibleName() == "Try again now"
    QTest.keyClick(tab.status_row.now_button, Qt.Key.Key_Return)
    await until(lambda: tab.phase is Phase.DONE)
    assert len(provider.requests) == 2
    assert window.focusWidget() is tab.composer
    await end(window, workspace)


async def test_the_action_retries_now_and_does_nothing_without_a_wait(open_window):
    window, workspace, provider = await open_window((limited(),), ANSWER)
    action = window.actions_registry["chat.retry_now"]
    action.trigger()
    tab = await ask_and_wait(window)
    action.trigger()
    await until(lambda: tab.phase is Phase.DONE)
    assert len(provider.requests) == 2 and action.text() == "Retry now"
    await end(window, workspace)


@pytest.mark.parametrize("way", ["button", "escape"])
async def test_the_wait_can_be_cancelled_like_a_stream(open_window, way):
    window, workspace, provider = await open_window((limited(),), ANSWER)
    tab = await ask_and_wait(window)
    match way:
        case "button":
            QTest.mouseClick(tab.status_row.cancel_button, Qt.MouseButton.LeftButton)
        case _:
            window.actions_registry["chat.stop"].trigger()
    await until(lambda: tab.phase is Phase.STOPPED)
    assert len(provider.requests) == 1 and not tab.status_row.cancel_button.isVisible()
    assert "Stopped by you before an answer began" in repr(painted(tab))
    await end(window, workspace)


@pytest.mark.parametrize("begun", [(), (START,), (START, ev.ContentBlockStart(0, ev.ThinkingType()))])
async def test_an_attempt_that_failed_leaves_nothing_behind_and_the_next_start_paints_the_same(begun, tmp_path, qtbot):
    workspace, _ = scripted_workspace(tmp_path, (*begun, limited()), ANSWER)
    tab = ChatTab(workspace, workspace.open_session(), DrainTimer())
    qtbot.addWidget(tab)
    tab.resize(700, 600)
    tab.show()
    tab.send("hello")
    await until(lambda: tab.phase is Phase.WAITING)
    tab.session.retry_now()
    await until(lambda: tab.phase is Phase.DONE)
    live = painted(tab)
    assert [message[0] for message in live[0]] == ["user", "assistant"]
    tab.close_session()
    await workspace.aclose()
    messages, line = await opened_again(tmp_path, tab.session.id, qtbot)
    assert messages == live[0]
    assert line.endswith(live[1].rpartition(" · ")[2])


async def test_what_the_user_set_is_left_out_when_the_button_says_so_and_is_remembered(open_window):
    window, workspace, provider = await open_window((refused("stream_options"),), (refused(),), ANSWER, (refused(),))
    tab = window.current_tab
    tab.send("hello")
    await until(lambda: tab.phase is Phase.FAILED)
    button = await offered(tab)
    assert button.text() == button.accessibleName() == "Resend without temperature, and remember"
    button.setFocus()
    QTest.keyClick(button, Qt.Key.Key_Return)
    await until(lambda: tab.phase is Phase.DONE)
    assert workspace.settings.models["test/model"].refused == ["stream_options", "temperature"]
    assert [message[0] for message in painted(tab)[0]] == ["user", "assistant", "assistant"]
    assert provider.requests[2].messages == provider.requests[1].messages
    assert not [button for button in tab.transcript.findChildren(QPushButton) if button.isVisible()]
    assert window.focusWidget() is tab.composer
    await end(window, workspace)


async def test_the_offer_is_there_again_after_a_restart_and_goes_with_the_next_message(tmp_path, qtbot):
    workspace, _ = scripted_workspace(tmp_path, (refused("a"),), (refused(),))
    session = workspace.open_session()
    await session.submit("hello")
    await workspace.aclose()
    workspace, provider = scripted_workspace(tmp_path, ANSWER)
    session, records = await workspace.open_conversation(session.id)
    tab = ChatTab(workspace, session, DrainTimer())
    qtbot.addWidget(tab)
    tab.resize(700, 600)
    tab.show()
    tab.show_stored(records)
    assert (await offered(tab)).isVisible()
    tab.send("never mind")
    await until(lambda: tab.phase is Phase.DONE)
    assert not [button for button in tab.transcript.findChildren(QPushButton) if button.isVisible()]
    assert len(provider.requests) == 1
    live = painted(tab)[0]
    tab.close_session()
    await workspace.aclose()
    assert (await opened_again(tmp_path, session.id, qtbot))[0] == live


async def test_a_resent_turn_is_painted_the_same_by_the_next_start_and_sent_on(tmp_path, qtbot):
    workspace, _ = scripted_workspace(tmp_path, (refused("a"),), (refused(),), ANSWER)
    tab = ChatTab(workspace, workspace.open_session(), DrainTimer())
    qtbot.addWidget(tab)
    tab.resize(700, 600)
    tab.show()
    tab.send("hello")
    await until(lambda: tab.phase is Phase.FAILED)
    (await offered(tab)).click()
    await until(lambda: tab.phase is Phase.DONE)
    live = painted(tab)[0]
    tab.close_session()
    await workspace.aclose()
    assert (await opened_again(tmp_path, tab.session.id, qtbot))[0] == live
    workspace, provider = scripted_workspace(tmp_path, ANSWER)
    session, _ = await workspace.open_conversation(tab.session.id)
    await session.submit("more")
    texts = [[block.text for block in message.content] for message in provider.requests[0].messages]
    assert texts == [["hello"], ["at last"], ["more"]]
    await workspace.aclose()


async def offered(tab):
    """The button of the error on the screen."""
    await until(lambda: any(button.isVisible() for button in error_buttons(tab)))
    (button,) = (button for button in error_buttons(tab) if button.isVisible())
    await asyncio.sleep(0)
    return button


def error_buttons(tab):
    return [button for row in tab.transcript.findChildren(ErrorWidget) for button in row.findChildren(QPushButton)]
