"""A transcript whose text is selected over rows and messages, by mouse and keyboard, and copied as Markdown."""

from __future__ import annotations

from functools import partial

from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QGuiApplication, QKeyEvent, QKeySequence, QMouseEvent, QTextCursor
from PySide6.QtWidgets import QMenu, QWidget
from typing_extensions import override

from agdesk.ui.widgets.transcript.finding.scroller import FindingScroller
from agdesk.ui.widgets.transcript.row_widget import RowWidget
from agdesk.ui.widgets.transcript.rows import CodeRow, Row
from agdesk.ui.widgets.transcript.selection import TranscriptSelection
from agdesk.ui.widgets.transcript.values import ScrollPlace


class SelectingScroller(FindingScroller):
    """Rows whose text can be selected."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._selection = TranscriptSelection(self._model, self._stage)

    @override
    def _adopt(self, widget: RowWidget) -> None:
        super()._adopt(widget)
        widget.copy_chosen.connect(self._copy_row)
        widget.pressed.connect(self._press)
        widget.dragged.connect(self._drag)
        widget.copy_wanted.connect(self._copy_selection)
        widget.menu_wanted.connect(self._open_menu)
        widget.all_wanted.connect(self._selection.select_all)
        widget.extend_wanted.connect(self._extend)

    @override
    def _prepare(self, widget: RowWidget, row: Row) -> None:
        super()._prepare(widget, row)
        self._selection.show(widget, row)

    @override
    def mousePressEvent(self, event: QMouseEvent) -> None:
        self._selection.begin(None, event.globalPosition().toPoint())
        super().mousePressEvent(event)

    @override
    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.matches(QKeySequence.StandardKey.SelectAll):
            self._selection.select_all()
        elif event.matches(QKeySequence.StandardKey.Copy):
            copy_text(self._selection.text(self._stage.context))
        else:
            super().keyPressEvent(event)

    def _copy_row(self, row: Row) -> None:
        copy_text(row.segment.fence.text if isinstance(row, CodeRow) else row.message.markdown)

    def _copy_selection(self, widget: RowWidget, _: bool = False) -> None:
        assert widget.pane is not None
        copy_text(self._selection.text(self._stage.context) or widget.pane.selected_text())

    def _press(self, widget: RowWidget, place: QPoint) -> None:
        self._selection.begin(widget.row, place)

    def _drag(self, _: RowWidget, place: QPoint) -> None:
        y = self.viewport().mapFromGlobal(place).y()
        beyond = min(0, y) + max(0, y - self.viewport().height())
        if beyond:
            bar = self.verticalScrollBar()
            bar.setValue(bar.value() + beyond)
        self._selection.extend(place)

    def _extend(self, widget: RowWidget, move: QTextCursor.MoveOperation) -> None:
        row = self._selection.extend_by(widget, move, self._stage.context)
        if row is not None and all(placed.row is not row for placed in self._stage.visible):
            self._show(ScrollPlace(row.message.view.key, row.index, self.viewport().height() // 2))

    def _open_menu(self, widget: RowWidget, place: QPoint) -> None:
        self._make_menu(widget, place).popup(place)

    def _make_menu(self, widget: RowWidget, place: QPoint) -> QMenu:
        assert widget.pane is not None
        menu = QMenu(self)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        copy = menu.addAction(self.tr("Copy"))
        copy.setEnabled(widget.pane.textCursor().hasSelection())
        copy.triggered.connect(partial(self._copy_selection, widget))
        if widget.row is not None:
            source = widget.row.message.source
            menu.addAction(self.tr("Copy message as Markdown")).triggered.connect(partial(copy_text, source))
        menu.addAction(self.tr("Select all")).triggered.connect(self._selection.select_all)
        address = widget.pane.anchorAt(widget.pane.viewport().mapFromGlobal(place))
        if address:
            menu.addAction(self.tr("Copy link address")).triggered.connect(partial(copy_text, address))
        return menu


def copy_text(text: str, _: bool = False) -> None:
    """Puts a text on the clipboard; nothing leaves what is there."""
    if text:
        QGuiApplication.clipboard().setText(text)
