"""Where a message is written."""

from __future__ import annotations

import math
from time import monotonic
from typing import Literal

from PySide6.QtCore import QEvent, QMimeData, QObject, QRectF, QSize, Qt, Signal
from PySide6.QtGui import (
    QFocusEvent,
    QHideEvent,
    QInputMethodEvent,
    QKeyEvent,
    QKeySequence,
    QPainter,
    QPalette,
    QPen,
    QShowEvent,
    QTextOption,
)
from PySide6.QtWidgets import QFrame, QPlainTextEdit, QSizePolicy, QWidget
from typing_extensions import override

from agdesk.ui.theme import current_theme
from agdesk.ui.widgets.text import safe_text

SendKey = Literal["enter", "ctrl_enter"]

WINDOW_SHARE = 0.4  # of the window's height that the composer may take
COMMIT_S = 0.05  # an Enter this soon after an input method has committed its text is the one that it took


class Composer(QPlainTextEdit):
    """A plain text field that grows with its content and says when the text is to be sent.

    The text stays until the owner calls ``clear``: a message that could not be sent is not lost. A key that belongs to
    an input method, such as the Enter that picks a candidate, never sends.

    Signals:
        submitted(str): the user wants to send this text; only blanks if there are attachments.
        offered(tuple): files and images that were pasted or dropped here, ``Offered``.

    Attributes:
        has_attachments: something besides the text is to be sent.
        send_key: ``enter`` (Shift+Enter begins a line) or ``ctrl_enter`` (Enter begins a line).
    """

    submitted = Signal(str)
    offered = Signal(object)

    def __init__(self, parent: QWidget | None = None, *, send_key: SendKey = "enter") -> None:
        super().__init__(parent)
        self.send_key: SendKey = send_key
        self.has_attachments = False
        self._has_preedit = False
        self._committed_s = -COMMIT_S
        self.setAccessibleName(self.tr("Message"))
        self.setPlaceholderText(self.tr("Message…"))
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setTabChangesFocus(True)
        self.setWordWrapMode(QTextOption.WrapMode.WrapAtWordBoundaryOrAnywhere)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self._show_through()
        self.document().documentLayout().documentSizeChanged.connect(self.updateGeometry)
        self.textChanged.connect(self._follow_height)
        current_theme().theme_changed.connect(self._restyle)
        self._restyle()

    def submit(self) -> None:
        """Asks to send the text, as the send key does."""
        text = self.toPlainText()
        if text.strip() or self.has_attachments:
            self.submitted.emit(text)

    @override
    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() not in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            super().keyPressEvent(event)
        elif self._has_preedit or monotonic() - self._committed_s < COMMIT_S:
            event.accept()  # it belongs to the input method
        elif not self._is_send(event):
            self.insertPlainText("\n")
            self.ensureCursorVisible()
        elif not event.isAutoRepeat():
            self.submit()

    @override
    def inputMethodEvent(self, event: QInputMethodEvent) -> None:
        if self._has_preedit and event.commitString():
            self._committed_s = monotonic()
        self._has_preedit = bool(event.preeditString())
        super().inputMethodEvent(event)
        self._follow_height()

    @override
    def canInsertFromMimeData(self, source: QMimeData) -> bool:
        return source.hasText() or source.hasImage() or source.hasUrls()

    @override
    def insertFromMimeData(self, source: QMimeData) -> None:
        from agdesk.ui.widgets.offered import offered_by

        if offers := offered_by(source):
            self.offered.emit(offers)
        elif source.hasText():
            self.insertPlainText(safe_text(source.text()))

    @override
    def sizeHint(self) -> QSize:
        spacing = self.fontMetrics().lineSpacing()
        margins = self.viewportMargins()
        edges = margins.top() + margins.bottom() + 2  # a laid-out line is a fraction higher than its spacing
        most = round(self.window().height() * WINDOW_SHARE)
        height = min(self._text_height(most) + edges, most)
        return QSize(current_theme().metrics.text_column, max(spacing + edges, height))

    @override
    def minimumSizeHint(self) -> QSize:
        return QSize(0, self.sizeHint().height())

    @override
    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self.window().installEventFilter(self)

    @override
    def hideEvent(self, event: QHideEvent) -> None:
        self.window().removeEventFilter(self)
        super().hideEvent(event)

    @override
    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() == QEvent.Type.Resize:  # of the window: the share of its height is another one
            self.updateGeometry()
        return super().eventFilter(watched, event)

    @override
    def event(self, event: QEvent) -> bool:
        is_override = event.type() == QEvent.Type.ShortcutOverride
        if is_override and isinstance(event, QKeyEvent) and self._has_no_use_for(event):
            event.ignore()  # so that the window gets it
            return False
        result = super().event(event)
        if event.type() == QEvent.Type.Paint:
            self._paint_frame()
        return result

    @override
    def focusInEvent(self, event: QFocusEvent) -> None:
        super().focusInEvent(event)
        self.update()

    @override
    def focusOutEvent(self, event: QFocusEvent) -> None:
        super().focusOutEvent(event)
        self.update()

    def _text_height(self, enough: int) -> int:
        """How high the text is, in pixels; of a long one any height that is enough."""
        height, block = 0.0, self.document().firstBlock()
        while block.isValid() and height < enough:
            height += self.blockBoundingRect(block).height()
            block = block.next()
        return math.ceil(height)

    def _follow_height(self) -> None:
        """A line can grow without another one: Chinese is higher than the letters of the font."""
        if self.sizeHint().height() != self.height():
            self.updateGeometry()

    def _has_no_use_for(self, event: QKeyEvent) -> bool:
        """Whether it leads to the end of a text that the cursor is at the end of."""
        cursor = self.textCursor()
        is_at_end = cursor.atEnd() and not cursor.hasSelection()
        return is_at_end and event.matches(QKeySequence.StandardKey.MoveToEndOfDocument)

    def _is_send(self, event: QKeyEvent) -> bool:
        modifiers = event.modifiers() & ~Qt.KeyboardModifier.KeypadModifier
        if modifiers == Qt.KeyboardModifier.ControlModifier:
            return True
        return self.send_key == "enter" and modifiers == Qt.KeyboardModifier.NoModifier

    def _paint_frame(self) -> None:
        theme = current_theme()
        width = theme.metrics.focus_ring if self.hasFocus() else 1
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(QPen(theme.color("accent" if self.hasFocus() else "control_edge"), width))
        painter.setBrush(theme.color("raised"))
        area = QRectF(self.rect()).adjusted(width / 2, width / 2, -width / 2, -width / 2)
        painter.drawRoundedRect(area, theme.metrics.card_radius, theme.metrics.card_radius)
        painter.end()

    def _show_through(self) -> None:
        """Lets the frame be seen behind the text."""
        # not through the viewport: to ask for it would load the type of every widget there is, 20 ms of the start
        palette = QPalette()
        palette.setColor(QPalette.ColorRole.Base, Qt.GlobalColor.transparent)
        self.setPalette(palette)

    def _restyle(self) -> None:
        theme = current_theme()
        metrics = theme.metrics
        self.setFont(theme.font("transcript"))
        self.document().setDocumentMargin(0)
        self.setCursorWidth(metrics.px(1))
        self.setViewportMargins(metrics.space_12, metrics.space_8, metrics.space_12, metrics.space_8)
        self.updateGeometry()
