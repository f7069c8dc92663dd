"""CHAT4 to CHAT9, UX5: the network, the machine and the process fail while the window is in each of its states."""

from __future__ import annotations

import signal
import time

import pytest

from tests.fakes.script import END, HOLD, JSON, RESET, FakeServer, head, send, sleep
from tests.fakes.window import FINISH, WindowProcess, answer, beginning, delta, send_and_wait, use_server

pytestmark = pytest.mark.timeout(120)
EDITS = "window.desk._workspace.store.edits._known.values()"
SETTLED = "window.desk._workspace.store.settled()"


@pytest.fixture
def server(tmp_path):
    with FakeServer() as server:
        use_server(tmp_path, server)
        yield server


def end(window, *, is_killed):
    """Ends the program, by a signal that it cannot see or as the user does."""
    if is_killed:
        window.do(SETTLED)
        window.end_by(signal.SIGKILL)
    else:
        window.quit()


@pytest.mark.parametrize("is_killed", [True, False], ids=["kill -9", "quit"])
def test_a_message_that_was_being_edited_is_so_again_and_the_draft_waits_behind_it(server, tmp_path, is_killed):
    server.script(*answer("first answer"))
    server.script(*answer("second answer"))
    with WindowProcess(tmp_path) as window:
        window.ready()
        send_and_wait(window, "hello", shows="first answer")
        window.until("window.current_tab.phase.name == 'DONE'")
        window.do("window.current_tab.composer.setPlainText('a draft')")
        window.do("window.actions_registry['chat.edit'].trigger()")
        window.do("window.current_tab.composer.setPlainText('hello, but')")
        window.until(f"[edit for edit in {EDITS} if edit is not None and edit.text == 'hello, but']")
        end(window, is_killed=is_killed)
    with WindowProcess(tmp_path) as window:
        window.ready()
        window.show_tab(0)
        window.until("window.current_tab.edit_bar.isVisible()")
        assert window.do("window.current_tab.composer.toPlainText()") == "hello, but"
        assert not window.do("window.current_tab.composer.textCursor().hasSelection()"), "the next key keeps it"
        window.do("window.current_tab.composer.submit()")
        window.until("'second answer' in repr(painted(window.current_tab))")
        assert window.do("[window.current_tab.edit_bar.isVisible(), window.current_tab.composer.toPlainText()]") == [
            False,
            "a draft",
        ]
        window.until(f"list({EDITS}) == [None]")
        end(window, is_killed=is_killed)
    with WindowProcess(tmp_path) as window:
        window.ready()
        window.show_tab(0)
        _, messages, _, draft = window.do("painted(window.current_tab)")
        assert (messages[0][2], draft) == ([["text", "hello, but"]], "a draft")
        assert not window.do("window.current_tab.edit_bar.isVisible()")
        window.quit()


def test_after_kill_9_while_a_retry_counts_down_the_message_is_there_and_says_what_became_of_it(server, tmp_path):
    server.script(head(429, JSON, ("retry-after", "50")), send('{"error": {"message": "slow down"}}'), END)
    with WindowProcess(tmp_path) as window:
        window.ready()
        window.do("window.current_tab.send('hello')")
        window.until("'next try in' in window.current_tab.status_line.text()")
        end(window, is_killed=True)
    with WindowProcess(tmp_path) as window:
        window.ready()
        window.show_tab(0)
        _, messages, status, _ = window.do("painted(window.current_tab)")
        assert messages[0][2] == [["text", "hello"]]
        assert "Interrupted: agdesk ended before an answer began" in messages[1][3]
        assert messages[1][5] == ["Try again"]
        assert status.startswith("Failed")
        server.script(*answer("at last"))
        window.do("window.actions_registry['chat.regenerate'].trigger()")
        window.until("'at last' in repr(painted(window.current_tab))")
        window.quit()


