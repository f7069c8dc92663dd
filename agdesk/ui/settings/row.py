"""One setting: its title, what it does, its control, and the way back to the default."""

from __future__ import annotations

from PySide6.QtCore import QTimer, Signal
from PySide6.QtWidgets import QGridLayout, QToolButton, QWidget

from agdesk.ui.settings.controls import make_control
from agdesk.ui.settings.fields import SettingField
from agdesk.ui.theme import current_theme
from agdesk.ui.widgets.buttons import ToolButton
from agdesk.ui.widgets.text import plain_tool_tip
from agdesk.ui.widgets.wrapped_label import WrappedLabel

TYPING_MS = 400  # a value is taken this long after the last key


class SettingRow(QWidget):
    """Made from the setting's metadata. It reports what the user wants and shows what came of it.

    A text that was refused stays in its control, with the reason below it, until the user changes it; the value in
    force is then another one.

    Signals:
        change_requested(object): the user wants this value; ``accept`` or ``reject`` is the answer.
    """

    change_requested = Signal(object)

    def __init__(self, field: SettingField, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.field = field
        self.control = make_control(field)
        self._in_force: object = field.default
        self._is_edited = False
        self._waiting = 0  # requests without an outcome
        self._typing = QTimer(self)
        self._typing.setSingleShot(True)
        self._typing.setInterval(TYPING_MS)
        self._typing.timeout.connect(self._request)
        self.title = WrappedLabel(self)
        self.title.setText(field.title)
        self.title.setBuddy(self.control.editor)
        self.reset_button = self._make_reset_button()
        self._description = WrappedLabel(self, color="muted", font="caption")
        self._description.setText(field.description)
        self.control.editor.setAccessibleDescription(field.description)
        self._error = WrappedLabel(self, color="danger", font="caption")
        self._error.hide()
        self._arrange()
        self.control.edited.connect(self._on_edited)
        self.control.show_value(field.default)
        self._show_reset()

    @property
    def error(self) -> str:
        """Why the text in the control is not in force; empty if it is."""
        return self._error.text()

    def set_value(self, value: object) -> None:
        """The value in force. What the user is typing, or has chosen since, is not disturbed."""
        self._in_force = value
        self._show_in_force()

    def accept(self) -> None:
        """The value requested first of those that wait is in force."""
        self._waiting -= 1
        self._show_in_force()

    def reject(self, value: object, message: str) -> None:
        """The same for one that was refused; says nothing if the user has gone on to another one."""
        self._waiting -= 1
        if self.control.value() == value:
            self._show_error(message)

    def flush(self) -> None:
        """Requests at once what waits for the end of the typing."""
        if self._typing.isActive():
            self._request()

    def matches(self, words: list[str]) -> bool:
        """Whether each of the lower-case words is found in what the row says."""
        text = self.field.words.casefold()
        return all(word in text for word in words)

    def _show_in_force(self) -> None:
        if not self._waiting and not self._typing.isActive():
            if self.control.value() == self._in_force:
                self._is_edited = False
            if not self._is_edited:
                self.control.show_value(self._in_force)
                self._show_error("")
        self._show_reset()

    def _on_edited(self) -> None:
        self._is_edited = True
        self._show_reset()
        if self.control.is_typed:
            self._typing.start()
        else:
            self._request()

    def _request(self) -> None:
        self._typing.stop()
        value = self.control.value()
        if value == self._in_force and not self._waiting:
            self._show_in_force()
        else:
            self._waiting += 1
            self.change_requested.emit(value)

    def _reset(self) -> None:
        self.control.show_value(self.field.default)
        self._is_edited = True
        self._request()
        self.control.editor.setFocus()  # the button goes

    def _show_error(self, message: str) -> None:
        self._error.setText(message)
        self._error.setVisible(bool(message))
        self.control.editor.setAccessibleDescription(message or self.field.description)

    def _show_reset(self) -> None:
        default = self.field.default
        self.reset_button.setVisible(self._in_force != default or self.control.value() != default)

    def _make_reset_button(self) -> QToolButton:
        button = ToolButton(self)
        button.setText(self.tr("Reset"))
        button.setAccessibleName(self.tr("Reset: %1").replace("%1", self.field.title))
        default = self.control.words_for(self.field.default)
        button.setToolTip(plain_tool_tip(self.tr("Back to the default: %1").replace("%1", default)))
        policy = button.sizePolicy()
        policy.setRetainSizeWhenHidden(True)  # nothing moves when it comes
        button.setSizePolicy(policy)
        button.clicked.connect(lambda _checked=False: self._reset())
        return button

    def _arrange(self) -> None:
        metrics = current_theme().metrics
        grid = QGridLayout(self)
        grid.setContentsMargins(0, metrics.space_8, 0, metrics.space_8)
        grid.setHorizontalSpacing(metrics.space_8)
        grid.setVerticalSpacing(metrics.space_4)
        grid.setColumnStretch(0, 1)
        grid.addWidget(self.title, 0, 0)
        if self.control.is_wide:
            grid.addWidget(self.reset_button, 0, 1, 1, 2)
            grid.addWidget(self._description, 1, 0, 1, 3)
            grid.addWidget(self.control, 2, 0, 1, 3)
        else:
            grid.addWidget(self.reset_button, 0, 1)
            grid.addWidget(self.control, 0, 2)
            grid.addWidget(self._description, 1, 0, 1, 3)
        grid.addWidget(self._error, 3, 0, 1, 3)
        QWidget.setTabOrder(self.control, self.reset_button)
