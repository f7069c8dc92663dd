"""The forms of a provider's key: entering one, naming a variable, agreeing that it goes; and waiting."""

from __future__ import annotations

import os

from PySide6.QtCore import Qt, QTimer, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QHBoxLayout, QLineEdit, QPushButton, QVBoxLayout, QWidget
from typing_extensions import override

from agdesk.ui.theme import current_theme
from agdesk.ui.widgets.choice_box import ChoiceBox
from agdesk.ui.widgets.flow_layout import FlowLayout
from agdesk.ui.widgets.secret_field import SecretField
from agdesk.ui.widgets.wrapped_label import WrappedLabel

WAIT_MS = 300  # a key store that answers sooner is not worth a word
_KEY_ENDINGS = ("_KEY", "_TOKEN")


class KeyForm(QWidget):
    """A form of a few lines with buttons below. Escape gives it up.

    Signals:
        given_up(): the user wants nothing of it.
    """

    given_up = Signal()

    def __init__(self, lead: str) -> None:
        super().__init__()
        metrics = current_theme().metrics
        self.lead = WrappedLabel(self)
        self.lead.setText(lead)
        self.column = QVBoxLayout(self)
        self.column.setContentsMargins(0, metrics.space_4, 0, metrics.space_8)
        self.column.setSpacing(metrics.space_8)
        self.column.addWidget(self.lead)

    def add_buttons(self, *buttons: QPushButton) -> None:
        """Puts the buttons, and one that gives up, below what the form has so far."""
        self.give_up_button = make_button(self.tr("Cancel"))
        self.give_up_button.clicked.connect(lambda _checked=False: self.given_up.emit())
        self.column.addWidget(button_line(*buttons, self.give_up_button))

    @override
    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Escape:
            self.given_up.emit()
        else:
            super().keyPressEvent(event)


class EntryForm(KeyForm):
    """Takes a key.

    Signals:
        keep_requested(): it belongs in the key store.
        hold_requested(): it is for this session only.
    """

    keep_requested = Signal()
    hold_requested = Signal()

    def __init__(self, provider_name: str) -> None:
        super().__init__("")
        self.lead.setText(self.tr("Key of %1").replace("%1", provider_name))
        self.field = SecretField(self.lead.text())
        self.lead.setBuddy(self.field)
        self.field.setPlaceholderText(self.tr("Paste the key"))
        self.column.addWidget(self.field)
        self.keep_button = make_button(self.tr("Keep in the key store"), is_primary=True)
        self.hold_button = make_button(self.tr("Only for this session"))
        self.add_buttons(self.keep_button, self.hold_button)
        self._can_keep = True
        self.keep_button.clicked.connect(lambda _checked=False: self.keep_requested.emit())
        self.hold_button.clicked.connect(lambda _checked=False: self.hold_requested.emit())
        self.field.returnPressed.connect(self._on_return)
        self.field.textChanged.connect(lambda _text: self._refresh())
        self._refresh()

    def set_can_keep(self, can_keep: bool) -> None:
        """Whether there is a key store; without one, the session is the main choice."""
        self._can_keep = can_keep
        for button, is_primary in ((self.keep_button, can_keep), (self.hold_button, not can_keep)):
            button.setProperty("primary", is_primary)
            button.style().unpolish(button)
            button.style().polish(button)
        self._refresh()

    def _refresh(self) -> None:
        has_key = bool(self.field.secret())
        self.keep_button.setEnabled(has_key and self._can_keep)
        self.hold_button.setEnabled(has_key)

    def _on_return(self) -> None:
        (self.keep_button if self._can_keep else self.hold_button).click()


