"""Images whose bytes stand in the text itself, decoded on a thread; the recent ones are kept (SEC4).

Nothing is ever loaded: any other address is words.
"""

from __future__ import annotations

import base64
import binascii
import re
import threading
from collections import OrderedDict, deque
from functools import cache
from typing import Literal
from urllib.parse import unquote_to_bytes

from PySide6.QtGui import QImage

from agdesk.ui.widgets.pixels import prepare_reading, read_pixels

EDGE = 800  # pixels: about the width of a text
MAX_URL_CHARS = 2_000_000  # a longer text is not read as Markdown either
CAPACITY_BYTES = 24_000_000
_HEAD = re.compile(r"data:image/(?:png|jpe?g|gif|webp)(?:;[\w.=-]{1,40}){0,4};base64,", re.IGNORECASE)

Decoding = QImage | Literal["waiting"] | None


def is_picture(url: str) -> bool:
    """Whether an address may hold the bytes of an image that is shown."""
    return len(url) <= MAX_URL_CHARS and _HEAD.match(url) is not None


def key_of(url: str) -> str:
    """What stands for an address that may be millions of characters long, as long as the program runs."""
    return f"{len(url)}-{hash(url)}"


def decode(url: str) -> QImage | None:
    """The image in an address; None if there is none. Call it on a thread."""
    if not is_picture(url) or (head := _HEAD.match(url)) is None:
        return None
    try:
        content = base64.b64decode(unquote_to_bytes(url[head.end() :]), validate=True)
    except (binascii.Error, ValueError):
        return None
    return read_pixels(content, edge=EDGE)


class PictureDecoder:
    """Takes orders and hands out what is done. Its thread ends when there is nothing to do."""

    def __init__(self) -> None:
        prepare_reading()
        self._lock = threading.Lock()
        self._done: OrderedDict[str, QImage | None] = OrderedDict()
        self._size_bytes = 0
        self._ordered: deque[tuple[str, str]] = deque()
        self._known_orders: set[str] = set()
        self._is_working = False

    def ask(self, key: str, url: str) -> Decoding:
        """The image; None if there is none; "waiting" if it is being decoded: ask again later."""
        with self._lock:
            if key in self._done:
                self._done.move_to_end(key)
                return self._done[key]
            if key not in self._known_orders:
                self._known_orders.add(key)
                self._ordered.append((key, url))
            if not self._is_working:
                self._is_working = True
                # a daemon: the program does not wait for an image when it ends
                threading.Thread(target=self._work, name="pictures", daemon=True).start()
        return "waiting"

    def _work(self) -> None:
        while (order := self._next()) is not None:
            image: QImage | None = None
            is_done = False
            try:
                image = decode(order[1])
                is_done = True
            finally:
                with self._lock:
                    self._keep(order[0], image)
                    self._is_working = is_done  # what nobody foresaw ends this thread; the next order starts another

    def _keep(self, key: str, image: QImage | None) -> None:
        self._known_orders.discard(key)
        self._done[key] = image
        self._size_bytes += size_of(image)
        while len(self._done) > 1 and (self._size_bytes > CAPACITY_BYTES or len(self._done) > 1_000):
            self._size_bytes -= size_of(self._done.popitem(last=False)[1])

    def _next(self) -> tuple[str, str] | None:
        with self._lock:
            self._is_working = bool(self._ordered)
            return self._ordered.popleft() if self._ordered else None


def size_of(image: QImage | None) -> int:
    """How much memory an image takes, in bytes."""
    return image.sizeInBytes() if image is not None else 0


@cache
def shared_decoder() -> PictureDecoder:
    """The one for all documents."""
    return PictureDecoder()
