"""CHAT5 as a user has it: an answer that was cut is gone on with where it ended, stopped, and gone on with again."""

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QPushButton

from agdesk.core.errors import ErrorCategory, ProviderRejection, TransportError
from agdesk.core.ir import stream as ev
from agdesk.core.ir.parameters import RequestParameters, ThinkingOptions
from agdesk.core.ir.response import StopReason
from agdesk.core.providers.scripted import Pause, text_answer
from agdesk.ui.main_window import MainWindow
from agdesk.ui.widgets.transcript.end_rows import ErrorWidget, FooterWidget
from tests.fakes.workspace import scripted_workspace
from tests.ui.chat.test_branches import drawn, idle, places, press, say
from tests.ui.main_window.conftest import BEGUN, ENDLESS, ask, end, until

MORE = (ev.MessageStart("2", "m"), ev.ContentBlockStart(0, ev.TextType()), ev.TextDelta(" ans", 0))


def offered(window):
    """The words of the buttons that can be seen below answers."""
    return [button.accessibleName() for button in buttons(window)]


def buttons(window):
    transcript = window.current_tab.transcript
    transcript.refresh()
    rows = [row for kind in (ErrorWidget, FooterWidget) for row in transcript.findChildren(kind) if row.row is not None]
    return [button for row in rows for button in row.findChildren(QPushButton) if button.isVisible()]


def choose(window, text):
    (button,) = [button for button in buttons(window) if button.accessibleName() == text]
    QTest.mouseClick(button, Qt.MouseButton.LeftButton)


def footers(window):
    return [message.footer for message in window.current_tab.transcript._model.messages if message.footer]


async def open_known(open_window, *scripts):
    window, workspace, provider = await open_window(*scripts)
    workspace.load_models()
    return window, workspace, provider


async def stop(window):
    window.actions_registry["chat.stop"].trigger()
    await idle(window)


async def test_an_answer_is_stopped_continued_stopped_and_continued_again(qtbot, open_window):
    scripts = (ENDLESS, (*MORE, Pause(60)), text_answer("wer"))
    window, workspace, provider = await open_known(open_window, *scripts)
    await ask(window, "question", is_endless=True)
    await until(lambda: drawn(window) == ["question", "half an "])
    assert offered(window) == []
    await stop(window)
    assert offered(window) == ["Continue", "Try again"]
    assert footers(window) == ["Stopped by you"]

    choose(window, "Continue")
    await until(lambda: drawn(window) == ["question", "half an ans"])
    assert (offered(window), footers(window)) == ([], [])
    await stop(window)
    assert footers(window) == ["Stopped by you"]
    assert places(window) == ["", "2/2"]

    window.actions_registry["chat.continue"].trigger()
    await until(lambda: drawn(window) == ["question", "half an answer"])
    await idle(window)
    assert (offered(window), footers(window)) == ([], [])
    assert places(window) == ["", "3/3"]
    assert [request.is_continuation for request in provider.requests] == [False, True, True]

    press(window, 1, "Previous version")
    await until(lambda: drawn(window) == ["question", "half an ans"])
    assert offered(window) == ["Continue", "Try again"]
    await end(window, workspace)


CAUSES = {
    "the server": (BEGUN, "Incomplete"),
    "length": (text_answer("half an ", stop_reason=StopReason.MAX_TOKENS), "Cut at the output limit"),
    "broken": ((*BEGUN, TransportError("The connection broke", "")), "The connection broke"),
    "timeout": ((*BEGUN, TransportError("Nothing came for 300 s", "", is_timeout=True)), "Nothing came"),
}


@pytest.mark.parametrize("cause", CAUSES)
async def test_whatever_cut_an_answer_it_can_be_continued_or_tried_again(qtbot, open_window, cause):
    script, label = CAUSES[cause]
    window, workspace, _ = await open_known(open_window, script, text_answer("answer"))
    await say(window, "question")
    (message,) = [m for m in window.current_tab.transcript._model.messages if m.view.role == "assistant"]
    assert label in message.footer + repr(message.error)
    assert offered(window) == ["Continue", "Try again"]
    choose(window, "Continue")
    await until(lambda: drawn(window) == ["question", "half ananswer"])
    await idle(window)
    assert offered(window) == []
    await end(window, workspace)


