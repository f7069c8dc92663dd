"""Uses a key in a window, in a process of its own: it is sent, pasted, written as a draft, and echoed by the server.

``python -m tests.fakes.canary_window DATA_FOLDER`` with a message on each line of its stdin; the last one stays in the
composer as a draft. The key is in the variable of the provider ``openai``, whose address is in the settings.
"""

from __future__ import annotations

import asyncio
import sys
from pathlib import Path

from PySide6.QtWidgets import QApplication

from agdesk import app
from agdesk.core.tasks import spawn
from agdesk.ui.main_window import MainWindow

LIMIT_S = 60.0


async def use(window: MainWindow, messages: list[str]) -> None:
    """Sends each message when the one before is answered, looks at what was recorded, and closes the window."""
    chat = window.open_tab()
    chat.session.model_ref = "openai/gpt-5"
    for text in messages[:-1]:
        ended = asyncio.Event()
        connection = chat.turn_ended.connect(ended.set)
        QApplication.clipboard().setText(text)
        chat.composer.paste()
        chat.composer.submit()
        await asyncio.wait_for(ended.wait(), LIMIT_S)
        chat.turn_ended.disconnect(connection)
    window.actions_registry["panel.inspector"].trigger()
    window.actions_registry["diagnostics.copy"].trigger()
    QApplication.clipboard().setText(messages[-1])
    chat.composer.paste()
    await asyncio.sleep(1.5)  # the draft is kept, the inspector has loaded
    window.close()


def main(data_dir: Path) -> int:
    messages = sys.stdin.read().splitlines()

    def on_window(window: MainWindow) -> None:
        spawn(use(window, messages), name="use the window")

    return app.run_window(data_dir, on_window=on_window)


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1])))
