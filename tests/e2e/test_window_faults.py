"""DATA1, SEC6, UX3, UX5: the window and a full disk, damaged files, its own second start, and the machine's sleep."""

from __future__ import annotations

import os
import random
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from tests.e2e.test_restart import seed, write_window_state
from tests.fakes.script import END, HOLD, FakeServer, send, sleep
from tests.fakes.window import FINISH, PATIENCE_S, WindowProcess, answer, beginning, delta, send_and_wait, use_server

pytestmark = pytest.mark.timeout(150)
STORE = "window.desk._workspace.store"
QUIT = "Quit"
ASIDE = "Keep it aside and begin with an empty list"


@pytest.fixture(scope="module")
def _server():
    with FakeServer() as server:
        yield server


@pytest.fixture
def server(_server):
    _server.forget()
    return _server


@pytest.fixture
def small_disk(tmp_path):
    """A folder on a disk of 4 MB."""
    folder = tmp_path / "disk"
    folder.mkdir()
    if sys.platform != "linux":
        pytest.skip("only Linux mounts a tmpfs")
    mounted = subprocess.run(
        ["mount", "-t", "tmpfs", "-o", "size=4m,mode=700", "tmpfs", str(folder)], capture_output=True, text=True
    )
    if mounted.returncode:
        pytest.skip(f"a tmpfs cannot be mounted here: {mounted.stderr.strip()}")
    try:
        yield folder
    finally:
        subprocess.run(["umount", "-l", str(folder)], check=True)


def fill(folder: Path) -> Path:
    """Takes every byte that is left."""
    filler = folder / "filler"
    with filler.open("wb", buffering=0) as file:
        try:
            while True:
                file.write(b"\0" * 4_096)
        except OSError:
            pass
    return filler


def notice(window: WindowProcess) -> str:
    """What stands above the composer."""
    return window.do("window.current_tab.notice.label.text() if window.current_tab.notice.isVisible() else ''")


# --- a full disk ---


def test_an_answer_that_meets_a_full_disk_is_whole_once_there_is_space_again(small_disk, server):
    use_server(small_disk, server)
    seed(small_disk, "other")
    pieces = [f"piece {number} " * 500 for number in range(40)]
    server.script(
        *beginning("the beginning, "), sleep(1.0), *(send(delta(piece)) for piece in pieces), send(FINISH), END
    )
    with WindowProcess(small_disk) as window:
        window.ready()
        send_and_wait(window, "hello", shows="the beginning")
        filler = fill(small_disk)
        window.until("banners(window)")
        assert "full" in window.do("banners(window)")[0]
        assert window.do("window.notices.banners['store'].action_button.text()") == "Try again"
        window.until("window.current_tab.phase.name in ('DONE', 'FAILED')")
        assert window.do("window.current_tab.phase.name") == "DONE"
        titles = window.do(f"[row.title for row in {STORE}.conversations.all()]")
        assert titles == ["hello", "Question 0 of other"]
        window.do("window.current_tab.composer.setPlainText('one more')")
        window.do("window.current_tab.composer.submit()")
        assert "full" in notice(window)
        assert window.do("window.current_tab.composer.toPlainText()") == "one more"
        window.do("window.open_conversation('other')")
        window.until("window.current_tab and 'A short answer' in repr(painted(window.current_tab))")
        filler.unlink()
        window.until("not banners(window)")
        window.do(f"{STORE}.settled()")
        window.show_tab(0)
        assert notice(window) == "", "what it says is no longer true"
        window.quit()
    with WindowProcess(small_disk) as window:
        window.ready()
        window.show_tab(0)
        title, messages, _, draft = window.do("painted(window.current_tab)")
        assert (title, draft) == ("hello", "one more")
        assert messages[1][2] == [["text", "the beginning, " + "".join(pieces)]]
        window.quit()