async def test_try_again_beside_continue_asks_the_question_again(qtbot, open_window):
    window, workspace, provider = await open_known(open_window, BEGUN, text_answer("whole"))
    await say(window, "question")
    choose(window, "Try again")
    await until(lambda: drawn(window) == ["question", "whole"])
    await idle(window)
    assert not provider.requests[1].is_continuation
    await end(window, workspace)


async def test_what_was_there_stays_when_continuing_fails_and_the_failure_stands_below_it(qtbot, open_window):
    failure = ProviderRejection("No prefill here", "", category=ErrorCategory.INVALID_REQUEST, status=400)
    empty = (*MORE[:2], Pause(60))
    window, workspace, provider = await open_known(open_window, BEGUN, (failure,), empty, text_answer("answer"))
    await say(window, "question")
    choose(window, "Continue")
    await until(lambda: len(provider.requests) == 2)
    await idle(window)
    assert drawn(window) == ["question", "half an "]
    assert window.current_tab.transcript._model.messages[-1].error.title == "No prefill here"
    assert offered(window) == ["Continue", "Try again"]

    choose(window, "Continue")  # it begins and says nothing
    await until(lambda: provider.open_count == 1 and len(provider.requests) == 3)
    await stop(window)
    assert drawn(window)[-1].rstrip() == "half an"
    assert offered(window) == ["Continue", "Try again"]

    choose(window, "Continue")
    await until(lambda: drawn(window) == ["question", "half ananswer"])
    await idle(window)
    assert places(window) == ["", "2/2"]
    await end(window, workspace)


async def test_continue_is_not_offered_where_nobody_knows_that_the_model_goes_on(qtbot, open_window):
    window, workspace, _ = await open_window(BEGUN)  # nothing is known of models yet
    await say(window, "question")
    assert offered(window) == ["Try again"]
    workspace.load_models()
    workspace.models_changed.emit(None)
    assert offered(window) == ["Continue", "Try again"]
    window.current_tab.session.parameters = RequestParameters(thinking=ThinkingOptions(is_enabled=True))
    assert offered(window) == ["Try again"]
    window.actions_registry["chat.continue"].trigger()
    assert "cannot be continued" in window.current_tab.notice.label.text()
    await end(window, workspace)


async def test_an_answer_with_a_message_after_it_is_not_offered_until_that_is_deleted(qtbot, open_window):
    window, workspace, _ = await open_known(open_window, BEGUN, text_answer("second"))
    await say(window, "question")
    await say(window, "and")
    assert offered(window) == []
    window.current_tab.branches.delete(window.current_tab.session.branches.tree.path()[2].id)
    await until(lambda: drawn(window) == ["question", "half an "])
    assert offered(window) == ["Continue", "Try again"]
    await end(window, workspace)


async def test_a_continued_answer_is_painted_the_same_after_a_restart(qtbot, open_window, tmp_path):
    window, workspace, _ = await open_known(open_window, BEGUN, (*MORE, Pause(60)))
    await say(window, "question")
    choose(window, "Continue")
    await until(lambda: drawn(window)[-1] == "half an ans")
    await stop(window)
    session_id, look = window.current_tab.session.id, (drawn(window), footers(window), places(window), offered(window))
    await end(window, workspace)

    workspace, _ = scripted_workspace(tmp_path, text_answer("wer"))
    workspace.load_models()
    again = MainWindow(workspace)
    again.resize(900, 700)
    again.show()
    again.open_conversation(session_id)
    await until(lambda: again.current_tab is not None and drawn(again))
    await until(lambda: again.tabs.current.loading.done())
    assert (drawn(again), footers(again), places(again), offered(again)) == look
    choose(again, "Continue")
    await until(lambda: drawn(again) == ["question", "half an answer"])
    await idle(again)
    assert places(again) == ["", "3/3"]
    await end(again, workspace)
