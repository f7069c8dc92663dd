"""CHAT4 as a user has it: versions of a message, the way between them, delete with undo, fork."""

from PySide6.QtCore import Qt
from PySide6.QtTest import QTest

from agdesk.core.errors import ErrorCategory, ErrorRecord, ProviderRejection
from agdesk.core.ir.stream import StreamError
from agdesk.core.providers.scripted import text_answer
from agdesk.ui.main_window import MainWindow
from agdesk.ui.widgets.transcript.head import HeadWidget
from tests.fakes.workspace import scripted_workspace
from tests.ui.main_window.conftest import ENDLESS, ask, end, until

ANSWERS = [text_answer(f"answer {number}") for number in range(1, 9)]


async def say(window, text):
    await ask(window, text)
    await idle(window)


async def idle(window):
    chat = window.current_tab
    await until(lambda: not chat.session.is_running and not chat._bridge._records)


def drawn(window):
    """The sources of all messages, from the top."""
    transcript = window.current_tab.transcript
    return [message.source for message in transcript._model.messages]


def places(window):
    """Which version of how many the messages on the screen say they are."""
    window.current_tab.transcript.refresh()
    heads = [head for head in window.current_tab.transcript.findChildren(HeadWidget) if head.row is not None]
    heads.sort(key=lambda head: head.y())
    return [head._place.text() if not head._place.isHidden() else "" for head in heads]


def press(window, index, name):
    """A button in the head of a message on the screen."""
    heads = [head for head in window.current_tab.transcript.findChildren(HeadWidget) if head.row is not None]
    heads.sort(key=lambda head: head.y())
    (button,) = [b for b in heads[index].focus_widgets() if b.accessibleName() == name]
    QTest.mouseClick(button, Qt.MouseButton.LeftButton)


async def test_another_answer_stands_beside_the_first_and_the_arrows_lead_to_both(qtbot, open_window):
    window, workspace, provider = await open_window(*ANSWERS)
    await say(window, "question")
    press(window, 1, "Answer again")
    await until(lambda: drawn(window) == ["question", "answer 2"])
    await idle(window)
    assert len(provider.requests[1].messages) == 1
    assert places(window) == ["", "2/2"]

    press(window, 1, "Previous version")
    await until(lambda: drawn(window) == ["question", "answer 1"])
    assert places(window) == ["", "1/2"]
    window.actions_registry["chat.next_version"].trigger()
    await until(lambda: drawn(window) == ["question", "answer 2"])
    await end(window, workspace)


async def test_an_edited_question_is_asked_and_the_old_one_keeps_its_answer(qtbot, open_window):
    window, workspace, provider = await open_window(*ANSWERS)
    await say(window, "first")
    await say(window, "second")
    chat = window.current_tab
    chat.composer.setPlainText("half a thought")
    press(window, 0, "Edit message")
    assert chat.composer.toPlainText() == "first"
    assert not chat.edit_bar.isHidden()
    QTest.keyClicks(chat.composer, "better")  # what is selected is replaced
    QTest.keyClick(chat.composer, Qt.Key.Key_Return)
    await until(lambda: drawn(window) == ["better", "answer 3"])
    await idle(window)
    assert [m.content[0].text for m in provider.requests[2].messages] == ["better"]
    assert chat.composer.toPlainText() == "half a thought"
    assert chat.edit_bar.isHidden()
    assert places(window) == ["2/2", ""]
    window.actions_registry["chat.previous_version"].trigger()
    await until(lambda: drawn(window) == ["first", "answer 1", "second", "answer 2"])
    await end(window, workspace)


async def test_escape_leaves_an_edited_message_as_it_is(qtbot, open_window):
    window, workspace, provider = await open_window(*ANSWERS)
    await say(window, "first")
    window.actions_registry["chat.edit"].trigger()
    assert window.current_tab.composer.toPlainText() == "first"
    QTest.keyClick(window.current_tab.composer, Qt.Key.Key_Escape)
    assert window.current_tab.composer.toPlainText() == ""
    assert drawn(window) == ["first", "answer 1"]
    assert len(provider.requests) == 1
    await end(window, workspace)


async def test_an_edited_answer_is_what_the_next_request_repeats(qtbot, open_window):
    window, workspace, provider = await open_window(*ANSWERS)
    await say(window, "question")
    press(window, 1, "Edit message")
    window.current_tab.composer.setPlainText("my own words")
    QTest.keyClick(window.current_tab.composer, Qt.Key.Key_Return)
    await until(lambda: drawn(window) == ["question", "my own words"])
    await idle(window)
    assert len(provider.requests) == 1, "nobody is asked"
    await say(window, "next")
    assert [m.content[0].text for m in provider.requests[1].messages] == ["question", "my own words", "next"]
    await end(window, workspace)


