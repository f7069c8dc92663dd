"""The real program, told from outside what to do; run as a script with the data folder as its argument.

Each line of standard input is a JSON string: an expression over ``window`` and ``shown``, evaluated on the loop and
awaited if it can be. Its value is printed as one JSON line, ``{"value": …}``, or ``{"error": …}`` if it raised. The
first line is ``{"value": "ready"}``, once the window has been painted; a question before there is a window is
announced as ``{"question": [text, hint, buttons]}``, and the line that follows it names the button to press.
"""

from __future__ import annotations

import asyncio
import inspect
import json
import os
import sys
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from PySide6.QtCore import QTimer
from PySide6.QtWidgets import QApplication, QMessageBox

from agdesk import app
from agdesk.core.errors import AgdeskError
from agdesk.core.tasks import spawn
from agdesk.ui import start_problem
from agdesk.ui.main_window import MainWindow


def say(**values: object) -> None:
    os.write(1, json.dumps(values).encode() + b"\n")


class Ear:
    """Has every line of standard input handled on the loop, by ``handle``."""

    handle: Callable[[str], None]

    def listen(self, handle: Callable[[str], None]) -> None:
        is_first = not hasattr(self, "handle")
        self.handle = handle
        if is_first:
            threading.Thread(target=self._read, args=(asyncio.get_running_loop(),), daemon=True).start()

    def _read(self, loop: asyncio.AbstractEventLoop) -> None:
        for line in sys.stdin:
            loop.call_soon_threadsafe(lambda said: self.handle(said), json.loads(line))


ear = Ear()


def painted(chat: Any) -> list[Any]:
    """Everything that a conversation shows, without pixels."""
    messages = [
        [
            message.view.role,
            message.view.title,
            [(block.kind, block.source.join()) for block in message.blocks],
            repr(message.error),
            message.footer,
            [step.text for step in message.steps],
        ]
        for message in (chat.transcript._model.messages if chat.title else ())
    ]
    return [chat.title, messages, chat.status_line.text(), chat.composer.toPlainText()]


def shown(window: MainWindow) -> dict[str, Any]:
    """The picture of the window: what must be the same after a restart."""
    current, place = window.tabs.current, window.geometry()
    state = window.state()
    return {
        "tabs": [window.tabs.bar.tabText(index) for index in range(window.tabs.count())],
        "current": current.session_id if current is not None else None,
        "front": painted(current.chat) if current is not None and current.chat is not None else None,
        "scroll": [tab.scroll_place for tab in state.tabs],
        "windows": [[w.windowTitle(), w.geometry().getRect()] for w in window.desk.detached],
        "place": place.getRect(),
        "panels": repr((state.left_panel, state.right_panel)),
    }


def banners(window: MainWindow) -> list[str]:
    """What the banners above the tabs say."""
    return [banner.label.text() for banner in window.notices.banners.values() if banner.isVisible()]


def on_window(window: MainWindow) -> None:
    names = {"window": window, "shown": shown, "painted": painted, "banners": banners, "app": QApplication.instance()}

    async def answer(line: str) -> None:
        try:
            value = eval(line, {**globals(), **names})
            say(value=await value if inspect.isawaitable(value) else value)
        except BaseException as error:
            say(error=repr(error))
            if not isinstance(error, Exception):
                raise

    def handle(line: str) -> None:
        spawn(answer(line), name="told")

    def begin() -> None:
        if window.isVisible() and window._is_painted:
            timer.stop()
            ear.listen(handle)
            say(value="ready")

    timer = QTimer(window)
    timer.timeout.connect(begin)
    timer.start(5)


async def announced(error: AgdeskError) -> bool:
    """Asks as the program does, and says that it asks."""

    def look() -> None:
        boxes = [box for box in QApplication.topLevelWidgets() if isinstance(box, QMessageBox) and box.isVisible()]
        if boxes:
            timer.stop()
            buttons = {button.text(): button for button in boxes[0].buttons()}
            say(question=[boxes[0].text(), boxes[0].informativeText(), list(buttons)])
            ear.listen(lambda name: buttons[name].click())

    timer = QTimer()
    timer.timeout.connect(look)
    timer.start(5)
    return await ask_at_start(error)


ask_at_start = start_problem.ask_at_start
start_problem.ask_at_start = announced
sys.exit(app.run_window(Path(sys.argv[1]), on_window=on_window))
