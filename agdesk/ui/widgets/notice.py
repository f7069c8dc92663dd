"""A note inside a page: what is wrong, the next step, and what can be done about it."""

from __future__ import annotations

from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtWidgets import QHBoxLayout, QLabel, QPushButton, QVBoxLayout, QWidget

from agdesk.ui.theme import current_theme
from agdesk.ui.widgets.card import Card
from agdesk.ui.widgets.flow_layout import FlowLayout
from agdesk.ui.widgets.wrapped_label import WrappedLabel


class Notice(Card):
    """Hidden until it has something to say.

    Args:
        choices: text of each button.

    Signals:
        chosen(int): the button of that index was pressed.
    """

    chosen = Signal(int)

    def __init__(self, parent: QWidget | None = None, *, choices: tuple[str, ...] = ()) -> None:
        super().__init__(parent, background="raised", edge="warning")
        self._icon = QLabel(self)
        self._message = WrappedLabel(self)
        self._hint = WrappedLabel(self, color="muted")
        for label in (self._message, self._hint):
            label.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        metrics = current_theme().metrics
        words = QVBoxLayout()
        words.setSpacing(metrics.space_4)
        words.addWidget(self._message)
        words.addWidget(self._hint)
        self.buttons: list[QPushButton] = []
        for index, choice in enumerate(choices):
            button = QPushButton(choice.replace("&", "&&"), self)
            button.setAccessibleName(choice)
            button.clicked.connect(lambda _checked=False, index=index: self.chosen.emit(index))
            self.buttons.append(button)
        if choices:
            offers = QWidget(self)
            flow = FlowLayout(offers, spacing=metrics.space_8)
            for button in self.buttons:
                flow.addWidget(button)
            words.addWidget(offers)
        line = QHBoxLayout()
        line.setContentsMargins(0, metrics.space_8, 0, metrics.space_8)
        line.setSpacing(metrics.space_12)
        line.addWidget(self._icon, alignment=Qt.AlignmentFlag.AlignTop)
        line.addLayout(words, 1)
        self.column.addLayout(line)
        current_theme().theme_changed.connect(self._restyle)
        self._restyle()
        self.hide()

    @property
    def text(self) -> str:
        """The message that is shown."""
        return self._message.text()

    def show_text(self, message: str, hint: str = "") -> None:
        """Says what is wrong and, if there is one, the next step."""
        self._message.setText(message)
        self._hint.setText(hint)
        self._hint.setVisible(bool(hint))
        self.setAccessibleName(f"{message} {hint}".strip())
        self.show()

    def clear(self) -> None:
        """Has nothing to say."""
        self._message.setText("")
        self._hint.setText("")
        self.hide()

    def _restyle(self) -> None:
        theme = current_theme()
        size = theme.metrics.icon
        self._icon.setPixmap(theme.pixmap("warning", color="warning", size=size, ratio=self.devicePixelRatioF()))
        self._icon.setFixedSize(QSize(size, size))
