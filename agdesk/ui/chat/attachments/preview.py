"""One attachment, enlarged: the image, the beginning of a text, or what is known of the file."""

from __future__ import annotations

import asyncio
from pathlib import Path

from PySide6.QtCore import QRectF, QSize, Qt
from PySide6.QtGui import QImage, QPainter, QPaintEvent
from PySide6.QtWidgets import QDialog, QFileDialog, QHBoxLayout, QPlainTextEdit, QVBoxLayout, QWidget
from typing_extensions import override

from agdesk.core.attachments import MediaBlock
from agdesk.core.errors import AgdeskError
from agdesk.core.ir.blocks import Image
from agdesk.core.media_kind import PDF, pdf_pages, text_of
from agdesk.core.settings.atomic import write_atomically
from agdesk.core.tasks import spawn
from agdesk.core.workspace import Workspace
from agdesk.ui.chat.attachments.pictures import content_of, decoded
from agdesk.ui.chat.attachments.words import view_of
from agdesk.ui.core_words import words_of
from agdesk.ui.theme import current_theme
from agdesk.ui.widgets.buttons import PushButton
from agdesk.ui.widgets.labels import PlainLabel
from agdesk.ui.widgets.text import safe_text, sentences, visible_text

_EDGE = 4096  # pixels
_TEXT_CHARS = 100_000
_SIZE = (640, 480)
_SHARE = 0.8  # of its window's size that it takes at most


class AttachmentPreview(QDialog):
    """Not modal; loads when it is made, and is deleted when it is closed."""

    def __init__(self, workspace: Workspace, block: MediaBlock, parent: QWidget) -> None:
        super().__init__(parent)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        view, metrics = view_of(block), current_theme().metrics
        self._block = block
        self._content: bytes | None = None
        self.setWindowTitle(visible_text(view.name))
        self.name = PlainLabel(self, font="title")
        self.name.setText(visible_text(view.name))
        self.name.setWordWrap(True)
        self.detail = PlainLabel(self, color="muted")
        self.detail.setText(view.detail)
        self.detail.setWordWrap(True)
        self.save_button = PushButton(self.tr("Save as…"), self)
        self.save_button.setEnabled(False)
        self.save_button.clicked.connect(self._ask_place)
        close = PushButton(self.tr("Close"), self)
        close.clicked.connect(self.close)
        close.setDefault(True)
        buttons = QHBoxLayout()
        buttons.addWidget(self.save_button)
        buttons.addStretch()
        buttons.addWidget(close)
        self._layout = QVBoxLayout(self)
        self._layout.setContentsMargins(metrics.space_24, metrics.space_16, metrics.space_24, metrics.space_16)
        self._layout.setSpacing(metrics.space_8)
        self._layout.addWidget(self.name)
        self._layout.addWidget(self.detail)
        self._layout.addLayout(buttons)
        close.setFocus()
        self._task = spawn(self._load(workspace), name="preview of an attachment")
        self.finished.connect(lambda _result: self._task.cancel())

    async def _load(self, workspace: Workspace) -> None:
        try:
            self._content = await content_of(workspace, self._block)
        except AgdeskError as error:
            self._add_detail(sentences(*words_of(error)))
            return
        if (content := self._content) is None:
            self._add_detail(self.tr("its bytes are not kept here"))
            return
        self.save_button.setEnabled(True)
        if isinstance(self._block, Image):
            image = await asyncio.to_thread(decoded, content, edge=_EDGE)
            if image is None:
                self._add_detail(self.tr("it cannot be shown"))
                return
            self._add_detail(f"{image.width()} × {image.height()}")
            self._show_part(ImageArea(image, self.name.text(), self), image.size() / self.devicePixelRatioF())
        elif self._block.media_type == PDF:
            pages = await asyncio.to_thread(pdf_pages, content)
            if pages is not None:
                self._add_detail(self.tr("%n page(s)", "", pages))
        elif self._block.media_type.startswith("text/"):
            self._show_text(text_of(content) or "")

    def _show_text(self, text: str) -> None:
        box = QPlainTextEdit(safe_text(text[:_TEXT_CHARS]), self)
        box.setReadOnly(True)
        box.setTabChangesFocus(True)
        box.setFont(current_theme().font("code"))
        box.setAccessibleName(self.name.text())
        if len(text) > _TEXT_CHARS:
            self._add_detail(self.tr("only its beginning is shown"))
        self._show_part(box, QSize(*_SIZE))

    def _show_part(self, part: QWidget, wanted: QSize) -> None:
        self._layout.insertWidget(2, part, 1)
        parent = self.parentWidget()
        most = parent.window().size() * _SHARE if parent is not None else QSize(*_SIZE)
        metrics = current_theme().metrics
        least = QSize(metrics.px(240), metrics.px(160))
        part.setMinimumSize(least)
        frame = self.sizeHint() - least
        self.resize((wanted + frame).boundedTo(most).expandedTo(self.sizeHint()))

    def _add_detail(self, text: str) -> None:
        self.detail.setText(f"{self.detail.text()} · {text}")

    def _ask_place(self) -> None:
        dialog = QFileDialog(self, self.tr("Save as"))
        dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        dialog.setAcceptMode(QFileDialog.AcceptMode.AcceptSave)
        dialog.selectFile(visible_text(file_name(self._block)))
        dialog.fileSelected.connect(self._begin_saving)
        dialog.open()

    def _begin_saving(self, path: str) -> None:
        spawn(self.save_to(Path(path)), name="save an attachment")

    async def save_to(self, path: Path) -> None:
        """Writes the file; says so, or why it cannot be written."""
        assert self._content is not None
        try:
            await asyncio.to_thread(write_atomically, path, self._content)
        except OSError as error:
            self._add_detail(self.tr("cannot be saved: %1").replace("%1", error.strerror or str(error)))
            return
        self._add_detail(self.tr("saved as %1").replace("%1", visible_text(path.name)))


class ImageArea(QWidget):
    """An image, as large as it fits."""

    def __init__(self, image: QImage, name: str, parent: QWidget) -> None:
        super().__init__(parent)
        self._image = image
        self.setAccessibleName(name)

    @override
    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.SmoothPixmapTransform)
        ratio = self.devicePixelRatioF()
        size = self._image.size() / ratio
        if size.width() > self.width() or size.height() > self.height():
            size = size.scaled(self.size(), Qt.AspectRatioMode.KeepAspectRatio)
        left, top = (self.width() - size.width()) / 2, (self.height() - size.height()) / 2
        painter.drawImage(QRectF(left, top, size.width(), size.height()), self._image)
        painter.end()


def file_name(block: MediaBlock) -> str:
    """What a file is called when it is saved: without a folder, and with an ending."""
    name = (block.name or "").replace("\\", "/").rpartition("/")[2].lstrip(".")
    return name or f"{view_of(block).kind}.{block.media_type.rpartition('/')[2]}"
