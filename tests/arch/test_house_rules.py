"""The rules of ``tests/conftest.py`` catch what they promise to catch: planted defects, in a pytest of their own."""

import re
import subprocess
import sys

import pytest

from tests.arch.tree import ROOT

CORE_DEFECTS = """
import asyncio, logging, socket
import pytest

async def test_async_tests_run_on_plain_asyncio():
    assert type(asyncio.get_running_loop()).__module__.startswith("asyncio")

async def test_fails_for_a_task_left_behind():
    globals()["task"] = asyncio.get_running_loop().create_task(asyncio.sleep(60))

async def test_fails_for_a_call_of_the_loop_exception_handler():
    asyncio.get_running_loop().call_soon(lambda: 1 / 0)
    await asyncio.sleep(0.01)

async def test_fails_when_it_does_not_end():
    await asyncio.sleep(30)

async def test_fails_for_a_refused_connection_that_the_code_swallows():
    try:
        await asyncio.open_connection("192.0.2.1", 80)
    except Exception:
        pass

def test_fails_for_a_name_look_up():
    socket.getaddrinfo("example.invalid", 80)

def test_passes_when_it_connects_to_loopback():
    with socket.create_server(("127.0.0.1", 0)) as server:
        socket.create_connection(server.getsockname()).close()

def test_fails_for_a_logged_warning():
    logging.getLogger("agdesk.core.x").warning("unexpected")

@pytest.mark.allow_warnings
def test_passes_for_a_warning_that_is_allowed():
    logging.getLogger("agdesk.core.x").warning("expected")

def test_passes_for_a_warning_that_is_read(caplog):
    logging.getLogger("agdesk.core.x").warning("expected")
"""

WINDOW_DEFECTS = """
import asyncio
from PySide6.QtCore import QThread, QTimer
from PySide6.QtWidgets import QWidget

async def test_async_tests_run_on_qasync():
    assert type(asyncio.get_running_loop()).__module__.startswith("qasync")
    await asyncio.to_thread(lambda: None)

def test_fails_for_a_visible_window():
    globals()["window"] = QWidget()
    window.show()

def test_passes_for_a_window_that_qtbot_closes(qtbot):
    widget = QWidget()
    qtbot.addWidget(widget)
    widget.show()

def test_fails_for_an_active_timer():
    globals()["timer"] = QTimer()
    timer.start(1000)

def test_passes_for_a_timer_that_goes_with_its_window(qtbot):
    widget = QWidget()
    qtbot.addWidget(widget)
    QTimer(widget).start(1000)

def test_fails_for_a_running_thread():
    globals()["thread"] = QThread()
    thread.start()

def test_cleans_up_after_the_thread():
    thread.quit()
    thread.wait()
"""


@pytest.mark.parametrize(("folder", "source"), [("unit", CORE_DEFECTS), ("ui", WINDOW_DEFECTS)])
def test_planted_defects_fail_and_clean_tests_pass(folder, source, tmp_path):
    (tmp_path / folder).mkdir()
    (tmp_path / folder / "test_planted.py").write_text(source)
    rules = (ROOT / "tests" / "conftest.py").read_text()
    (tmp_path / "conftest.py").write_text(rules.replace("ASYNC_LIMIT_S = 20.0", "ASYNC_LIMIT_S = 0.5"))
    command = [
        sys.executable,
        "-m",
        "pytest",
        str(tmp_path),
        f"--rootdir={tmp_path}",
        f"--config-file={ROOT / 'pyproject.toml'}",
    ]
    report = subprocess.run([*command, "-v", "-p", "no:cacheprovider"], capture_output=True, text=True, check=False)

    outcomes: dict[str, set[str]] = {}
    for name, outcome in re.findall(r"::(test_\w+) (PASSED|FAILED|ERROR)", report.stdout):
        outcomes.setdefault(name, set()).add(outcome)
    assert set(outcomes) == set(re.findall(r"def (test_\w+)", source)), report.stdout
    for name, found in outcomes.items():
        assert ("_fails_" in name) == bool(found & {"FAILED", "ERROR"}), f"{name}: {found}\n{report.stdout}"