def test_a_start_on_a_full_disk_shows_what_is_stored_and_says_why_nothing_is_sent(small_disk, server):
    use_server(small_disk, server)
    seed(small_disk, "other")
    write_window_state(small_disk, tabs=[{"session_id": "other"}, {"session_id": "new"}], current="other")
    filler = fill(small_disk)
    with WindowProcess(small_disk) as window:
        window.ready()
        window.show_tab(0)
        assert "A short answer" in repr(window.do("painted(window.current_tab)"))
        window.show_tab(1)
        window.do("window.current_tab.composer.setPlainText('one more')")
        window.until("banners(window)")
        window.do("window.current_tab.composer.submit()")
        assert "full" in notice(window)
        filler.unlink()
        window.do("window.notices.banners['store'].action_button.click()")
        window.until("not banners(window)")
        server.script(*answer("Bon", "jour"))
        window.do("window.current_tab.composer.submit()")
        window.until("'Bonjour' in repr(painted(window.current_tab))")
        window.tell("window.actions_registry['app.quit'].trigger()")
        status, output = window.ended()
        assert status == 0
        assert "agdesk.log cannot be written" in output


def test_on_a_full_disk_nothing_is_queued_or_attached_that_would_be_lost_and_all_that_was_comes_back(
    small_disk, server, tmp_path
):
    use_server(small_disk, server)
    notes = tmp_path / "notes.txt"
    notes.write_text("a note " * 5_000)
    offered = "__import__('agdesk.ui.widgets.offered', fromlist=['x']).OfferedFile"
    attach = f"window.current_tab.attachments.offer([{offered}({str(notes)!r})])"
    waiting = "[row.line for row in window.current_tab.queue.panel.view.rows.rows]"
    server.script(*beginning("the beginning"), HOLD)
    with WindowProcess(small_disk) as window:
        window.ready()
        send_and_wait(window, "hello", shows="the beginning")
        window.do("window.current_tab.send('two')")
        window.do(f"{STORE}.settled()")
        filler = fill(small_disk)
        window.do("window.current_tab.composer.setPlainText('three')")
        window.until("banners(window)")
        window.do("window.current_tab.composer.submit()")
        said = notice(window)
        assert ("full" in said) is (window.do("window.current_tab.composer.toPlainText()") == "three"), said
        window.do(attach)
        window.until("window.current_tab.attachments.is_ready()")
        assert "full" in notice(window)
        assert window.do("len(window.current_tab.attachments.blocks)") == 0
        shown = window.do(waiting)
        filler.unlink()
        window.until("not banners(window)")
        window.do(attach)
        window.until("len(window.current_tab.attachments.blocks) == 1")
        draft = window.do("window.current_tab.composer.toPlainText()")
        window.until(f"{draft!r} in {STORE}._drafts.values() or not {draft!r}")
        window.do(f"{STORE}.settled()")
        window.end_by(signal.SIGKILL)
    with WindowProcess(small_disk) as window:
        window.ready()
        window.show_tab(0)
        window.until("window.current_tab.queue.panel is not None and window.current_tab.attachments.blocks")
        assert window.do(waiting) == shown
        _, messages, _, text = window.do("painted(window.current_tab)")
        assert messages[1][2] == [["text", "the beginning"]]
        assert "Interrupted" in messages[1][3]
        assert text == draft
        assert {"two", "three"} == {*shown, *([text] if text else [])}
        window.quit()


def test_quitting_on_a_full_disk_in_the_middle_of_an_answer_ends(small_disk, server):
    use_server(small_disk, server)
    server.script(*beginning("the beginning"), HOLD)
    with WindowProcess(small_disk) as window:
        window.ready()
        send_and_wait(window, "hello", shows="the beginning")
        window.do(f"{STORE}.settled()")
        fill(small_disk)
        window.do("window.current_tab.composer.setPlainText('a draft')")
        window.until("banners(window)")
        window.tell("window.actions_registry['app.quit'].trigger()")
        assert window.ended()[0] == 0
    (small_disk / "filler").unlink()
    with WindowProcess(small_disk) as window:
        window.ready()
        window.show_tab(0)
        _, messages, _, _ = window.do("painted(window.current_tab)")
        assert messages[0][2] == [["text", "hello"]]
        assert messages[1][2] == [["text", "the beginning"]]
        assert "Interrupted" in messages[1][3]
        window.quit()


# --- damaged and foreign files ---


def ask_and_press(folder: Path, button: str) -> tuple[list[str], WindowProcess]:
    window = WindowProcess(folder)
    text, hint, buttons = window.read()["question"]
    window.tell(button)
    return [text, hint, *buttons], window


