"""Small pictures of attached images: handed out when they are there, asked for when somebody paints them."""

from __future__ import annotations

from collections import OrderedDict

from PySide6.QtCore import QObject, Signal
from PySide6.QtGui import QImage

CAPACITY_BYTES = 48_000_000


class ThumbnailShelf(QObject):
    """Keeps the thumbnails that were painted last.

    Signals:
        wanted(str): the thumbnail of a key is painted and not here; said once until an answer is ``put``.
        ready(str): the thumbnail of a key is here, or it is known that there is none.
    """

    wanted = Signal(str)
    ready = Signal(str)

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._images: OrderedDict[str, QImage | None] = OrderedDict()
        self._asked: set[str] = set()
        self._size_bytes = 0

    def image(self, key: str) -> QImage | None:
        """The thumbnail; None while it is on its way, and if there is none."""
        if key in self._images:
            self._images.move_to_end(key)
            return self._images[key]
        if key not in self._asked:
            self._asked.add(key)
            self.wanted.emit(key)
        return None

    def put(self, key: str, image: QImage | None) -> None:
        """Answers ``wanted``; None: it cannot be shown."""
        self._asked.discard(key)
        self._take_out(key)
        self._images[key] = image
        self._size_bytes += _bytes(image)
        while self._size_bytes > CAPACITY_BYTES and len(self._images) > 1:
            self._take_out(next(iter(self._images)))
        self.ready.emit(key)

    def _take_out(self, key: str) -> None:
        if key in self._images:
            self._size_bytes -= _bytes(self._images.pop(key))


def _bytes(image: QImage | None) -> int:
    return image.sizeInBytes() if image is not None else 0
