"""What tools do, where they work, and what a model is known of them, in words."""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from PySide6.QtCore import QCoreApplication

from agdesk.core.providers.base import ModelInfo
from agdesk.core.tools.base import BUILTIN_SERVER, Tool
from agdesk.ui.models.values import source_text
from agdesk.ui.widgets.hidden_characters import revealed

translate = QCoreApplication.translate


class Note(NamedTuple):
    """A sentence, and whether it is a warning."""

    text: str
    is_warning: bool = False


def description_of(tool: Tool) -> str:
    """What a tool does, for the user; one that is described to models only, as it is to them."""
    told = tool.definition.description
    if tool.server != BUILTIN_SERVER:
        return revealed(told)
    return {
        "read_file": translate("ToolWords", "Reads a file in the folder."),
        "list_directory": translate("ToolWords", "Lists the files and folders in the folder."),
        "search_text": translate("ToolWords", "Searches the files in the folder for a text."),
        "write_file": translate("ToolWords", "Writes a file in the folder, over what it held."),
        "edit_file": translate("ToolWords", "Replaces a text in a file in the folder."),
        "run_command": translate(
            "ToolWords", "Runs a program. It begins in the folder, and can reach everything that you can."
        ),
        "fetch_url": translate("ToolWords", "Fetches a page of the internet. Its server sees the whole address."),
        "current_time": translate("ToolWords", "Tells the date, the time and the time zone."),
    }.get(tool.definition.name, told)


def folder_text(folder: str) -> str:
    """A folder as it is shown: ``~/project`` for one in the user's own."""
    home = str(Path.home())
    if folder == home or folder.startswith(home.rstrip(os.sep) + os.sep):
        folder = "~" + folder[len(home.rstrip(os.sep)) :]
    return revealed(folder)


def folder_note(needing: Sequence[str], *, folder: str, is_gone: bool) -> Note:
    """What is wrong with the folder; empty if nothing is.

    Args:
        needing: names of the tools that are on and need one.
    """
    if is_gone:
        return Note(translate("ToolWords", "This folder is no longer there. Tools that need one will fail."), True)
    if needing and not folder:
        text = translate("ToolWords", "These need a folder, and will fail until you choose one: {tools}.")
        return Note(text.format(tools=", ".join(map(revealed, needing))), True)
    return Note("")


def model_note(info: ModelInfo, *, is_auto: bool) -> Note:
    """What is known of the model and tools, and what that means for them."""
    can_call, source = info.features.tool_use, source_text(info.source.get("tool_use", ""))
    if is_auto:
        return Note(translate("ToolWords", "The model is chosen when you send: none that is known to have no tools."))
    match info.tool_mode:
        case "off":
            return Note(translate("ToolWords", "Tools are left out for this model, as you have set."), True)
        case "schema":
            return Note(translate("ToolWords", "Tools are offered to this model as a format of its answer."))
        case "native" if can_call is False:
            return Note(
                translate(
                    "ToolWords", "Tools cannot be offered to this model: it is known to have none ({source})."
                ).format(source=source),
                True,
            )
    if can_call is None:
        return Note(translate("ToolWords", "Nobody knows whether this model can call tools."))
    words = (
        translate("ToolWords", "This model is known to call tools ({source}).")
        if can_call
        else translate(
            "ToolWords",
            "This model is known to have no tools of its own ({source}): they are offered as a format of its answer.",
        )
    )
    return Note(words.format(source=source), not can_call)
