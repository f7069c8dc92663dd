"""A model calls tools, the user sees each call, decides, and it goes on; also over a restart (TOOL3 to TOOL11)."""

import shutil

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

from agdesk.core.ir.approval import ApprovalDecision, ApprovalRule, RuleVerdict, Scope, Verdict
from agdesk.core.ir.messages import text_of
from agdesk.core.ir.tool_selection import ToolSelection
from agdesk.core.providers.base import ProviderFeatures
from agdesk.core.providers.scripted import text_answer
from agdesk.core.tools.proposed_rule import rule_for
from agdesk.ui.chat.status import Phase
from agdesk.ui.main_window import MainWindow
from agdesk.ui.theme import apply_theme
from tests.fakes.calls import calls_answer
from tests.fakes.workspace import scripted_workspace
from tests.ui.main_window import stand_ins
from tests.ui.main_window.conftest import until

TOOLS = ("list_directory", "read_file", "run_command", "write_file")
LOOK = calls_answer(("c1", "list_directory", {"path": "wrong"}))


@pytest.fixture
def folder(tmp_path):
    made = tmp_path / "work"
    (made / "right").mkdir(parents=True)
    (made / "right" / "found.txt").write_text("here it is")
    return made


@pytest.fixture
def open_window(qapp, tmp_path, folder, monkeypatch):
    """Makes a window with tools switched on, over the data folder of a name."""
    stand_ins.install(monkeypatch)
    apply_theme(qapp, "light")
    windows = []

    async def open_it(*scripts, data="data", conversation_id=None):
        (tmp_path / data).mkdir(exist_ok=True)
        features = ProviderFeatures(tool_use=True)
        workspace, provider = scripted_workspace(tmp_path / data, *scripts, features=features)
        window = MainWindow(workspace)
        windows.append(window)
        window.resize(900, 700)
        window.show()
        window.activateWindow()
        await until(lambda: QApplication.activeWindow() is window and window.current_tab is not None)
        if conversation_id is None:
            window.current_tab.session.tools = ToolSelection(TOOLS, str(folder))
        else:
            window.desk.open_conversation(conversation_id)
            await until(lambda: window.current_tab is not None and window.current_tab.session.id == conversation_id)
        return window, workspace, provider

    yield open_it
    for window in windows:
        window.hide()


async def close(window, workspace):
    await window.finish()
    await workspace.aclose()


def cards(window):
    """Every call that is drawn: name, state, words."""
    messages = window.current_tab.transcript._model.messages
    views = [block.call for message in messages for block in message.blocks if block.call is not None]
    return [(view.name, view.state) for view in views]


async def waiting(window, count=1):
    await until(lambda: len(window.current_tab.session.approvals.pending) == count)
    return window.current_tab.calls.desk


async def test_a_call_is_shown_corrected_run_and_answered(open_window):
    window, workspace, provider = await open_window(LOOK, text_answer("There is found.txt."))
    window.current_tab.send("What is there?")
    desk = await waiting(window)
    assert desk.isVisible() and desk.card.request.tool == "list_directory"
    await until(lambda: cards(window) == [("list_directory", "pending")])
    assert window.current_tab.phase is Phase.DECIDING
    assert "Waiting for you" in window.current_tab.status_line.text()
    window.current_tab.session.approvals.decide("c1", ApprovalDecision(Verdict.ALLOW, input={"path": "right"}))
    await until(lambda: len(provider.requests) == 2 and not window.current_tab.session.is_running)
    (result,) = provider.requests[1].messages[-1].results
    assert "found.txt" in text_of(result.content) and "changed the arguments" in text_of(result.content)
    await until(lambda: cards(window) == [("list_directory", "done")])
    sources = [message.source for message in window.current_tab.transcript._model.messages]
    assert sources == ["What is there?", "", "There is found.txt."]
    assert desk.isHidden()
    await close(window, workspace)


async def test_the_keyboard_alone_runs_a_call(open_window):
    window, workspace, provider = await open_window(
        calls_answer(("c1", "list_directory", {"path": "right"})), text_answer("done")
    )
    window.current_tab.send("go")
    await waiting(window)
    window.current_tab.calls.focus()
    focused = QApplication.focusWidget()
    assert focused is not None
    QTest.keyClick(focused, Qt.Key.Key_A)
    await until(lambda: len(provider.requests) == 2 and not window.current_tab.session.is_running)
    assert "found.txt" in text_of(provider.requests[1].messages[-1].results[0].content)
    await close(window, workspace)


