"""The part of a row that shows a document: read, select, copy, follow links by mouse and keyboard."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QMimeData, QPoint, QRectF, Qt, QUrl, Signal
from PySide6.QtGui import (
    QAccessible,
    QContextMenuEvent,
    QFocusEvent,
    QKeyEvent,
    QKeySequence,
    QMouseEvent,
    QPainter,
    QPaintEvent,
    QTextBlock,
    QTextCursor,
    QWheelEvent,
)
from PySide6.QtWidgets import QFrame, QTextBrowser, QWidget
from typing_extensions import override

from agdesk.ui.theme import current_theme
from agdesk.ui.widgets.markdown import SafeDocument
from agdesk.ui.widgets.markdown.formats import QUOTE_BARS, RULE
from agdesk.ui.widgets.markdown.links import clickable
from agdesk.ui.widgets.markdown.reading import read, read_all

_SCROLL_KEYS = frozenset(
    {
        Qt.Key.Key_Up,
        Qt.Key.Key_Down,
        Qt.Key.Key_PageUp,
        Qt.Key.Key_PageDown,
        Qt.Key.Key_Home,
        Qt.Key.Key_End,
        Qt.Key.Key_Space,
    }
)
_SHIFT = Qt.KeyboardModifier.ShiftModifier
_SHIFT_CTRL = _SHIFT | Qt.KeyboardModifier.ControlModifier
_EXTENDING: dict[tuple[int, Qt.KeyboardModifier], QTextCursor.MoveOperation] = {
    (Qt.Key.Key_Left, _SHIFT): QTextCursor.MoveOperation.Left,
    (Qt.Key.Key_Right, _SHIFT): QTextCursor.MoveOperation.Right,
    (Qt.Key.Key_Up, _SHIFT): QTextCursor.MoveOperation.Up,
    (Qt.Key.Key_Down, _SHIFT): QTextCursor.MoveOperation.Down,
    (Qt.Key.Key_Home, _SHIFT): QTextCursor.MoveOperation.StartOfLine,
    (Qt.Key.Key_End, _SHIFT): QTextCursor.MoveOperation.EndOfLine,
    (Qt.Key.Key_Left, _SHIFT_CTRL): QTextCursor.MoveOperation.WordLeft,
    (Qt.Key.Key_Right, _SHIFT_CTRL): QTextCursor.MoveOperation.WordRight,
}
_KEYBOARD_REASONS = frozenset({Qt.FocusReason.TabFocusReason, Qt.FocusReason.BacktabFocusReason})


class TextPane(QTextBrowser):
    """Shows a document in full, without scrolling; its owner gives it the height the document needs.

    Signals:
        link_chosen(str): a link was clicked, or activated with Enter. It is never opened here.
        menu_wanted(QPoint): a context menu at a global position.
        copy_wanted(): Ctrl+C.
        all_wanted(): Ctrl+A.
        extend_wanted(object): the selection is to grow or shrink by a ``QTextCursor.MoveOperation``.
        pressed(QPoint), dragged(QPoint): of the left button, at a global position, for a selection that spans rows.
        ring_changed(): ``has_ring`` is new.
    """

    link_chosen = Signal(str)
    menu_wanted = Signal(QPoint)
    copy_wanted = Signal()
    all_wanted = Signal()
    extend_wanted = Signal(object)
    pressed = Signal(QPoint)
    dragged = Signal(QPoint)
    ring_changed = Signal()

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self.has_ring = False  # the focus came by keyboard: show where it is
        self._blank = SafeDocument(self.font(), indent=0)
        self.setDocument(self._blank)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.viewport().setAutoFillBackground(False)
        self.setOpenLinks(False)
        self.setAcceptDrops(False)
        flags = Qt.TextInteractionFlag
        self.setTextInteractionFlags(flags.TextBrowserInteraction | flags.TextSelectableByKeyboard)
        self.anchorClicked.connect(self._choose_link)

    def show_document(self, document: SafeDocument) -> None:
        """Shows a document."""
        if self.document() is not document:
            self.setDocument(document)
        if QAccessible.isActive():  # it reads the characters of a document, and a formula is a single one
            self.setAccessibleDescription(read_all(document) if document.has_objects else "")

    def release(self) -> None:
        """Shows nothing, so that the document can go."""
        self.setDocument(self._blank)

    @override
    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.matches(QKeySequence.StandardKey.Copy):
            self.copy_wanted.emit()
        elif event.matches(QKeySequence.StandardKey.SelectAll):
            self.all_wanted.emit()
        elif (move := _EXTENDING.get((event.key(), _without_keypad(event)))) is not None:
            self.extend_wanted.emit(move)
        elif event.key() in _SCROLL_KEYS and event.modifiers() in (
            Qt.KeyboardModifier.NoModifier,
            Qt.KeyboardModifier.KeypadModifier,
            Qt.KeyboardModifier.ControlModifier,
        ):
            event.ignore()  # the transcript scrolls
        else:
            super().keyPressEvent(event)

    @override
    def wheelEvent(self, event: QWheelEvent) -> None:
        is_sideways = abs(event.angleDelta().x()) > abs(event.angleDelta().y())
        if is_sideways and self.horizontalScrollBar().maximum() > 0:
            super().wheelEvent(event)
        else:
            event.ignore()  # the transcript scrolls

    @override
    def mousePressEvent(self, event: QMouseEvent) -> None:
        super().mousePressEvent(event)
        if event.button() == Qt.MouseButton.LeftButton:
            self.pressed.emit(event.globalPosition().toPoint())

    @override
    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        super().mouseMoveEvent(event)
        if event.buttons() & Qt.MouseButton.LeftButton:
            self.dragged.emit(event.globalPosition().toPoint())

    @override
    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        super().mouseReleaseEvent(event)
        event.accept()

    @override
    def contextMenuEvent(self, event: QContextMenuEvent) -> None:
        self.menu_wanted.emit(event.globalPos())

    @override
    def focusInEvent(self, event: QFocusEvent) -> None:
        super().focusInEvent(event)
        self._set_ring(event.reason() in _KEYBOARD_REASONS)

    @override
    def focusOutEvent(self, event: QFocusEvent) -> None:
        super().focusOutEvent(event)
        self._set_ring(False)

    @override
    def changeEvent(self, event: QEvent) -> None:
        # QTextEdit would give its own font to the document
        if event.type() not in (QEvent.Type.FontChange, QEvent.Type.ApplicationFontChange):
            super().changeEvent(event)

    @override
    def paintEvent(self, event: QPaintEvent) -> None:
        document = self.document()
        if isinstance(document, SafeDocument) and document.has_decorations:
            painter = QPainter(self.viewport())
            block = document.begin()
            while block.isValid():
                self._decorate(painter, block)
                block = block.next()
            painter.end()
        super().paintEvent(event)

    def position_at(self, place: QPoint) -> int:
        """The position in the document that is nearest to a global place."""
        return self.cursorForPosition(self.viewport().mapFromGlobal(place)).position()

    @property
    def awaits_objects(self) -> bool:
        """Whether formulas or images of the document are still being made."""
        document = self.document()
        return isinstance(document, SafeDocument) and document.is_waiting

    def selected_text(self) -> str:
        """What is selected; a formula is its source."""
        cursor = self.textCursor()
        return read(self.document(), cursor.selectionStart(), cursor.selectionEnd())

    @override
    def createMimeDataFromSelection(self) -> QMimeData:
        data = QMimeData()
        data.setText(self.selected_text())
        return data

    def select(self, anchor: int, position: int) -> None:
        """Selects from one position in the document to another."""
        cursor = self.textCursor()
        if (cursor.anchor(), cursor.position()) != (anchor, position):
            cursor.setPosition(anchor)
            cursor.setPosition(position, QTextCursor.MoveMode.KeepAnchor)
            self.setTextCursor(cursor)

    def _choose_link(self, url: QUrl) -> None:
        address = clickable(bytes(url.toEncoded().data()).decode("ascii", "replace"))
        if address is not None:
            self.link_chosen.emit(address)

    def _set_ring(self, has_ring: bool) -> None:
        if has_ring != self.has_ring:
            self.has_ring = has_ring
            self.ring_changed.emit()

    def _decorate(self, painter: QPainter, block: QTextBlock) -> None:
        """Paints what a block format cannot say: the bars of quotes, and rules."""
        style = block.blockFormat()
        bars = style.intProperty(QUOTE_BARS)
        is_rule = style.boolProperty(RULE)
        if not bars and not is_rule:
            return
        theme = current_theme()
        area = self.document().documentLayout().blockBoundingRect(block)
        if is_rule:
            left = style.indent() * self.document().indentWidth()
            line = QRectF(left, round(area.center().y()), self.viewport().width() - left, 1)
            painter.fillRect(line, theme.color("control_edge"))
        layout = block.layout()
        last = layout.lineAt(layout.lineCount() - 1)
        bottom = layout.position().y() + last.y() + last.height()  # the block's rectangle leaves out the line height
        top = area.top()
        before = block.previous()
        if before.isValid() and before.blockFormat().intProperty(QUOTE_BARS) & bars:
            top -= style.topMargin()
        is_mirrored = block.textDirection() == Qt.LayoutDirection.RightToLeft
        thickness = theme.metrics.px(3)
        for step in range(bars.bit_length()):
            if bars & 1 << step:
                x = step * self.document().indentWidth()
                x = self.viewport().width() - x - thickness if is_mirrored else x
                painter.fillRect(QRectF(x, top, thickness, bottom - top), theme.color("control_edge"))


def _without_keypad(event: QKeyEvent) -> Qt.KeyboardModifier:
    return event.modifiers() & ~Qt.KeyboardModifier.KeypadModifier
