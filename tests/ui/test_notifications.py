"""An answer that ends while the user looks elsewhere: attention, a number on the icon, a desktop notification."""

import json
import shutil
import subprocess
import sys
import threading
from types import SimpleNamespace

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QApplication, QWidget

from agdesk.ui import notifications
from agdesk.ui.notifications import Notifier, notify_desktop, shorten

# A notification server in a few words: says what it can, prints what it is asked to show, ends after one.
SERVER = """
import json, sys
from jeepney import DBusAddress, HeaderFields, MessageType, new_error, new_method_return
from jeepney.bus_messages import message_bus
from jeepney.io.blocking import open_dbus_connection

connection = open_dbus_connection("SESSION")
connection.send_and_get_reply(message_bus.RequestName("org.freedesktop.Notifications"))
print("ready", flush=True)
while True:
    message = connection.receive()
    if message.header.message_type is not MessageType.method_call:
        continue
    if message.header.fields[HeaderFields.member] == "GetCapabilities":
        connection.send(new_method_return(message, "as", (sys.argv[1].split(","),)))
    elif sys.argv[1] == "broken":
        connection.send(new_error(message, "org.example.Broken"))
        break
    else:
        connection.send(new_method_return(message, "u", (1,)))
        print(json.dumps(message.body[:5]), flush=True)
        break
"""
CLIENT = """
import logging, subprocess, sys
from agdesk.ui.notifications import notify_desktop
logging.basicConfig(level=logging.DEBUG, format="%(levelname)s %(name)s %(message)s")
server = subprocess.Popen([sys.executable, "-c", sys.argv[1], sys.argv[2]], stdout=subprocess.PIPE, text=True)
assert server.stdout.readline() == "ready\\n"
notify_desktop(sys.argv[3], sys.argv[4])
print(server.communicate(timeout=20)[0], end="")
"""
needs_bus = pytest.mark.skipif(shutil.which("dbus-run-session") is None, reason="dbus-run-session is not installed")


def notify_on_a_private_bus(*, capabilities, title="A title", text="A text"):
    command = ["dbus-run-session", "--", sys.executable, "-c", CLIENT, SERVER, capabilities, title, text]
    return subprocess.run(command, capture_output=True, text=True, check=False, timeout=50)


@pytest.fixture
def desktop(monkeypatch):
    """What was asked of the desktop, and whether agdesk is in front."""

    desktop = SimpleNamespace(is_active=False, alerts=[], badges=[], notes=[])

    def state():
        state = Qt.ApplicationState
        return state.ApplicationActive if desktop.is_active else state.ApplicationInactive

    monkeypatch.setattr(QGuiApplication, "applicationState", state)
    monkeypatch.setattr(QGuiApplication, "setBadgeNumber", desktop.badges.append)
    monkeypatch.setattr(QApplication, "alert", desktop.alerts.append)
    monkeypatch.setattr(threading, "Thread", ThreadAtOnce)
    monkeypatch.setattr(notifications, "notify_desktop", lambda title, text: desktop.notes.append((title, text)))
    return desktop


class ThreadAtOnce:
    """A thread that has ended when it is started."""

    def __init__(self, *, target, args, name, daemon) -> None:
        assert daemon, "it must not hold the end of the program up"
        self.start = lambda: target(*args)


@pytest.fixture
def window(qtbot):
    widget = QWidget()
    qtbot.addWidget(widget)
    return widget


def test_an_answer_that_ends_behind_another_program_is_told_of(window, desktop, monkeypatch):
    monkeypatch.setattr(sys, "platform", "linux")
    Notifier(window, is_enabled=lambda: True).answer_ended("Tokens", "A token is a piece of text.")
    assert desktop.alerts == [window]
    assert desktop.badges == [1]
    assert desktop.notes == [("Tokens", "A token is a piece of text.")]


@pytest.mark.parametrize("platform", ["darwin", "win32"])
def test_elsewhere_the_window_and_its_icon_tell(window, desktop, monkeypatch, platform):
    monkeypatch.setattr(sys, "platform", platform)
    Notifier(window, is_enabled=lambda: True).answer_ended("Tokens", "text")
    assert (desktop.alerts, desktop.badges, desktop.notes) == ([window], [1], [])


