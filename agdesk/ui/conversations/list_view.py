"""The list itself: keys, mouse and selection; what is to be done with a conversation, its owner is told."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from PySide6.QtCore import QItemSelectionModel, QModelIndex, QPersistentModelIndex, QPoint, Qt, Signal
from PySide6.QtGui import QContextMenuEvent, QFocusEvent, QKeyEvent, QMouseEvent
from PySide6.QtWidgets import QFrame, QListView, QWidget
from typing_extensions import override

from agdesk.ui.conversations.list_model import ConversationListModel
from agdesk.ui.conversations.row_delegate import ConversationDelegate
from agdesk.ui.conversations.rows import Entry, Heading
from agdesk.ui.theme import current_theme
from agdesk.ui.widgets.row_painting import row_height

_NO_MODIFIER = Qt.KeyboardModifier.NoModifier


class ConversationView(QListView):
    """Shows the rows of the model.

    Signals:
        opened(str): a conversation was clicked, or Enter pressed on it.
        fold_chosen(object): the section of that heading is to be folded or unfolded.
        delete_chosen(): the Delete key was pressed.
        menu_wanted(QPoint): where on the screen.
        search_wanted(): Up was pressed in the first row.
    """

    opened = Signal(str)
    fold_chosen = Signal(object)
    delete_chosen = Signal()
    menu_wanted = Signal(QPoint)
    search_wanted = Signal()

    def __init__(self, model: ConversationListModel, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._model = model
        self.setModel(model)
        self._delegate = ConversationDelegate(model, self)
        self.setItemDelegate(self._delegate)
        self.setAccessibleName(self.tr("Conversations"))
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setUniformItemSizes(True)
        self.setMouseTracking(True)
        self.setSelectionMode(QListView.SelectionMode.ExtendedSelection)
        self.setEditTriggers(QListView.EditTrigger.EditKeyPressed)
        self.setVerticalScrollMode(QListView.ScrollMode.ScrollPerPixel)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.viewport().setAutoFillBackground(False)
        current_theme().theme_changed.connect(self._restyle)

    def selected_ids(self) -> tuple[str, ...]:
        """The selected conversations, from the top."""
        rows = (self._model.row(index) for index in sorted(self.selectedIndexes(), key=QModelIndex.row))
        return tuple(row.conversation.id for row in rows if isinstance(row, Entry))

    def select(self, conversation_id: str) -> bool:
        """Selects a conversation and scrolls to it; False if it is not shown."""
        index = self._model.index_of(conversation_id)
        if index.isValid():
            self.select_only(index)
        return index.isValid()

    def select_only(self, index: QModelIndex) -> None:
        """Selects a row and nothing else; ``setCurrentIndex`` would add to the selection while Ctrl is held."""
        self.selectionModel().setCurrentIndex(index, QItemSelectionModel.SelectionFlag.ClearAndSelect)

    @contextmanager
    def keeping_place(self, conversation_id: str) -> Iterator[None]:
        """While rows come, go and move, what is seen stays where it is, except at the top, which stays the top.

        All rows are of one height, so the place is computed: asking the view would lay out everything each time.

        Args:
            conversation_id: what changes, and so is nothing to hold on to.
        """
        bar, height = self.verticalScrollBar(), row_height()
        if not bar.value():
            yield
            return
        first = self._model.index(bar.value() // height)
        if first.isValid() and first == self._model.index_of(conversation_id):
            first = first.siblingAtColumn(0).sibling(first.row() + 1, 0)
        held, before = QPersistentModelIndex(first), first.row()
        yield
        if held.isValid() and (shift := (held.row() - before) * height):
            bar.setMaximum(bar.maximum() + max(0, shift))  # the view itself finds out later
            bar.setValue(bar.value() + shift)

    @override
    def keyPressEvent(self, event: QKeyEvent) -> None:
        index = self.currentIndex()
        row = self._model.row(index)
        match event.key(), row:
            case ((Qt.Key.Key_Return | Qt.Key.Key_Enter), Entry(conversation=conversation)):
                self.opened.emit(conversation.id)
            case ((Qt.Key.Key_Return | Qt.Key.Key_Enter | Qt.Key.Key_Space), Heading(section=section)):
                self.fold_chosen.emit(section)
            case (Qt.Key.Key_Left | Qt.Key.Key_Right) as key, (Heading() | Entry()) as row:
                self._fold_by_key(row, is_outwards=(key == Qt.Key.Key_Left) != self.isRightToLeft())
            case Qt.Key.Key_Delete, _:
                self.delete_chosen.emit()
            case Qt.Key.Key_Up, _ if index.row() <= 0 and event.modifiers() == _NO_MODIFIER:
                self.search_wanted.emit()
            case _:
                super().keyPressEvent(event)

    @override
    def mousePressEvent(self, event: QMouseEvent) -> None:
        row = self._model.row(self.indexAt(event.position().toPoint()))
        if isinstance(row, Heading):
            event.accept()  # it leaves the selection alone
        else:
            super().mousePressEvent(event)

    @override
    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        super().mouseReleaseEvent(event)
        if event.button() == Qt.MouseButton.LeftButton and event.modifiers() == _NO_MODIFIER:
            match self._model.row(self.indexAt(event.position().toPoint())):
                case Heading(section=section):
                    self.fold_chosen.emit(section)
                case Entry(conversation=conversation) if self.selected_ids() == (conversation.id,):
                    self.opened.emit(conversation.id)
                case _:
                    pass

    @override
    def contextMenuEvent(self, event: QContextMenuEvent) -> None:
        if event.reason() == QContextMenuEvent.Reason.Keyboard:
            place = self.visualRect(self.currentIndex()).center()
        else:
            place = event.pos()
        if self.selected_ids() and self.indexAt(place) in self.selectedIndexes():
            self.menu_wanted.emit(self.viewport().mapToGlobal(place))

    @override
    def focusInEvent(self, event: QFocusEvent) -> None:
        super().focusInEvent(event)
        is_by_mouse = event.reason() == Qt.FocusReason.MouseFocusReason
        if not is_by_mouse and not self.currentIndex().isValid() and self._model.rowCount():
            self.select_only(self._model.index(min(1, self._model.rowCount() - 1)))

    def _fold_by_key(self, row: Heading | Entry, *, is_outwards: bool) -> None:
        if isinstance(row, Entry):
            if is_outwards:
                self.select_only(self._model.index_of_heading(row.section))
        elif self._model.is_folded(row.section) != is_outwards:
            self.fold_chosen.emit(row.section)

    def _restyle(self) -> None:
        self._delegate.sizeHintChanged.emit(QModelIndex())
        self.scheduleDelayedItemsLayout()
