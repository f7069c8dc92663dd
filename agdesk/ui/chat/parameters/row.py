"""One parameter: its title, its control, what stands against it, and the way back to not sending it."""

from __future__ import annotations

from typing import Any

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QGridLayout, QWidget

from agdesk.core.providers.parameters import Parameter
from agdesk.ui.chat.parameters.controls import make_control
from agdesk.ui.chat.parameters.words import description_of, not_sent, range_of, title_of
from agdesk.ui.core_words import said
from agdesk.ui.theme import current_theme
from agdesk.ui.widgets.buttons import PushButton, ToolButton
from agdesk.ui.widgets.text import plain_tool_tip, sentences
from agdesk.ui.widgets.wrapped_label import WrappedLabel


class ParameterRow(QWidget):
    """Reports what the user wants and shows what is in force. A text that is no value stays, with what is wrong.

    Signals:
        value_chosen(object): the user wants this value, None for not sending it; ``reject`` says that it cannot be.
        forget_requested(): the model shall be sent the parameter again that it refused once.
    """

    value_chosen = Signal(object)
    forget_requested = Signal()

    def __init__(self, parameter: Parameter, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        title = title_of(parameter.name)
        self.parameter = parameter
        self._value: Any = None
        self._is_choosing = False
        self._is_typing = False
        self._value_before: Any = None  # the typing began
        self.control = make_control(parameter)
        self.control.fit(parameter)
        self.title = WrappedLabel(self)
        self.title.setText(title)
        self.title.setBuddy(self.control.editor)
        self.reset_button = ToolButton(self)
        self.reset_button.setText(self.tr("Reset"))
        self.reset_button.setAccessibleName(self.tr("Reset: %1").replace("%1", title))
        self.reset_button.setToolTip(self.tr("Back to: not sent"))
        policy = self.reset_button.sizePolicy()
        policy.setRetainSizeWhenHidden(True)  # nothing moves when it comes
        self.reset_button.setSizePolicy(policy)
        self.forget_button = PushButton(self.tr("Forget"), self)
        self.forget_button.setAccessibleName(self.tr("Forget that the model refused: %1").replace("%1", title))
        self.forget_button.setToolTip(self.tr("The model is sent it again, if it is set"))
        self._description = WrappedLabel(self, color="muted", font="caption")
        self._reason = WrappedLabel(self, color="muted", font="caption")
        self._note = WrappedLabel(self, color="warning", font="caption")
        self._error = WrappedLabel(self, color="danger", font="caption")
        self._error.hide()
        self._arrange()
        self.control.edited.connect(self._on_edited)
        self.control.finished.connect(self._end_typing)
        self.reset_button.clicked.connect(lambda _checked=False: self.reset())
        self.forget_button.clicked.connect(lambda _checked=False: self.forget_requested.emit())

    @property
    def error(self) -> str:
        """What is wrong with the text in the control; empty if it is in force."""
        return self._error.text()

    @property
    def note(self) -> str:
        """What stands against the parameter, or its value, at the model in use; empty if nothing does."""
        return self._note.text() or self._reason.text()

    def apply(self, parameter: Parameter, value: Any) -> None:
        """Shows how the parameter stands for the model in use, and the value in force.

        What is being typed is not disturbed, nor what was typed and is no value; another model may take it.
        """
        is_same = parameter == self.parameter
        self.parameter, self._value = parameter, value
        if not is_same:
            self.control.fit(parameter)
        is_typing = self._is_choosing or self.control.editor.hasFocus()
        if not self.error and not is_typing and self._shown() != value:
            self.control.show_value(value)
        self.control.setEnabled(not parameter.is_refused)
        self._show_state()
        if self.error and not is_same:
            self._on_edited()

    def reject(self, message: str) -> None:
        """Says why the value that was chosen cannot be; the one in force before still is."""
        self._error.setText(self.tr("Not in force: %1").replace("%1", message))
        self._error.show()
        self._show_state()

    def reset(self) -> None:
        """Sets the parameter no longer."""
        has_focus = self.reset_button.hasFocus()
        self._end_typing()
        self._clear_error()
        self.control.show_value(None)
        self.value_chosen.emit(None)
        if has_focus and self.control.isEnabled():
            self.control.setFocus()  # the button goes

    def _on_edited(self) -> None:
        if not self._is_typing:
            self._is_typing, self._value_before = True, self._value
        try:
            value = self.control.value()
        except ValueError as error:
            self.reject(str(error))
            if self.control.has_beginnings:
                self._choose(self._value_before)
            return
        self._clear_error()
        self._choose(value)

    def _choose(self, value: Any) -> None:
        if value != self._value:
            self._is_choosing = True
            self.value_chosen.emit(value)
            self._is_choosing = False

    def _end_typing(self) -> None:
        self._is_typing = False

    def _clear_error(self) -> None:
        self._error.setText("")
        self._error.hide()

    def _shown(self) -> Any:
        try:
            return self.control.value()
        except ValueError:
            return None

    def _show_state(self) -> None:
        parameter, is_set = self.parameter, self._value is not None
        if parameter.remembered:
            note = self.tr("Refused by this model, so it is not sent.")
        elif parameter.is_refused:
            words = self.tr("Set, but not sent: %1.") if is_set else self.tr("Cannot be set: %1.")
            note = words.replace("%1", said(parameter.reason))
        else:
            warning = self.control.warning(self._value, parameter)
            note = self.tr("%1; what is set is sent all the same.").replace("%1", warning) if warning else ""
        is_loud = is_set or bool(parameter.remembered)
        for label, text in ((self._note, note if is_loud else ""), (self._reason, "" if is_loud else note)):
            label.setText(text)
            label.setVisible(bool(text))
        limits = "" if parameter.is_refused else range_of(parameter)
        limits = self.tr("%1.").replace("%1", f"{limits[:1].upper()}{limits[1:]}") if limits else ""
        description = sentences(description_of(parameter.name), limits)
        self._description.setText(description)
        self.forget_button.setVisible(bool(parameter.remembered))
        self.reset_button.setVisible(is_set or bool(self.error))
        self.control.editor.setAccessibleDescription(self.error or note or self._description.text())
        self.control.setToolTip(plain_tool_tip(note) if parameter.is_refused else "")
        self.title.setAccessibleName(f"{self.title.text()}: {not_sent()}" if not is_set else self.title.text())

    def _arrange(self) -> None:
        metrics = current_theme().metrics
        grid = QGridLayout(self)
        grid.setContentsMargins(0, metrics.space_4, 0, metrics.space_4)
        grid.setHorizontalSpacing(metrics.space_8)
        grid.setVerticalSpacing(metrics.space_4)
        grid.setColumnStretch(0, 1)
        grid.addWidget(self.title, 0, 0)
        grid.addWidget(self.reset_button, 0, 1)
        below = 1
        if self.control.is_wide:
            grid.addWidget(self.control, 1, 0, 1, 3)
            below = 2
        else:
            grid.addWidget(self.control, 0, 2)
        grid.addWidget(self._description, below, 0, 1, 3)
        grid.addWidget(self._reason, below + 1, 0, 1, 3)
        grid.addWidget(self._note, below + 1, 0, 1, 2)
        grid.addWidget(self.forget_button, below + 1, 2)
        grid.addWidget(self._error, below + 2, 0, 1, 3)
        grid.setRowStretch(below + 3, 1)
