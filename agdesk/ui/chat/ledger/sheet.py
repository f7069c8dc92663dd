"""The question at the foot of the transcript: what another model would not receive as it was."""

from __future__ import annotations

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QPushButton, QVBoxLayout, QWidget

from agdesk.core.providers.router import AUTO
from agdesk.ui.chat.ledger.changes import ChangeGroups
from agdesk.ui.theme import current_theme
from agdesk.ui.widgets.announce import announce
from agdesk.ui.widgets.buttons import PushButton
from agdesk.ui.widgets.card import EscapableCard
from agdesk.ui.widgets.flow_layout import FlowLayout
from agdesk.ui.widgets.grouped_text import GroupedText
from agdesk.ui.widgets.wrapped_label import WrappedLabel


class SwitchSheet(EscapableCard):
    """A sentence, the changes, and what can be done. Escape keeps the model.

    Signals:
        switch_requested(): the other model shall answer.
        keep_requested(): the model that answers now stays.
        look_requested(): the user wants to see the whole request.
    """

    switch_requested = Signal()
    keep_requested = Signal()
    look_requested = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent, background="raised", edge="control_edge")
        metrics = current_theme().metrics
        self.title = WrappedLabel(self)
        self.hint = WrappedLabel(self, color="muted")
        self.changes = GroupedText(self.tr("What changes"), self)
        self.switch_button = self._button(self.tr("Switch"), is_primary=True)
        self.keep_button = self._button(self.tr("Keep"))
        self.look_button = self._button(self.tr("What would it receive?"))
        self.switch_button.clicked.connect(lambda _checked=False: self.switch_requested.emit())
        self.keep_button.clicked.connect(lambda _checked=False: self.keep_requested.emit())
        self.escaped.connect(self.keep_requested)
        self.look_button.clicked.connect(lambda _checked=False: self.look_requested.emit())
        offers = QWidget(self)
        flow = FlowLayout(offers, spacing=metrics.space_8)
        for button in (self.switch_button, self.keep_button, self.look_button):
            flow.addWidget(button)
        column = QVBoxLayout()
        column.setContentsMargins(0, metrics.space_8, 0, metrics.space_8)
        column.setSpacing(metrics.space_8)
        for widget in (self.title, self.hint, self.changes, offers):
            column.addWidget(widget)
        self.column.addLayout(column)
        self.hide()

    def show_busy(self, model_ref: str) -> None:
        """Says that it is being found out what a model would receive."""
        name = self.tr("Auto") if model_ref == AUTO else model_ref
        text = self.tr("Looking at what “%1” would receive…").replace("%1", name)
        self._show(text, "", ())
        self.switch_button.hide()
        self.look_button.hide()

    def show_changes(self, model_ref: str, groups: ChangeGroups) -> None:
        """Asks whether a model shall go on with a history that is changed for it."""
        title = self.tr("“%1” would not receive this conversation as it is").replace("%1", model_ref)
        hint = self.tr("The conversation itself stays; these changes are made in what is sent.")
        self._show(title, hint, groups)

    def show_problem(self, message: str, hint: str) -> None:
        """Says why it cannot be told what a model would receive."""
        self._show(message, hint, ())
        self.look_button.hide()

    def _show(self, title: str, hint: str, groups: ChangeGroups) -> None:
        self.title.setText(title)
        self.hint.setText(hint)
        self.hint.setVisible(bool(hint))
        self.changes.show_groups(groups)
        self.changes.setVisible(bool(groups))
        self.switch_button.show()
        self.look_button.show()
        self.setAccessibleName(title)
        self.show()
        announce(self, f"{title} {hint}".strip())

    def _button(self, text: str, *, is_primary: bool = False) -> QPushButton:
        button = PushButton(text, self)
        button.setAccessibleName(text)
        button.setProperty("primary", is_primary)
        return button
