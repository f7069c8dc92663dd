"""Where a scene is prepared: a window over scripted answers, of one size, in one theme."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, Awaitable, Callable, Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

from PySide6.QtCore import QSize
from PySide6.QtGui import QImage
from PySide6.QtWidgets import QWidget
from typing_extensions import override

from agdesk.app import build_workspace
from agdesk.core.errors import LlmError
from agdesk.core.ir import stream as ev
from agdesk.core.ir.request import MessageRequest
from agdesk.core.ir.response import PartialUsage
from agdesk.core.providers.base import LlmProvider
from agdesk.core.providers.scripted import Pause, ScriptedProvider, Step, text_answer
from agdesk.core.settings.window_state import WindowState
from agdesk.core.store.store import Store
from agdesk.core.trace.recorder import RequestTrace
from agdesk.core.workspace import Workspace
from agdesk.ui.chat import ChatTab
from agdesk.ui.main_window import MainWindow
from agdesk.ui.qt_async import emission
from agdesk.ui.theme import current_theme
from tools.screenshots import clock

LIMIT_S = 30.0
HOLD = Pause(float("inf"))
"""A step of a script: nothing more arrives, the answer stays as it is."""
_BUDGET_BYTES = 100_000_000
_USAGE = PartialUsage(prompt_tokens=31, completion_tokens=58)
_STILL_COUNT = 5
_STILL_S = 0.06


@dataclass(frozen=True, slots=True)
class Scene:
    """One state of a view.

    Attributes:
        name: ``<view>-<state>``, the beginning of the picture's name.
        prepare: brings a stage into that state and gives the widget to be drawn.
        is_on_every_screen: it is drawn wide, at other scales and with larger text too: it shows much of what can break.
    """

    name: str
    prepare: Callable[[Stage], Awaitable[QWidget]]
    is_on_every_screen: bool = False


@dataclass(frozen=True, slots=True)
class Past:
    """A conversation that is in the store already: one question and its answer.

    Attributes:
        ago_s: how long ago it was held.
        title: as it was renamed; empty for the question.
    """

    question: str
    ago_s: float
    answer: str = "A short answer."
    title: str = ""
    group: str = ""
    is_pinned: bool = False


async def _nothing_to_paint() -> None: ...


class StagedProvider(ScriptedProvider):
    """Plays its scripts at once: a pause moves the clock of the picture instead of taking time.

    What came before a pause is painted before it goes on, and so is the question before its answer: how the window
    looks must not depend on how fast it was.

    Attributes:
        painted: returns when the window has painted everything.
        held: is set when a script has come to ``HOLD``.
    """

    painted: Callable[[], Awaitable[object]] = staticmethod(_nothing_to_paint)

    def __init__(self, scripts: Iterable[Sequence[Step]]) -> None:
        super().__init__(scripts)
        self.held = asyncio.Event()

    @override
    async def chat_stream(
        self, request: MessageRequest, *, trace: RequestTrace | None = None
    ) -> AsyncGenerator[ev.StreamEvent, None]:
        has_begun = False
        await self.painted()
        if trace is not None:
            trace.rendered()
        for step in self._next_script(request):
            match step:
                case Pause() if step is HOLD:
                    self.held.set()
                    await asyncio.Event().wait()
                case Pause(seconds=seconds):
                    await self.painted()
                    clock.advance(seconds)
                case LlmError() if not has_begun:
                    raise step
                case LlmError():
                    yield ev.StreamError(step.to_record())
                    return
                case _:
                    has_begun = True
                    yield step


class Stage:
    """What one picture is made of; lives while it is drawn.

    Attributes:
        folder: an empty data folder.
        size: of the picture.
    """

    def __init__(self, folder: Path, *, size: QSize) -> None:
        self.folder = folder
        self.size = size
        self.workspaces: list[Workspace] = []
        self.widgets: list[QWidget] = []
        self.tasks: list[asyncio.Task[object]] = []
        self._held = asyncio.Event()

    def workspace(self) -> Workspace:
        """The real program without its window, over an empty store; the stage closes it in the end."""
        registry = build_workspace(self.folder).registry
        store = Store.open(self.folder, budget_bytes=lambda: _BUDGET_BYTES)
        workspace = Workspace(registry, data_dir=self.folder, store=store)
        self.workspaces.append(workspace)
        return workspace

    async def window(
        self,
        *scripts: tuple[Step, ...],
        workspace: Workspace | None = None,
        provider: LlmProvider | None = None,
        state: WindowState | None = None,
    ) -> MainWindow:
        """A shown main window; without ``state`` it has one empty conversation.

        The n-th request is answered by the n-th script, or by ``provider``. ``state`` is what the last start left.
        """
        workspace = workspace or self.workspace()
        staged = StagedProvider(scripts)
        self._held = staged.held
        _answer_with(workspace, provider or staged)
        window = MainWindow(workspace)
        staged.painted = lambda: self.picture(window)
        if state is not None:
            window.restore(state)
        await self.show(window)
        await asyncio.to_thread(workspace.warm_up)
        workspace.models_changed.emit(None)
        window.set_theme_mode(current_theme().mode)
        return window

    async def keep(self, workspace: Workspace, *past: Past) -> None:
        """Stores conversations as if they had been held at their times."""
        for number, conversation in enumerate(past, 1):
            clock.advance(-conversation.ago_s)
            answer = StagedProvider([(Pause(0.3), *text_answer(conversation.answer, delay_s=1.2, usage=_USAGE))])
            _answer_with(workspace, answer)
            session = workspace.open_session(session_id=f"past-{number}")
            await session.submit(conversation.question)
            await workspace.close_session(session)
            clock.advance(conversation.ago_s)
            if conversation.title:
                workspace.conversations.rename(session.id, conversation.title)
            workspace.conversations.set_group(session.id, conversation.group)
            workspace.conversations.set_pinned(session.id, conversation.is_pinned)

    async def show(self, widget: QWidget) -> None:
        """Shows a top-level widget in the size of the picture; the stage hides it in the end."""
        self.widgets.append(widget)
        widget.resize(self.size)
        widget.show()
        widget.activateWindow()
        await asyncio.sleep(0)

    async def ask(self, window: MainWindow, text: str) -> ChatTab:
        """Sends ``text`` in the window's current conversation, a second after all that was, and waits for the end."""
        clock.advance(1.0)
        tab = window.current_tab
        assert tab is not None
        tab.send(text)
        await emission(tab.turn_ended, timeout_s=LIMIT_S)
        return tab

    async def ask_and_hold(self, window: MainWindow, text: str) -> ChatTab:
        """Sends ``text`` and waits until its script has come to ``HOLD``."""
        tab = window.current_tab
        assert tab is not None
        tab.send(text)
        await asyncio.wait_for(self._held.wait(), LIMIT_S)
        return tab

    async def picture(self, widget: QWidget) -> QImage:
        """``widget`` as it looks once nothing moves any more.

        Raises:
            TimeoutError: it goes on moving.
        """
        async with asyncio.timeout(LIMIT_S):
            image, still = widget.grab().toImage(), 0
            while still < _STILL_COUNT:
                await asyncio.sleep(_STILL_S)
                newer = widget.grab().toImage()
                still = still + 1 if newer == image else 0
                image = newer
        return image

    async def aclose(self) -> None:
        """Ends everything of the picture."""
        for task in self.tasks:
            task.cancel()
        for widget in self.widgets:
            if isinstance(widget, MainWindow):
                await widget.finish()
        for workspace in self.workspaces:
            await workspace.aclose()
        for widget in self.widgets:
            widget.hide()
            widget.deleteLater()
        await asyncio.sleep(0)


def _answer_with(workspace: Workspace, provider: LlmProvider) -> None:
    """Every model is that of ``provider``; the rest is the real program: rows, settings, keys, the store."""
    workspace.registry.get = lambda provider_id: provider  # type: ignore[method-assign]
