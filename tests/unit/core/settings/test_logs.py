"""The log: private, rotating, without secrets; and what becomes of exceptions that nobody caught."""

import asyncio
import gc
import logging
import os
import stat
import subprocess
import sys
import threading

import pytest

from agdesk.core.settings import logs
from agdesk.core.trace.redact import Secrets

SECRET = "sk-very-secret-0123456789"

pytestmark = pytest.mark.allow_warnings
only_posix = pytest.mark.skipif(os.name != "posix", reason="files have no such modes here")


def crash(folder, *, how):
    program = (
        "import ctypes, faulthandler, os, sys; from pathlib import Path; from agdesk.core.settings import logs\n"
        f"with logs.hard_crashes_logged(Path(sys.argv[1])):\n    {how}"
    )
    return subprocess.run([sys.executable, "-c", program, str(folder)], capture_output=True, check=False, timeout=50)


@pytest.fixture
def agdesk_logger():
    """The logger as it is in the program, put back as it was."""
    logger = logging.getLogger("agdesk")
    handlers, level = list(logger.handlers), logger.level
    yield logger
    for handler in list(logger.handlers):
        if handler not in handlers:
            logger.removeHandler(handler)
            handler.close()
    logger.setLevel(level)


@pytest.fixture
def log_file(tmp_path, agdesk_logger):
    path = tmp_path / "agdesk.log"
    logs.log_to(path, redact=Secrets([SECRET]).redact_text)
    return path


def modes(folder):
    return {path.name: stat.S_IMODE(path.stat().st_mode) for path in folder.iterdir()}


def test_a_secret_stands_neither_in_a_line_nor_in_a_traceback(log_file, agdesk_logger):
    agdesk_logger.info("the key is %s", SECRET)
    try:
        raise ValueError(f"refused: {SECRET}")
    except ValueError:
        agdesk_logger.exception("it failed")
    text = log_file.read_text()
    assert SECRET not in text
    assert "the key is key-" in text
    assert "ValueError: refused: key-" in text


def test_a_secret_that_becomes_known_later_is_redacted_from_then_on(tmp_path, agdesk_logger):
    secrets = Secrets()
    logs.log_to(tmp_path / "agdesk.log", redact=secrets.redact_text)
    secrets.add(SECRET)
    agdesk_logger.warning("%s", SECRET)
    assert SECRET not in (tmp_path / "agdesk.log").read_text()


@only_posix
def test_the_file_is_private_from_the_start_and_after_every_rotation(tmp_path, log_file, agdesk_logger, monkeypatch):
    old_mask = os.umask(0)
    try:
        monkeypatch.setattr(agdesk_logger.handlers[-1], "maxBytes", 200)
        for number in range(20):
            agdesk_logger.info("line %d %s", number, "x" * 60)
    finally:
        os.umask(old_mask)
    names = ["agdesk.log", "agdesk.log.1", "agdesk.log.2", "agdesk.log.3"]
    assert modes(tmp_path) == dict.fromkeys(names, 0o600)
    assert "line 19" in log_file.read_text()


@only_posix
def test_files_that_an_earlier_version_left_open_to_others_are_closed(tmp_path, agdesk_logger):
    for name in ("agdesk.log", "agdesk.log.1"):
        (tmp_path / name).write_text("old\n")
        (tmp_path / name).chmod(0o644)
    logs.log_to(tmp_path / "agdesk.log", redact=str)
    agdesk_logger.info("new")
    assert modes(tmp_path) == {"agdesk.log": 0o600, "agdesk.log.1": 0o600}
    assert (tmp_path / "agdesk.log").read_text().startswith("old\n")


def test_another_file_replaces_the_one_before(tmp_path, log_file, agdesk_logger):
    logs.log_to(tmp_path / "second.log", redact=str)
    agdesk_logger.info("only once")
    assert not log_file.exists()
    assert (tmp_path / "second.log").read_text().count("only once") == 1


def test_text_that_is_no_unicode_is_logged_all_the_same(log_file, agdesk_logger):
    agdesk_logger.info("half a character: %s", "\ud83d")
    assert "half a character: \\ud83d" in log_file.read_text()


def test_a_log_that_cannot_be_written_is_told_once_and_without_the_line(tmp_path, agdesk_logger, capsys):
    path = tmp_path / "folder"
    path.mkdir()
    logs.log_to(path, redact=str)
    agdesk_logger.error("the key is %s", SECRET)
    agdesk_logger.error("the key is %s", SECRET)
    told = capsys.readouterr().err
    assert told.count("cannot be written") == 1
    assert SECRET not in told


def fail_in_a_thread():
    thread = threading.Thread(target=lambda: int(SECRET), name="worker")
    thread.start()
    thread.join()


def fail_in_the_main_thread():
    try:
        int(SECRET)
    except ValueError as error:
        sys.excepthook(type(error), error, error.__traceback__)


def fail_in_a_finalizer():
    class Fragile:
        def __del__(self):
            int(SECRET)

    Fragile()
    gc.collect()


@pytest.mark.parametrize(
    ("fail", "place"),
    [
        (fail_in_a_thread, "thread worker"),
        (fail_in_the_main_thread, "the main thread"),
        (fail_in_a_finalizer, "a finalizer"),
    ],
)
def test_what_nobody_caught_is_logged_and_shown_without_secrets(log_file, capsys, fail, place):
    former = sys.excepthook, threading.excepthook, sys.unraisablehook
    with logs.uncaught_logged(redact=Secrets([SECRET]).redact_text):
        fail()
    assert (sys.excepthook, threading.excepthook, sys.unraisablehook) == former
    text, shown = log_file.read_text(), capsys.readouterr().err
    assert f"uncaught exception in {place}" in text
    assert "ValueError: invalid literal" in text
    assert "ValueError: invalid literal" in shown
    assert SECRET not in text + shown


async def test_a_failed_callback_of_the_loop_is_logged(log_file, capsys):
    loop = asyncio.get_running_loop()
    former = loop.get_exception_handler()
    with logs.uncaught_logged(redact=Secrets([SECRET]).redact_text, loop=loop):
        loop.call_soon(lambda: int(SECRET))
        await asyncio.sleep(0)
        await asyncio.sleep(0)
        loop.call_exception_handler({"message": "a transport is unwell"})
    loop.set_exception_handler(former)
    text = log_file.read_text()
    assert "uncaught exception in the event loop" in text
    assert "event loop: a transport is unwell" in text
    assert SECRET not in text + capsys.readouterr().err


@pytest.mark.parametrize("how", ["os.abort()", "faulthandler._sigsegv()"])
def test_a_hard_crash_is_told_of_once_with_its_stack(tmp_path, how):
    assert crash(tmp_path, how=how).returncode != 0
    text = logs.last_crash(tmp_path)
    assert text is not None
    assert text.startswith("Fatal Python error")
    assert '"<string>"' in text
    assert logs.last_crash(tmp_path) is None
    assert (tmp_path / "crash.1.log").read_text().strip() == text
    if os.name == "posix":
        assert modes(tmp_path) == {"crash.1.log": 0o600}


def test_an_orderly_end_and_a_kill_leave_no_crash_to_tell_of(tmp_path):
    assert crash(tmp_path, how="pass").returncode == 0
    assert list(tmp_path.iterdir()) == []
    assert crash(tmp_path, how="os.kill(os.getpid(), 9)").returncode != 0
    assert logs.last_crash(tmp_path) is None


def test_where_no_crash_file_can_be_read_there_is_no_crash_to_tell_of(tmp_path):
    assert logs.last_crash(tmp_path / "nowhere") is None
