"""Files and images that a clipboard or a drop brings."""

from __future__ import annotations

from dataclasses import dataclass

from PySide6.QtCore import QMimeData
from PySide6.QtGui import QImage

_ENCODED = {"image/png": "png", "image/jpeg": "jpg", "image/gif": "gif", "image/webp": "webp"}


@dataclass(frozen=True, slots=True)
class OfferedFile:
    """A file on this machine."""

    path: str


@dataclass(frozen=True, slots=True)
class OfferedImage:
    """An image without a file: encoded as it came, with the ending of its kind, or as pixels."""

    content: bytes | QImage
    ending: str = "png"


Offered = OfferedFile | OfferedImage


def offered_by(source: QMimeData) -> tuple[Offered, ...]:
    """What can be attached of it. A text that comes with a picture of itself is a text."""
    urls = source.urls()
    if urls and all(url.isLocalFile() for url in urls):
        return tuple(OfferedFile(url.toLocalFile()) for url in urls)
    if source.hasText():
        return ()
    for media_type, ending in _ENCODED.items():
        if source.hasFormat(media_type) and (content := source.data(media_type).data()):
            return (OfferedImage(bytes(content), ending),)
    if source.hasImage() and isinstance(image := source.imageData(), QImage) and not image.isNull():
        return (OfferedImage(image),)
    return ()
