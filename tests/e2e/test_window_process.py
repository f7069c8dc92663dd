"""The program as a process: it ends when it is told to, in the middle of an answer too, and leaves nothing behind."""

import os
import signal
import subprocess
import sys
import time

import psutil  # type: ignore[import-untyped]
import pytest

pytestmark = [pytest.mark.model, pytest.mark.timeout(150)]

# Sends one message, says when the answer streams, and closes the window when it is told to.
PROGRAM = """
import sys, threading
from pathlib import Path
from PySide6.QtCore import QTimer
from agdesk import app
from agdesk.core.ir.stream import TextDelta
from agdesk.core.trace.events import StreamEventReceived

def on_window(window):
    def watch(record):
        if isinstance(record.payload, StreamEventReceived) and isinstance(record.payload.event, TextDelta):
            print("streaming", flush=True)

    def close_when_told():
        if told.is_set():
            window.close()

    told = threading.Event()
    threading.Thread(target=lambda: (sys.stdin.readline(), told.set()), daemon=True).start()
    window.poll = QTimer(window)
    window.poll.timeout.connect(close_when_told)
    window.poll.start(20)

    def begin():
        window.current_tab.session.records.subscribe(watch)
        window.current_tab.send("Write a long story about a ship and its crew.")

    QTimer.singleShot(100, begin)

sys.exit(app.run_window(Path(sys.argv[1]), on_window=on_window))
"""


@pytest.fixture
def program(tmp_path):
    """A window in the middle of an answer, and the process of the model that writes it."""
    process = subprocess.Popen(
        [sys.executable, "-c", PROGRAM, str(tmp_path)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
        env=os.environ | {"QT_QPA_PLATFORM": "offscreen"},
    )
    try:
        assert process.stdout is not None
        assert process.stdout.readline() == "streaming\n"
        (child,) = psutil.Process(process.pid).children(recursive=True)
        yield process, child
    finally:
        process.kill()
        process.communicate()


def test_closing_in_the_middle_of_an_answer_exits_within_three_seconds(program):
    process, child = program
    process.stdin.write("close\n")
    process.stdin.flush()
    start = time.monotonic()
    assert process.wait(timeout=20) == 0
    assert time.monotonic() - start < 3.0  # 0.4 s on an idle machine
    child.wait(timeout=3)


def test_kill_9_of_the_window_leaves_no_child(program):
    process, child = program
    process.send_signal(signal.SIGKILL)
    process.wait(timeout=5)
    child.wait(timeout=10)  # raises if it is still there


def test_ctrl_c_in_the_terminal_closes_the_window_cleanly(program):
    process, child = program
    process.send_signal(signal.SIGINT)
    process.wait(timeout=10)
    child.wait(timeout=3)
