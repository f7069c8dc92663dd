"""What is seen of a provider's key: its source, the buttons, and one form at a time."""

from __future__ import annotations

import os

from PySide6.QtWidgets import QApplication, QVBoxLayout, QWidget

from agdesk.core.settings.secrets import KeySource
from agdesk.core.workspace import ProviderEntry
from agdesk.ui.core_words import said
from agdesk.ui.settings.key_forms import (
    EntryForm,
    KeyForm,
    RemovalForm,
    VariableForm,
    WaitLine,
    button_line,
    make_button,
)
from agdesk.ui.settings.key_source import ENV_PREFIX, KEYRING, SESSION, source_words
from agdesk.ui.theme import current_theme
from agdesk.ui.widgets.card import Card
from agdesk.ui.widgets.notice import Notice
from agdesk.ui.widgets.wrapped_label import WrappedLabel


class KeyView(Card):
    """The parts of a ``KeyPanel``; it shows no key, ever."""

    def __init__(self, entry: ProviderEntry) -> None:
        super().__init__()
        self.entry = entry
        title = self.tr("Key of %1").replace("%1", entry.name)
        self.setAccessibleName(title)
        heading = WrappedLabel(self)
        heading.setText(self.tr("Key"))
        self.source = WrappedLabel(self, color="muted")
        self.problem = WrappedLabel(self, color="warning", font="caption")
        self.again_button = make_button(self.tr("Try again"))
        self.again_button.setAccessibleName(self.tr("Look again: %1").replace("%1", title))
        self.add_button = make_button(self.tr("Add key…"))
        self.remove_button = make_button(self.tr("Remove"))
        self.remove_button.setAccessibleName(self.tr("Remove: %1").replace("%1", title))
        self.usual_button = make_button(self.tr("Take it from %1").replace("%1", entry.usual_env))
        self.variable_button = make_button(self.tr("Take it from the environment…"))
        self.reset_button = make_button(self.tr("Reset"))
        self.reset_button.setAccessibleName(self.tr("Reset: %1").replace("%1", title))
        default = self.tr("Back to the default: %1, else the key store").replace("%1", entry.key_env)
        self.reset_button.setToolTip(default if entry.key_env else self.tr("Back to the default: the key store"))
        self.main_buttons = button_line(
            self.again_button,
            self.add_button,
            self.remove_button,
            self.usual_button,
            self.variable_button,
            self.reset_button,
        )
        self.entry_form = EntryForm(entry.name)
        self.variable_form = VariableForm(entry.name, entry.usual_env)
        self.removal_form = RemovalForm(entry.name)
        self.wait_line = WaitLine()
        self.notice = Notice(choices=(self.tr("Keep it for this session only"), self.tr("Use an environment variable")))
        content = QWidget()
        self.column.addWidget(content)
        metrics = current_theme().metrics
        column = QVBoxLayout(content)
        column.setContentsMargins(0, metrics.space_8, 0, metrics.space_8)
        column.setSpacing(metrics.space_8)
        for part in (
            heading,
            self.source,
            self.problem,
            self.main_buttons,
            *self._forms(),
            self.wait_line,
            self.notice,
        ):
            column.addWidget(part)

    @property
    def has_focus_inside(self) -> bool:
        """Whether the keyboard is here."""
        widget = QApplication.focusWidget()
        return widget is self or (widget is not None and self.isAncestorOf(widget))

    def show_form(self, shown: KeyForm | None) -> None:
        """One form, or the buttons that open them. What was entered before is gone."""
        self.entry_form.field.wipe()
        self.notice.clear()
        for form in self._forms():
            form.setVisible(form is shown)
        self.main_buttons.setVisible(shown is None)

    def show_source(self, found: KeySource, *, reference: str) -> None:
        """Where the key comes from, and what can be done about it."""
        is_from_variable = reference.startswith(ENV_PREFIX)
        self.source.setText(source_words(found, entry=self.entry, reference=reference))
        problem = "" if is_from_variable else said(found.problem)  # that the variable is not set is said already
        self.problem.setText(problem)
        self.problem.setVisible(bool(problem))
        self.again_button.setVisible(bool(problem))
        can_remove = found.source in (KEYRING, SESSION)
        self.add_button.setText(self.tr("Replace…") if can_remove else self.tr("Add key…"))
        title = self.accessibleName()
        name = self.tr("Replace: %1") if can_remove else self.tr("Add: %1")
        self.add_button.setAccessibleName(name.replace("%1", title))
        self.remove_button.setVisible(can_remove)
        self.reset_button.setVisible(is_from_variable)
        usual = self.entry.usual_env  # set, but something else comes before it
        is_other = found.source not in (f"{ENV_PREFIX}{usual}", SESSION)
        self.usual_button.setVisible(is_other and bool(os.environ.get(usual, "").strip()))

    def show_waiting(self, *, is_waiting: bool) -> None:
        """Nothing else can be done meanwhile; the keyboard stays here, to find the button that gives up."""
        if is_waiting:
            if self.has_focus_inside:
                self.setFocus()  # a part that is disabled would hand the focus to whatever comes next
            self.wait_line.begin()
        else:
            self.wait_line.end()
        for part in (self.main_buttons, *self._forms()):
            part.setEnabled(not is_waiting)

    def focus_shown(self) -> None:
        """Puts the keyboard on the main part of what is shown."""
        if not self.entry_form.isHidden():
            self.entry_form.field.setFocus()
        elif not self.variable_form.isHidden():
            self.variable_form.box.setFocus()
        elif not self.removal_form.isHidden():
            self.removal_form.give_up_button.setFocus()
        else:
            self.add_button.setFocus()

    def _forms(self) -> tuple[EntryForm, VariableForm, RemovalForm]:
        return self.entry_form, self.variable_form, self.removal_form
