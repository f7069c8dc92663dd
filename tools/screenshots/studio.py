"""Draws scenes one after the other, each on a stage of its own."""

from __future__ import annotations

import asyncio
import itertools
import sys
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

import PySide6.QtCore  # noqa: F401 - qasync picks the binding that is already imported
import qasync
from PySide6.QtCore import QMessageLogContext, QPoint, QSize, QtMsgType, QTranslator, qInstallMessageHandler
from PySide6.QtGui import QCursor, QFontDatabase
from PySide6.QtWidgets import QApplication

from agdesk.ui.language import Spoken, install_language, prepare_language
from agdesk.ui.theme import ThemeMode, apply_theme
from tools.screenshots import chance, clock, fonts
from tools.screenshots.scenes import SCENES
from tools.screenshots.screens import USUAL, Screen
from tools.screenshots.stage import Scene, Stage

_FAR_AWAY = QPoint(100_000, 100_000)
THEMES: tuple[ThemeMode, ...] = ("light", "dark")
LANGUAGES: dict[Spoken, tuple[ThemeMode, ...]] = {
    "en": THEMES,
    "zh_CN": ("light",),  # what is too long or missing does not depend on the colours
}
LOOKS = tuple((language, theme) for language, themes in LANGUAGES.items() for theme in themes)


@dataclass(frozen=True, slots=True)
class _Picture:
    scene: Scene
    language: Spoken
    theme: ThemeMode
    screen: Screen

    @property
    def name(self) -> str:
        ending = "" if self.language == "en" else f"-{self.language}"
        return f"{self.scene.name}-{self.theme}-{self.screen.name}{ending}.png"


def shoot(wanted: list[str], screens: Sequence[Screen], *, is_every_scene: bool, output: Path, folder: Path) -> int:
    """Draws the scenes whose names contain one of ``wanted``, or all, into ``output``.

    Args:
        wanted: parts of the scenes' names.
        screens: of this process's scale.
        is_every_scene: each is drawn on all of ``screens``; else on the usual ones, and on the others if it says so.
        output: where the pictures of these screens are replaced.
        folder: for what is written meanwhile.

    Returns:
        1 if there is no such scene or one could not be drawn.
    """
    scenes = [scene for scene in SCENES if not wanted or any(part in scene.name for part in wanted)]
    if not scenes:
        print(f"no scene is called so; there are: {', '.join(scene.name for scene in SCENES)}", file=sys.stderr)
        return 1
    pictures = [
        _Picture(scene, language, theme, screen)
        for scene, (language, theme), screen in itertools.product(scenes, LOOKS, screens)
        if is_every_scene or screen in USUAL or scene.is_on_every_screen
    ]
    qInstallMessageHandler(_show_message)
    app = QApplication([*sys.argv[:1], "-style", "Fusion"])
    app.setQuitOnLastWindowClosed(False)
    app.setCursorFlashTime(0)  # the caret stands still
    QCursor.setPos(_FAR_AWAY)  # the pointer is over nothing
    families = QFontDatabase.families()
    if missing := [name for name in fonts.NEEDED if name not in families]:
        print(f"the fonts {', '.join(missing)} are not installed (fonts-dejavu-core)", file=sys.stderr)
        return 1
    if fonts.CHINESE not in families:
        print(f"{fonts.CHINESE} is not installed (fonts-noto-cjk): Chinese is drawn as boxes", file=sys.stderr)
    output.mkdir(parents=True, exist_ok=True)
    for picture in pictures:
        (output / picture.name).unlink(missing_ok=True)

    def make_loop() -> asyncio.AbstractEventLoop:
        loop: asyncio.AbstractEventLoop = qasync.QEventLoop(app)
        loop.set_default_executor(ThreadPoolExecutor(4))
        return loop

    with asyncio.Runner(loop_factory=make_loop) as runner:
        return runner.run(_shoot(app, pictures, output, folder))


def _show_message(_kind: QtMsgType, _context: QMessageLogContext, message: str) -> None:
    if "propagateSizeHints" not in message:  # the virtual screen says so of every window
        print(f"Qt: {message}", file=sys.stderr)


async def _shoot(app: QApplication, pictures: Sequence[_Picture], output: Path, folder: Path) -> int:
    failed = 0
    for number, picture in enumerate(pictures):
        _speak(app, picture.language)
        apply_theme(app, picture.theme, scale=picture.screen.text)
        clock.reset()
        chance.reset()
        path = output / picture.name
        stage = Stage(folder / f"data-{number}", size=QSize(picture.screen.width, picture.screen.height))
        try:
            image = await stage.picture(await picture.scene.prepare(stage))
        except TimeoutError:
            failed += 1
            print(f"{path.name}: FAILED: it was not ready in time", file=sys.stderr)
            continue
        finally:
            await stage.aclose()
        if not image.save(str(path)):
            failed += 1
            print(f"{path} could not be written", file=sys.stderr)
    if pictures:
        print(f"{len(pictures) - failed} of {len(pictures)} pictures are in {output}")
    return 1 if failed else 0


def _speak(app: QApplication, language: Spoken) -> None:
    """Every text that is asked for from now on is in ``language``."""
    for translator in app.findChildren(QTranslator):
        app.removeTranslator(translator)
        translator.setParent(None)
    install_language(app, prepare_language(language))
