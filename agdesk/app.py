"""The composition root: settings → providers → store → workspace → window. The only user of qasync."""

from __future__ import annotations

import asyncio
import builtins
import gc
import logging
import os
import sys
import time
from collections.abc import Callable, Coroutine
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeAlias, cast

from agdesk.core.errors import AgdeskError, SettingsError, StoreError, StoreInUse
from agdesk.core.settings.early import read_early_settings
from agdesk.core.settings.logs import hard_crashes_logged, last_crash, log_to, uncaught_logged
from agdesk.core.settings.paths import locate_data_folder, logs_folder, open_data_folder, settings_path

if TYPE_CHECKING:
    from PySide6.QtCore import QMessageLogContext, QtMsgType
    from PySide6.QtWidgets import QApplication

    from agdesk.core.providers.registry import ProviderRegistry
    from agdesk.core.store.store import Store
    from agdesk.core.workspace import Workspace
    from agdesk.ui.application import Application
    from agdesk.ui.main_window import MainWindow

log = logging.getLogger(__name__)

_CLOSE_LIMIT_S = 2.5
_IN_USE_LIMIT_S = 4.0
_IN_USE_PAUSE_S = 0.2
_THREADS = 8
_SELFTEST_LIMIT_S = 90.0
_SELFTEST_PROMPT = "Say hello in French."

Main: TypeAlias = Callable[["QApplication", "Workspace", str | None], Coroutine[Any, Any, int]]
"""Runs what there is to see; the last argument tells of a crash of the run before."""
Ask: TypeAlias = Callable[[AgdeskError], Coroutine[Any, Any, bool]]
"""Tells the user why the store cannot be opened; True begins with an empty one."""


def build_workspace(data_dir: Path | None, *, base_urls: dict[str, str] | None = None) -> Workspace:
    """Everything without a window and without a store: what is asked here is not kept.

    Args:
        base_urls: replace addresses by provider id for this process.

    Raises:
        SettingsError: the data folder cannot be used.
    """
    from agdesk.core.workspace import Workspace

    folder = open_data_folder(data_dir)
    return Workspace(_make_registry(folder, base_urls or {}), data_dir=folder)


def run_window(data_dir: Path | None, *, on_window: Callable[[MainWindow], None] | None = None) -> int:
    """Opens the window and returns the exit status when it has been closed.

    If the data folder is open in another window, that one comes to the front instead.
    ``on_window`` is called with the window before it is shown; measuring hangs on there.
    """

    async def show(app: QApplication, workspace: Workspace, crash: str | None) -> int:
        from agdesk.core.settings.window_state import read_window_state

        application = _make_application(app, workspace, crash)
        application.window.restore(read_window_state(workspace.data_dir))
        if on_window is not None:
            on_window(application.window)
        await application.run()
        return 0

    async def ask(error: AgdeskError) -> bool:
        from PySide6.QtWidgets import QApplication

        from agdesk.ui.start_problem import ask_at_start
        from agdesk.ui.theme import apply_theme

        early = read_early_settings(settings_path(locate_data_folder(data_dir)))
        apply_theme(cast("QApplication", QApplication.instance()), early.theme, scale=early.scale)
        return await ask_at_start(error)

    return _run(data_dir, show, ask=ask, rings=True)


def run_selftest(data_dir: Path | None, png: Path | None) -> int:
    """Opens the same window, sends one message to the built-in model, prints the answer and saves a picture.

    Returns 0 when an answer came and was painted, else 1 with the reason on standard error.
    """

    async def check(app: QApplication, workspace: Workspace, crash: str | None) -> int:
        from agdesk.ui.selftest import ask_in_window

        application = _make_application(app, workspace, crash)
        application.window.show()
        await application.warm_up()
        result = await ask_in_window(application.window, _SELFTEST_PROMPT, png=png, timeout_s=_SELFTEST_LIMIT_S)
        application.close()
        print(f"{workspace.registry.default_model_ref}: {_SELFTEST_PROMPT}", flush=True)
        if result.error:
            print(f"agdesk: {result.error}", file=sys.stderr)
            return 1
        print(result.answer)
        if png is not None:
            print(f"The window is in {png}")
        return 0

    async def fail(error: AgdeskError) -> bool:
        raise error

    return _run(data_dir, check, ask=fail, rings=False)


