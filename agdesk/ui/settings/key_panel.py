"""The key of one provider: finding out where it comes from, entering, replacing and removing it."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable

from PySide6.QtCore import Signal
from PySide6.QtGui import QHideEvent, QShowEvent
from shiboken6 import isValid
from typing_extensions import override

from agdesk.core.errors import SecretUnavailable, SettingsError
from agdesk.core.settings.secrets import KeySource
from agdesk.core.tasks import spawn
from agdesk.core.workspace import ProviderEntry, Workspace
from agdesk.ui.core_words import words_of
from agdesk.ui.settings.key_forms import KeyForm
from agdesk.ui.settings.key_source import ENV_PREFIX, KEYRING, key_reference
from agdesk.ui.settings.key_view import KeyView
from agdesk.ui.settings.writer import SettingsWriter


class KeyPanel(KeyView):
    """Knows the source of a provider's key while it is visible, and changes it.

    What was asked of the key store goes on when the panel is hidden or gone; looking for the key does not.

    Signals:
        source_found(object): the ``KeySource`` of the provider, without its value.
    """

    source_found = Signal(object)

    def __init__(self, workspace: Workspace, writer: SettingsWriter, entry: ProviderEntry) -> None:
        super().__init__(entry)
        self._workspace = workspace
        self._writer = writer
        self._key = f"providers.{entry.id}.key"
        self._looking: asyncio.Task[None] | None = None
        self._acting: asyncio.Task[None] | None = None
        self._seen_reference = ""
        self._connect()
        self.show_form(None)
        told = self._reference()  # what the settings say, until it is found out
        self.show_source(KeySource(KEYRING if told == KEYRING else None), reference=told)

    def enter_key(self) -> None:
        """Opens the form for a key."""
        self._open(self.entry_form)

    def choose_variable(self) -> None:
        """Opens the form for the name of a variable."""
        reference = self._reference()
        self.variable_form.offer(reference.removeprefix(ENV_PREFIX) if reference.startswith(ENV_PREFIX) else "")
        self._open(self.variable_form)

    def refresh(self) -> None:
        """Looks for the key again, if anybody sees it."""
        if self.isVisible() and self._acting is None:
            self._stop_looking()
            self.wait_line.begin()
            self._looking = spawn(self._look(), name=f"look for the key of {self.entry.id}")

    def follow_settings(self) -> None:
        """Looks for the key again if the settings name another place for it."""
        if self._reference() != self._seen_reference:
            self.refresh()

    @override
    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self.refresh()

    @override
    def hideEvent(self, event: QHideEvent) -> None:
        super().hideEvent(event)
        self._stop_looking()
        if self._acting is None:
            self.show_form(None)

    async def _look(self) -> None:
        reference = self._seen_reference = self._reference()
        found = await self._workspace.secrets.find(
            self.entry.key_owner,
            reference=reference,
            key_env=self.entry.key_env,
            asks_keyring=self.entry.needs_key,
            account=self.entry.key_account,
        )
        if isValid(self):
            self._looking = None
            self.wait_line.end()
            found = KeySource(found.source, problem=found.problem)
            self.show_source(found, reference=reference)
            self.source_found.emit(found)

    def _stop_looking(self) -> None:
        if self._looking is not None:
            self._looking.cancel()
            self._looking = None
            self.wait_line.end()

    def _keep(self) -> None:
        key = self.entry_form.field.secret()

        async def keep() -> None:
            await self._workspace.secrets.keep(self.entry.key_owner, key, account=self.entry.key_account)
            if isValid(self):
                self.entry_form.field.wipe()
            await self._writer.change(self._key, KEYRING)

        self._act(keep)

    def _hold(self) -> None:
        if self._acting is not None:
            return
        try:
            key = self.entry_form.field.secret()
            self._workspace.secrets.hold(self.entry.key_owner, key, account=self.entry.key_account)
        except SecretUnavailable as error:
            self._show_problem(error)
        else:
            self._finish()

    def _use_variable(self, name: str) -> None:
        self._act(lambda: self._writer.change(self._key, f"{ENV_PREFIX}{name}"))

    async def _remove(self) -> None:
        await self._workspace.secrets.remove(self.entry.key_owner, account=self.entry.key_account)
        if self._reference() == KEYRING:
            await self._writer.change(self._key, None)

    def _act(self, action: Callable[[], Awaitable[None]]) -> None:
        """Starts an action, unless one is running: a second click means nothing."""
        if self._acting is None:
            self._stop_looking()
            self.notice.clear()
            self.show_waiting(is_waiting=True)
            self._acting = spawn(self._run(action), name=f"change of the key of {self.entry.id}")

    async def _run(self, action: Callable[[], Awaitable[None]]) -> None:
        problem: SecretUnavailable | SettingsError | None = None
        is_done = False
        try:
            await action()
            is_done = True
        except (SecretUnavailable, SettingsError) as error:
            problem = error
        finally:
            if isValid(self):
                self._acting = None
                had_focus = self.has_focus_inside
                self.show_waiting(is_waiting=False)
                if is_done:
                    self._finish()
                elif problem is not None:
                    self._show_problem(problem)
                if had_focus:
                    self.focus_shown()
                if not self.isVisible():
                    self.entry_form.field.wipe()

    def _finish(self) -> None:
        had_focus = self.has_focus_inside
        self.show_form(None)
        if had_focus:
            self.focus_shown()
        self.refresh()

    def _show_problem(self, problem: SecretUnavailable | SettingsError) -> None:
        is_entering = not self.entry_form.isHidden()
        for button in self.notice.buttons:
            button.setVisible(is_entering and isinstance(problem, SecretUnavailable))
        self.notice.show_text(*words_of(problem))
        if not is_entering:  # else the key store, which has just failed, would be asked again
            self.refresh()

    def _give_up(self) -> None:
        if self._acting is not None:
            self._acting.cancel()
        self._stop_looking()

    def _take_offer(self, index: int) -> None:
        if index == 0:
            self._hold()
        else:
            self.choose_variable()

    def _open(self, form: KeyForm | None) -> None:
        if self._acting is None:
            self.show_form(form)
            self.focus_shown()

    def _focus_cancel(self) -> None:
        if self.hasFocus():
            self.wait_line.cancel_button.setFocus()

    def _reference(self) -> str:
        return key_reference(self._workspace.settings, self.entry.id)

    def _connect(self) -> None:
        self.again_button.clicked.connect(lambda _checked=False: self.refresh())
        self.add_button.clicked.connect(lambda _checked=False: self.enter_key())
        self.variable_button.clicked.connect(lambda _checked=False: self.choose_variable())
        self.usual_button.clicked.connect(lambda _checked=False: self._use_variable(self.entry.usual_env))
        self.remove_button.clicked.connect(lambda _checked=False: self._open(self.removal_form))
        self.reset_button.clicked.connect(
            lambda _checked=False: self._act(lambda: self._writer.change(self._key, None))
        )
        self.entry_form.keep_requested.connect(self._keep)
        self.entry_form.hold_requested.connect(self._hold)
        self.variable_form.chosen.connect(self._use_variable)
        self.removal_form.confirmed.connect(lambda: self._act(self._remove))
        self.wait_line.given_up.connect(self._give_up)
        self.wait_line.appeared.connect(self._focus_cancel)
        self.notice.chosen.connect(self._take_offer)
        for form in (self.entry_form, self.variable_form, self.removal_form):
            form.given_up.connect(lambda: self._open(None))
