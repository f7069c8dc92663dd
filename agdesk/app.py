"""The composition root: settings → providers → workspace → window. The only user of qasync."""

from __future__ import annotations

import asyncio
import gc
import logging
import os
import sys
from collections.abc import Callable, Coroutine
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import TYPE_CHECKING, Any

from agdesk.core.errors import SettingsError
from agdesk.core.settings.early import read_early_settings, read_geometry, write_geometry
from agdesk.core.settings.paths import logs_folder, open_data_folder, settings_path
from agdesk.core.tasks import spawn
from agdesk.core.workspace import Workspace

if TYPE_CHECKING:
    from PySide6.QtCore import QMessageLogContext, QtMsgType
    from PySide6.QtWidgets import QApplication

    from agdesk.ui.application import Appearance, Application
    from agdesk.ui.main_window import MainWindow

log = logging.getLogger(__name__)

_CLOSE_LIMIT_S = 2.5
_THREADS = 8
_SELFTEST_LIMIT_S = 90.0
_SELFTEST_PROMPT = "Say hello in French."


def build_workspace(data_dir: Path | None, *, base_urls: dict[str, str] | None = None) -> Workspace:
    """Everything without a window. ``base_urls`` replaces addresses by provider id for this process.

    Raises:
        SettingsError: the data folder cannot be used.
    """
    from agdesk.core.providers.registry import ProviderRegistry

    folder = open_data_folder(data_dir)
    _log_to(logs_folder(folder) / "agdesk.log")
    early = read_early_settings(settings_path(folder))
    registry = ProviderRegistry(data_folder=folder, default_model_ref=early.default_model, base_urls=base_urls or {})
    return Workspace(registry, data_dir=folder)


def run_window(data_dir: Path | None, *, on_window: Callable[[MainWindow], None] | None = None) -> int:
    """Opens the window and returns the exit status when it has been closed.

    ``on_window`` is called with the window before it is shown; measuring hangs on there.
    """

    async def show(app: QApplication, workspace: Workspace) -> int:
        application = _make_application(app, workspace)
        window = application.window
        window.restoreGeometry(read_geometry(workspace.data_dir))
        if on_window is not None:
            on_window(window)
        await application.run()
        try:
            write_geometry(workspace.data_dir, bytes(window.saveGeometry().data()))
        except OSError as error:
            log.error("the window's place could not be kept: %s", error)
        return 0

    return _run(data_dir, show)


def run_selftest(data_dir: Path | None, png: Path | None) -> int:
    """Opens the same window, sends one message to the built-in model, prints the answer and saves a picture.

    Returns 0 when an answer came and was painted, else 1 with the reason on standard error.
    """

    async def check(app: QApplication, workspace: Workspace) -> int:
        from agdesk.ui.selftest import ask_in_window

        application = _make_application(app, workspace)
        application.window.show()
        await application.warm_up()
        result = await ask_in_window(application.window, _SELFTEST_PROMPT, png=png, timeout_s=_SELFTEST_LIMIT_S)
        print(f"{workspace.registry.default_model_ref}: {_SELFTEST_PROMPT}", flush=True)
        if result.error:
            print(f"agdesk: {result.error}", file=sys.stderr)
            return 1
        print(result.answer)
        if png is not None:
            print(f"The window is in {png}")
        return 0

    return _run(data_dir, check)


def _run(data_dir: Path | None, main: Callable[[QApplication, Workspace], Coroutine[Any, Any, int]]) -> int:
    os.environ["QT_API"] = "pyside6"
    from PySide6.QtCore import qInstallMessageHandler
    from PySide6.QtWidgets import QApplication

    import qasync  # isort: skip  # picks the binding that is already imported

    qInstallMessageHandler(_log_qt_message)
    app = QApplication(sys.argv[:1])
    app.setApplicationName("agdesk")
    app.setQuitOnLastWindowClosed(False)

    def make_loop() -> asyncio.AbstractEventLoop:
        loop: asyncio.AbstractEventLoop = qasync.QEventLoop(app)
        # qasync's own executor runs Python in QThreads; one that is left at exit unwinds through C++ and aborts
        loop.set_default_executor(ThreadPoolExecutor(_THREADS, thread_name_prefix="agdesk"))
        return loop

    async def run() -> int:
        workspace = build_workspace(data_dir)
        try:
            return await main(app, workspace)
        finally:
            for window in app.topLevelWidgets():
                window.hide()
            await _close(workspace)

    with asyncio.Runner(loop_factory=make_loop) as runner:
        return runner.run(run())


async def _close(workspace: Workspace) -> None:
    try:
        await asyncio.wait_for(workspace.aclose(), _CLOSE_LIMIT_S)
    except TimeoutError:
        log.error("closing took longer than %s s and was given up", _CLOSE_LIMIT_S)


def _make_application(app: QApplication, workspace: Workspace) -> Application:
    from agdesk.ui.application import Appearance, Application

    early = read_early_settings(settings_path(workspace.data_dir))

    def save(look: Appearance) -> None:
        spawn(_save_appearance(workspace, look), name="save appearance")

    # Short switches keep the window fluid while threads work; what exists now is never collected again.
    sys.setswitchinterval(0.0005)
    gc.freeze()
    return Application(
        app,
        workspace,
        appearance=Appearance(early.theme, early.scale),
        save_appearance=save,
    )


async def _save_appearance(workspace: Workspace, look: Appearance) -> None:
    try:
        await asyncio.to_thread(
            workspace.save_settings, appearance__theme=look.theme, appearance__scale=round(look.scale, 3)
        )
    except SettingsError as error:  # the look is in force all the same; it is only not remembered
        log.error("%s %s", error.message, error.hint)


def _log_qt_message(kind: QtMsgType, _context: QMessageLogContext, message: str) -> None:
    level = {"QtDebugMsg": logging.DEBUG, "QtInfoMsg": logging.INFO, "QtWarningMsg": logging.WARNING}
    logging.getLogger("agdesk.qt").log(level.get(kind.name, logging.ERROR), "%s", message)


def _log_to(path: Path) -> None:
    from logging.handlers import RotatingFileHandler

    root = logging.getLogger("agdesk")
    if root.handlers:
        return
    handler = RotatingFileHandler(path, maxBytes=1_000_000, backupCount=3, delay=True, encoding="utf-8")
    handler.setFormatter(logging.Formatter("%(asctime)s %(levelname)s %(name)s: %(message)s"))
    root.addHandler(handler)
    root.setLevel(logging.INFO)
