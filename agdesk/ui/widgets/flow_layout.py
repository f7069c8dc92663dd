"""A line of widgets that breaks where the place ends."""

from __future__ import annotations

from PySide6.QtCore import QPoint, QRect, QSize, Qt
from PySide6.QtWidgets import QLayout, QLayoutItem, QWidget
from typing_extensions import override


class FlowLayout(QLayout):
    """Puts widgets beside each other, and on a further line what does not fit; in the direction of reading.

    Args:
        spacing: pixels between widgets and between lines.
    """

    def __init__(self, parent: QWidget | None = None, *, spacing: int) -> None:
        super().__init__(parent)
        self._parts: list[QLayoutItem] = []
        self.setContentsMargins(0, 0, 0, 0)
        self.setSpacing(spacing)

    @override
    def addItem(self, item: QLayoutItem) -> None:
        self._parts.append(item)

    @override
    def count(self) -> int:
        return len(self._parts)

    @override
    def itemAt(self, index: int) -> QLayoutItem:
        return self._parts[index] if 0 <= index < len(self._parts) else None  # type: ignore[return-value]

    @override
    def takeAt(self, index: int) -> QLayoutItem:
        return self._parts.pop(index) if 0 <= index < len(self._parts) else None  # type: ignore[return-value]

    @override
    def expandingDirections(self) -> Qt.Orientation:
        return Qt.Orientation(0)

    @override
    def hasHeightForWidth(self) -> bool:
        return True

    @override
    def heightForWidth(self, width: int) -> int:
        places = self._places(width)
        return max((place.bottom() + 1 for _, place in places), default=0)

    @override
    def sizeHint(self) -> QSize:
        shown = [part.sizeHint() for part in self._parts if not part.isEmpty()]
        width = sum(size.width() for size in shown) + self.spacing() * max(0, len(shown) - 1)
        return QSize(width, max((size.height() for size in shown), default=0))

    @override
    def minimumSize(self) -> QSize:
        least = QSize()
        for part in self._parts:
            if not part.isEmpty():
                least = least.expandedTo(part.minimumSize())
        return least

    @override
    def setGeometry(self, rect: QRect) -> None:
        super().setGeometry(rect)
        parent = self.parentWidget()
        is_mirrored = parent is not None and parent.isRightToLeft()
        for part, place in self._places(rect.width()):
            if is_mirrored:
                place.moveRight(rect.width() - 1 - place.left())
            part.setGeometry(place.translated(rect.topLeft()))

    def _places(self, width: int) -> list[tuple[QLayoutItem, QRect]]:
        """The place of every part that is shown, from the top left corner, for a width."""
        places: list[tuple[QLayoutItem, QRect]] = []
        at, line_height = QPoint(0, 0), 0
        for part in self._parts:
            if part.isEmpty():
                continue
            size = part.sizeHint()
            if at.x() > 0 and at.x() + size.width() > width:
                at, line_height = QPoint(0, at.y() + line_height + self.spacing()), 0
            places.append((part, QRect(at, QSize(min(size.width(), max(width, 1)), size.height()))))
            at.setX(at.x() + size.width() + self.spacing())
            line_height = max(line_height, size.height())
        return places
