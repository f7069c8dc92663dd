"""The system prompt of a conversation."""

from __future__ import annotations

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QGridLayout, QWidget

from agdesk.ui.chat.parameters.words import not_sent
from agdesk.ui.theme import current_theme
from agdesk.ui.widgets.buttons import ToolButton
from agdesk.ui.widgets.labels import PlainLabel
from agdesk.ui.widgets.text_area import TextArea

_LINES = 3


class PromptRow(QWidget):
    """Its title, the field and the way back to none.

    Signals:
        prompt_chosen(object): the text that the user wants, None for none.
    """

    prompt_chosen = Signal(object)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        name = self.tr("System prompt")
        self.title = PlainLabel(self)
        self.title.setText(name)
        self.editor = TextArea(name, self, lines=_LINES)
        self.editor.setPlaceholderText(not_sent())
        self.title.setBuddy(self.editor)
        self.reset_button = ToolButton(self)
        self.reset_button.setText(self.tr("Reset"))
        self.reset_button.setAccessibleName(self.tr("Reset: %1").replace("%1", name))
        self.reset_button.setToolTip(self.tr("Back to: not sent"))
        policy = self.reset_button.sizePolicy()
        policy.setRetainSizeWhenHidden(True)  # nothing moves when it comes
        self.reset_button.setSizePolicy(policy)
        self.reset_button.hide()
        metrics = current_theme().metrics
        grid = QGridLayout(self)
        grid.setContentsMargins(0, 0, 0, metrics.space_4)
        grid.setSpacing(metrics.space_4)
        grid.setColumnStretch(0, 1)
        grid.addWidget(self.title, 0, 0)
        grid.addWidget(self.reset_button, 0, 1)
        grid.addWidget(self.editor, 1, 0, 1, 2)
        self.editor.textChanged.connect(self._choose)
        self.reset_button.clicked.connect(lambda _checked=False: self._reset_by_button())

    @property
    def is_set(self) -> bool:
        """Whether there is a system prompt."""
        return bool(self.editor.toPlainText())

    def show_prompt(self, text: str | None, *, is_new: bool = False) -> None:
        """The text in force, None for none.

        Args:
            is_new: it did not come from here; else the field is left alone while it is written in.
        """
        if is_new or not self.editor.hasFocus():
            self.editor.show_text(text or "")
        self.reset_button.setVisible(self.is_set)

    def reset(self) -> None:
        """No system prompt."""
        self.editor.clear()

    def _choose(self) -> None:
        self.reset_button.setVisible(self.is_set)
        self.prompt_chosen.emit(self.editor.toPlainText() or None)

    def _reset_by_button(self) -> None:
        self.editor.setFocus()  # the button goes
        self.reset()
