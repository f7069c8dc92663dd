"""One tool: whether it is on, what class its calls are of, and what it does."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QMouseEvent
from PySide6.QtWidgets import QHBoxLayout, QVBoxLayout, QWidget
from typing_extensions import override

from agdesk.core.tools.base import Tool
from agdesk.ui.approval.semantic_badge import SemanticBadge
from agdesk.ui.approval.words import semantic_name
from agdesk.ui.chat.tools.words import description_of
from agdesk.ui.theme import current_theme
from agdesk.ui.widgets.check_box import CheckBox
from agdesk.ui.widgets.hidden_characters import revealed
from agdesk.ui.widgets.labels import ElidedLabel
from agdesk.ui.widgets.wrapped_label import WrappedLabel


class ToolRow(QWidget):
    """A click anywhere on it switches the tool.

    Signals:
        switched(): the user has switched it.
    """

    switched = Signal()

    def __init__(self, tool: Tool, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.tool = tool
        name, semantic = revealed(tool.definition.name), tool.definition.result_semantic
        self.box = CheckBox(name, self)
        description = description_of(tool)
        self.box.setAccessibleDescription(f"{semantic_name(semantic)}. {description}")
        self.box.clicked.connect(lambda _is_on=False: self.switched.emit())
        title = ElidedLabel(self)
        font = title.font()
        font.setBold(True)
        title.setFont(font)
        title.setText(name)
        self.badge = SemanticBadge(semantic, self)
        self.description = WrappedLabel(self, color="muted", font="caption")
        self.description.setText(description)
        metrics = current_theme().metrics
        head = QHBoxLayout()
        head.setSpacing(metrics.space_8)
        head.addWidget(title, 1)
        head.addWidget(self.badge)
        words = QVBoxLayout()
        words.setSpacing(0)
        words.addLayout(head)
        words.addWidget(self.description)
        line = QHBoxLayout(self)
        line.setContentsMargins(0, metrics.space_4, metrics.space_16, metrics.space_4)  # the scroll bar stands over it
        line.setSpacing(metrics.space_8)
        line.addWidget(self.box, alignment=Qt.AlignmentFlag.AlignTop)
        line.addLayout(words, 1)

    @override
    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        if event.button() is Qt.MouseButton.LeftButton and self.rect().contains(event.position().toPoint()):
            self.box.click()
