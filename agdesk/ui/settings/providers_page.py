"""The page of the providers: a list to choose from, and what can be set for the chosen one."""

from __future__ import annotations

import asyncio

from PySide6.QtCore import Signal
from PySide6.QtGui import QHideEvent, QShowEvent
from PySide6.QtWidgets import QHBoxLayout, QStackedWidget, QVBoxLayout, QWidget
from shiboken6 import isValid
from typing_extensions import override

from agdesk.core.errors import AgdeskError
from agdesk.core.providers.registry import BUILTIN
from agdesk.core.settings.model import Settings
from agdesk.core.settings.secrets import KeySource
from agdesk.core.tasks import spawn
from agdesk.core.workspace import ProviderEntry, Workspace
from agdesk.ui.settings.choice_list import ChoiceList
from agdesk.ui.settings.key_source import KEYRING, key_reference, source_words
from agdesk.ui.settings.provider_detail import ProviderDetail
from agdesk.ui.settings.writer import SettingsWriter
from agdesk.ui.theme import current_theme
from agdesk.ui.widgets.empty_state import EmptyState
from agdesk.ui.widgets.notice import Notice
from agdesk.ui.widgets.search_field import SearchField

_LIST_WIDTH = 190


class ProvidersPage(QWidget):
    """Loads the providers when it is first shown or asked for, and their keys' sources while it is visible.

    The key store is asked for the chosen provider only; for the others the list says what the settings and the
    environment tell: opening a page must not open an unlock dialog for each of them.

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
        self._found: dict[tuple[str, str], KeySource] = {}  # by provider and reference: what its panel has found
        self._wanted = ""
        self._can_keep = True
        self._loading: asyncio.Task[None] | None = None
        self._watching: asyncio.Task[None] | None = None
        self._build()
        unsubscribe = workspace.secrets.changed.subscribe(self._on_key_changed)
        self.destroyed.connect(lambda: unsubscribe())

    def open_provider(self, provider_id: str) -> None:
        """Chooses a provider, now or when the list is loaded."""
        self._wanted = provider_id
        self.search.clear()
        self.list.choose(provider_id)
        self.load()

    def load(self) -> None:
        """Reads the list of providers, unless that is being done."""
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
        if self._watching is not None:
            self._watching.cancel()

    async def _load(self) -> None:
        problem: AgdeskError | None = None
        entries: tuple[ProviderEntry, ...] = self.entries
        try:
            entries = await asyncio.to_thread(self._workspace.providers)
        except AgdeskError as error:  # a row that cannot be read
            problem = error
        finally:
            if isValid(self):
                self._loading = None
        if not isValid(self):
            return
        if problem is not None:
            self.problem.show_text(problem.message, problem.hint)
        else:
            self.problem.clear()
            self._show_entries(tuple(entry for entry in entries if entry.id != BUILTIN))
        if self.isVisible():
            self._watch()

    def _show_entries(self, entries: tuple[ProviderEntry, ...]) -> None:
        names = [(entry.id, entry.name) for entry in entries]
        is_new_list = names != [(entry.id, entry.name) for entry in self.entries]
        self.entries = entries
        if is_new_list:
            self.list.set_entries(names)
            self.list.filter(self.search.text())
        for entry in entries:
            if (detail := self._details.get(entry.id)) is not None:
                detail.show_entry(entry)
        if self._wanted or not self.list.current():
            self.list.choose(self._wanted or (entries[0].id if entries else ""))
            self._wanted = ""
        self.loaded.emit()

    def _watch(self) -> None:
        """Finds out about the key store and the sources, after what is being found out already."""
        if self._watching is not None:
            self._watching.cancel()
        self._watching = spawn(self._look_at_all(), name="sources of the keys")

    async def _look_at_all(self) -> None:
        settings = self._workspace.settings
        for entry in self.entries:
            reference = key_reference(settings, entry.id)
            if reference == KEYRING:  # only whether one for this session comes before it
                found = await self._workspace.secrets.find(entry.id, asks_keyring=False)
                found = found if found.source else self._found.get((entry.id, reference), KeySource(KEYRING))
            else:
                found = await self._workspace.secrets.find(
                    entry.id, reference=reference, key_env=entry.key_env, asks_keyring=False
                )
                if not found.source and not reference:
                    found = self._found.get((entry.id, reference), found)
            if not isValid(self):
                return
            self._show_state(entry, KeySource(found.source), reference)
        status = await self._workspace.secrets.keyring_status()
        if not isValid(self):
            return
        self._can_keep = status.is_usable
        for detail in self._details.values():
            detail.key_panel.entry_form.set_can_keep(status.is_usable)
        if status.is_usable:
            self.no_store.clear()
        else:
            self.no_store.show_text(
                self.tr("Keys cannot be kept on this machine. %1").replace("%1", status.problem),
                self.tr("A key can be given for this session, or come from an environment variable."),
            )

    def _show_state(self, entry: ProviderEntry, found: KeySource, reference: str) -> None:
        self.list.set_note(entry.id, source_words(found.source, entry=entry, reference=reference))

    def _on_key_changed(self, provider_id: str) -> None:
        self._found = {key: found for key, found in self._found.items() if key[0] != provider_id}
        if self.isVisible():
            self._watch()
            if (shown := self.detail()) is not None and shown.entry.id == provider_id:
                shown.key_panel.refresh()

    def _on_source_found(self, entry: ProviderEntry, found: KeySource) -> None:
        reference = key_reference(self._workspace.settings, entry.id)
        self._found[entry.id, reference] = found
        self._show_state(entry, found, reference)

    def _show_provider(self, provider_id: str) -> None:
        entry = next(entry for entry in self.entries if entry.id == provider_id)
        detail = self._details.get(provider_id)
        if detail is None:
            detail = self._details[provider_id] = ProviderDetail(self._workspace, self._writer, entry)
            detail.key_panel.entry_form.set_can_keep(self._can_keep)
            detail.key_panel.source_found.connect(lambda found: self._on_source_found(entry, found))
            self._stack.addWidget(detail)
        self._stack.setCurrentWidget(detail)

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
        self.search = SearchField(self.tr("Search providers"))
        self.search.textChanged.connect(self._filter)
        self.list = ChoiceList(self.tr("Providers"))
        self.list.chosen.connect(self._show_provider)
        self.search.down_pressed.connect(self.list.setFocus)
        self.nothing = EmptyState(self.tr("None"), self.tr("No provider has this name."))
        self.nothing.hide()
        self._stack = QStackedWidget()
        self._stack.addWidget(QWidget())  # until one is chosen
        left = QWidget()
        left.setFixedWidth(metrics.px(_LIST_WIDTH))
        choosing = QVBoxLayout(left)
        choosing.setContentsMargins(0, metrics.space_16, 0, 0)
        choosing.setSpacing(metrics.space_8)
        choosing.addWidget(self.search)
        choosing.addWidget(self.list, 1)
        choosing.addWidget(self.nothing, 1)
        both = QHBoxLayout()
        both.setSpacing(0)
        both.addWidget(left)
        both.addWidget(self._stack, 1)
        notices = QVBoxLayout()
        notices.setContentsMargins(0, 0, metrics.space_24, 0)
        for notice in (self.no_store, self.problem):
            notice.setContentsMargins(0, metrics.space_16, 0, 0)
            notices.addWidget(notice)
        column = QVBoxLayout(self)
        column.setContentsMargins(metrics.space_16, 0, 0, 0)
        column.setSpacing(0)
        column.addLayout(notices)
        column.addLayout(both, 1)
