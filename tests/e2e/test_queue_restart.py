"""CHAT6 over processes: what waits outlives the end of the program, however that comes; nothing is sent twice."""

import json
import sqlite3
import time
from contextlib import closing

import pytest

from tests.fakes.script import HOLD, FakeServer
from tests.fakes.window import PATIENCE_S, WindowProcess, answer, beginning, send_and_wait, use_server

pytestmark = pytest.mark.timeout(120)


@pytest.fixture
def server(tmp_path):
    with FakeServer() as server:
        use_server(tmp_path, server)
        yield server


def wait_for_rows(folder, *texts):
    """Returns when these messages wait on the disk, in this order."""
    end_s = time.monotonic() + PATIENCE_S
    while True:
        with closing(sqlite3.connect(folder / "agdesk.db")) as connection:
            rows = [json.loads(row[0]) for row in connection.execute("SELECT json FROM queue ORDER BY place")]
        if [blocks[0]["text"] for blocks in rows] == list(texts):
            return
        assert time.monotonic() < end_s, f"never {texts}: {rows}"
        time.sleep(0.02)


@pytest.mark.parametrize("is_killed", [True, False], ids=["kill -9", "quit"])
def test_what_waits_comes_back_paused_in_its_order_and_is_sent_by_resume(server, tmp_path, is_killed):
    server.script(*beginning("half ", "an answer"), HOLD)
    with WindowProcess(tmp_path) as window:
        window.ready()
        send_and_wait(window, "one", shows="an answer")
        window.do("window.current_tab.send('two')")
        window.do("window.current_tab.send('three')")
        window.do("window.current_tab.session.queue.move(window.current_tab.session.queue.items[1].id, 0)")
        wait_for_rows(tmp_path, "three", "two")
        if not is_killed:
            window.quit()

    server.script(*answer("the second"))
    server.script(*answer("the third"))
    with WindowProcess(tmp_path) as window:
        window.ready()
        window.show_tab(0)
        lines = "[row.line for row in window.current_tab.queue.panel.view.rows.rows]"
        window.until("window.current_tab.queue.panel is not None")
        assert window.do(lines) == ["three", "two"]
        assert "kept from before" in window.do("window.current_tab.queue.panel.label.text()")
        window.do("window.actions_registry['queue.resume'].trigger()")
        window.until("'the third' in repr(painted(window.current_tab))")
        window.until("not window.current_tab.session.queue.items and not window.current_tab.session.is_running")
        wait_for_rows(tmp_path)
        window.quit()
    with closing(sqlite3.connect(tmp_path / "agdesk.db")) as connection:
        assert connection.execute("SELECT count(*) FROM turn").fetchone() == (3,)
