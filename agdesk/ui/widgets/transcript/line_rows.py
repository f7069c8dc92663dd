"""The widgets of the rows without a document that are one line: thinking, notices, text that waits."""

from __future__ import annotations

from PySide6.QtCore import QCoreApplication, QSize, Qt
from PySide6.QtWidgets import QWidget
from typing_extensions import override

from agdesk.ui.theme import current_theme
from agdesk.ui.widgets.buttons import ToolButton
from agdesk.ui.widgets.labels import PlainLabel
from agdesk.ui.widgets.transcript.row_widget import RowContext, RowWidget
from agdesk.ui.widgets.transcript.rows import NoticeRow, PendingRow, Row, ThinkingRow


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
    """A small muted text: a notice between messages, or the place of text that is still being cut."""

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