def test_the_number_grows_until_a_window_becomes_active(window, desktop, qapp):
    notifier = Notifier(window, is_enabled=lambda: True)
    notifier.answer_ended("a", "")
    notifier.answer_ended("b", "")
    qapp.applicationStateChanged.emit(Qt.ApplicationState.ApplicationInactive)
    assert desktop.badges == [1, 2]
    qapp.applicationStateChanged.emit(Qt.ApplicationState.ApplicationActive)
    assert desktop.badges == [1, 2, 0]
    notifier.answer_ended("c", "")
    assert desktop.badges == [1, 2, 0, 1]


def test_becoming_active_without_news_changes_no_icon(window, desktop, qapp):
    notifier = Notifier(window, is_enabled=lambda: True)
    qapp.applicationStateChanged.emit(Qt.ApplicationState.ApplicationActive)
    assert desktop.badges == []
    assert notifier.parent() is window


def test_qt_takes_the_number_and_the_call_for_attention(window, qapp, monkeypatch):
    monkeypatch.setattr(sys, "platform", "darwin")  # no D-Bus
    monkeypatch.setattr(QGuiApplication, "applicationState", lambda: Qt.ApplicationState.ApplicationInactive)
    Notifier(window, is_enabled=lambda: True).answer_ended("Tokens", "text")
    qapp.applicationStateChanged.emit(Qt.ApplicationState.ApplicationActive)


def test_nothing_is_told_while_a_window_is_active(window, desktop):
    desktop.is_active = True
    Notifier(window, is_enabled=lambda: True).answer_ended("Tokens", "text")
    assert (desktop.alerts, desktop.badges, desktop.notes) == ([], [], [])


def test_the_setting_is_asked_each_time(window, desktop):
    wishes = iter([False, True])
    notifier = Notifier(window, is_enabled=lambda: next(wishes))
    notifier.answer_ended("Tokens", "text")
    assert desktop.badges == []
    notifier.answer_ended("Tokens", "text")
    assert desktop.badges == [1]


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("one\n two\t three", "one two three"),
        ("x" * 201, "x" * 199 + "…"),
        ("x" * 200, "x" * 200),
        ("a\0b \ud800", "ab ?"),
    ],
)
def test_a_text_becomes_one_short_line(text, shown):
    assert shorten(text) == shown


@needs_bus
@pytest.mark.parametrize(
    ("capabilities", "body"),
    [("body,body-markup", "&lt;b&gt;1 &amp; 2&lt;/b&gt; \"quoted\""), ("body", '<b>1 & 2</b> "quoted"')],
)  # fmt: skip
def test_a_real_server_is_given_plain_text(capabilities, body):
    result = notify_on_a_private_bus(capabilities=capabilities, title="<Tokens>", text='<b>1 & 2</b> "quoted"')
    assert result.returncode == 0, result.stderr
    assert result.stdout.strip() == f'["agdesk", 0, "", "<Tokens>", {json.dumps(body)}]'


@needs_bus
def test_a_server_that_refuses_is_logged_for_debugging_only():
    result = notify_on_a_private_bus(capabilities="broken")
    assert result.returncode == 0, result.stderr
    assert "DEBUG agdesk.ui.notifications no desktop notification" in result.stderr


@pytest.mark.parametrize(
    "address", [None, "unix:path=/nowhere/at/all", "nonsense", "tcp:host=localhost", "unix:path={socket}"]
)
def test_without_a_usable_bus_nothing_happens(monkeypatch, tmp_path, address, caplog):
    """The last one is a socket that nobody listens at."""
    if address is None:
        monkeypatch.delenv("DBUS_SESSION_BUS_ADDRESS", raising=False)
    else:
        monkeypatch.setenv("DBUS_SESSION_BUS_ADDRESS", address.format(socket=tmp_path / "bus"))
    with caplog.at_level("DEBUG", "agdesk.ui.notifications"):
        notify_desktop("title", "text")
    assert [record.levelname for record in caplog.records] == ["DEBUG"]