def damage(folder: Path, start: int, length: int) -> bytes:
    database = folder / "agdesk.db"
    content = bytearray(database.read_bytes())
    content[start : start + length] = random.Random(1).randbytes(length)
    database.write_bytes(content)
    return bytes(content)


@pytest.mark.parametrize("place", [0, 4 * 4_096])
def test_a_damaged_database_is_asked_about_left_alone_and_kept_aside(place, tmp_path):
    seed(tmp_path, *(f"chat{number}" for number in range(20)))
    content = damage(tmp_path, place, 4_096)
    asked, window = ask_and_press(tmp_path, QUIT)
    with window:
        assert window.ended() == (1, "")
    assert "damaged" in asked[0]
    assert asked[2:] == [QUIT, ASIDE]
    assert (tmp_path / "agdesk.db").read_bytes() == content
    _, window = ask_and_press(tmp_path, ASIDE)
    with window:
        window.ready()
        assert window.do(f"len({STORE}.conversations.all())") == 0
        window.quit()
    assert (tmp_path / "agdesk.db.aside-1").read_bytes() == content


def test_a_database_of_a_newer_agdesk_is_left_alone(tmp_path):
    seed(tmp_path, "other")
    content = bytearray((tmp_path / "agdesk.db").read_bytes())
    content[60:64] = (99).to_bytes(4, "big")
    (tmp_path / "agdesk.db").write_bytes(content)
    asked, window = ask_and_press(tmp_path, QUIT)
    with window:
        assert window.ended() == (1, "")
    assert "newer agdesk" in asked[0]
    assert asked[2:] == [QUIT]
    assert (tmp_path / "agdesk.db").read_bytes() == content


@pytest.mark.parametrize("name", ["data folder", "logs", "agdesk.lock", "agdesk.db"])
def test_what_is_in_the_way_of_the_data_folder_is_named(name, tmp_path):
    folder = tmp_path / "data"
    if name == "data folder":
        folder.write_text("no folder")
    else:
        folder.mkdir()
        (folder / name).mkdir() if name.startswith("agdesk") else (folder / name).write_text("no folder")
    asked, window = ask_and_press(folder, QUIT)
    with window:
        assert window.ended()[0] == 1
    assert str(folder) in asked[0]
    assert asked[2:] == [QUIT]


@pytest.mark.skipif(os.name != "posix" or os.geteuid() == 0, reason="root may read everything")
def test_a_folder_that_cannot_be_read_is_named(tmp_path):
    folder = tmp_path / "data"
    folder.mkdir(mode=0)
    try:
        asked, window = ask_and_press(folder, QUIT)
        with window:
            assert window.ended()[0] == 1
        assert str(folder) in asked[0]
    finally:
        folder.chmod(0o700)


SETTINGS = {
    "half a line": (b"[chat\n", "line 1"),
    "bytes": (random.Random(2).randbytes(100), "settings.toml"),
}


@pytest.mark.parametrize("name", SETTINGS)
def test_broken_settings_are_told_of_and_stay_as_they_are(name, tmp_path):
    content, told = SETTINGS[name]
    (tmp_path / "settings.toml").write_bytes(content)
    with WindowProcess(tmp_path) as window:
        window.ready()
        window.until("banners(window)")
        assert told in window.do("banners(window)")[0]
        window.quit()
    assert (tmp_path / "settings.toml").read_bytes() == content


@pytest.mark.parametrize("model_ref", ["gone/model", "custom/without-address"])
def test_a_default_model_that_cannot_be_asked_does_not_keep_the_window_from_opening(model_ref, tmp_path):
    (tmp_path / "settings.toml").write_text(f'version = 2\n[chat]\ndefault_model = "{model_ref}"\n')
    with WindowProcess(tmp_path) as window:
        window.ready()
        send_and_wait(window, "hello", shows="ErrorView")
        window.until("window.notices is not None and window.current_tab.picker.isEnabled()")
        window.quit()


HOSTILE = {
    "no JSON": b"\x00\xff{",
    "huge": b"[" * 5_000_000,
    "nested panels": b'{"conversation_list": "%s", "inspector": "zz"}' % (b"[" * 3_900),
    "strange places": (
        b'{"tabs": [{"session_id": "other", "scroll_place": "turn-other0/user#%s#-%s"}, {"session_id": "../../etc"}],'
        b' "left_panel": {"width": 99999, "is_folded": false}, "geometry": [1, 2, 1, 1]}' % (b"9" * 30, b"9" * 30)
    ),
    "other types": b'{"tabs": {"a": 1}, "current": 5, "geometry": "x", "left_panel": [], "is_maximized": "yes"}',
}


