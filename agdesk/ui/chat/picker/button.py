"""The model of a conversation in its header: a button that opens the panel of all models, and what the model can do."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from PySide6.QtCore import QPoint, QSize, Qt, Signal
from PySide6.QtGui import QFontMetrics, QPainter, QPaintEvent
from PySide6.QtWidgets import QHBoxLayout, QSizePolicy, QWidget
from typing_extensions import override

from agdesk.core.cycle import AgentSession
from agdesk.core.workspace import Workspace
from agdesk.ui.chat.picker.abilities import AbilityLine
from agdesk.ui.theme import current_theme
from agdesk.ui.widgets.buttons import PushButton
from agdesk.ui.widgets.text import plain_tool_tip, safe_text

if TYPE_CHECKING:
    from agdesk.ui.chat.picker.popup import ModelPopup

_LEAST_WIDTH, _MOST_WIDTH = 120, 340


class ModelPicker(QWidget):
    """The model of one conversation.

    Signals:
        chosen(str): the user wants another model, ``provider/model``; whoever listens decides, and then ``refresh`` is
            called.
        all_requested(): the user wants to see what is known of every model.
    """

    chosen = Signal(str)
    all_requested = Signal()

    def __init__(self, workspace: Workspace, session: AgentSession, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._workspace = workspace
        self._session = session
        self.button = _ModelButton(self)
        self.button.clicked.connect(lambda _checked=False: self.open())
        self.abilities = AbilityLine(self)
        layout = QHBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(current_theme().metrics.space_12)
        layout.addWidget(self.button)
        layout.addWidget(self.abilities, 1)
        layout.addStretch()  # while nothing is known
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Preferred)
        self._unsubscribe = workspace.models_changed.subscribe(lambda _: self.refresh())
        self.refresh()

    def refresh(self) -> None:
        """Shows the model in use and what is known of it now."""
        ref = self._session.model_ref
        is_auto = _is_auto(ref)
        self.button.show_model(self.tr("Auto") if is_auto else ref)
        is_known = not is_auto and bool(self._workspace.model_rows())
        self.abilities.show_model(self._workspace.model_info(ref) if is_known else None)

    def open(self, take: Callable[[str], None] | None = None) -> None:
        """Opens the panel, unless the model cannot be changed now.

        Args:
            take: is given the model that is chosen this time, instead of ``chosen``.
        """
        if self.isEnabled():
            self._popup().open_below(
                self.button,
                used_ref=self._session.model_ref,
                take=take or self.chosen.emit,
                show_all=self.all_requested.emit,
            )

    def stop_listening(self) -> None:
        """The conversation is closed."""
        self._unsubscribe()

    def _popup(self) -> ModelPopup:
        """That of the window in which the conversation is now."""
        from agdesk.ui.chat.picker.popup import ModelPopup

        window = self.window()
        there = window.findChild(ModelPopup, options=Qt.FindChildOption.FindDirectChildrenOnly)
        return there if there is not None else ModelPopup(self._workspace, window)


def _is_auto(ref: str) -> bool:
    if not ref.startswith("auto/"):  # which loads nothing before the first paint
        return False
    from agdesk.core.providers.router import AUTO

    return ref == AUTO


class _ModelButton(PushButton):
    """The model's name, cut with "…" where it does not fit, and an arrow."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self._name = ""
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)  # a click leaves the keyboard where one writes
        self.setSizePolicy(QSizePolicy.Policy.Maximum, QSizePolicy.Policy.Fixed)

    def show_model(self, name: str) -> None:
        """Another model."""
        self._name = safe_text(name)
        self.setAccessibleName(self.tr("Model: {name}").format(name=name))
        words = self.tr("{name}: answers next. Choose another model (Ctrl+Shift+M)")
        self.setToolTip(plain_tool_tip(words.format(name=name)))
        self.updateGeometry()
        self.update()

    @override
    def sizeHint(self) -> QSize:
        metrics = current_theme().metrics
        room = 2 * metrics.space_12 + metrics.icon + metrics.space_8
        width = min(metrics.px(_MOST_WIDTH), QFontMetrics(self.font()).horizontalAdvance(self._name) + room)
        return QSize(width, metrics.hit_area)

    @override
    def minimumSizeHint(self) -> QSize:
        return QSize(min(self.sizeHint().width(), current_theme().metrics.px(_LEAST_WIDTH)), self.sizeHint().height())

    @override
    def paintEvent(self, event: QPaintEvent) -> None:
        super().paintEvent(event)
        theme = current_theme()
        size, margin = theme.metrics.icon, theme.metrics.space_8
        color = "muted" if self.isEnabled() else "control_edge"
        is_mirrored = self.isRightToLeft()
        painter = QPainter(self)
        arrow = theme.pixmap("chevron_down", color=color, size=size, ratio=self.devicePixelRatioF())
        x = margin if is_mirrored else self.width() - size - margin  # the type QStyle costs 9 ms of the start
        painter.drawPixmap(QPoint(x, (self.height() - size) // 2), arrow)
        end = size + 2 * margin
        area = self.rect().adjusted(
            end if is_mirrored else theme.metrics.space_12, 0, -theme.metrics.space_12 if is_mirrored else -end, 0
        )
        painter.setPen(theme.color("text" if self.isEnabled() else "control_edge"))
        shown = QFontMetrics(self.font()).elidedText(self._name, Qt.TextElideMode.ElideMiddle, area.width())
        side = Qt.AlignmentFlag.AlignRight if is_mirrored else Qt.AlignmentFlag.AlignLeft
        flags = side | Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignAbsolute
        painter.drawText(area, flags.value | Qt.TextFlag.TextSingleLine.value, shown)
        painter.end()
