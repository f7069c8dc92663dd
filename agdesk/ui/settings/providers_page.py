"""The page of the providers: a list to choose from, and what can be set for the chosen one."""

from __future__ import annotations

import asyncio
from functools import partial

from PySide6.QtCore import Signal
from PySide6.QtGui import QHideEvent, QShowEvent
from PySide6.QtWidgets import QApplication, QHBoxLayout, QStackedWidget, QVBoxLayout, QWidget
from shiboken6 import isValid
from typing_extensions import override

from agdesk.core.errors import AgdeskError, SecretUnavailable, SettingsError
from agdesk.core.providers.accounts import RemovedAccount
from agdesk.core.providers.registry import BUILTIN, CUSTOM
from agdesk.core.settings.model import Settings
from agdesk.core.settings.secrets import KeyringStatus
from agdesk.core.tasks import spawn
from agdesk.core.workspace import ProviderEntry, Workspace
from agdesk.ui.core_words import said, words_of
from agdesk.ui.settings.choice_list import ChoiceList
from agdesk.ui.settings.key_forms import make_button
from agdesk.ui.settings.key_watch import KeyWatch
from agdesk.ui.settings.local_servers_view import LocalServersView
from agdesk.ui.settings.provider_detail import ProviderDetail
from agdesk.ui.settings.writer import SettingsWriter
from agdesk.ui.theme import current_theme
from agdesk.ui.widgets.empty_state import EmptyState
from agdesk.ui.widgets.notice import Notice
from agdesk.ui.widgets.search_field import SearchField
from agdesk.ui.widgets.toast import Toast

_LIST_WIDTH = 190