async def test_a_rule_that_is_kept_answers_the_next_call_and_one_for_the_turn_does_not_last(open_window):
    again = calls_answer(("c2", "list_directory", {"path": "right"}))
    first = calls_answer(("c1", "list_directory", {"path": "right"}))
    window, workspace, provider = await open_window(
        first, again, text_answer("twice"), first, text_answer("x"), first, text_answer("y")
    )
    chat = window.current_tab
    chat.send("go")
    desk = await waiting(window)
    request = chat.session.approvals.pending[0]
    for_turn = ApprovalDecision(Verdict.ALLOW, Scope.TURN)
    desk.rule_wanted.emit("c1", for_turn, rule_for(request, for_turn))
    await until(lambda: len(provider.requests) == 3 and not chat.session.is_running)
    assert workspace.permissions.all == ()

    chat.send("again")
    await waiting(window)
    always = ApprovalDecision(Verdict.ALLOW, Scope.ALWAYS)
    desk.rule_wanted.emit("c1", always, rule_for(chat.session.approvals.pending[0], always))
    await until(lambda: len(provider.requests) == 5 and not chat.session.is_running)
    assert [permission.rule.pattern for permission in workspace.permissions.all] == ["builtin:list_directory"]

    chat.send("once more")
    await until(lambda: len(provider.requests) == 7 and not chat.session.is_running)
    assert workspace.permissions.all[0].hits == 1
    await close(window, workspace)


async def test_a_call_that_waited_when_the_program_ended_waits_again_and_goes_on(open_window, tmp_path):
    window, workspace, _ = await open_window(calls_answer(("c1", "list_directory", {"path": "right"})))
    window.current_tab.send("What is there?")
    await waiting(window)
    conversation_id = window.current_tab.session.id
    await workspace.store.settled()
    shutil.copytree(tmp_path / "data", tmp_path / "killed")  # what kill -9 would leave
    await close(window, workspace)

    async def go_on(data):
        window, workspace, provider = await open_window(
            text_answer("There it is."), data=data, conversation_id=conversation_id
        )
        await waiting(window)
        await until(lambda: cards(window) == [("list_directory", "pending")])
        assert provider.requests == []
        window.current_tab.session.approvals.decide("c1", ApprovalDecision(Verdict.ALLOW))
        await until(lambda: len(provider.requests) == 1 and not window.current_tab.session.is_running)
        assert "found.txt" in text_of(provider.requests[0].messages[-1].results[0].content)
        await until(lambda: cards(window) == [("list_directory", "done")])
        await close(window, workspace)

    await go_on("data")
    await go_on("killed")

    window, workspace, _ = await open_window(data="killed", conversation_id=conversation_id)
    await until(lambda: cards(window) == [("list_directory", "done")])
    assert not window.current_tab.session.is_running
    await close(window, workspace)


async def test_stop_ends_a_command_with_all_that_it_started(open_window):
    command = {"shell": "trap '' TERM; sleep 60 & wait"}
    window, workspace, provider = await open_window(calls_answer(("c1", "run_command", command)))
    chat = window.current_tab
    chat.send("go")
    await waiting(window)
    chat.session.approvals.decide("c1", ApprovalDecision(Verdict.ALLOW))
    await until(lambda: cards(window) == [("run_command", "running")])
    chat.stop()
    await until(lambda: not chat.session.is_running)
    await until(lambda: cards(window) == [("run_command", "cancelled")])
    assert len(provider.requests) == 1
    await close(window, workspace)


async def test_answering_again_after_a_call_does_not_call_again(open_window):
    first = calls_answer(("c1", "list_directory", {"path": "right"}))
    window, workspace, provider = await open_window(first, text_answer("one"), text_answer("two"))
    chat = window.current_tab
    chat.send("go")
    await waiting(window)
    chat.session.approvals.decide("c1", ApprovalDecision(Verdict.ALLOW))
    await until(lambda: len(provider.requests) == 2 and not chat.session.is_running)
    chat.branches.regenerate()
    await until(lambda: len(provider.requests) == 3 and not chat.session.is_running)
    await until(lambda: [m.source for m in chat.transcript._model.messages] == ["go", "", "two"])
    assert cards(window) == [("list_directory", "done")]
    await close(window, workspace)


async def test_rules_that_are_kept_can_be_revoked_and_that_undone(open_window):
    window, workspace, _ = await open_window()
    session = window.current_tab.session
    window.actions_registry["calls.revoke"].trigger()
    assert "asked about every call" in window.current_tab.notice.label.text()
    for rule_id, conversation_id in (("everywhere", ""), ("here", session.id), ("elsewhere", "other")):
        rule = ApprovalRule(rule_id, RuleVerdict.ALLOW, "builtin:list_directory")
        workspace.permissions.keep(rule, conversation_id=conversation_id)
    window.actions_registry["calls.revoke"].trigger()
    assert [permission.id for permission in workspace.permissions.all] == ["elsewhere"]
    window.actions_registry["undo.last"].trigger()
    assert {permission.id for permission in workspace.permissions.all} == {"everywhere", "here", "elsewhere"}
    await close(window, workspace)
