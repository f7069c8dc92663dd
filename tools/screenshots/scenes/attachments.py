"""Attachments: above the composer, with a model that cannot take them, in messages, and enlarged."""

from __future__ import annotations

import asyncio
from pathlib import Path

from PySide6.QtCore import QMimeData, QPoint, QPointF, Qt, QUrl
from PySide6.QtGui import QColor, QDragEnterEvent, QImage, QLinearGradient, QPainter, QPolygonF
from PySide6.QtWidgets import QWidget

from agdesk.core.providers.scripted import text_answer
from agdesk.ui.chat import ChatTab
from agdesk.ui.chat.attachments.preview import AttachmentPreview, ImageArea
from agdesk.ui.main_window import MainWindow
from agdesk.ui.widgets.offered import OfferedFile
from tools.screenshots.stage import LIMIT_S, Scene, Stage

_ANSWER = "The hills are highest in the **second** picture. The table says 1,204 m, which fits."
_TABLE = "place,height_m\nNorth hill,1204\nSouth hill,987\n"


def _landscape(path: Path, *, hue: int, width: int = 1200, height: int = 800) -> str:
    image = QImage(width, height, QImage.Format.Format_RGB32)
    painter = QPainter(image)
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    sky = QLinearGradient(0, 0, 0, height)
    sky.setColorAt(0, QColor.fromHsv(hue, 90, 235))
    sky.setColorAt(1, QColor.fromHsv((hue + 40) % 360, 40, 250))
    painter.fillRect(image.rect(), sky)
    painter.setPen(Qt.PenStyle.NoPen)
    for share, value in ((0.45, 170), (0.6, 130), (0.75, 90)):
        painter.setBrush(QColor.fromHsv((hue + 60) % 360, 110, value))
        tops = [QPointF(width * x / 6, height * (share + (0.12 if x % 2 else 0.0))) for x in range(7)]
        painter.drawPolygon(QPolygonF([QPointF(0, height), *tops, QPointF(width, height)]))
    painter.end()
    image.save(str(path))
    return str(path)


def _files(folder: Path) -> list[str]:
    folder.mkdir(exist_ok=True)
    (folder / "heights.csv").write_text(_TABLE)
    (folder / "A walk over both hills, with all the detours of last summer.pdf").write_bytes(
        b"%PDF-1.4\n/Type /Page \n/Type /Page \n" + b" " * 240_000
    )
    return [
        _landscape(folder / "north.png", hue=200),
        _landscape(folder / "south.png", hue=20, width=700, height=900),
        *(str(path) for path in sorted(folder.iterdir()) if path.suffix in (".csv", ".pdf")),
    ]


async def _attached(stage: Stage, window: MainWindow, paths: list[str]) -> ChatTab:
    chat = window.current_tab
    assert chat is not None
    chat.attachments.offer([OfferedFile(path) for path in paths])
    async with asyncio.timeout(LIMIT_S):
        while len(chat.attachments.blocks) < len(paths):
            await asyncio.sleep(0.01)
    return chat


async def _tray(stage: Stage) -> QWidget:
    window = await stage.window(text_answer(_ANSWER))
    chat = await _attached(stage, window, _files(stage.folder / "files"))
    chat.composer.setPlainText("Which of these hills is the higher one?")
    return window


async def _untaken(stage: Stage) -> QWidget:
    window = await stage.window(text_answer(_ANSWER))
    chat = await _attached(stage, window, _files(stage.folder / "files"))
    await stage.workspaces[0].change_settings({f"models.{chat.session.model_ref}.vision": False})
    chat.attachments.refresh()
    async with asyncio.timeout(LIMIT_S):
        while chat.attachments.tray.problem.isHidden():
            await asyncio.sleep(0.01)
    return window


async def _many(stage: Stage) -> QWidget:
    window = await stage.window(text_answer(_ANSWER))
    await _attached(stage, window, _files(stage.folder / "files") * 6)
    return window


async def _sent(stage: Stage) -> QWidget:
    window = await stage.window(text_answer("One picture so far."), text_answer(_ANSWER))
    paths = _files(stage.folder / "files")
    await _attached(stage, window, paths[:1])
    await stage.ask(window, "This is the north hill.")
    await _attached(stage, window, paths)
    await stage.ask(window, "Which of these hills is the higher one?")
    return window


async def _preview(stage: Stage) -> QWidget:
    window = await stage.window(text_answer(_ANSWER))
    chat = await _attached(stage, window, _files(stage.folder / "files"))
    chat.attachments.show_preview(chat.attachments.blocks[0])
    (preview,) = chat.findChildren(AttachmentPreview)
    async with asyncio.timeout(LIMIT_S):
        while not preview.findChildren(ImageArea):
            await asyncio.sleep(0.01)
    return preview


async def _drop(stage: Stage) -> QWidget:
    window = await stage.window(text_answer(_ANSWER))
    chat = await stage.ask(window, "Which of these hills is the higher one?")
    data = QMimeData()
    data.setUrls([QUrl.fromLocalFile(str(stage.folder / "north.png"))])
    action, button, key = Qt.DropAction.CopyAction, Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier
    chat.dragEnterEvent(QDragEnterEvent(QPoint(50, 50), action, data, button, key))
    return window


SCENES = (
    Scene("attachments-tray", _tray, is_on_every_screen=True),
    Scene("attachments-untaken", _untaken),
    Scene("attachments-many", _many),
    Scene("attachments-sent", _sent, is_on_every_screen=True),
    Scene("attachments-preview", _preview),
    Scene("attachments-drop", _drop),
)