class ProvidersPage(QWidget):
    """Loads the providers when it is first shown or asked for, and their keys' sources while it is visible.

    The key store is asked for the chosen provider only.

    Signals:
        loaded(): ``entries`` is filled.
    """

    loaded = Signal()

    def __init__(self, workspace: Workspace, writer: SettingsWriter) -> None:
        super().__init__()
        self.entries: tuple[ProviderEntry, ...] = ()
        self._workspace = workspace
        self._writer = writer
        self._details: dict[str, ProviderDetail] = {}
        self._keys = KeyWatch(workspace, self)
        self._wanted = ""
        self._before = ""  # chosen when the search for local servers began
        self._can_keep = True
        self._is_stale = False
        self._loading: asyncio.Task[None] | None = None
        self._build()
        self._keys.source_told.connect(self.list.set_note)
        self._keys.keyring_told.connect(self._show_keyring)
        unsubscribe = workspace.secrets.changed.subscribe(self._on_key_changed)
        self.destroyed.connect(lambda: unsubscribe())

    def open_provider(self, provider_id: str) -> None:
        """Chooses a provider, now or when the list is loaded."""
        self._wanted = provider_id
        self.search.clear()
        self.list.choose(provider_id)
        self.load()

    def find_local_servers(self) -> None:
        """Looks for servers of models on this machine."""
        self._before = self.list.current() or self._before
        self.list.choose("")
        self._stack.setCurrentWidget(self.local_servers)
        self.local_servers.look(self.entries)
        self.local_servers.cancel_button.setFocus()

    def load(self) -> None:
        """Reads the list of providers; again, if that is being done."""
        self._is_stale = True
        if self._loading is None:
            self._loading = spawn(self._load(), name="list of providers")

    def detail(self) -> ProviderDetail | None:
        """What is shown of the chosen provider."""
        return self._details.get(self.list.current())

    def apply(self, settings: Settings) -> None:
        """Shows the values in force."""
        for detail in self._details.values():
            detail.apply(settings)
        if self.isVisible():
            self.load()

    def flush(self) -> None:
        """Requests at once what waits for the end of the typing."""
        for detail in self._details.values():
            detail.flush()

    @override
    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self.load()

    @override
    def hideEvent(self, event: QHideEvent) -> None:
        super().hideEvent(event)
        self._keys.stop()

    async def _load(self) -> None:
        problem: AgdeskError | None = None
        entries: tuple[ProviderEntry, ...] = self.entries
        try:
            while self._is_stale and isValid(self):
                self._is_stale = False
                entries = await asyncio.to_thread(self._workspace.providers)
        except AgdeskError as error:  # a row that cannot be read
            problem = error
        finally:
            if isValid(self):
                self._loading = None
        if not isValid(self):
            return
        if problem is not None:
            self.problem.show_text(*words_of(problem))
        else:
            self.problem.clear()
            self._show_entries(tuple(entry for entry in entries if entry.id != BUILTIN))
        if self.isVisible():
            self._keys.look(self.entries)

    def _show_entries(self, entries: tuple[ProviderEntry, ...]) -> None:
        names = [(entry.id, entry.name) for entry in entries]
        is_new_list = names != [(entry.id, entry.name) for entry in self.entries]
        self.entries = entries
        self.find_button.setEnabled(bool(entries))
        if is_new_list:
            self.list.set_entries(names)
            self.list.filter(self.search.text())
        for entry in entries:
            if (detail := self._details.get(entry.id)) is not None:
                detail.show_entry(entry)
        for gone in self._details.keys() - {entry.id for entry in entries}:
            self._drop_detail(gone)  # what is being typed there would make a new table for it
        is_chosen = self.list.current() or self._stack.currentWidget() is self.local_servers
        if self._wanted or not is_chosen:
            self.list.choose(self._wanted or (entries[0].id if entries else ""))
            self._wanted = ""
        self.loaded.emit()

    def _show_keyring(self, status: KeyringStatus) -> None:
        self._can_keep = status.is_usable
        for detail in self._details.values():
            detail.key_panel.entry_form.set_can_keep(status.is_usable)
        if status.is_usable:
            self.no_store.clear()
        else:
            problem = self.tr("Keys cannot be kept on this machine. %1").replace("%1", said(status.problem))
            hint = self.tr("A key can be given for this session, or come from an environment variable.")
            self.no_store.show_text(problem, hint)

    def _on_key_changed(self, provider_id: str) -> None:
        self._keys.forget(provider_id)
        if self.isVisible():
            self._keys.look(self.entries)
            if (shown := self.detail()) is not None and shown.entry.id == provider_id:
                shown.key_panel.refresh()

    def _show_provider(self, provider_id: str) -> None:
        entry = next(entry for entry in self.entries if entry.id == provider_id)
        detail = self._details.get(provider_id)
        if detail is not None and detail.first_name != entry.name and not _has_focus_inside(detail):
            detail.flush()
            self._drop_detail(provider_id)  # its parts have the old name
            detail = None
        if detail is None:
            detail = self._details[provider_id] = ProviderDetail(
                self._workspace, self._writer, entry, taken_ids=self._ids, on_removed=self._on_removed
            )
            detail.accounts.added.connect(self.open_provider)
            detail.key_panel.entry_form.set_can_keep(self._can_keep)
            detail.key_panel.source_found.connect(lambda found: self._keys.remember(entry, found))
            self._stack.addWidget(detail)
        self._stack.setCurrentWidget(detail)

    def _drop_detail(self, provider_id: str) -> None:
        detail = self._details.pop(provider_id)
        self._stack.removeWidget(detail)
        detail.hide()
        detail.deleteLater()

    def _ids(self) -> frozenset[str]:
        return frozenset((BUILTIN, *(entry.id for entry in self.entries)))

    def _on_removed(self, removed: RemovedAccount) -> None:
        if not isValid(self):
            return
        self.undo_problem.clear()
        self.open_provider(removed.preset_id)
        self.list.setFocus()
        words = self.tr("%1 was removed, and its key").replace("%1", removed.name)
        self.toast.show_text(words, action_text=self.tr("Undo"), action=partial(self._restore, removed))

    def _restore(self, removed: RemovedAccount) -> None:
        async def restore() -> None:
            problem: SecretUnavailable | SettingsError | None = None
            try:
                await self._workspace.accounts.restore(removed)
            except (SecretUnavailable, SettingsError) as error:
                problem = error
            if isValid(self):
                self._wanted = removed.id
                self.load()
                if problem is not None:
                    self.undo_problem.show_text(*words_of(problem))

        spawn(restore(), name=f"return of the account {removed.id}")

    def _on_model_changed(self, model_ref: str, before: str) -> None:
        words = self.tr("New conversations use %1").replace("%1", model_ref)
        undo = partial(self.local_servers.use_model, before)
        self.toast.show_text(words, action_text=self.tr("Undo"), action=undo)

    def _leave_local_servers(self, provider_id: str) -> None:
        self.open_provider(provider_id or self._before or self.entries[0].id)
        self.find_button.setFocus()

    def _add_server(self) -> None:
        self.open_provider(CUSTOM)
        if (shown := self.detail()) is not None:
            shown.accounts.open_form()

    def _take_offer(self, index: int) -> None:
        if (shown := self.detail()) is not None:
            if index == 0:
                shown.key_panel.enter_key()
            else:
                shown.key_panel.choose_variable()

    def _filter(self, text: str) -> None:
        self.nothing.setVisible(self.list.filter(text) == 0 and bool(self.entries))
        self.list.setVisible(self.nothing.isHidden())

    def _build(self) -> None:
        metrics = current_theme().metrics
        self.no_store = Notice(
            choices=(self.tr("Enter a key for this session…"), self.tr("Use an environment variable…"))
        )
        self.no_store.chosen.connect(self._take_offer)
        self.problem = Notice()
        self.undo_problem = Notice()
        self.search = SearchField(self.tr("Search providers"))
        self.search.textChanged.connect(self._filter)
        self.list = ChoiceList(self.tr("Providers"))
        self.list.chosen.connect(self._show_provider)
        self.search.down_pressed.connect(self.list.setFocus)
        self.nothing = EmptyState(self.tr("None"), self.tr("No provider has this name."))
        self.nothing.hide()
        self.find_button = make_button(self.tr("Find local servers"))
        self.find_button.setEnabled(False)  # until it is known whom to ask
        self.find_button.clicked.connect(lambda _checked=False: self.find_local_servers())
        self.local_servers = LocalServersView(self._workspace)
        self.local_servers.model_changed.connect(self._on_model_changed)
        self.local_servers.provider_wanted.connect(self._leave_local_servers)
        self.local_servers.address_wanted.connect(self._add_server)
        self._stack = QStackedWidget()
        self._stack.addWidget(QWidget())  # until one is chosen
        self._stack.addWidget(self.local_servers)
        left = QWidget()
        left.setFixedWidth(metrics.px(_LIST_WIDTH))
        choosing = QVBoxLayout(left)
        choosing.setContentsMargins(0, metrics.space_16, 0, metrics.space_16)
        choosing.setSpacing(metrics.space_8)
        choosing.addWidget(self.search)
        choosing.addWidget(self.list, 1)
        choosing.addWidget(self.nothing, 1)
        choosing.addWidget(self.find_button)
        both = QHBoxLayout()
        both.setSpacing(0)
        both.addWidget(left)
        both.addWidget(self._stack, 1)
        notices = QVBoxLayout()
        notices.setContentsMargins(0, 0, metrics.space_24, 0)
        for notice in (self.no_store, self.problem, self.undo_problem):
            notice.setContentsMargins(0, metrics.space_16, 0, 0)
            notices.addWidget(notice)
        column = QVBoxLayout(self)
        column.setContentsMargins(metrics.space_16, 0, 0, 0)
        column.setSpacing(0)
        column.addLayout(notices)
        column.addLayout(both, 1)
        self.toast = Toast(self)


def _has_focus_inside(widget: QWidget) -> bool:
    focused = QApplication.focusWidget()
    return focused is not None and widget.isAncestorOf(focused)
