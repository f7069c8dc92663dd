"""CHAT5 in the real program: whatever cuts an answer, what arrived stays with its label, and both ways on work."""

from __future__ import annotations

import signal

import pytest

from tests.fakes.script import CUT, END, HOLD, FakeServer
from tests.fakes.window import WindowProcess, answer, beginning, send_and_wait, use_server

pytestmark = pytest.mark.timeout(150)
PICTURE = "repr(painted(window.current_tab))"
STEPS = "[step.text for step in window.current_tab.transcript._model.messages[-1].steps]"
BOTH = ["Continue", "Try again"]
SHORT_WAIT = (
    "object.__setattr__(__import__('agdesk.core.providers.presets', fromlist=['x']).shipped_endpoints()['llama-cpp'],"
    " 'idle_timeout_s', 0.5)"
)
CAUSES = {
    "user": ((HOLD,), "Stopped by you"),
    "no terminator": ((END,), "Incomplete"),
    "cut": ((CUT,), "ErrorView"),
    "timeout": ((HOLD,), "longer timeout in the row"),
    "kill -9": ((HOLD,), "Interrupted"),
}


@pytest.fixture(scope="module")
def _server():
    with FakeServer() as server:
        yield server


@pytest.fixture
def server(_server):
    _server.forget()
    return _server


def cut_answer(window: WindowProcess, cause: str) -> None:
    """Sends a message, of whose answer a part arrives."""
    window.until("window.desk._workspace.model_rows()")
    if cause == "timeout":
        window.do(SHORT_WAIT)
    send_and_wait(window, "hello", shows="the beginning,")
    if cause == "user":
        window.do("window.current_tab.stop()")
    if cause != "kill -9":
        window.until("not window.current_tab.phase.is_running and window.current_tab.phase.name != 'IDLE'")


@pytest.mark.parametrize("way", BOTH)
@pytest.mark.parametrize("cause", CAUSES)
def test_what_arrived_stays_with_its_label_and_can_be_continued_or_asked_again(cause, way, tmp_path, server):
    steps, label = CAUSES[cause]
    use_server(tmp_path, server, provider="llama-cpp")
    server.script(*beginning("the beginning, "), *steps)
    window = WindowProcess(tmp_path)
    with window:
        window.ready()
        cut_answer(window, cause)
        if cause == "kill -9":
            window.do("window.desk._workspace.store.settled()")
            window.end_by(signal.SIGKILL)
            window = WindowProcess(tmp_path)
        with window:
            if cause == "kill -9":
                window.ready()
                window.show_tab(0)
                window.until("window.desk._workspace.model_rows()")
            assert "the beginning, " in window.do(PICTURE)
            assert label in window.do(PICTURE)
            window.until(f"{STEPS} == {BOTH}")
            server.script(*answer(" the end"))
            whole = "the beginning, the end" if way == "Continue" else " the end"
            action = "continue" if way == "Continue" else "again"
            chosen = f"window.current_tab.transcript.last_key(), {action!r}"
            window.do(f"window.current_tab.transcript.end_action_chosen.emit({chosen})")
            window.until(f"window.current_tab.transcript._model.messages[-1].source == {whole!r}")
            window.until("window.current_tab.phase.name == 'DONE'")
            assert window.do(STEPS) == []
            window.quit()
    last = server.requests[-1].json["messages"][-1]
    assert last["role"] == ("assistant" if way == "Continue" else "user")


def test_a_kill_while_an_answer_is_continued_keeps_both_parts_of_it(tmp_path, server):
    use_server(tmp_path, server, provider="llama-cpp")
    server.script(*beginning("one,"), END)
    server.script(*beginning(" two,"), HOLD)
    with WindowProcess(tmp_path) as window:
        window.ready()
        window.until("window.desk._workspace.model_rows()")
        send_and_wait(window, "count", shows="Incomplete")
        window.until("window.current_tab.phase.name == 'DONE'")
        window.do("window.actions_registry['chat.continue'].trigger()")
        window.until(f"'one, two,' in {PICTURE}")
        window.do("window.desk._workspace.store.settled()")
        window.end_by(signal.SIGKILL)
    server.script(*answer(" three"))
    with WindowProcess(tmp_path) as window:
        window.ready()
        window.show_tab(0)
        window.until("window.desk._workspace.model_rows()")
        picture = window.do(PICTURE)
        assert "'one, two,'" in picture
        assert "Interrupted" in picture
        window.until(f"{STEPS} == {BOTH}")
        window.do("window.actions_registry['chat.continue'].trigger()")
        window.until(f"'one, two, three' in {PICTURE}")
        window.until("window.current_tab.phase.name == 'DONE'")
        tree = window.do(
            "[node.head for node in window.current_tab.session.branches.tree.children("
            "window.current_tab.session.branches.tree.path()[0].id)]"
        )
        assert tree == ["one,", "one, two,", "one, two, three"]
        window.quit()
    contents = [[message["content"] for message in request.json["messages"]] for request in server.requests]
    assert contents == [["count"], ["count", "one,"], ["count", "one, two,"]]
