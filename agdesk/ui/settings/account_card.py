"""What can be done with accounts on a provider's page: adding one, or removing the one that it is."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QVBoxLayout, QWidget
from shiboken6 import isValid

from agdesk.core.errors import ConfigurationError, SecretUnavailable, SettingsError
from agdesk.core.providers.accounts import RemovedAccount
from agdesk.core.providers.registry import CUSTOM
from agdesk.core.tasks import spawn
from agdesk.core.workspace import ProviderEntry, Workspace
from agdesk.ui.core_words import words_of
from agdesk.ui.settings.account_form import AccountForm
from agdesk.ui.settings.key_forms import WaitLine, button_line, make_button
from agdesk.ui.theme import current_theme
from agdesk.ui.widgets.card import Card
from agdesk.ui.widgets.notice import Notice
from agdesk.ui.widgets.wrapped_label import WrappedLabel


class AccountCard(Card):
    """Adds accounts of a shipped provider; removes an account.

    Args:
        taken_ids: the ids that there are already.
        on_removed: is given what can be restored. No signal: this card may be gone before the account is.

    Signals:
        added(str): the id of the new account.
    """

    added = Signal(str)

    def __init__(
        self,
        workspace: Workspace,
        entry: ProviderEntry,
        *,
        taken_ids: Callable[[], frozenset[str]],
        on_removed: Callable[[RemovedAccount], None],
    ) -> None:
        super().__init__()
        self._on_removed = on_removed
        self._taken_ids = taken_ids
        self._workspace = workspace
        self._entry = entry
        self._acting: asyncio.Task[None] | None = None
        heading = WrappedLabel(self)
        self.form: AccountForm | None = None
        if entry.preset_id:
            heading.setText(self.tr("Account %1").replace("%1", entry.id))
            self.button = make_button(self.tr("Remove account"))
            self.button.clicked.connect(lambda _checked=False: self._act(self._remove))
        else:
            is_custom = entry.id == CUSTOM
            heading.setText(self.tr("More servers") if is_custom else self.tr("More accounts"))
            self.button = make_button(self.tr("Add server…") if is_custom else self.tr("Add account…"))
            self.button.clicked.connect(lambda _checked=False: self.open_form())
            self.form = AccountForm(entry)
            self.form.add_requested.connect(lambda: self._act(self._add))
            self.form.given_up.connect(self.close_form)
            self.form.hide()
        self.wait_line = WaitLine()
        self.wait_line.given_up.connect(self._give_up)
        self.notice = Notice()
        self.line = button_line(self.button)
        metrics = current_theme().metrics
        content = QWidget()
        self.column.addWidget(content)
        column = QVBoxLayout(content)
        column.setContentsMargins(0, metrics.space_8, 0, metrics.space_8)
        column.setSpacing(metrics.space_8)
        for part in (heading, self.line, *((self.form,) if self.form is not None else ()), self.wait_line, self.notice):
            column.addWidget(part)

    def open_form(self) -> None:
        """Opens the form of a new account."""
        if self.form is not None and self._acting is None:
            self.line.hide()
            self.form.open(self._taken_ids())

    def close_form(self) -> None:
        """Wants nothing of the form."""
        if self.form is not None:
            self.form.hide()
            self.line.show()
            self.button.setFocus()

    async def _add(self) -> None:
        assert self.form is not None, "only a form asks for an account"
        values = self.form.values()
        await self._workspace.accounts.add(self._entry.id, **values)
        if isValid(self):
            self.button.setEnabled(True)  # the focus goes there, and from there to the page of the account
            self.close_form()
            self.added.emit(values["account_id"])

    async def _remove(self) -> None:
        self._on_removed(await self._workspace.accounts.remove(self._entry.id))

    def _act(self, action: Callable[[], Awaitable[None]]) -> None:
        """Starts an action, unless one is running: a second click means nothing."""
        if self._acting is None:
            self.notice.clear()
            self.button.setEnabled(False)
            self.wait_line.begin()
            self._acting = spawn(self._run(action), name=f"change of the accounts of {self._entry.id}")

    async def _run(self, action: Callable[[], Awaitable[None]]) -> None:
        problem: ConfigurationError | SecretUnavailable | SettingsError | None = None
        try:
            await action()
        except (ConfigurationError, SecretUnavailable, SettingsError) as error:
            problem = error
        finally:
            if isValid(self):
                self._acting = None
                self.wait_line.end()
                self.button.setEnabled(True)
                if problem is not None:
                    self._show_problem(*words_of(problem))

    def _show_problem(self, message: str, hint: str) -> None:
        if self.form is not None:
            self.form.show_problem(message, hint)
        else:
            self.notice.show_text(message, hint)

    def _give_up(self) -> None:
        if self._acting is not None:
            self._acting.cancel()
