"""The widgets of the rows without a document, but for heads: thinking, notices, errors, footers."""

from __future__ import annotations

from PySide6.QtCore import QCoreApplication, QRectF, QSize, Qt
from PySide6.QtGui import QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QLabel, QWidget
from typing_extensions import override

from agdesk.ui.theme import current_theme
from agdesk.ui.widgets.buttons import PushButton, ToolButton
from agdesk.ui.widgets.labels import PlainLabel
from agdesk.ui.widgets.text import safe_text
from agdesk.ui.widgets.transcript.row_widget import RowContext, RowWidget, paint_card
from agdesk.ui.widgets.transcript.rows import (
    ErrorRow,
    FooterRow,
    NoticeRow,
    PendingRow,
    Row,
    ThinkingRow,
)


class ThinkingWidget(RowWidget):
    """One line that folds and unfolds the thinking."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self._button = ToolButton(self)
        self._button.setCheckable(True)
        self._button.setProperty("quiet", True)
        self._button.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonTextBesideIcon)
        self._button.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self._button.clicked.connect(self._on_clicked)
        self._height = self._left = 0

    @override
    def bind(self, row: Row, context: RowContext) -> None:
        assert isinstance(row, ThinkingRow)
        theme = current_theme()
        self.row = row
        self._height = context.metrics.hit_area
        self._left = context.gutter - context.metrics.space_8
        text = thinking_text(row.block.duration_s, is_finished=row.block.is_finished)
        icon = "chevron_down" if row.block.is_expanded else "chevron_right"
        self._button.setText(text)
        self._button.setAccessibleName(text)
        self._button.setChecked(row.block.is_expanded)
        self._button.setToolTip(self.tr("Hide the thinking") if row.block.is_expanded else self.tr("Show the thinking"))
        self._button.setIcon(theme.icon(icon, color="muted"))
        self._button.setIconSize(QSize(theme.metrics.icon, theme.metrics.icon))

    @override
    def measure(self, width: int) -> int:
        return self._height

    @override
    def arrange(self) -> None:
        width = min(self._button.sizeHint().width(), self.width() - self._left)
        self._button.setGeometry(self._left, 0, width, self._height)

    @override
    def focus_widgets(self) -> tuple[QWidget, ...]:
        return (self._button,)

    def _on_clicked(self) -> None:
        self.fold_chosen.emit(self.row)


def thinking_text(duration_s: float | None, *, is_finished: bool) -> str:
    """What the folded thinking says."""
    if not is_finished:
        return QCoreApplication.translate("ThinkingWidget", "Thinking…")
    if duration_s is None:
        return QCoreApplication.translate("ThinkingWidget", "Thought")
    return QCoreApplication.translate("ThinkingWidget", "Thought for %1\u202fs").replace("%1", f"{duration_s:.1f}")


class LineWidget(RowWidget):
    """A small muted text: a notice between messages, a line below one, or the place of text that is still being cut."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self._label = PlainLabel(self, color="muted", font="caption")
        self._label.setWordWrap(True)
        self._gutter = self._space = 0
        self._height: int | None = None

    @override
    def bind(self, row: Row, context: RowContext) -> None:
        self.row = row
        self._gutter = context.gutter
        self._space = context.metrics.space_8
        self._height = None
        alignment = Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignLeading
        match row:
            case NoticeRow():
                self._label.setText(row.message.source)
                alignment = Qt.AlignmentFlag.AlignCenter
            case FooterRow():
                self._label.setText(row.message.footer)
            case PendingRow():
                self._label.setText(self.tr("Loading…"))
                self._height = row.height
                alignment = Qt.AlignmentFlag.AlignTop
            case _:
                raise TypeError(type(row).__name__)
        self._label.setAlignment(alignment)

    @override
    def measure(self, width: int) -> int:
        if self._height is not None:
            return self._height
        return self._label.heightForWidth(width - 2 * self._gutter) + 2 * self._space

    @override
    def arrange(self) -> None:
        # text that waits may be much higher than the screen: what stands for it begins where it comes into view
        top = self._space + (max(0, -self.y()) if isinstance(self.row, PendingRow) else 0)
        height = self.height() - self._space - top
        self._label.setGeometry(self._gutter, top, self.width() - 2 * self._gutter, height)

    @override
    def focus_widgets(self) -> tuple[QWidget, ...]:
        return ()


