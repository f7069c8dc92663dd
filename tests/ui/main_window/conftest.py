"""Opens main windows over scripts, with stand-ins for the panels and dialogs."""

import asyncio
import time

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

from agdesk.core.errors import ErrorCategory, ProviderRejection
from agdesk.core.ir import stream as ev
from agdesk.core.providers.scripted import Pause
from agdesk.ui.main_window import MainWindow
from agdesk.ui.theme import apply_theme
from tests.fakes.workspace import scripted_workspace
from tests.ui.main_window import stand_ins

BEGUN = (ev.MessageStart("i", "m"), ev.ContentBlockStart(0, ev.TextType()), ev.TextDelta("half an ", 0))
ENDLESS = (*BEGUN, Pause(600))
REFUSED = ProviderRejection("The key was refused", "Check it.", category=ErrorCategory.AUTH, status=401)
PATIENCE_S = 15.0


@pytest.fixture
def open_window(qapp, tmp_path, monkeypatch):
    """Makes a window; ``state`` is restored, and another call opens another window over the same workspace."""
    stand_ins.install(monkeypatch)
    apply_theme(qapp, "light")
    workspaces = []

    async def open_it(*scripts, state=None, width=900):
        if not workspaces:
            workspaces.append(scripted_workspace(tmp_path, *scripts))
        workspace, provider = workspaces[0]
        window = MainWindow(workspace)
        window.resize(width, 700)
        if state is not None:
            window.restore(state)
        window.show()
        window.activateWindow()
        await until(lambda: QApplication.activeWindow() is window and window.isVisible())
        await until(lambda: window.panels.splitter.is_folded("left") or window.panels.conversations is not None)
        return window, workspace, provider

    yield open_it
    for window in QApplication.topLevelWidgets():
        window.hide()  # it never closes by itself: its owner hides it


async def until(condition):
    """Waits until ``condition()`` is true."""
    end = time.monotonic() + PATIENCE_S
    while not condition():
        assert time.monotonic() < end, "it did not happen"
        await asyncio.sleep(0.005)


async def ask(window, text, *, is_endless=False):
    """Types a message into the tab in front and waits for the answer, or for its beginning."""
    chat, page = window.current_tab, window.tabs.current
    QTest.keyClicks(chat.composer, text)
    ended = []
    chat.turn_ended.connect(lambda: ended.append(True))
    QTest.keyClick(chat.composer, Qt.Key.Key_Return)
    await until(lambda: page.activity == "busy" if is_endless else ended)
    return page


async def end(window, workspace):
    """What the owner of a window does."""
    await window.finish()
    await workspace.aclose()
