"""The tools of a conversation: off, on, without a folder, with one that is gone, at a model without tools, narrow."""

from __future__ import annotations

from functools import partial
from pathlib import Path

from PySide6.QtWidgets import QWidget

from agdesk.core.ir.tool_selection import ToolSelection
from agdesk.core.providers.scripted import text_answer
from tools.screenshots.stage import HOLD, Scene, Stage

_WITH_TOOLS, _WITHOUT_TOOLS = "openai/gpt-5", "builtin/smollm2-135m"
_READING = ("current_time", "list_directory", "read_file")


async def _sheet(
    stage: Stage,
    *,
    names: tuple[str, ...] = (),
    folder: str = "",
    model_ref: str = _WITH_TOOLS,
    is_running: bool = False,
    is_open: bool = True,
    width: int = 0,
) -> QWidget:
    """The sheet over a conversation with some tools on.

    Args:
        folder: in the home of the pictures; there is ``project``.
        width: of the window; 0 for that of the picture.
    """
    (Path.home() / "project").mkdir(exist_ok=True)
    window = await stage.window((*text_answer("One moment")[:-2], HOLD))
    chat = window.current_tab
    assert chat is not None
    if width:
        window.resize(width, window.height())
    if is_running:
        await stage.ask_and_hold(window, "What is in this folder?")
    chat.session.model_ref = model_ref
    chat.picker.refresh()
    chat.session.tools = ToolSelection(names, str(Path.home() / folder) if folder else "")
    if is_open:
        chat.tools.open()
    return window


_on = partial(_sheet, names=_READING, folder="project")
SCENES = (
    Scene("tools-off", _sheet),
    Scene("tools-on", _on, is_on_every_screen=True),
    Scene("tools-closed", partial(_on, is_open=False)),
    Scene("tools-running", partial(_on, is_running=True)),
    Scene("tools-no-folder", partial(_sheet, names=_READING)),
    Scene("tools-folder-gone", partial(_sheet, names=_READING, folder="gone")),
    Scene("tools-model-without", partial(_on, model_ref=_WITHOUT_TOOLS)),
    Scene("tools-model-unknown", partial(_on, model_ref="openai/of-tomorrow")),
    Scene("tools-narrow", partial(_on, width=420)),
    Scene("tools-closed-narrow", partial(_on, width=420, is_open=False)),
)
