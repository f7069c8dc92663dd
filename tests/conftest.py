"""The rules every test lives under: an own home, no network, no leftovers, and async tests on the loop the code uses.

Async tests need no marker: ``async def test_*`` runs on qasync when it uses the window (``qapp``, ``qtbot`` or the
folder ``ui/``), else on plain asyncio. This file imports Qt only when such a test runs.
"""

from __future__ import annotations

import asyncio
import gc
import inspect
import ipaddress
import logging
import os
import shutil
import socket
import tempfile
import time
import weakref
from collections.abc import Awaitable, Callable, Generator, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import hypothesis
import pytest
from typing_extensions import override

if TYPE_CHECKING:
    from PySide6.QtCore import QThread, QTimer
    from PySide6.QtWidgets import QApplication

TESTS = Path(__file__).resolve().parent
ASYNC_LIMIT_S = 20.0  # a test that needs longer says so with @pytest.mark.timeout
TASK_GRACE_S = 0.2  # tasks that are on their way out when the test ends may finish

hypothesis.settings.register_profile("house", deadline=None, derandomize=True, database=None)
hypothesis.settings.load_profile("house")


class BlockedConnection(RuntimeError):
    """A test wanted to reach another machine."""


_blocked: list[str] = []
_older: weakref.WeakSet[QTimer | QThread] = weakref.WeakSet()  # than the test that runs


# --- the session: environment and network ---


def pytest_configure(config: pytest.Config) -> None:
    """Gives the session a home of its own and takes the network away."""
    home = Path(tempfile.mkdtemp(prefix="agdesk-tests-"))
    config.add_cleanup(lambda: shutil.rmtree(home, ignore_errors=True))
    _isolate_environment(home)
    _guard_sockets()


def _isolate_environment(home: Path) -> None:
    for name in list(os.environ):
        is_secret = name.endswith(("_API_KEY", "_TOKEN"))
        is_taste = name.startswith(("QT_", "LC_", "XDG_")) and name != "QT_QPA_PLATFORM"
        if is_secret or is_taste or name.lower().endswith("_proxy"):
            del os.environ[name]
    folders = {
        "HOME": "",
        "USERPROFILE": "",
        "APPDATA": "AppData/Roaming",
        "LOCALAPPDATA": "AppData/Local",
        "XDG_CONFIG_HOME": ".config",
        "XDG_DATA_HOME": ".local/share",
        "XDG_STATE_HOME": ".local/state",
        "XDG_CACHE_HOME": ".cache",
        "XDG_RUNTIME_DIR": "run",
    }
    for name, folder in folders.items():
        (home / folder).mkdir(mode=0o700, parents=True, exist_ok=True)
        os.environ[name] = str(home / folder)
    os.environ.update(LANG="C.UTF-8", TZ="UTC", QT_API="pyside6")
    os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
    # never the developer's own key store; a run with -m keyring names its backend
    os.environ.setdefault("PYTHON_KEYRING_BACKEND", "keyring.backends.fail.Keyring")
    if hasattr(time, "tzset"):
        time.tzset()


def _guard_sockets() -> None:
    """Lets sockets of this process reach unix addresses and the loopback interface only, name look-ups included."""

    def guarded(name: str) -> Callable[..., Any]:
        original = getattr(socket.socket, name)

        def method(self: socket.socket, *arguments: Any) -> Any:
            if self.family in (socket.AF_INET, socket.AF_INET6):
                _allow_only_loopback(arguments[-1][0])
            return original(self, *arguments)

        return method

    for name in ("connect", "connect_ex", "sendto"):  # the address is the last argument of each
        setattr(socket.socket, name, guarded(name))
    look_up = socket.getaddrinfo

    def getaddrinfo(host: Any, *arguments: Any, **options: Any) -> Any:
        _allow_only_loopback(host)
        return look_up(host, *arguments, **options)

    socket.getaddrinfo = getaddrinfo


def _allow_only_loopback(host: Any) -> None:
    name = host.decode() if isinstance(host, bytes) else host or "localhost"
    try:
        address = ipaddress.ip_address(name.partition("%")[0])
        is_local = address.is_loopback or address.is_unspecified
    except ValueError:
        is_local = name == "localhost" or name.endswith(".localhost")
    if not is_local:
        _blocked.append(name)
        raise BlockedConnection(f"tests do not leave this machine; refused: {name}")


# --- async tests ---


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Runs the tests of the window last: a crash of Qt then hides as little as possible."""
    items.sort(key=_uses_qt)


def _uses_qt(item: pytest.Item) -> bool:
    names = getattr(item, "fixturenames", ())
    return "qapp" in names or "qtbot" in names or item.path.is_relative_to(TESTS / "ui")


@pytest.hookimpl(tryfirst=True)
def pytest_pyfunc_call(pyfuncitem: pytest.Function) -> object | None:
    """Runs an async test; fails it for a call of the loop's exception handler and for a task that it leaves behind."""
    if not inspect.iscoroutinefunction(pyfuncitem.obj):
        return None
    arguments = {name: pyfuncitem.funcargs[name] for name in pyfuncitem._fixtureinfo.argnames}
    marker = pyfuncitem.get_closest_marker("timeout")
    # pytest-timeout ends the whole session at the marker's time: stop a little earlier, and fail this test only
    limit_s = 0.9 * marker.args[0] if marker and marker.args else ASYNC_LIMIT_S
    problems: list[str] = []
    with asyncio.Runner(loop_factory=_loop_factory(pyfuncitem)) as runner:
        runner.run(_supervise(pyfuncitem.obj(**arguments), limit_s=limit_s, problems=problems))
    if problems:
        pytest.fail("\n".join(problems), pytrace=False)
    return True


