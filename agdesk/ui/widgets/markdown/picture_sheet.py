"""The images of one document: how large they are in a line, and how they are painted."""

from __future__ import annotations

from PySide6.QtCore import QRect, QRectF, QSizeF
from PySide6.QtGui import QImage, QPainter, QPyTextObject, QTextCharFormat, QTextDocument, QTextFormat
from typing_extensions import override

from agdesk.ui.widgets.markdown.formula_sheet import FORMULA_TYPE, SOURCE
from agdesk.ui.widgets.markdown.pictures import is_picture, key_of, shared_decoder, size_of

PICTURE_TYPE = FORMULA_TYPE + 1
KEY = SOURCE + 1
MAX_HEIGHT = 480
MAX_BYTES = 6_000_000  # of all images of a document; it is a part of a message


class PictureSheet(QPyTextObject):
    """Knows every image that its document shows, and those it waits for.

    Args:
        document: owns the sheet.
    """

    def __init__(self, document: QTextDocument) -> None:
        super().__init__(document)
        self._known: dict[str, QImage | None] = {}
        self._waiting: dict[str, str] = {}
        document.documentLayout().registerHandler(PICTURE_TYPE, self)

    @property
    def is_waiting(self) -> bool:
        """Whether an image stands in words because it is not decoded yet."""
        return bool(self._waiting)

    @property
    def is_used(self) -> bool:
        """Whether the document may show an image."""
        return any(image is not None for image in self._known.values())

    def clear(self) -> None:
        """Forgets everything: the document was emptied."""
        self._known.clear()
        self._waiting.clear()

    def stop_waiting(self) -> None:
        """What the document waited for is not in it any more."""
        self._waiting.clear()

    def take_news(self) -> bool:
        """Whether images came that the document waits for: draw it again."""
        came = [key for key, url in self._waiting.items() if self._has_come(key, url)]
        for key in came:
            del self._waiting[key]
        return bool(came)

    def style(self, base: QTextCharFormat, url: str, words: str) -> QTextCharFormat | None:
        """The format of the character ``OBJECT`` that stands for an image.

        Args:
            base: of the text around it.
            url: the address that holds its bytes.
            words: what is copied and read aloud in its place.

        Returns:
            None if there is nothing to draw, for now or at all: write the words.
        """
        if not is_picture(url):
            return None
        if not self._has_come(key := key_of(url), url):
            self._waiting[key] = url
            return None
        if self._known[key] is None:
            return None
        style = QTextCharFormat(base)
        style.setObjectType(PICTURE_TYPE)
        style.setProperty(KEY, key)
        style.setProperty(SOURCE, words)
        return style

    @override
    def intrinsicSize(self, doc: QTextDocument, posInDocument: int, format: QTextFormat) -> QSizeF:
        image = self._known.get(format.stringProperty(KEY))
        if image is None:
            return QSizeF()
        block = doc.findBlock(posInDocument)
        room = doc.textWidth() - block.blockFormat().indent() * doc.indentWidth()
        scale = min(1.0, MAX_HEIGHT / image.height(), room / image.width() if room > 0 else 1.0)
        return QSizeF(image.width() * scale, image.height() * scale)

    @override
    def drawObject(
        self, painter: QPainter, rect: QRectF | QRect, doc: QTextDocument, posInDocument: int, format: QTextFormat
    ) -> None:
        image = self._known.get(format.stringProperty(KEY))
        if image is not None:
            painter.save()
            painter.setRenderHint(QPainter.RenderHint.SmoothPixmapTransform)
            painter.drawImage(QRectF(rect), image)
            painter.restore()

    def _has_come(self, key: str, url: str) -> bool:
        """Whether it is known what an image looks like, or that it is not shown."""
        if key in self._known:
            return True
        image = shared_decoder().ask(key, url)
        if image == "waiting":
            return False
        used_bytes = sum(map(size_of, self._known.values()))
        self._known[key] = image if image is not None and used_bytes + size_of(image) <= MAX_BYTES else None
        return True
