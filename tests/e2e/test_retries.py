"""Retries of the real program: on a terminal, and over a kill in the middle of the wait (PROV6, E07)."""

import json
import signal
import tomllib

import pytest

from tests.e2e.test_command_line import ANSWER, ask
from tests.fakes.script import END, JSON, SSE, FakeServer, head, send
from tests.fakes.window import WindowProcess, use_server

pytestmark = pytest.mark.timeout(120)
LIMITED = json.dumps({"error": {"message": "Too \x1b[31mmany", "code": "rate_limit_exceeded"}})
REFUSED = json.dumps({"error": {"message": "Unrecognized request argument supplied: stream_options"}})


@pytest.fixture
def server():
    with FakeServer() as server:
        yield server


def test_ask_tries_again_and_says_so_beside_the_answer(tmp_path, server):
    for _ in range(2):
        server.script(head(429, JSON, ("retry-after-ms", "100")), send(LIMITED), END)
    server.script(head(200, SSE), send(ANSWER), END)
    done = ask(tmp_path, server, "hi")
    assert (done.returncode, done.stdout) == (0, "Bonjour\n")
    first, second = done.stderr.splitlines()
    assert "rate limit" in first and first.endswith("Next try in 0.1 s (1 of 3).") and "\x1b" not in first
    assert second.endswith("(2 of 3).")
    assert len(server.requests) == 3


def test_with_json_there_is_only_the_document_of_the_last_attempt(tmp_path, server):
    server.script(head(503, JSON, ("retry-after-ms", "100"), ("x-request-id", "one")), send("{}"), END)
    server.script(head(200, SSE, ("x-request-id", "two")), send(ANSWER), END)
    done = ask(tmp_path, server, "--json", "hi")
    assert (done.returncode, done.stderr) == (0, "")
    document = json.loads(done.stdout)
    assert (document["request_id"], document["ignored_fields"], document["error"]) == ("two", 0, None)


def test_a_long_wait_is_not_waited_for_and_said(tmp_path, server):
    server.script(head(429, JSON, ("retry-after", "300")), send(LIMITED), END)
    done = ask(tmp_path, server, "hi")
    assert done.returncode == 1 and "5 min" in done.stderr
    assert len(server.requests) == 1


def test_a_refused_parameter_is_left_out_said_and_remembered(tmp_path, server):
    server.script(head(400, JSON), send(REFUSED), END)
    for _ in range(2):
        server.script(head(200, SSE), send(ANSWER), END)
    done = ask(tmp_path, server, "hi")
    assert (done.returncode, done.stdout) == (0, "Bonjour\n")
    assert "stream_options" in done.stderr
    settings = tomllib.loads((tmp_path / "data" / "settings.toml").read_text())
    assert settings["models"]["custom/m"]["refused"] == ["stream_options"]
    again = ask(tmp_path, server, "--json", "hi")
    assert (again.returncode, again.stderr) == (0, "")
    assert ["stream_options" in request.json for request in server.requests] == [True, False, False]


def test_a_parameter_that_cannot_be_remembered_is_left_out_all_the_same(tmp_path, server):
    folder = tmp_path / "data"
    folder.mkdir()
    (folder / "settings.toml").mkdir()  # neither to be read nor to be written
    server.script(head(400, JSON), send(REFUSED), END)
    server.script(head(200, SSE), send(ANSWER), END)
    done = ask(tmp_path, server, "hi")
    assert (done.returncode, done.stdout) == (0, "Bonjour\n")
    assert "stream_options" not in server.requests[1].json


def test_a_turn_that_was_killed_while_it_waited_is_interrupted_at_the_next_start(tmp_path, server):
    use_server(tmp_path, server)
    server.script(head(429, JSON, ("retry-after", "50")), send(LIMITED), END)
    with WindowProcess(tmp_path) as window:
        window.ready()
        window.until("window.current_tab")
        window.do("window.current_tab.send('hello')")
        window.until("'next try in' in window.current_tab.status_line.text()")
        window.until("window.current_tab.status_row.now_button.isVisible()")
        window.end_by(signal.SIGKILL)
    with WindowProcess(tmp_path) as window:
        window.ready()
        window.until("window.current_tab and 'Interrupted' in repr(painted(window.current_tab))")
        assert not window.do("window.current_tab.status_row.now_button.isVisible()")
        assert not window.do("window.current_tab.session.is_running")
        window.quit()
    assert len(server.requests) == 1
