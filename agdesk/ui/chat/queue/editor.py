"""The field in which a message that waits is edited, in its row."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QSize, Qt, Signal
from PySide6.QtGui import QFocusEvent, QKeyEvent
from PySide6.QtWidgets import QWidget
from typing_extensions import override

from agdesk.ui.widgets.composer import Composer, SendKey
from agdesk.ui.widgets.text import safe_text

MAX_LINES = 6


class QueueEditor(Composer):
    """Takes the text by the send key or when it is left, and nothing by Esc.

    Signals:
        closed(bool): it is done with; True if that was by key, so that the focus has to go somewhere.

    Attributes:
        is_cancelled: the message is to stay as it was.
    """

    closed = Signal(bool)

    def __init__(self, text: str, parent: QWidget, *, send_key: SendKey) -> None:
        super().__init__(parent, send_key=send_key)
        self.is_cancelled = False
        self._is_closed = False
        self.setAccessibleName(self.tr("Queued message"))
        self.setPlaceholderText(self.tr("Queued message"))
        self.setPlainText(safe_text(text))
        self.selectAll()
        self.submitted.connect(lambda _text: self._close(is_by_key=True))

    @override
    def sizeHint(self) -> QSize:
        hint = super().sizeHint()
        margins = self.viewportMargins()
        most = MAX_LINES * self.fontMetrics().lineSpacing() + margins.top() + margins.bottom()
        return QSize(hint.width(), min(hint.height(), most))

    @override
    def event(self, event: QEvent) -> bool:
        is_override = event.type() == QEvent.Type.ShortcutOverride
        if is_override and isinstance(event, QKeyEvent) and event.key() == Qt.Key.Key_Escape:
            event.accept()  # the window's own Esc stops the answer
            return True
        return super().event(event)

    @override
    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Escape:
            self.is_cancelled = True
            self._close(is_by_key=True)
        else:
            super().keyPressEvent(event)

    @override
    def focusOutEvent(self, event: QFocusEvent) -> None:
        super().focusOutEvent(event)
        if event.reason() not in (Qt.FocusReason.PopupFocusReason, Qt.FocusReason.ActiveWindowFocusReason):
            self._close(is_by_key=False)

    def _close(self, *, is_by_key: bool) -> None:
        if not self._is_closed:
            self._is_closed = True
            self.closed.emit(is_by_key)
