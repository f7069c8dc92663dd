"""The Qt application around the main window: theme, closing, and the work that waits for the first paint."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from dataclasses import dataclass

from PySide6.QtWidgets import QApplication

from agdesk.core.workspace import Workspace
from agdesk.ui.main_window import MainWindow
from agdesk.ui.theme import ThemeMode, apply_theme


@dataclass(frozen=True, slots=True)
class Appearance:
    """How the window looks: ``theme`` is system, light or dark; ``scale`` multiplies every text size."""

    theme: ThemeMode = "system"
    scale: float = 1.0


class Application:
    """Owns the window while it is open.

    Args:
        app: the QApplication of the process.
        workspace: what the window shows.
        appearance: the look at the start.
        save_appearance: called with the new look whenever the user changes it.
    """

    def __init__(
        self,
        app: QApplication,
        workspace: Workspace,
        *,
        appearance: Appearance,
        save_appearance: Callable[[Appearance], None],
    ) -> None:
        self._workspace = workspace
        self._appearance = appearance
        self._save_appearance = save_appearance
        self.theme = apply_theme(app, appearance.theme, scale=appearance.scale)
        self.window = MainWindow(workspace)
        self.window.theme_chosen.connect(lambda mode: self._apply(Appearance(mode, self._appearance.scale)))
        self.window.scale_chosen.connect(lambda scale: self._apply(Appearance(self._appearance.theme, scale)))
        self._closed = asyncio.Event()
        self.window.close_requested.connect(self._closed.set)

    async def run(self) -> None:
        """Shows the window and returns when the user has closed it and every turn has ended."""
        self.window.show()
        await asyncio.sleep(0)
        await self.warm_up()
        await self._closed.wait()

    async def warm_up(self) -> None:
        """Loads what the first answer needs, off the GUI thread, after the first paint (PERF5)."""
        await asyncio.to_thread(_load_transcript)
        await asyncio.to_thread(self._workspace.warm_up)
        self.window.set_models(self._workspace.model_refs())
        self.window.set_send_key(self._workspace.settings.chat.send_key)
        if (problem := self._workspace.settings_problem) is not None:
            self.window.show_problem(problem.message, problem.hint)

    def _apply(self, appearance: Appearance) -> None:
        self._appearance = appearance
        self.theme.apply(appearance.theme, scale=appearance.scale)
        self._save_appearance(appearance)


def _load_transcript() -> None:
    import agdesk.ui.chat.feed  # noqa: F401 - the widgets that an empty conversation does without
    from agdesk.ui.widgets.markdown import warm_up

    warm_up()
