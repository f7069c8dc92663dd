"""The list of all branches of a conversation, from which one is shown, forked or deleted (CHAT4)."""

from __future__ import annotations

from PySide6.QtCore import QModelIndex, QPersistentModelIndex, QSize, Qt, QTimer, Signal
from PySide6.QtGui import QKeyEvent, QPainter
from PySide6.QtWidgets import (
    QDialog,
    QHBoxLayout,
    QListView,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QVBoxLayout,
    QWidget,
)
from typing_extensions import override

from agdesk.core.cycle import AgentSession
from agdesk.ui.chat.branching import BranchControl
from agdesk.ui.chat.tree.outline import OutlineModel, OutlineRow
from agdesk.ui.theme import current_theme
from agdesk.ui.widgets.buttons import PushButton
from agdesk.ui.widgets.labels import PlainLabel
from agdesk.ui.widgets.row_painting import State, mirrored, paint_row_ground, paint_text, row_height, text_width

_SIZE = (560, 560)


class BranchesDialog(QDialog):
    """Every message, those of the path that is shown with a mark; not modal, deleted when it is closed.

    Args:
        session: the conversation.
        branches: does what is chosen.
    """

    def __init__(self, session: AgentSession, branches: BranchControl, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setWindowTitle(self.tr("Branches"))
        self._session = session
        self._branches = branches
        self.model = OutlineModel(self)
        self.list = _BranchList(self)
        self.list.setModel(self.model)
        self.list.setItemDelegate(_BranchDelegate(self.model, self.list))
        self.empty = PlainLabel(self, color="muted")
        self.empty.setText(self.tr("Nothing was said yet. An edited message and another answer become branches."))
        self.empty.setWordWrap(True)
        self.show_button = PushButton(self.tr("Show"), self)
        self.fork_button = PushButton(self.tr("Fork"), self)
        self.fork_button.setToolTip(self.tr("A new conversation of everything up to this message"))
        self.delete_button = PushButton(self.tr("Delete"), self)
        self.delete_button.setToolTip(self.tr("This message and what follows it; it can be undone"))
        self.show_button.setDefault(True)
        self._late = QTimer(self)
        self._late.setSingleShot(True)
        self._late.setInterval(0)
        self._late.timeout.connect(self._fill)
        self._unsubscribe = session.branches.grown.subscribe(lambda _: self._late.start())
        self._lay_out()
        self.list.activated.connect(lambda _index: self._show())
        self.list.delete_wanted.connect(self._delete)
        self.show_button.clicked.connect(self._show)
        self.fork_button.clicked.connect(lambda: branches.fork(self._current()))
        self.delete_button.clicked.connect(self._delete)
        self.list.selectionModel().currentChanged.connect(lambda *_: self._enable())
        self.resize(*map(current_theme().metrics.px, _SIZE))
        self._fill()
        self.list.setFocus()

    @override
    def done(self, result: int) -> None:
        self._unsubscribe()
        self._late.stop()
        super().done(result)

    def _lay_out(self) -> None:
        metrics = current_theme().metrics
        buttons = QHBoxLayout()
        buttons.setSpacing(metrics.space_8)
        buttons.addWidget(self.show_button)
        buttons.addWidget(self.fork_button)
        buttons.addWidget(self.delete_button)
        buttons.addStretch()
        layout = QVBoxLayout(self)
        layout.setContentsMargins(metrics.space_16, metrics.space_16, metrics.space_16, metrics.space_16)
        layout.setSpacing(metrics.space_12)
        layout.addWidget(self.empty)
        layout.addWidget(self.list, 1)
        layout.addLayout(buttons)

    def _fill(self) -> None:
        """Shows the tree as it is now; the current message stays the current one while it is there."""
        current, tree = self._current(), self._session.branches.tree
        self.model.show_tree(tree)
        place = self.model.place_of(current)
        if place < 0:
            place = self.model.place_of(tree.leaf_id)
        self.list.setCurrentIndex(self.model.index(place))
        self.empty.setVisible(not self.model.rows)
        self.list.setVisible(bool(self.model.rows))
        self._enable()

    def _current(self) -> str | None:
        row = self.model.row(self.list.currentIndex())
        return row.message_id if row is not None else None

    def _enable(self) -> None:
        for button in (self.show_button, self.fork_button, self.delete_button):
            button.setEnabled(self._current() is not None)

    def _show(self) -> None:
        if (message_id := self._current()) is not None:
            self._branches.select(message_id)

    def _delete(self) -> None:
        if (message_id := self._current()) is not None:
            self._branches.delete(message_id)


class _BranchList(QListView):
    """A list with a key that deletes.

    Signals:
        delete_wanted(): of the current row.
    """

    delete_wanted = Signal()

    def __init__(self, dialog: BranchesDialog) -> None:
        super().__init__(dialog)
        self.setAccessibleName(self.tr("Branches"))
        self.setFrameShape(QListView.Shape.NoFrame)
        self.setUniformItemSizes(True)
        self.setMouseTracking(True)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        current_theme().theme_changed.connect(self.scheduleDelayedItemsLayout)

    @override
    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Delete:
            self.delete_wanted.emit()
        else:
            super().keyPressEvent(event)


class _BranchDelegate(QStyledItemDelegate):
    """A row: a bar if it is shown now, a step to the right for each branching above, who speaks, the text."""

    def __init__(self, model: OutlineModel, parent: QListView) -> None:
        super().__init__(parent)
        self._model = model

    @override
    def sizeHint(self, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex) -> QSize:
        return QSize(0, row_height())

    @override
    def paint(
        self, painter: QPainter, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex
    ) -> None:
        row = self._model.row(index)
        assert isinstance(row, OutlineRow)
        theme = current_theme()
        metrics = theme.metrics
        painter.save()
        paint_row_ground(painter, option, has_ring=bool(option.state & State.State_HasFocus))
        step = min(row.depth, 8) * metrics.space_16
        area = option.rect.adjusted(metrics.space_12 + step, 0, -metrics.space_8, 0)
        if row.is_active:
            bar = area.adjusted(-metrics.space_8, metrics.space_4, 0, -metrics.space_4)
            bar.setWidth(metrics.px(3))
            painter.fillRect(mirrored(option, bar), theme.color("accent"))
        muted, font = theme.color("muted"), theme.font("body")
        speaker = area.adjusted(0, 0, 0, 0)
        speaker.setWidth(min(text_width(font, row.speaker), area.width() // 3))
        paint_text(painter, mirrored(option, speaker), row.speaker, font=font, color=muted)
        text = area.adjusted(speaker.width() + metrics.space_12, 0, 0, 0)
        color = theme.color("text") if row.is_active else muted
        paint_text(painter, mirrored(option, text), row.text, font=font, color=color)
        painter.restore()