async def test_what_was_deleted_comes_back_by_undo(qtbot, open_window):
    window, workspace, provider = await open_window(*ANSWERS)
    await say(window, "first")
    await say(window, "second")
    chat = window.current_tab
    chat.branches.delete(chat.session.branches.tree.path()[2].id)
    await until(lambda: drawn(window) == ["first", "answer 1"])
    await until(lambda: window.actions_registry["undo.last"].isEnabled())
    window.actions_registry["undo.last"].trigger()
    await until(lambda: drawn(window) == ["first", "answer 1", "second", "answer 2"])
    await say(window, "third")
    assert len(provider.requests[2].messages) == 5
    await end(window, workspace)


async def test_a_fork_opens_in_a_tab_of_its_own_and_the_two_go_separate_ways(qtbot, open_window):
    window, workspace, provider = await open_window(*ANSWERS)
    await say(window, "first")
    await say(window, "second")
    source = window.current_tab
    source.branches.fork(source.session.branches.tree.path()[1].id)
    await until(lambda: window.current_tab is not None and window.current_tab is not source)
    await until(lambda: drawn(window) == ["first", "answer 1"])
    assert window.current_tab.title == "first (fork)"
    await say(window, "other")
    assert [m.content[0].text for m in provider.requests[2].messages] == ["first", "answer 1", "other"]
    assert len(source.session.next_request("m").messages) == 4
    await end(window, workspace)


async def test_a_failed_answer_can_be_asked_again_and_the_failure_stays_above(qtbot, open_window):
    failure = ProviderRejection("No", "Try.", category=ErrorCategory.INVALID_REQUEST, status=400)
    window, workspace, provider = await open_window((failure,), *ANSWERS)
    await say(window, "question")
    assert window.current_tab.transcript._model.messages[-1].error is not None
    window.actions_registry["chat.regenerate"].trigger()
    await until(lambda: drawn(window)[-1] == "answer 1")
    await idle(window)
    assert [len(request.messages) for request in provider.requests] == [1, 1]
    await end(window, workspace)


async def test_the_last_failure_offers_to_try_again_and_an_older_one_does_not(qtbot, open_window):
    failure = ProviderRejection("No", "Try.", category=ErrorCategory.INVALID_REQUEST, status=400)
    window, workspace, provider = await open_window((failure,), (failure,), *ANSWERS)
    await say(window, "question")
    transcript = window.current_tab.transcript
    transcript.end_action_chosen.emit(transcript.last_key(), "again")
    await until(lambda: len(provider.requests) == 2)
    await idle(window)
    failed = [message for message in transcript._model.messages if message.error is not None]
    assert [[step.text for step in message.steps] for message in failed] == [[], ["Try again"]]
    transcript.end_action_chosen.emit(transcript.last_key(), "again")
    await until(lambda: drawn(window)[-1] == "answer 1")
    await idle(window)
    assert all(len(request.messages) == 1 for request in provider.requests)
    await end(window, workspace)


async def test_the_active_branch_and_its_place_are_there_after_a_restart(qtbot, open_window, tmp_path):
    window, workspace, _ = await open_window(*ANSWERS)
    await say(window, "question")
    window.actions_registry["chat.regenerate"].trigger()
    await until(lambda: drawn(window) == ["question", "answer 2"])
    await idle(window)
    window.actions_registry["chat.previous_version"].trigger()
    await until(lambda: drawn(window) == ["question", "answer 1"])
    session_id = window.current_tab.session.id
    await end(window, workspace)

    window.hide()
    workspace, _ = scripted_workspace(tmp_path)
    window = MainWindow(workspace)
    window.show()
    window.open_conversation(session_id)
    await until(lambda: window.current_tab is not None and window.current_tab.session.id == session_id)
    await until(lambda: drawn(window) == ["question", "answer 1"])
    assert places(window) == ["", "1/2"]
    await end(window, workspace)


async def test_while_an_answer_runs_another_version_is_refused_with_the_reason(qtbot, open_window):
    window, workspace, provider = await open_window(ENDLESS)
    await ask(window, "question", is_endless=True)
    window.actions_registry["chat.regenerate"].trigger()
    assert "still answering" in window.current_tab.notice.label.text()
    await until(lambda: len(provider.requests) == 1)
    await end(window, workspace)


