"""The list of messages that wait: keys, mouse, and the editor in a row."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QEvent, QModelIndex, QPoint, QSize, Qt, Signal
from PySide6.QtGui import QFocusEvent, QKeyEvent, QMouseEvent, QResizeEvent
from PySide6.QtWidgets import QApplication, QFrame, QListView, QSizePolicy, QWidget
from typing_extensions import override

from agdesk.ui.chat.queue.editor import QueueEditor
from agdesk.ui.chat.queue.model import QueueModel
from agdesk.ui.chat.queue.row_delegate import QueueDelegate
from agdesk.ui.chat.queue.row_tools import RowTools
from agdesk.ui.theme import current_theme
from agdesk.ui.widgets.composer import SendKey
from agdesk.ui.widgets.row_painting import row_height

VISIBLE_ROWS = 5
_ENTER = (Qt.Key.Key_Return, Qt.Key.Key_Enter)


class QueueView(QListView):
    """As high as its rows, up to ``VISIBLE_ROWS`` of them.

    Signals:
        moved(str, int): a message is to have another place.
        removed(str): one is to be taken out.
        edited(str, str): one has another text.
        editing_began(): nothing may be sent while the editor is open.
        editing_ended(): it has gone; what waited for it may go on.
        send_chosen(str): one is to be sent now.
        left(): the keyboard belongs where one writes.

    Attributes:
        rows: what waits.
        tools: the buttons of one row.
        can_send_now: whether a message can be sent out of its order; asked each time.
        send_key: which key takes what was edited.
    """

    moved = Signal(str, int)
    removed = Signal(str)
    edited = Signal(str, str)
    editing_began = Signal()
    editing_ended = Signal()
    send_chosen = Signal(str)
    left = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.rows = QueueModel(self)
        self.tools = RowTools(self.viewport())
        self.can_send_now: Callable[[], bool] = lambda: False
        self.send_key: SendKey = "enter"
        self._delegate = QueueDelegate(self.rows, self)
        self._pressed: tuple[str, QPoint] | None = None
        self._is_dragging = False
        self.setModel(self.rows)
        self.setItemDelegate(self._delegate)
        self.setAccessibleName(self.tr("Queued messages"))
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setMouseTracking(True)
        self.setEditTriggers(QListView.EditTrigger.NoEditTriggers)
        self.setVerticalScrollMode(QListView.ScrollMode.ScrollPerPixel)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Fixed)
        self.viewport().setAutoFillBackground(False)
        self.tools.send_chosen.connect(lambda: self.send_chosen.emit(self.tools.row_id))
        self.tools.edit_chosen.connect(lambda: self.begin_edit(self.tools.row_id))
        self.tools.remove_chosen.connect(lambda: self._remove(self.tools.row_id))
        self.selectionModel().currentChanged.connect(lambda *_: self._place_tools())
        self.verticalScrollBar().valueChanged.connect(lambda _value: self._place_tools())
        current_theme().theme_changed.connect(self._lay_out_anew)

    @property
    def edited_id(self) -> str:
        """Which message is being edited; empty for none."""
        return self._delegate.edited_id

    def refresh(self) -> None:
        """The rows have changed."""
        self.updateGeometry()
        self._place_tools()

    def select(self, place: int) -> None:
        """Makes a row the current one."""
        self.setCurrentIndex(self.rows.index(min(place, len(self.rows.rows) - 1)))

    def begin_edit(self, row_id: str) -> None:
        """Opens the editor in a row."""
        self.end_edit()
        if (place := self.rows.place_of(row_id)) < 0:
            return
        editor = QueueEditor(self.rows.rows[place].source, self, send_key=self.send_key)
        self._delegate.editor, self._delegate.edited_id = editor, row_id
        self.setCurrentIndex(self.rows.index(place))
        self.setIndexWidget(self.rows.index(place), editor)
        editor.closed.connect(self._on_editor_closed)
        editor.document().documentLayout().documentSizeChanged.connect(self._lay_out_anew)
        self._lay_out_anew()
        editor.setFocus()
        self.editing_began.emit()

    def end_edit(self) -> None:
        """Takes what was written, if a message is being edited."""
        if self._delegate.editor is not None:
            self._on_editor_closed(False)

    @override
    def sizeHint(self) -> QSize:
        height = row_height()
        editor = self._delegate.editor
        more = max(0, editor.sizeHint().height() - height) if editor is not None else 0
        return QSize(0, min(len(self.rows.rows), VISIBLE_ROWS) * height + more)

    @override
    def minimumSizeHint(self) -> QSize:
        return self.sizeHint()

    @override
    def keyPressEvent(self, event: QKeyEvent) -> None:
        row = self.rows.row(self.currentIndex())
        if row is None:
            super().keyPressEvent(event)
            return
        place, modifiers = self.currentIndex().row(), event.modifiers() & ~Qt.KeyboardModifier.KeypadModifier
        match event.key():
            case Qt.Key.Key_Up | Qt.Key.Key_Down as key if modifiers == Qt.KeyboardModifier.AltModifier:
                self._move(row.id, place + (1 if key == Qt.Key.Key_Down else -1))
            case key if key in _ENTER and modifiers == Qt.KeyboardModifier.ControlModifier:
                if self.can_send_now():
                    self.send_chosen.emit(row.id)
            case key if key == Qt.Key.Key_F2 or (key in _ENTER and not modifiers):
                self.begin_edit(row.id)
            case Qt.Key.Key_Delete | Qt.Key.Key_Backspace:
                self._remove(row.id)
            case Qt.Key.Key_Down if not modifiers and place == len(self.rows.rows) - 1:
                self.left.emit()
            case _:
                super().keyPressEvent(event)

    @override
    def mousePressEvent(self, event: QMouseEvent) -> None:
        super().mousePressEvent(event)
        there = event.position().toPoint()
        row = self.rows.row(self.indexAt(there))
        is_left = event.button() == Qt.MouseButton.LeftButton
        self._pressed = (row.id, there) if row is not None and is_left else None

    @override
    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        if self._pressed is None or not event.buttons() & Qt.MouseButton.LeftButton:
            super().mouseMoveEvent(event)
            self._place_tools(event.position().toPoint())
            return
        row_id, start = self._pressed
        there = event.position().toPoint()
        self._is_dragging |= (there - start).manhattanLength() >= QApplication.startDragDistance()
        if self._is_dragging:
            self.tools.hide()
            self.viewport().setCursor(Qt.CursorShape.ClosedHandCursor)
            self._drag(row_id, there.y())

    @override
    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        super().mouseReleaseEvent(event)
        self._pressed, self._is_dragging = None, False
        self.viewport().unsetCursor()

    @override
    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        super().mouseDoubleClickEvent(event)
        if (row := self.rows.row(self.indexAt(event.position().toPoint()))) is not None:
            self.begin_edit(row.id)

    @override
    def leaveEvent(self, event: QEvent) -> None:
        super().leaveEvent(event)
        self._place_tools()

    @override
    def focusInEvent(self, event: QFocusEvent) -> None:
        super().focusInEvent(event)
        if not self.selectedIndexes() and event.reason() != Qt.FocusReason.MouseFocusReason:
            self.select(max(0, self.currentIndex().row()))
        self._place_tools()

    @override
    def focusOutEvent(self, event: QFocusEvent) -> None:
        super().focusOutEvent(event)
        self._place_tools()

    @override
    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._place_tools()

    def _drag(self, row_id: str, y: int) -> None:
        """Takes a row to where the mouse is; beyond the edge, a row further."""
        now = self.rows.place_of(row_id)
        if now < 0:
            return  # it was sent meanwhile
        height = self.viewport().height()
        target = now - 1 if y < 0 else now + 1 if y >= height else self.indexAt(QPoint(1, y)).row()
        if target >= 0 and target != now:
            self._move(row_id, target)

    def _move(self, row_id: str, place: int) -> None:
        if 0 <= place < len(self.rows.rows):
            self.moved.emit(row_id, place)
            self.scrollTo(self.rows.index(self.rows.place_of(row_id)))

    def _remove(self, row_id: str) -> None:
        place, had_focus = self.rows.place_of(row_id), self.hasFocus()
        if len(self.rows.rows) == 1 and had_focus:
            self.left.emit()
        self.removed.emit(row_id)
        if self.rows.rows and had_focus:
            self.select(place)

    def _on_editor_closed(self, is_by_key: bool) -> None:
        editor, row_id = self._delegate.editor, self._delegate.edited_id
        if editor is None:
            return
        self._delegate.editor, self._delegate.edited_id = None, ""
        text, place = editor.toPlainText(), self.rows.place_of(row_id)
        editor.closed.disconnect(self._on_editor_closed)
        if is_by_key:
            self.setFocus()
        if place >= 0:
            index = self.rows.index(place)
            self.setIndexWidget(index, None)  # type: ignore[arg-type]
            if not editor.is_cancelled and text.strip() and text != self.rows.rows[place].source:
                self.edited.emit(row_id, text)
        self._lay_out_anew()
        self.editing_ended.emit()

    def _lay_out_anew(self) -> None:
        self._delegate.sizeHintChanged.emit(QModelIndex())
        self.scheduleDelayedItemsLayout()
        self.updateGeometry()

    def _place_tools(self, mouse: QPoint | None = None) -> None:
        """Puts the buttons into the row under the mouse, or else into the current one."""
        index = self.indexAt(mouse) if mouse is not None else QModelIndex()
        if not index.isValid() and self.hasFocus():
            index = self.currentIndex()
        row = self.rows.row(index)
        if row is None or row.id == self.edited_id or self._is_dragging:
            self.tools.hide()
            return
        self.tools.row_id = row.id
        self.tools.send_button.setVisible(self.can_send_now())
        metrics, size = current_theme().metrics, self.tools.sizeHint()
        side, edge = metrics.radius, metrics.focus_ring + 1  # the ring and its corners stay whole
        area = self.visualRect(index).adjusted(side, edge, -side, -edge)
        left = area.left() if self.isRightToLeft() else area.right() + 1 - size.width()
        self.tools.setGeometry(left, area.top(), size.width(), area.height())
        self.tools.show()
