"""The Qt application around the main window: theme, settings in force, faults, and the end."""

from __future__ import annotations

import asyncio
import gc
from collections.abc import Awaitable, Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QCoreApplication
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QApplication

from agdesk.core.errors import SettingsError
from agdesk.core.tasks import spawn
from agdesk.core.workspace import Workspace
from agdesk.ui.core_words import words_of
from agdesk.ui.end_signals import EndSignals
from agdesk.ui.main_window import MainWindow
from agdesk.ui.theme import ThemeMode, apply_theme
from agdesk.ui.widgets.code_look import CodeLook

if TYPE_CHECKING:
    from agdesk.core.settings.model import Settings
    from agdesk.ui.diagnostics import CrashReporter
    from agdesk.ui.instance import Doorbell

translate = QCoreApplication.translate


@dataclass(frozen=True, slots=True)
class Appearance:
    """How the window looks: ``theme`` is system, light or dark; ``scale`` multiplies every text size."""

    theme: ThemeMode = "system"
    scale: float = 1.0


@dataclass(frozen=True, slots=True)
class Support:
    """What helps when something goes wrong.

    Attributes:
        logs: the folder of the log files.
        diagnostics: the text of a bug report, without secrets.
        redact: gives a text back without known secrets.
        last_crash: the stacks of the run before, if that ended inside native code.
    """

    logs: Path
    diagnostics: Callable[[], Awaitable[str]]
    redact: Callable[[str], str]
    last_crash: str | None = None


