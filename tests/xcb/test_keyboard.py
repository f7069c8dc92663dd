"""A person with a keyboard and no mouse, in a real window: run by ``test_display.py``."""

from __future__ import annotations

import json
import sqlite3
import subprocess
import sys
import time
from contextlib import closing

import pytest

from tests.fakes.script import END, SSE, FakeServer, head, send

pytestmark = [pytest.mark.xcb, pytest.mark.timeout(120)]
PATIENCE_S = 40.0
ANSWER = 'data: {"choices": [{"index": 0, "delta": {"content": "Hello"}, "finish_reason": "stop"}]}\n\n'


class Desk:
    """The program in its window, and the keys that reach it."""

    def __init__(self, folder, server):
        self.folder = folder
        self.server = server
        self.process = None

    def start(self):
        self.process = subprocess.Popen([sys.executable, "-m", "agdesk", "--data-dir", str(self.folder)])
        until(lambda: active_name() == "agdesk" and is_ready(self.folder))

    def quit(self):
        xdotool("key", "ctrl+q")
        assert self.process.wait(timeout=PATIENCE_S) == 0
        return json.loads((self.folder / "window.json").read_text())

    def ask(self, text):
        count = len(self.server.requests)
        self.server.script(head(200, SSE), send(ANSWER + "data: [DONE]\n\n"), END)
        xdotool("type", "--delay", "20", text)
        keys("Return")
        until(lambda: len(self.server.requests) > count)
        assert self.server.requests[-1].json["messages"][-1]["content"] == text
        until(lambda: not self.running_turns())

    def running_turns(self):
        with closing(sqlite3.connect(self.folder / "agdesk.db")) as database:
            return database.execute("SELECT id FROM turn WHERE end_json IS NULL").fetchall()


@pytest.fixture
def desk(tmp_path):
    with FakeServer() as server:
        settings = f'[chat]\ndefault_model = "custom/m"\n\n[providers.custom]\nbase_url = "{server.base_url}"\n'
        (tmp_path / "settings.toml").write_text(settings)
        desk = Desk(tmp_path, server)
        yield desk
        if desk.process is not None:
            desk.process.kill()
            desk.process.wait()


def xdotool(*arguments):
    return subprocess.run(["xdotool", *arguments], check=True, capture_output=True, text=True, timeout=60).stdout


def keys(*names):
    for name in names:
        xdotool("key", "--clearmodifiers", name)
        time.sleep(0.3)


def active_name():
    done = subprocess.run(["xdotool", "getactivewindow", "getwindowname"], check=False, capture_output=True, text=True)
    return done.stdout.strip()


def is_ready(folder):
    """Whether it answers a second start, which it does when everything is loaded."""
    return subprocess.run([sys.executable, "-m", "agdesk", "--data-dir", str(folder)], check=False).returncode == 0


def until(condition):
    end = time.monotonic() + PATIENCE_S
    while not condition():
        assert time.monotonic() < end, "it did not happen"
        time.sleep(0.05)


def test_two_conversations_are_written_found_and_there_again_after_a_restart(desk):
    desk.start()
    desk.ask("First one")
    keys("ctrl+t")
    desk.ask("Second one")
    keys("ctrl+k")
    xdotool("type", "--delay", "20", "first one")
    keys("Return")
    desk.ask("Back again")
    assert [entry["content"] for entry in desk.server.requests[-1].json["messages"]][::2] == ["First one", "Back again"]
    before = desk.quit()
    assert len(before["tabs"]) == 2 and before["current"] == before["tabs"][0]["session_id"]
    desk.start()
    desk.ask("After the restart")
    assert desk.server.requests[-1].json["messages"][0]["content"] == "First one"
    keys("ctrl+Tab")
    desk.ask("To the second")
    assert desk.server.requests[-1].json["messages"][0]["content"] == "Second one"
    keys("ctrl+1")
    after = desk.quit()
    assert [tab["session_id"] for tab in after["tabs"]] == [tab["session_id"] for tab in before["tabs"]]
    assert after["current"] == before["current"]


def test_the_keyboard_is_in_the_composer_after_every_dialog(desk):
    desk.start()
    keys("ctrl+k", "Escape")
    desk.ask("After the palette")
    keys("ctrl+comma")
    until(lambda: active_name() == "Settings")
    keys("Escape")
    until(lambda: active_name() == "agdesk")
    desk.ask("After the settings")
    keys("ctrl+shift+d")
    until(lambda: active_name() == "After the palette")
    desk.ask("In a window of its own")
    keys("ctrl+w")
    until(lambda: active_name() == "agdesk")
    desk.ask("Back in the tabs")
    keys("ctrl+j")
    desk.ask("Beside the inspector")
    desk.quit()
