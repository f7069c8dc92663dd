"""What floats over a window until something in it is chosen."""

from __future__ import annotations

from typing import cast

from PySide6.QtCore import QEvent, QObject, Qt
from PySide6.QtGui import QCloseEvent, QKeyEvent, QMouseEvent, QPaintEvent
from PySide6.QtWidgets import QApplication, QFrame, QWidget
from shiboken6 import isValid
from typing_extensions import override

from agdesk.ui.theme import current_theme
from agdesk.ui.widgets.card import is_escape_override, paint_raised
from agdesk.ui.widgets.focus_order import reading_order


class Overlay(QWidget):
    """Covers its window without being seen, so that a click beside its panel closes it.

    It closes by Esc, too, and when the focus goes elsewhere, where it stays then; else it goes back to where it was. A
    subclass fills ``panel`` and gives it its place in ``arrange``.

    Args:
        parent: any widget of the window.

    Attributes:
        panel: what is seen.
    """

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent.window())
        self._app = cast(QApplication, QApplication.instance())
        self._focus_before: QWidget | None = None
        self.panel = _Panel(self)
        self.hide()
        current_theme().theme_changed.connect(self.arrange)

    def rise(self) -> None:
        """Shows it above everything in the window; the subclass moves the focus into it."""
        if not self.isHidden():
            return
        self._focus_before = self.window().focusWidget()
        self._app.focusChanged.connect(self._on_focus_changed)
        self.window().installEventFilter(self)
        self.arrange()
        self.show()
        self.raise_()

    def arrange(self) -> None:
        """Covers the window; called again when that changes its size and when the theme changes."""
        self.setGeometry(self.window().rect())

    @override
    def closeEvent(self, event: QCloseEvent) -> None:
        if self.isHidden():
            return
        self.window().removeEventFilter(self)
        self._app.focusChanged.disconnect(self._on_focus_changed)
        before, self._focus_before = self._focus_before, None
        has_focus = self.isAncestorOf(self.window().focusWidget() or self)
        if has_focus and before is not None and isValid(before):
            before.setFocus(Qt.FocusReason.OtherFocusReason)
        super().closeEvent(event)

    @override
    def mousePressEvent(self, event: QMouseEvent) -> None:
        if not self.panel.geometry().contains(event.position().toPoint()):
            self.close()

    @override
    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Escape:
            self.close()
        else:
            super().keyPressEvent(event)

    @override
    def event(self, event: QEvent) -> bool:
        if is_escape_override(event):
            event.accept()
            return True
        return super().event(event)

    @override
    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() == QEvent.Type.Resize and watched is self.window():
            self.arrange()
        return super().eventFilter(watched, event)

    @override
    def focusNextPrevChild(self, next: bool) -> bool:
        """Tab stays inside: at the end it begins again."""
        stops = reading_order(self.panel)
        if not stops:
            return False
        focused = self.window().focusWidget()
        at = stops.index(focused) if focused in stops else -1 if next else 0
        reason = Qt.FocusReason.TabFocusReason if next else Qt.FocusReason.BacktabFocusReason
        stops[(at + (1 if next else -1)) % len(stops)].setFocus(reason)
        return True

    def _on_focus_changed(self, _before: QWidget | None, now: QWidget | None) -> None:
        part = now
        while part is not None and part is not self:  # what drops down from a box inside is a window of its own
            part = part.parentWidget()
        if now is not None and part is None:
            self.close()


class _Panel(QFrame):
    """Raised, with an edge around it."""

    @override
    def paintEvent(self, event: QPaintEvent) -> None:
        paint_raised(self)
