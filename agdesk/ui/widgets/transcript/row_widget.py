"""What the widgets of all rows have in common."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from PySide6.QtCore import QPoint, QRect, QRectF, Signal
from PySide6.QtGui import QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QWidget
from typing_extensions import override

from agdesk.ui.theme import Metrics, current_theme
from agdesk.ui.widgets.code_look import CodeLook
from agdesk.ui.widgets.markdown import SafeDocument
from agdesk.ui.widgets.transcript.pane import TextPane
from agdesk.ui.widgets.transcript.rows import DocumentRow, Row


@dataclass(frozen=True, slots=True)
class RowContext:
    """What a row widget may ask of the transcript.

    Args:
        metrics: sizes.
        document: the drawn document of a row.
        code: how code looks.
    """

    metrics: Metrics
    document: Callable[[DocumentRow], SafeDocument]
    code: CodeLook

    @property
    def gutter(self) -> int:
        """From the edge of a row to its text, on both sides."""
        return self.metrics.space_12


class RowWidget(QWidget):
    """Shows one row at a time and is used again for others of its kind.

    The owner calls ``bind``, then ``measure``, then ``arrange`` with the height that came out.

    Signals:
        link_chosen(str): a link was clicked.
        copy_chosen(object): the Copy button of the row was pressed.
        fold_chosen(object): the row was folded or unfolded.
        end_action_chosen(object, str): a button below the message was pressed, an ``EndAction``.
        message_action_chosen(object, str): a button of the message's head was pressed, a ``MessageAction``.
        wrap_chosen(object): the button that wraps long lines was pressed.
        all_wanted(), extend_wanted(object, object): of the pane, the second with this widget.
        pressed(object, QPoint), dragged(object, QPoint), copy_wanted(object), menu_wanted(object, QPoint): of the pane,
            with this widget.
    """

    link_chosen = Signal(str)
    copy_chosen = Signal(object)
    fold_chosen = Signal(object)
    end_action_chosen = Signal(object, str)
    message_action_chosen = Signal(object, str)
    wrap_chosen = Signal(object)
    all_wanted = Signal()
    extend_wanted = Signal(object, object)
    pressed = Signal(object, QPoint)
    dragged = Signal(object, QPoint)
    copy_wanted = Signal(object)
    menu_wanted = Signal(object, QPoint)

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self.row: Row | None = None
        self.pane: TextPane | None = None

    def bind(self, row: Row, context: RowContext) -> None:
        """Shows a row, or the same row again after it changed."""
        raise NotImplementedError

    def measure(self, width: int) -> int:
        """The height the row needs at a width, both in pixels."""
        raise NotImplementedError

    def content_top(self) -> int:
        """Where the pane begins, from the top of the row, once the row is measured."""
        return 0

    def arrange(self) -> None:
        """Places the parts for the size the widget has."""
        raise NotImplementedError

    def focus_widgets(self) -> tuple[QWidget, ...]:
        """The parts that can have the focus, in reading order."""
        raise NotImplementedError

    def release(self) -> None:
        """Shows nothing any more."""
        self.row = None
        if self.pane is not None:
            self.pane.release()

    def adopt_pane(self, pane: TextPane) -> TextPane:
        """Makes a pane the one of this row."""
        self.pane = pane
        pane.link_chosen.connect(self.link_chosen)
        pane.ring_changed.connect(self.update)
        pane.pressed.connect(self._on_pressed)
        pane.dragged.connect(self._on_dragged)
        pane.copy_wanted.connect(self._on_copy_wanted)
        pane.all_wanted.connect(self.all_wanted)
        pane.extend_wanted.connect(lambda move: self.extend_wanted.emit(self, move))
        pane.menu_wanted.connect(self._on_menu_wanted)
        return pane

    @override
    def paintEvent(self, event: QPaintEvent) -> None:
        if self.pane is not None and self.pane.has_ring:
            theme = current_theme()
            ring = theme.metrics.focus_ring
            painter = QPainter(self)
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            painter.setPen(QPen(theme.color("accent"), ring))
            half = ring / 2
            area = QRectF(self.rect()).adjusted(half, half, -half, -half)
            painter.drawRoundedRect(area, theme.metrics.radius, theme.metrics.radius)

    def _on_pressed(self, place: QPoint) -> None:
        self.pressed.emit(self, place)

    def _on_dragged(self, place: QPoint) -> None:
        self.dragged.emit(self, place)

    def _on_copy_wanted(self) -> None:
        self.copy_wanted.emit(self)

    def _on_menu_wanted(self, place: QPoint) -> None:
        self.menu_wanted.emit(self, place)


def document_height(pane: TextPane, *, left: int, width: int) -> int:
    """Gives a pane its place and width, and returns the height its document then needs."""
    if pane.geometry().left() != left or pane.width() != width:
        pane.setGeometry(QRect(left, pane.y(), width, max(1, pane.height())))
    size = pane.document().size()
    return -int(-size.height() // 1)


def paint_card(painter: QPainter, area: QRectF, *, radius: float, is_first: bool, is_last: bool) -> None:
    """Draws a rounded rectangle with the painter's pen and brush, open at the side where the next row goes on."""
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.save()
    painter.setClipRect(area)
    painter.drawRoundedRect(
        area.adjusted(0.5, 0.5 if is_first else -2 * radius, -0.5, -0.5 if is_last else 2 * radius), radius, radius
    )
    painter.restore()