def _run(data_dir: Path | None, main: Main, *, ask: Ask, rings: bool) -> int:
    gc.disable()  # until everything is loaded: all of it stays
    os.environ["QT_API"] = "pyside6"
    from PySide6.QtCore import qInstallMessageHandler
    from PySide6.QtWidgets import QApplication

    import qasync  # isort: skip  # picks the binding that is already imported

    import_without_hook()
    qInstallMessageHandler(_log_qt_message)
    from agdesk.ui.language import install_language, prepare_language

    spoken = prepare_language(read_early_settings(settings_path(locate_data_folder(data_dir))).language)
    app = QApplication([*sys.argv[:1], "-style", "Fusion"])  # setStyle would load the type of what it returns: 8 ms
    app.setApplicationName("agdesk")
    app.setDesktopFileName("agdesk")
    app.setQuitOnLastWindowClosed(False)
    install_language(app, spoken)

    def make_loop() -> asyncio.AbstractEventLoop:
        loop: asyncio.AbstractEventLoop = qasync.QEventLoop(app)
        # qasync's own executor runs Python in QThreads; one that is left at exit unwinds through C++ and aborts
        loop.set_default_executor(ThreadPoolExecutor(_THREADS, thread_name_prefix="agdesk"))
        return loop

    async def run() -> int:
        from agdesk.core.workspace import Workspace

        try:
            folder = open_data_folder(data_dir)
            registry = _make_registry(folder, {})
        except SettingsError as error:
            await ask(error)
            return 1
        store = await _open_store(folder, registry, ask, rings=rings)
        if isinstance(store, int):
            return store
        workspace = Workspace(registry, data_dir=folder, store=store)
        logs, redact = logs_folder(folder), registry.secrets.redact_text
        crash = last_crash(logs)
        with hard_crashes_logged(logs), uncaught_logged(redact=redact, loop=asyncio.get_running_loop()):
            try:
                return await main(app, workspace, crash)
            finally:
                for window in app.topLevelWidgets():
                    window.hide()
                await _close(workspace)

    with asyncio.Runner(loop_factory=make_loop) as runner:
        return runner.run(run())


def import_without_hook() -> None:
    """Takes PySide6's hook out of ``import``. It serves ``__feature__``, which agdesk does not use, reads the source of
    every module, and asks pydantic for attributes while another thread is importing it: that import then fails.
    """
    builtins.__import__ = getattr(builtins, "__orig_import__", builtins.__import__)


async def _open_store(folder: Path, registry: ProviderRegistry, ask: Ask, *, rings: bool) -> Store | int:
    """The store of ``folder``; a damaged one is kept aside if the user wants that. A number is the exit status: there
    is no store, and the user was told why, or sees the window that has the folder open and answered (``rings``).
    """
    from agdesk.core.store.store import Store, set_aside

    def budget_bytes() -> int:
        return registry.settings_file.current().trace.budget_mb * 1_000_000

    give_up_s = time.monotonic() + _IN_USE_LIMIT_S
    while True:
        try:
            return Store.open(folder, budget_bytes=budget_bytes)
        except StoreInUse as error:
            if rings:
                from agdesk.ui.instance import ring

                if await ring(folder):
                    return 0
                if time.monotonic() < give_up_s:  # the other one may be starting or ending just now
                    await asyncio.sleep(_IN_USE_PAUSE_S)
                    continue
            await ask(error)
            return 1
        except StoreError as error:
            if not await ask(error):
                return 1
        try:
            set_aside(folder)
        except StoreError as error:
            await ask(error)
            return 1


async def _close(workspace: Workspace) -> None:
    try:
        await asyncio.wait_for(workspace.aclose(), _CLOSE_LIMIT_S)
    except TimeoutError:
        log.error("closing took longer than %s s and was given up", _CLOSE_LIMIT_S)


def _make_registry(folder: Path, base_urls: dict[str, str]) -> ProviderRegistry:
    from agdesk.core.providers.registry import ProviderRegistry

    early = read_early_settings(settings_path(folder))
    try:
        registry = ProviderRegistry(data_folder=folder, default_model_ref=early.default_model, base_urls=base_urls)
        log_to(logs_folder(folder) / "agdesk.log", redact=registry.secrets.redact_text)
    except OSError as error:
        raise SettingsError(
            f"The data folder {folder} cannot be used: {error.strerror}: {error.filename}",
            "Move away what is in the way there, or choose another folder with --data-dir.",
        ) from error
    return registry


def _make_application(app: QApplication, workspace: Workspace, crash: str | None) -> Application:
    from agdesk.ui.application import Appearance, Application, Support

    async def diagnostics() -> str:
        from agdesk.diagnosis import diagnostics_text

        return await diagnostics_text(workspace)

    early = read_early_settings(settings_path(workspace.data_dir))
    sys.setswitchinterval(0.0005)  # short switches keep the window fluid while threads work
    return Application(
        app,
        workspace,
        appearance=Appearance(early.theme, early.scale),
        support=Support(
            logs=logs_folder(workspace.data_dir),
            diagnostics=diagnostics,
            redact=workspace.registry.secrets.redact_text,
            last_crash=crash,
        ),
    )


def _log_qt_message(kind: QtMsgType, _context: QMessageLogContext, message: str) -> None:
    level = {"QtDebugMsg": logging.DEBUG, "QtInfoMsg": logging.INFO, "QtWarningMsg": logging.WARNING}
    logging.getLogger("agdesk.qt").log(level.get(kind.name, logging.ERROR), "%s", message)
