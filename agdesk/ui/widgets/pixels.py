"""Bytes → pixels, of the few kinds of images that are shown. No Qt object of it is bound to a thread."""

from __future__ import annotations

from PySide6.QtCore import QBuffer, QByteArray, QIODevice, Qt
from PySide6.QtGui import QImage, QImageReader

MAX_PIXELS = 60_000_000
# only these, and never by guessing: the reader of SVG would follow what an image refers to (SEC4)
_BEGINNINGS = ((b"\x89PNG\r\n\x1a\n", "png"), (b"\xff\xd8\xff", "jpeg"), (b"GIF87a", "gif"), (b"GIF89a", "gif"))


def read_pixels(content: bytes, *, edge: int) -> QImage | None:
    """An image, made smaller until it fits into a square; None if it cannot be shown. Call it on a thread.

    What it is its first bytes say, and how large it is its head, before anything is decoded.

    Args:
        content: the file.
        edge: of the square, in pixels.
    """
    if (kind := _kind_of(content)) is None:
        return None
    buffer = QBuffer()
    buffer.setData(QByteArray(content))
    buffer.open(QIODevice.OpenModeFlag.ReadOnly)
    reader = QImageReader(buffer, QByteArray(kind.encode()))
    reader.setDecideFormatFromContent(False)
    reader.setAutoTransform(True)
    size = reader.size()
    if not size.isValid() or size.width() * size.height() > MAX_PIXELS:
        return None
    fit, smooth = Qt.AspectRatioMode.KeepAspectRatio, Qt.TransformationMode.SmoothTransformation
    if kind == "jpeg" and max(size.width(), size.height()) > edge:  # the one that is decoded faster when it is smaller
        reader.setScaledSize(size.scaled(edge, edge, fit))
    image = reader.read()
    if image.isNull():
        return None
    return image.scaled(edge, edge, fit, smooth) if max(image.width(), image.height()) > edge else image


def prepare_reading() -> None:
    """Completes the types that threads use: PySide6 does so when one is first used, which only one thread may."""
    read_pixels(b"GIF89a", edge=1)


def _kind_of(content: bytes) -> str | None:
    if content[:4] == b"RIFF" and content[8:12] == b"WEBP":
        return "webp"
    return next((kind for beginning, kind in _BEGINNINGS if content.startswith(beginning)), None)
