"""CHAT1, DATA1: the program is quit, told to end or killed in every state, and started again."""

from __future__ import annotations

import asyncio
import json
import signal
from pathlib import Path

import psutil  # type: ignore[import-untyped]
import pytest

from tests.fakes.script import END, HOLD, JSON, FakeServer, head, send
from tests.fakes.storing import Recorded, open_store
from tests.fakes.window import WindowProcess, beginning, send_and_wait, use_server

pytestmark = pytest.mark.timeout(120)


@pytest.fixture(scope="module")
def _server():
    with FakeServer() as server:
        yield server


@pytest.fixture
def server(_server, tmp_path):
    """A scripted server that every new conversation over ``tmp_path`` asks."""
    _server.forget()
    use_server(tmp_path, _server)
    return _server


def seed(folder: Path, *names: str, turns: int = 1, text: str = "A short answer.") -> None:
    """Stores conversations without a window."""

    async def store_them() -> None:
        store = open_store(folder)
        for name in names:
            chat = Recorded(store, name)
            for number in range(turns):
                chat.turn(f"{name}{number}", f"Question {number} of {name}", (text,))
        await store.settled()
        await store.aclose()

    asyncio.run(store_them())


def write_window_state(folder: Path, **state: object) -> None:
    (folder / "window.json").write_text(json.dumps(state))


def place(width: int = 760, height: int = 700) -> list[int]:
    """One that is fully visible, so that it need not change."""
    return [20, 60, width, height]


def test_the_next_start_shows_the_same_picture(tmp_path, server):
    seed(tmp_path, "long", turns=30, text="A line.\n\n" * 10)
    seed(tmp_path, "alone", "pinned", "deleted")
    tabs: list[dict[str, object]] = [{"session_id": name} for name in ("long", "pinned", "deleted", "failing", "empty")]
    tabs.append({"session_id": "alone", "is_detached": True, "geometry": [40, 70, 500, 400]})
    panels = {"left_panel": {"width": 210, "is_folded": False}, "right_panel": {"width": 300, "is_folded": True}}
    write_window_state(tmp_path, tabs=tabs, current="failing", geometry=place(), **panels)
    server.script(head(403, JSON), send('{"error": {"message": "slow down, please"}}'), END)
    conversations = "window.desk._workspace.conversations"
    with WindowProcess(tmp_path) as window:
        window.ready()
        window.until("window.current_tab and window.desk.detached and window.desk.detached[0].page.chat")
        send_and_wait(window, "fail", shows="slow down, please")
        window.do(f"{conversations}.rename('long', 'Another title')")
        window.do(f"{conversations}.set_pinned('pinned', True)")
        window.do(f"{conversations}.delete('deleted')")
        window.do("window.notices.offer_undo('x', lambda: None)")
        window.do(f"{conversations}.restore('deleted')")
        window.show_tab(4)
        window.do("window.current_tab.composer.setPlainText('half a thought')")
        window.show_tab(0)
        window.do("window.current_tab.transcript.verticalScrollBar().setValue(2000)")
        window.until("window.current_tab.scroll_place()")
        pictures = []
        for index in range(5):
            window.show_tab(index)
            pictures.append(window.do("shown(window)"))
        window.show_tab(0)
        before = window.do("shown(window)")
        listed = window.do(f"[[row.title, row.is_pinned] for row in {conversations}.all()]")
        window.quit()
    assert before["scroll"][0] != ""
    assert before["front"][0] == "Another title"
    with WindowProcess(tmp_path) as window:
        window.ready()
        window.until("window.current_tab and window.desk.detached and window.desk.detached[0].page.chat")
        assert window.do("shown(window)") == before
        for index, picture in enumerate(pictures):
            window.show_tab(index)
            assert window.do("shown(window)")["front"] == picture["front"]
        assert window.do(f"[[row.title, row.is_pinned] for row in {conversations}.all()]") == listed
        assert ["Another title", False] in listed
        assert pictures[3]["front"][1][-1][3] != "None", "the error is a part of the picture"
        assert pictures[4]["front"][3] == "half a thought"
        window.quit()


WAYS = {
    "quitting": None,
    "Ctrl+C in the terminal": signal.SIGINT,
    "kill": signal.SIGTERM,
    "the end of the terminal": signal.SIGHUP,
}


@pytest.mark.parametrize("way", WAYS)
def test_what_ends_the_program_in_the_middle_of_an_answer_stops_it_and_keeps_what_is_written(way, tmp_path, server):
    server.script(*beginning("half ", "an answer"), HOLD)
    with WindowProcess(tmp_path) as window:
        window.ready()
        send_and_wait(window, "hello", shows="an answer")
        window.do("window.current_tab.composer.setPlainText('typed just now')")
        if (number := WAYS[way]) is None:
            window.quit()
        else:
            assert window.end_by(number) == (0, "")
    with WindowProcess(tmp_path) as window:
        window.ready()
        window.until("window.current_tab and window.current_tab.composer.toPlainText()")
        title, messages, _, draft = window.do("painted(window.current_tab)")
        assert (title, draft) == ("hello", "typed just now")
        assert messages[-1][2:5] == [[["text", "half an answer"]], "None", "Stopped by you"]
        window.quit()


def test_a_signal_ends_an_idle_window(tmp_path):
    with WindowProcess(tmp_path) as window:
        window.ready()
        window.until("window._dialogs is not None")
        assert window.end_by(signal.SIGTERM) == (0, "")


