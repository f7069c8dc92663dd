"""The frame: what opens over it and beside it, what it tells, how it starts, and texts that are hard on a layout."""

from __future__ import annotations

import asyncio

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication, QMessageBox, QWidget

from agdesk.core.cycle import AgentSession
from agdesk.core.errors import StoreCorrupt, StoreError
from agdesk.core.providers.scripted import text_answer
from agdesk.core.settings.window_state import TabState, WindowState
from agdesk.core.store.values import StoreState
from agdesk.core.tasks import spawn
from agdesk.core.trace.events import TraceRecord
from agdesk.ui.palette import CommandPalette
from agdesk.ui.start_problem import ask_at_start
from tools.screenshots.scenes.conversations import PAST, window_with_list
from tools.screenshots.stage import Scene, Stage

_FOLDER = "~/.local/share/agdesk"
_FULL = StoreState(
    "full",
    f"The disk of {_FOLDER} is full: what happens now cannot be kept",
    "Free some space. Everything stored can be read, and nothing that waits is lost.",
)
_DAMAGED = StoreCorrupt(
    f"The database {_FOLDER}/agdesk.db is damaged (database disk image is malformed)",
    "It was left as it is. Put a backup in its place, or move it away to begin with an empty one.",
)
_ARABIC = "الرمز قطعة من النص يقرؤها النموذج أو يكتبها دفعة واحدة.\n\n1. الأول\n2. الثاني\n\n`token` هو رمز واحد."
_WORD = "Rindfleischetikettierungsüberwachungsaufgabenübertragungsgesetz" * 5


async def _first_start(stage: Stage) -> QWidget:
    window = await stage.window()
    assert window.current_tab is not None
    window.current_tab.composer.insertPlainText("What can you do?")
    return window


async def _palette(stage: Stage) -> QWidget:
    window = await window_with_list(stage, *PAST, current=f"past-{len(PAST)}")
    window.actions_registry["palette.open"].trigger()
    return window


async def _palette_hits(stage: Stage) -> QWidget:
    window = await window_with_list(stage, *PAST, current=f"past-{len(PAST)}")
    window.actions_registry["palette.open"].trigger()
    palette = window.findChild(CommandPalette)
    assert palette is not None
    palette.field.insert("con")
    return window


async def _store_full(stage: Stage) -> QWidget:
    window = await window_with_list(stage, *PAST, current=f"past-{len(PAST)}")
    stage.workspaces[0].store_states.emit(_FULL)
    return window


async def _detached(stage: Stage) -> QWidget:
    window = await window_with_list(stage, *PAST, current=f"past-{len(PAST)}")
    window.actions_registry["tab.detach"].trigger()
    detached = window.desk.detached[0]
    stage.widgets.append(detached)
    detached.resize(stage.size * 0.75)
    return detached


async def _loading(stage: Stage) -> QWidget:
    async def load(conversation_id: str) -> tuple[AgentSession, tuple[TraceRecord, ...]]:
        await asyncio.Event().wait()
        raise AssertionError

    workspace = stage.workspace()
    await stage.keep(workspace, *PAST)
    workspace.open_conversation = load  # type: ignore[method-assign]
    return await stage.window(workspace=workspace, state=WindowState(tabs=(TabState("past-11"), TabState("past-8"))))


async def _not_loaded(stage: Stage) -> QWidget:
    async def load(conversation_id: str) -> tuple[AgentSession, tuple[TraceRecord, ...]]:
        raise StoreError(
            f"The database {_FOLDER}/agdesk.db cannot be used: disk I/O error",
            "Check that the folder can be read and written and that its disk is there.",
        )

    workspace = stage.workspace()
    await stage.keep(workspace, *PAST)
    workspace.open_conversation = load  # type: ignore[method-assign]
    return await stage.window(workspace=workspace, state=WindowState(tabs=(TabState("past-11"), TabState("past-8"))))


async def _damaged(stage: Stage) -> QWidget:
    stage.tasks.append(spawn(ask_at_start(_DAMAGED), name="question at the start"))
    await asyncio.sleep(0)
    box = next(widget for widget in QApplication.topLevelWidgets() if isinstance(widget, QMessageBox))
    stage.widgets.append(box)
    return box


async def _right_to_left(stage: Stage) -> QWidget:
    window = await stage.window(text_answer(_ARABIC))
    window.setLayoutDirection(Qt.LayoutDirection.RightToLeft)
    window.actions_registry["panel.inspector"].trigger()
    await stage.ask(window, "ما هو الرمز؟")
    return window


async def _long_word(stage: Stage) -> QWidget:
    parts = (f"# {_WORD}", f"One word: {_WORD}", f"```\n{_WORD}\n```", f"| {_WORD} |\n|---|\n| 1 |")
    window = await stage.window(text_answer("\n\n".join(parts)))
    tab = await stage.ask(window, _WORD)
    tab.composer.insertPlainText(_WORD)
    return window


SCENES = (
    Scene("window-start", _first_start),
    Scene("window-palette", _palette, is_on_every_screen=True),
    Scene("window-found", _palette_hits),
    Scene("window-full", _store_full),
    Scene("window-detached", _detached),
    Scene("window-loading", _loading),
    Scene("window-unreadable", _not_loaded),
    Scene("window-damaged", _damaged),
    Scene("window-mirrored", _right_to_left),
    Scene("window-word", _long_word),
)
