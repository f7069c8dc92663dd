"""How the rows of the list look, and the field in which a conversation is renamed."""

from __future__ import annotations

from PySide6.QtCore import QAbstractItemModel, QEvent, QModelIndex, QObject, QPersistentModelIndex, QRect, QSize, Qt
from PySide6.QtGui import QKeyEvent, QPainter
from PySide6.QtWidgets import QLineEdit, QStyledItemDelegate, QStyleOptionViewItem, QWidget
from typing_extensions import override

from agdesk.ui.conversations.list_model import ConversationListModel
from agdesk.ui.conversations.rows import Entry, Heading
from agdesk.ui.theme import current_theme
from agdesk.ui.widgets.row_painting import State, mirrored, paint_row_ground, paint_text, row_height, text_width

Index = QModelIndex | QPersistentModelIndex

_BAR_WIDTH = 3
_DOT_SIZE = 7


class ConversationDelegate(QStyledItemDelegate):
    """Draws headings and conversations. A bar and bold type mark the conversation in front, a dot one that answers."""

    def __init__(self, model: ConversationListModel, parent: QWidget) -> None:
        super().__init__(parent)
        self._model = model
        self._view = parent

    @override
    def sizeHint(self, option: QStyleOptionViewItem, index: Index) -> QSize:
        return QSize(0, row_height())

    @override
    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        painter.save()
        # the style's own flag comes and goes with a stylesheet
        has_ring = bool(option.state & State.State_HasFocus) and self._view.hasFocus()
        paint_row_ground(painter, option, has_ring=has_ring)
        match self._model.row(index):
            case Heading() as heading:
                self._paint_heading(painter, option, heading)
            case Entry() as entry:
                self._paint_entry(painter, option, entry)
        painter.restore()

    def _paint_heading(self, painter: QPainter, option: QStyleOptionViewItem, heading: Heading) -> None:
        theme, area = current_theme(), option.rect
        metrics, icon = theme.metrics, theme.metrics.px(12)
        is_folded = self._model.is_folded(heading.section)
        place = QRect(area.left() + metrics.space_4, area.center().y() - icon // 2 + 1, icon, icon)
        name = "chevron_right" if is_folded else "chevron_down"
        ratio = self._view.devicePixelRatioF()
        pixmap = theme.pixmap(name, color="muted", size=icon, ratio=ratio)
        place = mirrored(option, place)
        if is_folded and option.direction == Qt.LayoutDirection.RightToLeft:
            painter.drawImage(place.topLeft(), pixmap.toImage().flipped(Qt.Orientation.Horizontal))
        else:
            painter.drawPixmap(place.topLeft(), pixmap)
        font = theme.font("caption")
        font.setBold(True)
        count = str(self._model.count(heading.section)) if is_folded else ""
        count_width = text_width(font, count)
        count_area = area.adjusted(area.width() - count_width - metrics.space_8, 0, -metrics.space_8, 0)
        name_area = area.adjusted(metrics.space_8 + icon, 0, -count_width - metrics.space_16, 0)
        muted = theme.color("muted")
        paint_text(painter, mirrored(option, name_area), heading.section.name, font=font, color=muted)
        if count:
            paint_text(painter, mirrored(option, count_area), count, font=font, color=muted, at_end=True)

    def _paint_entry(self, painter: QPainter, option: QStyleOptionViewItem, entry: Entry) -> None:
        theme, area = current_theme(), option.rect
        metrics = theme.metrics
        is_current = entry.conversation.id == self._model.current_id
        accent, muted = theme.color("accent"), theme.color("muted")
        if is_current:
            bar = QRect(area.left(), area.top() + metrics.space_4, metrics.px(_BAR_WIDTH), 0)
            bar.setBottom(area.bottom() - metrics.space_4)
            painter.fillRect(mirrored(option, bar), accent)
        caption, font = theme.font("caption"), theme.font("body")
        font.setBold(is_current)
        time = self._model.time_text(entry)
        time_width = text_width(caption, time)
        time_area = area.adjusted(area.width() - time_width - metrics.space_8, 0, -metrics.space_8, 0)
        right = time_area.left() - metrics.space_8
        if entry.conversation.id in self._model.busy_ids:
            size = metrics.px(_DOT_SIZE)
            dot = QRect(right - size, area.center().y() - size // 2, size, size)
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(accent)
            painter.drawEllipse(mirrored(option, dot))
            right = dot.left() - metrics.space_4
        title_area = area.adjusted(metrics.space_12, 0, 0, 0)
        title_area.setRight(right)
        paint_text(painter, mirrored(option, title_area), entry.title, font=font, color=theme.color("text"))
        paint_text(painter, mirrored(option, time_area), time, font=caption, color=muted, at_end=True)

    # --- renaming ---

    @override
    def createEditor(self, parent: QWidget, option: QStyleOptionViewItem, index: Index) -> QWidget:
        editor = QLineEdit(parent)
        editor.setAccessibleName(self.tr("New title"))
        editor.setText(index.data(Qt.ItemDataRole.EditRole))
        editor.selectAll()
        return editor

    @override
    def setEditorData(self, editor: QWidget, index: Index) -> None:
        """Nothing: what is being written must outlive a change of the conversation, such as the end of its answer."""

    @override
    def setModelData(self, editor: QWidget, model: QAbstractItemModel, index: Index) -> None:
        if isinstance(editor, QLineEdit):
            model.setData(index, editor.text(), Qt.ItemDataRole.EditRole)

    @override
    def updateEditorGeometry(self, editor: QWidget, option: QStyleOptionViewItem, index: Index) -> None:
        editor.setGeometry(option.rect)

    @override
    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        is_override = event.type() == QEvent.Type.ShortcutOverride
        if is_override and isinstance(event, QKeyEvent) and event.key() == Qt.Key.Key_Escape:
            event.accept()  # Esc ends the renaming; it must not be taken for the window's own
            return True
        return super().eventFilter(watched, event)