def test_attachments_of_a_draft_are_there_after_kill_9(server, tmp_path):
    (tmp_path / "notes.txt").write_text("a note")
    add = (
        "window.current_tab.attachments.offer([__import__('agdesk.ui.widgets.offered', fromlist=['x'])"
        f".OfferedFile({str(tmp_path / 'notes.txt')!r})])"
    )
    with WindowProcess(tmp_path) as window:
        window.ready()
        window.do("window.current_tab.composer.setPlainText('look at this')")
        window.do(add)
        window.until("len(window.current_tab.attachments.blocks) == 1")
        window.until("'look at this' in window.desk._workspace.store._drafts.values()")
        end(window, is_killed=True)
    server.script(*answer("seen"))
    with WindowProcess(tmp_path) as window:
        window.ready()
        window.show_tab(0)
        window.until("len(window.current_tab.attachments.blocks) == 1")
        assert window.do("window.current_tab.attachments.blocks[0].name") == "notes.txt"
        window.do("window.current_tab.composer.submit()")
        window.until("'seen' in repr(painted(window.current_tab))")
        window.quit()
    assert "a note" in server.requests[0].body


def test_a_connection_that_is_reset_keeps_what_arrived_and_its_cause_over_a_restart(server, tmp_path):
    server.script(*beginning("half ", "an answer"), sleep(0.3), RESET)
    with WindowProcess(tmp_path) as window:
        window.ready()
        send_and_wait(window, "hello", shows="an answer")
        window.until("window.current_tab.phase.name == 'FAILED'")
        before = window.do("painted(window.current_tab)")
        window.quit()
    assert before[1][1][2] == [["text", "half an answer"]]
    assert "broke" in before[1][1][3]
    with WindowProcess(tmp_path) as window:
        window.ready()
        window.show_tab(0)
        assert window.do("painted(window.current_tab)") == before
        window.quit()


def test_a_server_that_stands_still_is_told_of_and_goes_on(server, tmp_path):
    server.script(*beginning("before, "), sleep(1.0), send(delta("after")), send(FINISH), END)
    with WindowProcess(tmp_path) as window:
        window.ready()
        send_and_wait(window, "hello", shows="before")
        server._process.send_signal(signal.SIGSTOP)
        try:
            window.until("'no data for' in window.current_tab.status_line.text()")
        finally:
            server._process.send_signal(signal.SIGCONT)
        window.until("window.current_tab.phase.name == 'DONE'")
        assert "before, after" in repr(window.do("painted(window.current_tab)"))
        assert "no data" not in window.do("window.current_tab.status_line.text()")
        window.quit()


def test_after_a_sleep_a_retry_is_made_at_once_and_what_waits_is_sent(server, tmp_path):
    server.script(head(429, JSON, ("retry-after", "3")), send('{"error": {"message": "slow down"}}'), END)
    server.script(*answer("the first"))
    server.script(*answer("the second"))
    with WindowProcess(tmp_path) as window:
        window.ready()
        window.do("window.current_tab.send('one')")
        window.until("'next try in' in window.current_tab.status_line.text()")
        window.do("window.current_tab.send('two')")
        window.process.send_signal(signal.SIGSTOP)
        time.sleep(4.0)
        window.process.send_signal(signal.SIGCONT)
        window.until("'the second' in repr(painted(window.current_tab))")
        window.until("not window.current_tab.session.queue.items and not window.current_tab.session.is_running")
        window.quit()
    assert [request.json["messages"][-1]["content"] for request in server.requests] == ["one", "one", "two"]


def test_quitting_with_a_queue_and_a_running_answer_ends_at_once_and_keeps_both(server, tmp_path):
    server.script(*beginning("half"), HOLD)
    with WindowProcess(tmp_path) as window:
        window.ready()
        send_and_wait(window, "one", shows="half")
        window.do("window.current_tab.send('two')")
        window.do("window.current_tab.composer.setPlainText('three')")
        window.quit()
    with WindowProcess(tmp_path) as window:
        window.ready()
        window.show_tab(0)
        window.until("window.current_tab.queue.panel is not None")
        _, messages, _, draft = window.do("painted(window.current_tab)")
        assert (messages[1][2:5], draft) == ([[["text", "half"]], "None", "Stopped by you"], "three")
        assert window.do("[row.line for row in window.current_tab.queue.panel.view.rows.rows]") == ["two"]
        window.quit()
