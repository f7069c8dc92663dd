"""A splitter whose handle is a hairline."""

from __future__ import annotations

from PySide6.QtCore import QRect, Qt
from PySide6.QtGui import QPainter, QPaintEvent
from PySide6.QtWidgets import QSplitter, QSplitterHandle, QWidget
from typing_extensions import override

from agdesk.ui.theme import current_theme


class HairlineSplitter(QSplitter):
    """Its handles can be grabbed beside the line, too."""

    def __init__(self, orientation: Qt.Orientation, parent: QWidget | None = None) -> None:
        super().__init__(orientation, parent)
        self.setHandleWidth(current_theme().metrics.space_4)

    @override
    def createHandle(self) -> QSplitterHandle:
        return _Handle(self.orientation(), self)


class _Handle(QSplitterHandle):
    @override
    def paintEvent(self, event: QPaintEvent) -> None:
        area = self.rect()
        if self.orientation() == Qt.Orientation.Horizontal:
            line = QRect(area.width() // 2, 0, 1, area.height())
        else:
            line = QRect(0, area.height() // 2, area.width(), 1)
        painter = QPainter(self)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(current_theme().color("border"))
        painter.drawRect(line)  # fillRect would load the types of gradients: 3 ms of the start
        painter.end()
