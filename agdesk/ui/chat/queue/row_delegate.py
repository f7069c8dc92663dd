"""How a message that waits looks."""

from __future__ import annotations

from PySide6.QtCore import QModelIndex, QPersistentModelIndex, QRect, QSize
from PySide6.QtGui import QPainter
from PySide6.QtWidgets import QStyledItemDelegate, QStyleOptionViewItem, QWidget
from typing_extensions import override

from agdesk.ui.chat.queue.editor import QueueEditor
from agdesk.ui.chat.queue.model import QueueModel
from agdesk.ui.theme import current_theme
from agdesk.ui.widgets.row_painting import State, mirrored, paint_row_ground, paint_text, row_height, text_width

Index = QModelIndex | QPersistentModelIndex


class QueueDelegate(QStyledItemDelegate):
    """Its place, its beginning in one line, and how much is attached. A row with an editor is as high as that.

    Attributes:
        editor: where a message is being edited, and
        edited_id: which one.
    """

    def __init__(self, model: QueueModel, parent: QWidget) -> None:
        super().__init__(parent)
        self.editor: QueueEditor | None = None
        self.edited_id = ""
        self._model = model
        self._view = parent

    @override
    def sizeHint(self, option: QStyleOptionViewItem, index: Index) -> QSize:
        row = self._model.row(index)
        if self.editor is not None and row is not None and row.id == self.edited_id:
            return QSize(0, self.editor.sizeHint().height())
        return QSize(0, row_height())

    @override
    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        row = self._model.row(index)
        if row is None or (self.editor is not None and row.id == self.edited_id):
            return
        theme, area = current_theme(), option.rect
        metrics, muted = theme.metrics, theme.color("muted")
        painter.save()
        has_ring = bool(option.state & State.State_HasFocus) and self._view.hasFocus()
        paint_row_ground(painter, option, has_ring=has_ring)
        caption = theme.font("caption")
        place_width = text_width(caption, str(self._model.rowCount()))
        left = area.left() + metrics.space_8
        place = QRect(left, area.top(), place_width, area.height())
        paint_text(painter, mirrored(option, place), str(index.row() + 1), font=caption, color=muted, at_end=True)
        attached = self._model.attached_text(row) if row.attached_count else ""
        attached_width = text_width(caption, attached)
        end = area.right() - metrics.space_8
        if attached:
            count = QRect(end - attached_width, area.top(), attached_width, area.height())
            paint_text(painter, mirrored(option, count), attached, font=caption, color=muted, at_end=True)
            end = count.left() - metrics.space_8
        line = QRect(place.right() + metrics.space_8, area.top(), 0, area.height())
        line.setRight(end)
        paint_text(painter, mirrored(option, line), row.line, font=theme.font("body"), color=theme.color("text"))
        painter.restore()