@pytest.mark.parametrize("name", HOSTILE)
def test_whatever_is_wrong_with_the_state_of_the_window_it_opens(name, tmp_path):
    seed(tmp_path, "other")
    (tmp_path / "window.json").write_bytes(HOSTILE[name])
    with WindowProcess(tmp_path) as window:
        window.ready()
        window.do("window.open_conversation('other')")
        window.until("window.current_tab and 'A short answer' in repr(painted(window.current_tab))")
        window.until("window.panels.conversations is not None or window.panels.splitter.is_folded('left')")
        window.quit()


# --- two starts, and a start at once ---


def second_start(folder: Path) -> subprocess.Popen[bytes]:
    return subprocess.Popen(
        [sys.executable, "-m", "agdesk", "--data-dir", str(folder)],
        stderr=subprocess.PIPE,
        env=os.environ | {"QT_QPA_PLATFORM": "offscreen"},
    )


def test_a_second_start_ends_and_the_first_window_comes_to_the_front(tmp_path):
    with WindowProcess(tmp_path) as window:
        window.ready()
        window.do("(window.showMinimized(), None)[1]")
        second = second_start(tmp_path)
        _, output = second.communicate(timeout=PATIENCE_S)
        assert (second.returncode, output) == (0, b"")
        window.until("not window.isMinimized()")
        window.quit()


def test_a_second_start_says_that_the_first_hangs_and_a_start_after_its_end_works(tmp_path):
    with WindowProcess(tmp_path) as window:
        window.ready()
        window.do("window.tabs.count()")
        window.process.send_signal(signal.SIGSTOP)
        asked, second = ask_and_press(tmp_path, QUIT)
        with second:
            assert second.ended() == (1, "")
        assert f"process {window.process.pid}" in asked[0]
    with WindowProcess(tmp_path) as window:
        window.ready().quit()


def test_a_start_while_the_one_before_is_still_ending_waits_for_it(tmp_path, server):
    use_server(tmp_path, server)
    with WindowProcess(tmp_path) as first:
        first.ready()
        first.do("setattr(window.desk._workspace.registry, 'aclose', lambda: asyncio.sleep(1.5))")
        first.tell("window.actions_registry['app.quit'].trigger()")
        with WindowProcess(tmp_path) as second:
            second.ready()
            assert first.ended() == (0, "")
            second.quit()


def test_a_selftest_in_a_folder_that_is_in_use_or_damaged_says_so_and_fails(tmp_path):
    selftest = [sys.executable, "-m", "agdesk", "--data-dir", str(tmp_path), "selftest"]
    environment = os.environ | {"QT_QPA_PLATFORM": "offscreen"}
    with WindowProcess(tmp_path) as window:
        window.ready()
        done = subprocess.run(selftest, capture_output=True, text=True, timeout=PATIENCE_S, env=environment)
        assert (done.returncode, done.stdout) == (1, "")
        assert "in use" in done.stderr
        window.quit()
    damage(tmp_path, 0, 100)
    done = subprocess.run(selftest, capture_output=True, text=True, timeout=PATIENCE_S, env=environment)
    assert (done.returncode, done.stdout) == (1, "")
    assert "damaged" in done.stderr


# --- the machine sleeps ---


def test_an_answer_goes_on_after_a_sleep(tmp_path, server):
    use_server(tmp_path, server)
    server.script(
        *beginning("before, "),
        sleep(1.0),
        send(delta("meanwhile, ")),
        sleep(1.5),
        send(delta("after")),
        send(FINISH),
        END,
    )
    with WindowProcess(tmp_path) as window:
        window.ready()
        send_and_wait(window, "hello", shows="before")
        window.process.send_signal(signal.SIGSTOP)
        time.sleep(2.0)
        window.process.send_signal(signal.SIGCONT)
        window.until("window.current_tab.phase.name == 'DONE'")
        assert "before, meanwhile, after" in repr(window.do("painted(window.current_tab)"))
        window.quit()
