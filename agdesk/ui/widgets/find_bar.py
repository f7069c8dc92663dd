"""A bar over the upper right corner of what is searched."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QObject, QSize, Qt, Signal
from PySide6.QtGui import QKeyEvent, QPaintEvent
from PySide6.QtWidgets import QHBoxLayout, QLineEdit, QWidget
from typing_extensions import override

from agdesk.ui.theme import current_theme
from agdesk.ui.widgets.announce import announce
from agdesk.ui.widgets.buttons import ToolButton
from agdesk.ui.widgets.card import is_escape_override, paint_raised
from agdesk.ui.widgets.icon_button import IconButton
from agdesk.ui.widgets.labels import PlainLabel

FIELD_WIDTH = 200
COUNT_WIDTH = 96
_ENTER = (Qt.Key.Key_Return, Qt.Key.Key_Enter)


class FindBar(QWidget):
    """A field, the number of the match that is shown, and buttons for the next and the one before.

    Enter is the next match, with Shift the one before, Esc closes. It follows the size of ``parent``.

    Args:
        parent: what it stands over.

    Signals:
        search_changed(str, bool): the text to find, and whether upper and lower case differ.
        step_wanted(int): 1: the next match, -1: the one before.
        closed(): by its button or Esc.

    Attributes:
        field: what is searched for.
    """

    search_changed = Signal(str, bool)
    step_wanted = Signal(int)
    closed = Signal()

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self._surface = parent
        self.field = _Field(self)
        self.field.setAccessibleName(self.tr("Find in the conversation"))
        self.field.setPlaceholderText(self.tr("Find"))
        self.field.textChanged.connect(self._on_changed)
        self.field.step_wanted.connect(self.step_wanted)
        self.count = PlainLabel(self, color="muted", font="caption")
        self.count.setAlignment(Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignTrailing)
        self.case = ToolButton(self)
        self.case.setText("Aa")
        self.case.setCheckable(True)
        self.case.setAccessibleName(self.tr("Match case"))
        self.case.setToolTip(self.tr("Match case"))
        self.case.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.case.toggled.connect(self._on_changed)
        self.previous = IconButton("chevron_up", self.tr("Previous match"), self)
        self.previous.setToolTip(self.tr("Previous match (Shift+Enter)"))
        self.previous.clicked.connect(lambda: self.step_wanted.emit(-1))
        self.next = IconButton("chevron_down", self.tr("Next match"), self)
        self.next.setToolTip(self.tr("Next match (Enter)"))
        self.next.clicked.connect(lambda: self.step_wanted.emit(1))
        self.close_button = IconButton("close", self.tr("Close"), self)
        self.close_button.setToolTip(self.tr("Close (Esc)"))
        self.close_button.clicked.connect(self.closed)
        self._layout = QHBoxLayout(self)
        for widget in (self.field, self.count, self.case, self.previous, self.next, self.close_button):
            self._layout.addWidget(widget)
        parent.installEventFilter(self)
        current_theme().theme_changed.connect(self._restyle)
        self._restyle()
        self.show_count(0, 0, progress=1.0)
        self.hide()

    def open(self) -> None:
        """Shows it; what was searched for last is selected."""
        self.show()
        self.raise_()
        self._place()
        self.field.setFocus(Qt.FocusReason.ShortcutFocusReason)
        self.field.selectAll()

    def show_count(self, number: int, total: int, *, progress: float) -> None:
        """Says which match is shown.

        Args:
            number: of the match, from 1; 0 for none.
            total: how many there are, as far as is known.
            progress: how much was searched, 1.0 for everything.
        """
        is_searching = progress < 1.0
        if not self.field.text():
            text = ""
        elif total:
            text = self.tr("{number} of {total}").format(number=number or "–", total=total)
            text = f"{text} · {progress:.0%}" if is_searching else text
        else:
            text = self.tr("Searching… {share}").format(share=f"{progress:.0%}") if is_searching else ""
            text = text or self.tr("No matches")
        if text != self.count.text():
            self.count.setText(text)
            if not is_searching and text:
                announce(self, text)
        self.previous.setEnabled(total > 0)
        self.next.setEnabled(total > 0)

    @override
    def event(self, event: QEvent) -> bool:
        if is_escape_override(event):
            event.accept()
            return True
        return super().event(event)

    @override
    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Escape:
            self.closed.emit()
        elif event.key() not in _ENTER:
            super().keyPressEvent(event)

    @override
    def paintEvent(self, event: QPaintEvent) -> None:
        paint_raised(self)

    @override
    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if watched is self._surface and event.type() == QEvent.Type.Resize:
            self._place()
        return super().eventFilter(watched, event)

    def _on_changed(self) -> None:
        self.search_changed.emit(self.field.text(), self.case.isChecked())

    def _place(self) -> None:
        metrics = current_theme().metrics
        room = self._surface.width() - metrics.space_8 - metrics.space_24  # clear of a scroll bar
        size = self.sizeHint()
        width = min(size.width(), max(room, 0))
        self.setGeometry(self._surface.width() - metrics.space_24 - width, metrics.space_8, width, size.height())

    def _restyle(self) -> None:
        metrics = current_theme().metrics
        self._layout.setContentsMargins(metrics.space_8, metrics.space_4, metrics.space_4, metrics.space_4)
        self._layout.setSpacing(metrics.space_4)
        self.field.setFont(current_theme().font("body"))
        self.field.setMinimumWidth(metrics.px(FIELD_WIDTH // 2))
        self.count.setMinimumWidth(metrics.px(COUNT_WIDTH))
        self._place()


class _Field(QLineEdit):
    step_wanted = Signal(int)

    @override
    def sizeHint(self) -> QSize:
        metrics = current_theme().metrics
        return QSize(metrics.px(FIELD_WIDTH), max(super().sizeHint().height(), metrics.hit_area))

    @override
    def event(self, event: QEvent) -> bool:
        is_override = event.type() == QEvent.Type.ShortcutOverride
        if is_override and isinstance(event, QKeyEvent) and event.key() in (*_ENTER, Qt.Key.Key_Escape):
            event.accept()
            return True
        return super().event(event)

    @override
    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() in _ENTER:
            is_back = bool(event.modifiers() & Qt.KeyboardModifier.ShiftModifier)
            self.step_wanted.emit(-1 if is_back else 1)
        elif event.key() == Qt.Key.Key_Escape:
            event.ignore()  # the bar closes
        else:
            super().keyPressEvent(event)