class VariableForm(KeyForm):
    """Takes the name of an environment variable and says whether it is set now.

    Signals:
        chosen(str): the variable's name.
    """

    chosen = Signal(str)

    def __init__(self, provider_name: str, key_env: str) -> None:
        super().__init__("")
        self.lead.setText(self.tr("Environment variable that holds the key of %1").replace("%1", provider_name))
        name = self.lead.text()
        self.box = ChoiceBox(name)
        self.box.setEditable(True)
        self.box.setInsertPolicy(ChoiceBox.InsertPolicy.NoInsert)
        self.box.setSizeAdjustPolicy(ChoiceBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)
        editor = QLineEdit()
        editor.setAccessibleName(name)
        self.box.setLineEdit(editor)
        self.lead.setBuddy(self.box)
        self._key_env = key_env
        self.column.addWidget(self.box)
        self.state = WrappedLabel(self, color="muted", font="caption")
        self.column.addWidget(self.state)
        self.use_button = make_button(self.tr("Use this variable"), is_primary=True)
        self.use_button.clicked.connect(lambda _checked=False: self.chosen.emit(self.variable()))
        self.add_buttons(self.use_button)
        self.box.editTextChanged.connect(lambda _text: self._refresh())
        editor.returnPressed.connect(self.use_button.click)

    def variable(self) -> str:
        """The name that stands in the field."""
        return self.box.currentText().strip()

    def offer(self, variable: str) -> None:
        """Lists the variables that look like keys, and proposes ``variable``."""
        others = sorted(name for name in os.environ if name.upper().endswith(_KEY_ENDINGS))
        names = dict.fromkeys(name for name in (variable, self._key_env, *others) if name)
        self.box.clear()
        self.box.addItems(list(names))
        self.box.setCurrentText(variable or self._key_env)
        self._refresh()

    def _refresh(self) -> None:
        name = self.variable()
        self.use_button.setEnabled(bool(name))
        if not name:
            words = ""
        elif os.environ.get(name, "").strip():
            words = self.tr("%1 is set now.").replace("%1", name)
        else:
            words = self.tr("%1 is not set now: set it and start agdesk again.").replace("%1", name)
        self.state.setText(words)


class RemovalForm(KeyForm):
    """Asks before a key goes.

    Signals:
        confirmed(): it goes.
    """

    confirmed = Signal()

    def __init__(self, provider_name: str) -> None:
        super().__init__("")
        self.lead.setText(self.tr("Remove the key of %1? agdesk cannot bring it back.").replace("%1", provider_name))
        self.confirm_button = make_button(self.tr("Remove key"))
        self.confirm_button.clicked.connect(lambda _checked=False: self.confirmed.emit())
        self.add_buttons(self.confirm_button)


class WaitLine(QWidget):
    """Says that the key store is waited for, once that takes a while.

    Signals:
        appeared(): it can be seen now.
        given_up(): the user does not want to wait.
    """

    appeared = Signal()
    given_up = Signal()

    def __init__(self) -> None:
        super().__init__()
        text = WrappedLabel(self, color="muted")
        text.setText(self.tr("Waiting for the key store…"))
        self.cancel_button = make_button(self.tr("Cancel"))
        self.cancel_button.setAccessibleName(self.tr("Stop waiting for the key store"))
        self.cancel_button.clicked.connect(lambda _checked=False: self.given_up.emit())
        line = QHBoxLayout(self)
        line.setContentsMargins(0, 0, 0, current_theme().metrics.space_8)
        line.addWidget(text, 1)
        line.addWidget(self.cancel_button)
        self._delay = QTimer(self)
        self._delay.setSingleShot(True)
        self._delay.setInterval(WAIT_MS)
        self._delay.timeout.connect(self._appear)
        self.hide()

    def begin(self) -> None:
        """Appears after a moment, unless ``end`` comes first."""
        self._delay.start()

    def end(self) -> None:
        """There is nothing to wait for any more."""
        self._delay.stop()
        self.hide()

    def _appear(self) -> None:
        self.show()
        self.appeared.emit()


def button_line(*buttons: QPushButton) -> QWidget:
    """Buttons beside each other, on several lines if need be."""
    holder = QWidget()
    line = FlowLayout(holder, spacing=current_theme().metrics.space_8)
    for button in buttons:
        line.addWidget(button)
    return holder


def make_button(text: str, *, is_primary: bool = False) -> QPushButton:
    """A button with its text as its accessible name."""
    button = QPushButton(text)
    button.setAccessibleName(text)
    button.setProperty("primary", is_primary)
    return button