async def test_all_branches_are_listed_and_lead_to_each(qtbot, open_window):
    window, workspace, _ = await open_window(*ANSWERS)
    await say(window, "first")
    window.actions_registry["chat.regenerate"].trigger()
    await until(lambda: drawn(window) == ["first", "answer 2"])
    await idle(window)
    await say(window, "second")
    chat = window.current_tab
    dialog = chat.branches.show_all()
    rows = [(row.depth, row.text, row.is_active) for row in dialog.model.rows]
    assert rows == [
        (0, "first", True),
        (1, "answer 1", False),
        (1, "answer 2", True),
        (1, "second", True),
        (1, "answer 3", True),
    ]
    dialog.list.setCurrentIndex(dialog.model.index(1))
    QTest.mouseClick(dialog.show_button, Qt.MouseButton.LeftButton)
    await until(lambda: drawn(window) == ["first", "answer 1"])
    await until(lambda: dialog.model.rows[1].is_active and not dialog.model.rows[4].is_active)

    dialog.list.setCurrentIndex(dialog.model.index(3))
    QTest.keyClick(dialog.list, Qt.Key.Key_Delete)
    await until(lambda: [row.text for row in dialog.model.rows] == ["first", "answer 1", "answer 2"])
    window.actions_registry["undo.last"].trigger()
    await until(lambda: len(dialog.model.rows) == 5)
    dialog.close()
    await end(window, workspace)


async def test_an_empty_conversation_says_what_a_branch_is(qtbot, open_window):
    window, workspace, _ = await open_window(*ANSWERS)
    dialog = window.current_tab.branches.show_all()
    assert not dialog.empty.isHidden()
    assert dialog.list.isHidden()
    assert not dialog.show_button.isEnabled()
    dialog.close()
    await end(window, workspace)


async def test_where_the_other_version_was_deleted_no_arrows_stay(qtbot, open_window):
    window, workspace, _ = await open_window(*ANSWERS)
    await say(window, "question")
    window.actions_registry["chat.regenerate"].trigger()
    await until(lambda: drawn(window) == ["question", "answer 2"])
    await idle(window)
    chat = window.current_tab
    first, _ = chat.session.branches.tree.siblings(chat.session.branches.tree.leaf_id)
    chat.branches.delete(first.id)
    await until(lambda: places(window) == ["", ""])
    window.actions_registry["undo.last"].trigger()
    await until(lambda: places(window) == ["", "2/2"])
    await end(window, workspace)


def with_errors(window):
    """The sources of all messages, and the errors below them."""
    messages = window.current_tab.transcript._model.messages
    return [(message.source, message.error.title if message.error else "") for message in messages]


async def test_what_cut_an_answer_stays_below_it_when_what_follows_is_another(qtbot, open_window):
    cut = (*text_answer("half")[:-1], StreamError(ErrorRecord("transport", "The connection broke")))
    window, workspace, provider = await open_window(cut, *ANSWERS)
    await say(window, "first")
    await say(window, "second")
    chat = window.current_tab
    chat.session.edit(chat.session.branches.tree.path()[2].id, "better")
    await until(lambda: len(provider.requests) == 3)
    await idle(window)
    assert with_errors(window) == [("first", ""), ("half", "The connection broke"), ("better", ""), ("answer 2", "")]
    await end(window, workspace)


async def test_a_failed_attempt_is_drawn_again_below_its_question_when_what_followed_goes(qtbot, open_window):
    failure = ProviderRejection("No", "Try.", category=ErrorCategory.INVALID_REQUEST, status=400)
    window, workspace, _ = await open_window(ANSWERS[0], (failure,), *ANSWERS[1:])
    await say(window, "first")
    answer_id = window.current_tab.session.branches.tree.leaf_id
    window.actions_registry["chat.regenerate"].trigger()
    await until(lambda: with_errors(window) == [("first", ""), ("", "No")])
    await idle(window)
    session = window.current_tab.session
    await session.select(answer_id)
    assert with_errors(window) == [("first", ""), ("answer 1", "")]
    await session.delete(answer_id)
    assert with_errors(window) == [("first", ""), ("", "No")]
    assert [step.text for step in window.current_tab.transcript._model.messages[-1].steps] == ["Try again"]
    await end(window, workspace)


async def test_what_one_says_is_seen_wherever_one_was_reading_and_another_turn_moves_nothing(qtbot, open_window):
    window, workspace, _ = await open_window(text_answer("long\n\n" * 60), *ANSWERS)
    await say(window, "first")
    transcript = window.current_tab.transcript
    transcript.verticalScrollBar().setValue(0)
    assert not transcript.is_following
    await say(window, "second")
    assert transcript.is_following
    transcript.verticalScrollBar().setValue(0)
    window.current_tab.session.submit("by other means")
    await idle(window)
    assert not transcript.is_following
    await end(window, workspace)