def test_after_kill_9_in_the_middle_of_an_answer_all_but_the_last_moment_is_there(tmp_path, server):
    seed(tmp_path, "other")
    tabs = [{"session_id": name} for name in ("other", "draft", "streaming")]
    write_window_state(tmp_path, tabs=tabs, current="draft", geometry=place())
    server.script(*beginning("half ", "an answer"), HOLD)
    with WindowProcess(tmp_path) as window:
        window.ready()
        window.do("window.current_tab.composer.setPlainText('half a thought')")
        window.do("window.tabs.go_to(2)")
        send_and_wait(window, "hello", shows="an answer")
        window.until("'half a thought' in window.desk._workspace.store._drafts.values()")
        window.do("window.desk._workspace.store.settled()")
        children = psutil.Process(window.process.pid).children(recursive=True)
        window.end_by(signal.SIGKILL)
    psutil.wait_procs(children, timeout=20)
    assert not [child for child in children if child.is_running()]
    with WindowProcess(tmp_path) as window:
        window.ready()
        window.until("window.current_tab")
        shown = window.do("shown(window)")
        assert (len(shown["tabs"]), shown["tabs"][2]) == (3, "hello")
        window.show_tab(2)
        _, messages, _, _ = window.do("painted(window.current_tab)")
        assert messages[-1][2] == [["text", "half an answer"]]
        assert "Interrupted" in messages[-1][3]
        window.show_tab(1)
        assert window.do("painted(window.current_tab)")[3] == "half a thought"
        window.show_tab(0)
        assert "A short answer" in repr(window.do("painted(window.current_tab)"))
        window.quit()


def test_of_thirty_tabs_only_the_one_in_front_is_loaded_and_each_other_when_it_is_shown(tmp_path):
    names = [f"chat{number}" for number in range(30)]
    seed(tmp_path, *names, turns=5)
    write_window_state(tmp_path, tabs=[{"session_id": name} for name in names], current="chat20", geometry=place())
    with WindowProcess(tmp_path) as window:
        window.ready()
        window.until("window.current_tab")
        assert window.do("list(window.desk._workspace.sessions)") == ["chat20"]
        assert window.do("shown(window)")["current"] == "chat20"
        for index in (0, 29, 7):
            window.show_tab(index)
            assert f"of chat{index}'" in repr(window.do("painted(window.current_tab)"))
        assert len(window.do("list(window.desk._workspace.sessions)")) == 4
        window.quit()


@pytest.mark.parametrize("geometry", [[-5000, 0, 700, 500], [9000, 9000, 700, 500], [0, 0, 60_000, 60_000]])
def test_a_window_on_a_screen_that_is_gone_can_be_seen(geometry, tmp_path):
    write_window_state(
        tmp_path, tabs=[{"session_id": "a", "is_detached": True, "geometry": geometry}], geometry=geometry
    )
    with WindowProcess(tmp_path) as window:
        window.ready()
        window.until("window.desk.detached and window.desk.detached[0].isVisible()")
        area = "app.primaryScreen().availableGeometry().adjusted(0, 0, 8, 8)"  # the platform's frame moves it a little
        assert window.do(f"{area}.contains(window.geometry())")
        assert window.do(f"{area}.contains(window.desk.detached[0].geometry())")
        window.quit()


def test_quitting_twice_with_the_settings_open_in_the_middle_of_an_answer_ends_at_once(tmp_path, server):
    server.script(*beginning("half"), HOLD)
    with WindowProcess(tmp_path) as window:
        window.ready()
        send_and_wait(window, "hello", shows="half")
        window.do("window.open_settings()")
        window.until("app.activeWindow() is not window")
        window.do("window.actions_registry['app.quit'].trigger()")
        window.quit()


def test_quitting_while_a_conversation_is_loaded_keeps_its_place_and_its_draft(tmp_path):
    seed(tmp_path, "long", turns=300, text="A line.\n\n" * 20)
    place_in_it = "req-long5#0#0"
    tab = {"session_id": "long", "scroll_place": place_in_it}
    write_window_state(tmp_path, tabs=[{"session_id": "empty"}, tab], current="empty", geometry=place())
    with WindowProcess(tmp_path) as window:
        window.ready()
        window.do("window.desk._workspace.set_draft('long', 'half a thought')")
        window.tell("(window.tabs.go_to(1), window.actions_registry['app.quit'].trigger())[0]")
        assert window.ended() == (0, "")
    tabs = json.loads((tmp_path / "window.json").read_text())["tabs"]
    assert tabs[1]["scroll_place"] == place_in_it
    with WindowProcess(tmp_path) as window:
        window.ready()
        window.until("window.current_tab and window.current_tab.composer.toPlainText() == 'half a thought'")
        window.quit()


def test_quitting_while_the_key_store_waits_for_its_password_does_not_wait_with_it(tmp_path, server):
    with (tmp_path / "settings.toml").open("a") as file:
        file.write('key = "keyring"\n')
    module = "__import__('tests.fakes.keyrings', fromlist=['LockedKeyring'])"
    with WindowProcess(tmp_path) as window:
        window.ready()
        window.do(f"setattr(window, 'locked', {module}.LockedKeyring(patience_s=3600))")
        window.do("setattr(window.desk._workspace.secrets, '_load_backend', lambda: window.locked)")
        window.do("window.current_tab.send('hello')")
        window.until("window.locked.is_asking.is_set()")
        window.quit()