def _loop_factory(item: pytest.Function) -> Callable[[], asyncio.AbstractEventLoop] | None:
    if not _uses_qt(item):
        return None
    app = item._request.getfixturevalue("qapp")
    import qasync

    return lambda: qasync.QEventLoop(app)


async def _supervise(test: Awaitable[None], *, limit_s: float, problems: list[str]) -> None:
    def on_loop_error(_: asyncio.AbstractEventLoop, context: dict[str, Any]) -> None:
        problems.append(f"the loop's exception handler was called: {context['message']} {context.get('exception')!r}")

    asyncio.get_running_loop().set_exception_handler(on_loop_error)
    try:
        async with asyncio.timeout(limit_s) as limit:
            await test
    except TimeoutError:
        if not limit.expired():
            raise
        problems.append(f"the test did not end within {limit_s:.0f} s")
    others = asyncio.all_tasks() - {asyncio.current_task()}
    if others:
        _, others = await asyncio.wait(others, timeout=TASK_GRACE_S)
    for task in others:
        problems.append(f"the test left a task behind: {task!r}")
        task.cancel()


# --- the report of a test, under pytest -n ---


@pytest.hookimpl(wrapper=True)
def pytest_report_to_serializable() -> Generator[None, Any, Any]:
    """Writes half a character in a report as its escape: execnet sends UTF-8 only, and the worker would end of it."""
    return _without_halves((yield))


def _without_halves(value: Any) -> Any:
    if isinstance(value, str):
        return value.encode("utf-8", "backslashreplace").decode()
    if isinstance(value, dict):
        return {_without_halves(key): _without_halves(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return type(value)(_without_halves(item) for item in value)
    return value


# --- after every test ---


class _Collector(logging.Handler):
    def __init__(self) -> None:
        super().__init__(logging.WARNING)
        self.lines: list[str] = []

    @override
    def emit(self, record: logging.LogRecord) -> None:
        self.lines.append(self.format(record))


@pytest.fixture(autouse=True)
def _no_unexpected_warning(request: pytest.FixtureRequest) -> Iterator[None]:
    """Fails a test in which agdesk logs a warning, unless it reads the log (caplog) or says ``allow_warnings``."""
    if "caplog" in request.fixturenames or request.node.get_closest_marker("allow_warnings"):
        yield
        return
    collector = _Collector()
    logging.getLogger("agdesk").addHandler(collector)
    yield
    logging.getLogger("agdesk").removeHandler(collector)
    if collector.lines:
        pytest.fail("agdesk logged: " + "\n".join(collector.lines), pytrace=False)


@pytest.fixture(autouse=True)
def blocked_connections() -> Iterator[list[str]]:
    """The hosts that this test was refused; a test that provoked it on purpose clears the list."""
    _blocked.clear()
    yield _blocked
    if _blocked:
        pytest.fail(f"the test tried to reach {', '.join(_blocked)}", pytrace=False)


@pytest.fixture(autouse=True)
def _qt_hygiene(request: pytest.FixtureRequest) -> Iterator[None]:
    """Deletes every window after a test and fails it for what still runs or shows.

    The cycle collector runs between tests only: freeing a visible widget inside an event crashes PySide6.
    """
    if not _uses_qt(request.node):
        yield
        return
    app: QApplication = request.getfixturevalue("qapp")
    _set_aside_what_is_there()
    gc.disable()
    yield
    problems = _close_windows(app) + _still_running(app)
    gc.enable()
    gc.collect()
    if problems:
        pytest.fail("the test left behind: " + ", ".join(problems), pytrace=False)


def _close_windows(app: QApplication) -> list[str]:
    from PySide6.QtCore import QCoreApplication, QEvent

    # a tool tip goes away by itself
    windows = [window for window in app.topLevelWidgets() if window.metaObject().className() != "QTipLabel"]
    problems = [f"visible {type(window).__name__}" for window in windows if window.isVisible()]
    for window in windows:
        window.hide()
        window.deleteLater()
    QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete.value)
    app.processEvents()
    return problems


def _set_aside_what_is_there() -> None:
    """Keeps the collector and the search for what runs to the objects of one test: all others cost 60 ms a test.

    Timers and threads among the others stay watched, since a test can start one that is older than itself.
    """
    gc.collect()
    _older.update(_timers_and_threads())
    gc.freeze()


def _timers_and_threads() -> list[QTimer | QThread]:
    from PySide6.QtCore import QThread, QTimer

    # type(), not isinstance(): a lazy proxy among all the objects would answer that with an import
    return [found for found in gc.get_objects() if issubclass(type(found), (QTimer, QThread))]


def _still_running(app: QApplication) -> list[str]:
    from PySide6.QtCore import QThreadPool, QTimer
    from shiboken6 import isValid

    problems = []
    for found in [*_older, *_timers_and_threads()]:
        if not isValid(found):
            continue
        if isinstance(found, QTimer):
            if found.isActive():
                problems.append(f"active {type(found).__name__} of {found.interval()} ms in {found.parent()!r}")
                found.stop()
        elif found.isRunning() and found != app.thread():
            problems.append(f"running {type(found).__name__}")
    if not QThreadPool.globalInstance().waitForDone(1000):
        problems.append("busy QThreadPool")
    return problems


@pytest.fixture
def recordings() -> Path:
    """The folder with recorded responses of real servers, which are not part of the repository."""
    folder = TESTS.parent.parent / "shared" / "recordings"
    if not folder.is_dir():
        pytest.skip("the recorded responses are not on this machine")
    return folder
