"""Thumbnails: the bytes are read and decoded on a thread, when somebody paints them and not before."""

from __future__ import annotations

import asyncio
import base64
import binascii
import logging
from collections.abc import Callable

from PySide6.QtCore import QBuffer, QIODevice, QObject
from PySide6.QtGui import QImage

from agdesk.core.attachments import MAX_PIXELS, MediaBlock
from agdesk.core.errors import AgdeskError
from agdesk.core.ir.blocks import BlobRef
from agdesk.core.ir.media import base64_of
from agdesk.core.media_kind import image_size, image_type
from agdesk.core.tasks import spawn
from agdesk.core.workspace import Workspace
from agdesk.ui.widgets.pixels import prepare_reading, read_pixels
from agdesk.ui.widgets.thumbnails import ThumbnailShelf

THUMBNAIL_EDGE = 640  # pixels: the largest place for one, on a screen of two pixels for each
AT_ONCE = 2

log = logging.getLogger(__name__)


class Pictures(QObject):
    """Answers what shelves ask for.

    Args:
        find: the attachment of a key; None if there is none.
    """

    def __init__(self, workspace: Workspace, find: Callable[[str], MediaBlock | None], parent: QObject) -> None:
        super().__init__(parent)
        self._workspace = workspace
        self._find = find
        self._places = asyncio.Semaphore(AT_ONCE)
        self._tasks: set[asyncio.Task[None]] = set()
        prepare_reading()

    def answer(self, key: str, shelf: ThumbnailShelf) -> None:
        """Begins to make the thumbnail of a key."""
        task = spawn(self._answer(key, shelf), name="thumbnail")
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    def stop(self) -> None:
        """Answers nothing any more."""
        for task in self._tasks:
            task.cancel()

    async def _answer(self, key: str, shelf: ThumbnailShelf) -> None:
        block = self._find(key)
        image: QImage | None = None
        if block is not None:
            async with self._places:
                try:
                    content = await content_of(self._workspace, block)
                except AgdeskError as error:
                    log.warning("an image cannot be read: %s", error)
                    content = None
                if content is not None:
                    image = await asyncio.to_thread(decoded, content, edge=THUMBNAIL_EDGE)
        shelf.put(key, image)


async def content_of(workspace: Workspace, block: MediaBlock) -> bytes | None:
    """The bytes of an attachment; None if they are not kept, or are somewhere else: nothing is ever fetched.

    Raises:
        StoreError: they cannot be read now.
    """
    if isinstance(block.source, BlobRef):
        return await workspace.blob(block.source)
    if (data := base64_of(block.source)) is None:
        return None
    try:
        return await asyncio.to_thread(base64.b64decode, data)
    except binascii.Error:
        return None


def decoded(content: bytes, *, edge: int) -> QImage | None:
    """An image, made smaller until it fits into a square; None if it cannot be shown. Call it on a thread.

    Args:
        content: the file.
        edge: of the square, in pixels.
    """
    size = image_size(content, image_type(content))
    return None if size is None or size.width * size.height > MAX_PIXELS else read_pixels(content, edge=edge)


def png_of(image: QImage) -> bytes:
    """An image that came as pixels, as a file. Call it on a thread."""
    buffer = QBuffer()
    buffer.open(QIODevice.OpenModeFlag.WriteOnly)
    image.save(buffer, "PNG")  # type: ignore[call-overload]
    return bytes(buffer.data().data())
