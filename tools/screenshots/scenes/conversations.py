"""The list of conversations: full, empty, without hits, one being renamed, one deleted."""

from __future__ import annotations

from PySide6.QtWidgets import QWidget

from agdesk.core.settings.window_state import PanelState, TabState, WindowState
from agdesk.ui.conversations import ConversationPanel
from agdesk.ui.main_window import MainWindow
from tools.screenshots.stage import Past, Scene, Stage

_MINUTE, _HOUR, _DAY = 60.0, 3600.0, 86_400.0
_WIDTH = 260
PAST = (
    Past("Which trains run from Lyon to Turin?", 400 * _DAY, title="Trains to Turin"),
    Past("Explain backpropagation", 61 * _DAY),
    Past("Compare three e-bike motors", 24 * _DAY, group="Home"),
    Past("什么是词元？请用两句话说明。", 9 * _DAY),
    Past("Rewrite the release notes for people who do not program", 4 * _DAY, group="Work"),
    Past("Why is the build slower on Windows?", 3 * _DAY, group="Work"),
    Past("A poem about rain", 1.1 * _DAY),
    Past("Summarise the minutes of the board", 5 * _HOUR),
    Past(f"One word: {'Donaudampfschifffahrt' * 15}", 3 * _HOUR),
    Past("Regex for ISO dates", 40 * _MINUTE, is_pinned=True),
    Past(
        "Plan three days in Paris with children",
        12 * _MINUTE,
        title="Paris trip",
        answer="**Day 1.** Jardin du Luxembourg in the morning, then the boats on the pond. In the afternoon the "
        "*Cité des sciences*, which needs tickets a week ahead.\n\n**Day 2.** Versailles, by the RER C.",
    ),
)


async def window_with_list(stage: Stage, *past: Past, current: str = "") -> MainWindow:
    """A main window whose list is open, with a conversation in front if one is named."""
    workspace = stage.workspace()
    await stage.keep(workspace, *past)
    tabs = (TabState(current),) if current else ()
    state = WindowState(tabs=tabs, current=current, left_panel=PanelState(_WIDTH, is_folded=False))
    window = await stage.window(workspace=workspace, state=state)
    await stage.picture(window)
    return window


def _panel(window: MainWindow) -> ConversationPanel:
    assert window.panels.conversations is not None
    return window.panels.conversations


async def _full(stage: Stage) -> QWidget:
    return await window_with_list(stage, *PAST, current=f"past-{len(PAST)}")


async def _empty(stage: Stage) -> QWidget:
    return await window_with_list(stage)


async def _no_hits(stage: Stage) -> QWidget:
    window = await window_with_list(stage, *PAST)
    _panel(window).focus_search()
    _panel(window).search.insert("quantum")
    return window


async def _hits(stage: Stage) -> QWidget:
    window = await window_with_list(stage, *PAST)
    _panel(window).focus_search()
    _panel(window).search.insert("the")
    return window


async def _rename(stage: Stage) -> QWidget:
    window = await window_with_list(stage, *PAST, current="past-8")
    view = _panel(window).view
    view.setFocus()
    view.edit(view.currentIndex())
    return window


async def _deleted(stage: Stage) -> QWidget:
    window = await window_with_list(stage, *PAST, current="past-8")
    window.actions_registry["conversation.delete"].trigger()
    return window


SCENES = (
    Scene("list-full", _full, is_on_every_screen=True),
    Scene("list-empty", _empty),
    Scene("list-hits", _hits),
    Scene("list-nothing", _no_hits),
    Scene("list-rename", _rename),
    Scene("list-undo", _deleted),
)
