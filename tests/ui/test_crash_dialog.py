"""An error that nobody expected is shown once, goes on nothing's nerves, and never leads to another."""

import asyncio
import logging
import sys
import threading

import pytest
from PySide6.QtGui import QDesktopServices, QGuiApplication
from PySide6.QtWidgets import QApplication

from agdesk.core.settings.logs import uncaught_logged
from agdesk.core.tasks import spawn
from agdesk.core.trace.redact import Secrets
from agdesk.ui.diagnostics import CrashReporter, crash_reporter, show_log_folder
from agdesk.ui.theme import apply_theme
from agdesk.ui.widgets.crash_dialog import CrashDialog

SECRET = "sk-very-secret-0123456789"
log = logging.getLogger("agdesk.somewhere")

pytestmark = pytest.mark.allow_warnings


@pytest.fixture
def reporter(qapp):
    apply_theme(qapp, "light")
    qapp.setQuitOnLastWindowClosed(False)  # as in the program: closing the dialog must not end the loop

    async def diagnostics():
        return f"agdesk 0.0 {SECRET}"

    reporter = CrashReporter(
        qapp,
        redact=Secrets([SECRET]).redact_text,
        show_log=lambda: log.info("the log was shown"),
        diagnostics=diagnostics,
    )
    yield reporter
    reporter.close()
    qapp.processEvents()
    reporter.deleteLater()
    qapp.setQuitOnLastWindowClosed(True)


def dialogs():
    return [widget for widget in QApplication.topLevelWidgets() if isinstance(widget, CrashDialog)]


def fail(text="it broke"):
    try:
        raise ValueError(text)
    except ValueError:
        log.exception("a part failed")


async def until(condition, timeout_s=10.0):
    async with asyncio.timeout(timeout_s):
        while not condition():
            await asyncio.sleep(0.01)


async def test_an_error_is_shown_in_a_dialog_that_stops_nothing(qtbot, reporter):
    fail()
    assert dialogs() == []  # not inside the code that failed
    await until(dialogs)
    (dialog,) = dialogs()
    assert dialog.isVisible()
    assert not dialog.isModal()
    assert dialog.summary.text() == "ValueError: it broke"
    assert dialog.details.isHidden()
    dialog.details_button.click()
    assert dialog.details.isVisible()
    assert "in fail" in dialog.details.toPlainText()
    assert dialog.details_button.text() == "Hide details"


async def test_further_errors_are_counted_in_the_one_dialog(qtbot, reporter):
    for number in range(3):
        fail(f"number {number}")
    await until(dialogs)
    await asyncio.sleep(0.05)
    (dialog,) = dialogs()
    assert dialog.summary.text() == "ValueError: number 0"
    await until(lambda: dialog.count.text() == "Further errors since then: 2. The log has them.")


async def test_after_closing_the_next_error_has_a_dialog_of_its_own(qtbot, reporter):
    fail("first")
    await until(dialogs)
    dialogs()[0].close_button.click()
    await until(lambda: not dialogs())
    fail("second")
    await until(dialogs)
    (dialog,) = dialogs()
    assert dialog.summary.text() == "ValueError: second"
    assert dialog.count.isHidden()


async def test_no_secret_is_shown_or_copied(qtbot, reporter):
    fail(f"refused: {SECRET}")
    await until(dialogs)
    (dialog,) = dialogs()
    dialog.copy_button.click()
    await until(lambda: dialog.copy_button.text() == "Copied")
    copied = QGuiApplication.clipboard().text()
    assert copied.startswith("agdesk 0.0 key-")
    assert "ValueError: refused: key-" in copied
    assert SECRET not in copied + dialog.summary.text() + dialog.details.toPlainText()


async def test_the_log_is_a_click_away(qtbot, reporter, caplog):
    caplog.set_level(logging.INFO, "agdesk")
    fail()
    await until(dialogs)
    dialogs()[0].log_button.click()
    assert "the log was shown" in caplog.messages


async def test_a_failed_task_is_shown(qtbot, reporter):
    async def task():
        raise LookupError("nothing there")

    spawn(task(), name="doomed")
    await until(dialogs)
    assert dialogs()[0].summary.text() == "LookupError: nothing there"


async def test_an_uncaught_exception_of_a_thread_is_shown(qtbot, reporter, capsys):
    with uncaught_logged(redact=str):
        thread = threading.Thread(target=lambda: [].pop())
        thread.start()
        thread.join()
    await until(dialogs)
    assert dialogs()[0].summary.text() == "IndexError: pop from empty list"


async def test_an_expected_error_that_is_only_logged_is_not_shown(qtbot, reporter):
    log.error("the window's place could not be kept")
    try:
        raise ValueError
    except ValueError:
        log.warning("tried in vain", exc_info=True)
    await asyncio.sleep(0.05)
    assert dialogs() == []


async def test_a_dialog_that_fails_itself_is_told_on_standard_error_and_never_again(
    qtbot, reporter, monkeypatch, capsys
):
    built = []

    def broken(*_):
        built.append(1)
        raise RuntimeError("no dialog today")

    def told():
        seen.append(capsys.readouterr().err)
        return "the crash dialog failed" in "".join(seen)

    seen: list[str] = []
    monkeypatch.setattr(crash_reporter, "CrashDialog", broken)
    with uncaught_logged(redact=str):
        fail()
        with qtbot.captureExceptions() as raised:
            await until(lambda: raised)
        sys.excepthook(*raised[0])  # which PySide would have called, if pytest-qt had not
        await until(told)
    assert len(built) == 1
    assert "no dialog today" in "".join(seen)


async def test_a_closed_reporter_shows_nothing(qtbot, reporter):
    reporter.close()
    fail()
    await asyncio.sleep(0.05)
    assert dialogs() == []


def test_every_control_of_the_dialog_has_a_name_and_close_is_the_default(qtbot):
    dialog = CrashDialog("a", "b")
    qtbot.addWidget(dialog)
    buttons = (dialog.details_button, dialog.copy_button, dialog.log_button, dialog.close_button)
    assert [button.accessibleName() for button in buttons] == [button.text() for button in buttons]
    assert dialog.details.accessibleName()
    assert dialog.close_button.isDefault()


def test_only_the_log_folder_itself_is_opened(qtbot, tmp_path, monkeypatch):
    opened = []

    def open_url(url):
        opened.append(url.toString())
        return True

    monkeypatch.setattr(QDesktopServices, "openUrl", open_url)
    folder = tmp_path / "my logs"
    assert show_log_folder(folder)
    assert opened == [f"file://{tmp_path}/my logs"]
