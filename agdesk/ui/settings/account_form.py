"""The form of a new account of a provider, or of a server of the user's own."""

from __future__ import annotations

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QLineEdit, QWidget

from agdesk.core.providers.account_rows import suggest_account_id
from agdesk.core.providers.registry import CUSTOM
from agdesk.core.settings.model import Provider
from agdesk.core.workspace import ProviderEntry
from agdesk.ui.settings.fields import PROVIDERS, describe_fields
from agdesk.ui.settings.key_forms import KeyForm, make_button
from agdesk.ui.widgets.choice_box import ChoiceBox
from agdesk.ui.widgets.notice import Notice
from agdesk.ui.widgets.wrapped_label import WrappedLabel


class AccountForm(KeyForm):
    """Takes what names an account and where its server is; the key is given afterwards, as any key is.

    Signals:
        add_requested(): the account is to be made; ``show_problem`` is the answer if it cannot.
    """

    add_requested = Signal()

    def __init__(self, preset: ProviderEntry) -> None:
        super().__init__("")
        self.preset_id = preset.id
        self._taken: frozenset[str] = frozenset()
        self._has_own_id = False
        is_custom = preset.id == CUSTOM
        self.lead.setText(
            self.tr("Add a server")
            if is_custom
            else self.tr("Add an account with %1, which has a key of its own").replace("%1", preset.name)
        )
        self.name_field = self._add_line(self.tr("Name"))
        self.id_field = self._add_line(self.tr("Id, which stands before its models"))
        self.address_field = self._add_line(self.tr("Base URL"))
        example = preset.base_url_hint and self.tr("For example %1").replace("%1", preset.base_url_hint)
        self.address_field.setPlaceholderText(example or preset.base_url)
        self.wire_box = self._add_wire() if is_custom else None
        self.notice = Notice()
        self.column.addWidget(self.notice)
        self.add_button = make_button(self.tr("Add server") if is_custom else self.tr("Add account"), is_primary=True)
        self.add_buttons(self.add_button)
        self.name_field.textEdited.connect(lambda _text: self._suggest())
        self.id_field.textEdited.connect(lambda text: self._on_id(text))
        self.add_button.clicked.connect(lambda _checked=False: self.add_requested.emit())
        for field in (self.name_field, self.id_field, self.address_field):
            field.returnPressed.connect(self.add_button.click)

    def open(self, taken: frozenset[str]) -> None:
        """Shows an empty form; ``taken`` are the ids that there are already."""
        self._taken = taken
        self._has_own_id = False
        for field in (self.name_field, self.id_field, self.address_field):
            field.clear()
        self.notice.clear()
        self._suggest()
        self.show()
        self.name_field.setFocus()

    def values(self) -> dict[str, str]:
        """The arguments of ``Accounts.add`` beside the preset."""
        return {
            "account_id": self.id_field.text().strip(),
            "name": self.name_field.text().strip(),
            "base_url": self.address_field.text().strip(),
            "wire": str(self.wire_box.currentData()) if self.wire_box is not None else "",
        }

    def show_problem(self, message: str, hint: str) -> None:
        """Why the account cannot be made; what was entered stays."""
        self.notice.show_text(message, hint)

    def _on_id(self, text: str) -> None:
        self._has_own_id = bool(text.strip())
        self.notice.clear()

    def _suggest(self) -> None:
        self.notice.clear()
        if not self._has_own_id:
            self.id_field.setText(suggest_account_id(self.preset_id, self.name_field.text(), self._taken))

    def _spoken(self, title: str) -> str:
        """The row of the provider itself, further up, has the same title."""
        return self.tr("New: %1").replace("%1", title)

    def _add_line(self, title: str) -> QLineEdit:
        field = QLineEdit()
        field.setAccessibleName(self._spoken(title))
        self._add_titled(title, field)
        return field

    def _add_wire(self) -> ChoiceBox:
        (wire,) = (field for field in describe_fields(Provider, prefix=PROVIDERS) if field.key == f"{PROVIDERS}.wire")
        box = ChoiceBox(self._spoken(wire.title))
        box.setSizeAdjustPolicy(ChoiceBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)
        for value, words in wire.choices:
            box.addItem(words, value)
        self._add_titled(wire.title, box)
        return box

    def _add_titled(self, title: str, widget: QWidget) -> None:
        label = WrappedLabel(self, color="muted", font="caption")
        label.setText(title)
        label.setBuddy(widget)
        self.column.addWidget(label)
        self.column.addWidget(widget)