class Application:
    """Owns the window while it is open.

    Args:
        app: the QApplication of the process.
        workspace: what the window shows.
        appearance: the look at the start.
        support: for the crash dialog, the log and the diagnostics.
    """

    def __init__(self, app: QApplication, workspace: Workspace, *, appearance: Appearance, support: Support) -> None:
        self._app = app
        self._workspace = workspace
        self._appearance = appearance
        self._support = support
        self._closed = asyncio.Event()
        self._crashes: CrashReporter | None = None
        self._doorbell: Doorbell | None = None
        self.theme = apply_theme(app, appearance.theme, scale=appearance.scale)
        self.window = MainWindow(workspace)
        self.window.set_theme_mode(appearance.theme)
        self.window.theme_chosen.connect(lambda mode: self._choose(Appearance(mode, self._appearance.scale)))
        self.window.scale_chosen.connect(lambda scale: self._choose(Appearance(self._appearance.theme, scale)))
        self.window.close_requested.connect(self._closed.set)
        self.window.log_requested.connect(self._show_log)
        self.window.diagnostics_requested.connect(lambda: spawn(self._copy_diagnostics(), name="copy diagnostics"))
        workspace.settings_changed.subscribe(self._apply_settings)

    async def run(self) -> None:
        """Shows the window and returns when the user, or the system, has closed it; its drafts and its state are kept
        then."""
        signals = EndSignals()
        signals.received.connect(self._closed.set)
        try:
            self.window.show()
            await asyncio.sleep(0)
            await self.warm_up()
            await self._closed.wait()
            self.close()  # a start from now on waits for the end of this one instead of ringing at it
            await self.window.finish()
        finally:
            signals.close()

    def close(self) -> None:
        """Stops answering the door and showing faults; what goes wrong from now on is only logged."""
        if self._doorbell is not None:
            self._doorbell.close()
        if self._crashes is not None:
            self._crashes.close()

    async def warm_up(self) -> None:
        """Loads what the first answer needs, after the first paint (PERF5): libraries on a thread, views in pieces."""
        self._watch_for_faults()
        await asyncio.to_thread(self._workspace.warm_up)
        spawn(self._workspace.learn_keys(), name="learn the keys")  # may wait until the user unlocks the key store
        for _ in load_views():
            await asyncio.sleep(0)
        from agdesk.ui.widgets.markdown import warm_up as warm_up_markdown

        await asyncio.to_thread(warm_up_markdown)
        gc.freeze()  # what is loaded now stays: to look through it for garbage would block the window for 40 ms
        gc.enable()
        self._answer_the_door()
        self._workspace.models_changed.emit(None)  # they are known now
        self._apply_settings(self._workspace.settings)
        if (problem := self._workspace.settings_problem) is not None:
            self.window.show_problem(*words_of(problem))
        if self._support.last_crash is not None:
            self.window.show_problem(
                translate("Application", "agdesk ended unexpectedly the last time"),
                translate(
                    "Application",
                    "What was stored is there. “Show log” leads to crash.1.log, which a bug report needs.",
                ),
            )

    def _watch_for_faults(self) -> None:
        from agdesk.ui.diagnostics import CrashReporter
        from agdesk.ui.notifications import Notifier

        self._crashes = CrashReporter(
            self._app,
            redact=self._support.redact,
            show_log=self._show_log,
            diagnostics=self._support.diagnostics,
        )
        notifier = Notifier(self.window, is_enabled=lambda: self._workspace.settings.notifications.answer_ended)
        self.window.answer_ended.connect(notifier.answer_ended)

    def _answer_the_door(self) -> None:
        from agdesk.ui.instance import Doorbell

        self._doorbell = Doorbell(self._workspace.data_dir)
        self._doorbell.rung.connect(self.window.come_to_front)

    def _choose(self, appearance: Appearance) -> None:
        self._apply(appearance)
        spawn(self._save_appearance(appearance), name="save appearance")

    def _apply(self, appearance: Appearance) -> None:
        self._appearance = appearance
        self.theme.apply(appearance.theme, scale=appearance.scale)
        self.window.set_theme_mode(appearance.theme)

    def _apply_settings(self, settings: Settings) -> None:
        appearance = Appearance(settings.appearance.theme, settings.appearance.scale)
        if appearance != self._appearance:
            self._apply(appearance)
        self.window.set_send_key(settings.chat.send_key)
        self.window.set_code_look(CodeLook(settings.reading.wrap_code, settings.reading.line_numbers))
        self._apply_shortcuts(settings)

    def _apply_shortcuts(self, settings: Settings) -> None:
        registry = self.window.actions_registry
        for problem in registry.apply_shortcuts(settings.shortcuts):
            action = registry[problem.action_id].text()
            if problem.owner_id is None:
                text = translate("Application", "{action} has no shortcut: “{keys}” are no keys").format(
                    action=action, keys=problem.keys
                )
            else:
                owner = registry[problem.owner_id].text()
                text = translate("Application", "{action} has no shortcut: {keys} is that of {owner}").format(
                    action=action, keys=problem.keys, owner=owner
                )
            self.window.show_problem(text, translate("Application", "Choose other keys in Settings › Shortcuts."))

    async def _save_appearance(self, look: Appearance) -> None:
        try:
            await self._workspace.change_settings(
                {"appearance.theme": look.theme, "appearance.scale": round(look.scale, 3)}
            )
        except SettingsError as error:  # the look is in force all the same; it is only not remembered
            self.window.show_problem(*words_of(error))

    async def _copy_diagnostics(self) -> None:
        QGuiApplication.clipboard().setText(self._support.redact(await self._support.diagnostics()))
        self.window.notices.confirm(translate("Application", "Diagnostics copied"))

    def _show_log(self) -> None:
        from agdesk.ui.diagnostics import show_log_folder

        if not show_log_folder(self._support.logs):
            self.window.show_problem(
                translate("Application", "The desktop could not open the folder of the log files"),
                str(self._support.logs),
            )


def load_views() -> Iterator[None]:
    """What the first paint does without and the next click should not wait for, in pieces.

    Not on a thread: PySide6 completes its types when they are first used, and two threads that do it at once crash.
    """
    import agdesk.ui.widgets.markdown

    yield
    import agdesk.ui.widgets.transcript

    yield
    import agdesk.ui.chat.feed

    yield
    import agdesk.ui.inspector

    yield
    import agdesk.ui.palette

    yield
    import agdesk.ui.chat.picker.popup

    yield
    import agdesk.ui.chat.parameters.effort

    yield
    import agdesk.ui.chat.parameters.panel

    yield
    import agdesk.ui.settings

    yield
    import agdesk.ui.instance  # noqa: F401
