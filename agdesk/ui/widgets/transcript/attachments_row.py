"""The widget of what is attached to a message: images as thumbnails, everything else as chips."""

from __future__ import annotations

from PySide6.QtCore import QRect, QSize, Signal
from PySide6.QtWidgets import QWidget
from typing_extensions import override

from agdesk.ui.widgets.attachment_tile import AttachmentTile
from agdesk.ui.widgets.thumbnails import ThumbnailShelf
from agdesk.ui.widgets.transcript.estimate import MANY_PICTURES, ONE_PICTURE
from agdesk.ui.widgets.transcript.row_widget import RowContext, RowWidget
from agdesk.ui.widgets.transcript.rows import AttachmentsRow, Row


class AttachmentsWidget(RowWidget):
    """Tiles beside each other, and on further lines what does not fit. Their sizes do not depend on what arrives later.

    Signals:
        attachment_chosen(str): the attachment of that key is to be opened.
    """

    attachment_chosen = Signal(str)

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self._shelf: ThumbnailShelf | None = None
        self._tiles: list[AttachmentTile] = []
        self._gutter = self._space = 0

    def serve(self, shelf: ThumbnailShelf) -> None:
        """Where the thumbnails come from; called once, before anything is shown."""
        self._shelf = shelf

    @override
    def bind(self, row: Row, context: RowContext) -> None:
        assert isinstance(row, AttachmentsRow)
        self.row = row
        self._gutter = context.gutter
        self._space = context.metrics.space_8
        self._make_tiles(len(row.views))
        pictures = sum(view.kind == "image" for view in row.views)
        size = QSize(*(ONE_PICTURE if pictures == 1 else MANY_PICTURES))
        for tile, view in zip(self._tiles, row.views, strict=False):
            tile.show_view(view, picture_size=size)
        for place, tile in enumerate(self._tiles):
            tile.setVisible(place < len(row.views))

    @override
    def measure(self, width: int) -> int:
        return max((place.bottom() + 1 for _, place in self._places(width)), default=0) + self._space

    @override
    def arrange(self) -> None:
        for tile, place in self._places(self.width()):
            if self.isRightToLeft():
                place.moveRight(self.width() - 1 - place.left())
            tile.setGeometry(place)

    @override
    def focus_widgets(self) -> tuple[QWidget, ...]:
        return tuple(tile for tile in self._tiles if not tile.isHidden())

    def _make_tiles(self, count: int) -> None:
        assert self._shelf is not None
        while len(self._tiles) < count:
            tile = AttachmentTile(self._shelf, self)
            tile.clicked.connect(lambda _checked=False, tile=tile: self._on_clicked(tile))
            self._tiles.append(tile)

    def _places(self, width: int) -> list[tuple[AttachmentTile, QRect]]:
        places: list[tuple[AttachmentTile, QRect]] = []
        right = width - self._gutter
        left, top, line = self._gutter, self._space // 2, 0
        for tile in self._tiles:
            if tile.isHidden():
                continue
            size = tile.sizeHint()
            size.setWidth(min(size.width(), right - self._gutter))
            if left > self._gutter and left + size.width() > right:
                left, top, line = self._gutter, top + line + self._space, 0
            places.append((tile, QRect(left, top, size.width(), size.height())))
            left += size.width() + self._space
            line = max(line, size.height())
        return places

    def _on_clicked(self, tile: AttachmentTile) -> None:
        if tile.view is not None:
            self.attachment_chosen.emit(tile.view.key)