class ErrorWidget(RowWidget):
    """What failed, the other side's words, the next step, and perhaps a button that takes it."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self._icon = QLabel(self)
        self._title = PlainLabel(self)
        self._detail = PlainLabel(self, color="muted")
        self._hint = PlainLabel(self)
        self._labels = (self._title, self._detail, self._hint)
        for label in self._labels:
            label.setWordWrap(True)
            label.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        self._button = PushButton(self)
        self._button.clicked.connect(lambda: self.action_chosen.emit(self.row))
        self._above = self._inset = self._space = self._icon_size = 0

    @override
    def bind(self, row: Row, context: RowContext) -> None:
        assert isinstance(row, ErrorRow) and row.message.error is not None
        error = row.message.error
        theme = current_theme()
        self.row = row
        self._above = context.metrics.space_12
        self._inset = context.gutter
        self._space = context.metrics.space_4
        self._icon_size = theme.metrics.icon
        ratio = self.devicePixelRatioF()
        self._icon.setPixmap(theme.pixmap("warning", color="danger", size=self._icon_size, ratio=ratio))
        for label, text in zip(self._labels, (error.title, error.detail, error.hint), strict=True):
            label.setText(text)
            label.setVisible(bool(text))
        self._button.setText(safe_text(error.action).replace("&", "&&"))
        self._button.setAccessibleName(error.action)
        self._button.setVisible(bool(error.action))
        font = theme.font("body")
        font.setBold(True)
        self._title.setFont(font)

    def select(self, span: tuple[int, int] | None) -> None:
        """Selects from one character to another of all texts, each on a line of its own; None: nothing."""
        start = 0
        for label in self._labels:
            text = label.text()
            if span is not None and text and start <= span[0] < start + len(text):
                label.setSelection(span[0] - start, min(span[1] - start, len(text)) - (span[0] - start))
            elif label.hasSelectedText():
                label.setSelection(0, 0)
            start += len(text) + 1 if text else 0

    @override
    def measure(self, width: int) -> int:
        shown = [label for label in self._labels if not label.isHidden()]
        heights = [label.heightForWidth(self._text_width(width)) for label in shown]
        if not self._button.isHidden():
            heights.append(self._space + self._button.sizeHint().height())
        return self._above + 2 * self._inset + sum(heights) + self._space * (len(heights) - 1)

    @override
    def arrange(self) -> None:
        top = self._above + self._inset
        left = 2 * self._inset + self._icon_size
        self._icon.setGeometry(self._inset, top, self._icon_size, self._icon_size)
        for label in self._labels:
            if not label.isHidden():
                width = self._text_width(self.width())
                height = label.heightForWidth(width)
                label.setGeometry(left, top, width, height)
                top += height + self._space
        size = self._button.sizeHint()
        self._button.setGeometry(
            left, top + self._space, min(size.width(), self._text_width(self.width())), size.height()
        )

    @override
    def focus_widgets(self) -> tuple[QWidget, ...]:
        return () if self._button.isHidden() else (self._button,)

    @override
    def paintEvent(self, event: QPaintEvent) -> None:
        theme = current_theme()
        painter = QPainter(self)
        painter.setPen(QPen(theme.color("danger"), 1))
        painter.setBrush(theme.color("raised"))
        area = QRectF(self.rect()).adjusted(0, self._above, 0, 0)
        paint_card(painter, area, radius=theme.metrics.card_radius, is_first=True, is_last=True)
        painter.end()

    def _text_width(self, width: int) -> int:
        return width - 3 * self._inset - self._icon_size
