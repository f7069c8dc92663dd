"""What models refused once and is not sent to them any more, and the way back (E07)."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QHBoxLayout, QVBoxLayout, QWidget

from agdesk.core.errors import SettingsError
from agdesk.core.settings.model import Settings
from agdesk.core.tasks import spawn
from agdesk.core.workspace import Workspace
from agdesk.ui.core_words import words_of
from agdesk.ui.settings.choice_list import ChoiceList
from agdesk.ui.theme import current_theme
from agdesk.ui.widgets.buttons import PushButton
from agdesk.ui.widgets.labels import PlainLabel
from agdesk.ui.widgets.notice import Notice
from agdesk.ui.widgets.wrapped_label import WrappedLabel

_BETWEEN = "\n"  # of an entry's id: neither a model nor a parameter has a line end


class RefusedParameters(QWidget):
    """Lists the remembered parameters; what is forgotten is sent again from the next request on."""

    def __init__(self, workspace: Workspace, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._workspace = workspace
        self._explanation = WrappedLabel(self, color="muted")
        self._explanation.setText(
            self.tr(
                "Parameters that a model has refused are left out of its requests, or sent under another name. Forget "
                "one to have it sent again."
            )
        )
        self.list = ChoiceList(self.tr("Refused parameters"))
        self.list.chosen.connect(lambda _entry_id: self._show_current())
        self._nothing = PlainLabel(self, color="muted")
        self._nothing.setText(self.tr("No model has refused a parameter so far."))
        self._nothing.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self.problem = Notice()
        self.forget_button = PushButton(self.tr("Forget"))
        self.forget_button.clicked.connect(lambda _checked=False: self._forget())
        buttons = QHBoxLayout()
        buttons.addWidget(self.forget_button)
        buttons.addStretch(1)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(current_theme().metrics.space_12)
        column.addWidget(self._explanation)
        column.addWidget(self.list, 1)
        column.addWidget(self._nothing, 1)
        column.addWidget(self.problem)
        column.addLayout(buttons)
        unsubscribe = workspace.settings_changed.subscribe(self.apply)
        self.destroyed.connect(lambda: unsubscribe())
        self.apply(workspace.settings)

    def apply(self, settings: Settings) -> None:
        """Shows what is remembered now."""
        entries = [
            (model_ref + _BETWEEN + parameter, model_ref, parameter)
            for model_ref, choice in sorted(settings.models.items())
            for parameter in choice.refused
        ]
        self.list.set_entries([(entry_id, parameter) for entry_id, _, parameter in entries])
        for entry_id, model_ref, _ in entries:
            self.list.set_note(entry_id, model_ref)
        if entries and not self.list.current():
            self.list.choose(entries[0][0])
        self.list.setVisible(bool(entries))
        self._nothing.setVisible(not entries)
        self._show_current()

    def _show_current(self) -> None:
        model_ref, _, parameter = self.list.current().partition(_BETWEEN)
        self.forget_button.setEnabled(bool(parameter))
        name = self.tr("Forget that %2 refused %1").replace("%2", model_ref).replace("%1", parameter)
        self.forget_button.setAccessibleName(name if parameter else self.tr("Forget"))

    def _forget(self) -> None:
        model_ref, _, parameter = self.list.current().partition(_BETWEEN)
        if parameter:
            spawn(self._save_without(model_ref, parameter), name=f"forget what {model_ref} refused")

    async def _save_without(self, model_ref: str, parameter: str) -> None:
        try:
            await self._workspace.forget_refused(model_ref, (parameter,))
        except SettingsError as error:
            self.problem.show_text(*words_of(error))
        else:
            self.problem.clear()
