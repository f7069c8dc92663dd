"""The tree widget: follows the newest record while it is scrolled to the end, opens as little as it can."""

from __future__ import annotations

from PySide6.QtCore import QAbstractItemModel, QModelIndex, QPersistentModelIndex, QPoint, QRect, Qt, Signal
from PySide6.QtGui import QContextMenuEvent, QKeyEvent, QKeySequence, QPainter, QResizeEvent
from PySide6.QtWidgets import QAbstractItemView, QFrame, QHeaderView, QStyleOptionViewItem, QTreeView, QWidget
from typing_extensions import override

from agdesk.ui.inspector.columns import Column
from agdesk.ui.inspector.delegate import TraceDelegate
from agdesk.ui.theme import current_theme
from agdesk.ui.widgets.row_painting import State, paint_row_ground

_OPENED_ROWS = 3  # by following: a turn, a request, a bucket; rows below open ones cost time with each batch
_WIDE = 440


class TraceView(QTreeView):
    """Shows a ``TraceModel``.

    Signals:
        copy_wanted(): of the current row.
        detail_wanted(): the keyboard wants to go on below.
        menu_wanted(QPoint): at this place of the screen.
    """

    copy_wanted = Signal()
    detail_wanted = Signal()
    menu_wanted = Signal(QPoint)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._opened: list[QPersistentModelIndex] = []
        self.setAccessibleName(self.tr("Records"))
        self.setItemDelegate(TraceDelegate(self))
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setUniformRowHeights(True)
        self.setAllColumnsShowFocus(False)  # Fusion's focus frame would tint what drawRow has drawn
        self.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
        self.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setTextElideMode(Qt.TextElideMode.ElideRight)
        self.setExpandsOnDoubleClick(True)
        header = self.header()
        header.setStretchLastSection(False)
        header.setSectionsMovable(False)
        header.setSectionsClickable(False)
        header.setMinimumSectionSize(1)
        header.setAccessibleName(self.tr("Columns"))
        current_theme().theme_changed.connect(self._restyle)
        self._restyle()

    @property
    def is_at_end(self) -> bool:
        """Whether the last row is in sight."""
        bar = self.verticalScrollBar()
        return bar.value() >= bar.maximum()

    def follow(self, newest: QModelIndex) -> None:
        """Opens what the newest record is in and scrolls to the end; closes what following opened long ago."""
        path = []
        index = newest.parent()
        while index.isValid():
            path.append(index)
            index = index.parent()
        for index in reversed(path):
            if not self.isExpanded(index):
                self.expand(index)
                self._opened.append(QPersistentModelIndex(index))
        self._opened = [opened for opened in self._opened if opened.isValid()]
        for old in self._opened[:-_OPENED_ROWS]:
            if not self._is_read(old):
                self._opened.remove(old)
                self.collapse(old.model().index(old.row(), 0, old.parent()))
        self.scrollToBottom()

    def _is_read(self, opened: QPersistentModelIndex) -> bool:
        index = self.currentIndex()
        while index.isValid():
            index = index.parent()
            if opened == index:
                return True
        return False

    @override
    def drawRow(
        self, painter: QPainter, options: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex
    ) -> None:
        ground = QStyleOptionViewItem(options)
        is_current = self.currentIndex().siblingAtColumn(index.column()) == index
        if self.selectionModel().isRowSelected(index.row(), index.parent()):
            ground.state |= State.State_Selected
        painter.save()
        paint_row_ground(painter, ground, has_ring=is_current and self.hasFocus())
        painter.restore()
        super().drawRow(painter, options, index)

    @override
    def drawBranches(self, painter: QPainter, rect: QRect, index: QModelIndex | QPersistentModelIndex) -> None:
        if not self.model().hasChildren(index):
            return
        theme = current_theme()
        size = theme.metrics.px(12)
        name = "chevron_down" if self.isExpanded(index) else "chevron_right"
        pixmap = theme.pixmap(name, color="muted", size=size, ratio=self.devicePixelRatioF())
        is_right = self.isRightToLeft()
        edge = rect.left() if is_right else rect.right() - self.indentation() + 1
        painter.drawPixmap(edge + (self.indentation() - size) // 2, rect.center().y() - size // 2, pixmap)

    @override
    def keyPressEvent(self, event: QKeyEvent) -> None:
        index = self.currentIndex().siblingAtColumn(0)
        if event.matches(QKeySequence.StandardKey.Copy):
            self.copy_wanted.emit()
        elif event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter) and index.isValid():
            if self.model().hasChildren(index):
                self.setExpanded(index, not self.isExpanded(index))
            else:
                self.detail_wanted.emit()
        elif event.key() != Qt.Key.Key_Asterisk:  # Qt's key for expanding everything below: a run of 100,000 too
            super().keyPressEvent(event)

    @override
    def contextMenuEvent(self, event: QContextMenuEvent) -> None:
        if self.currentIndex().isValid():
            self.menu_wanted.emit(event.globalPos())

    @override
    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit_columns()

    def _fit_columns(self) -> None:
        if self.model() is None:
            return
        header, metrics = self.header(), current_theme().metrics
        is_wide = self.width() >= metrics.px(_WIDE)
        for column in (Column.STEP, Column.SEQ):  # the names need the room more
            self.setColumnHidden(column, not is_wide)
        for column, width in ((Column.TIME, 68), (Column.STEP, 72), (Column.SEQ, 52)):
            header.setSectionResizeMode(column, QHeaderView.ResizeMode.Fixed)
            header.resizeSection(column, metrics.px(width))
        header.setSectionResizeMode(Column.NAME, QHeaderView.ResizeMode.Stretch)

    def _restyle(self) -> None:
        theme = current_theme()
        metrics, tokens = theme.metrics, theme.tokens
        self.setIndentation(metrics.space_16)
        self.header().setFont(theme.font("caption"))
        self.setStyleSheet(  # the ground of a selected row is drawn by drawRow, its branches too
            f"QTreeView {{ background: {tokens.surface}; selection-background-color: transparent; }}"
            f"QHeaderView::section {{ background: {tokens.surface}; color: {tokens.muted}; border: none;"
            f" border-bottom: 1px solid {tokens.border}; padding: {metrics.space_4}px {metrics.space_8}px; }}"
        )
        self._fit_columns()
        self.scheduleDelayedItemsLayout()

    @override
    def setModel(self, model: QAbstractItemModel | None) -> None:
        self._opened.clear()
        old = self.selectionModel()
        super().setModel(model)
        if old is not None:
            old.deleteLater()
        self._fit_columns()
