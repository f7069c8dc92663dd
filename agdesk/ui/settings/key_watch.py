"""Finds out where the keys of all providers come from, for a list of them."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence

from PySide6.QtCore import QObject, Signal
from shiboken6 import isValid

from agdesk.core.settings.secrets import KeySource
from agdesk.core.tasks import spawn
from agdesk.core.workspace import ProviderEntry, Workspace
from agdesk.ui.settings.key_source import KEYRING, key_reference, source_words


class KeyWatch(QObject):
    """Tells what the settings and the environment say, and what a provider's own page has found out.

    The key store is not asked for a key: a list must not open an unlock dialog for each of its entries.

    Signals:
        source_told(str, str): the id of a provider, and in words where its key comes from.
        keyring_told(object): the ``KeyringStatus``.
    """

    source_told = Signal(str, str)
    keyring_told = Signal(object)

    def __init__(self, workspace: Workspace, parent: QObject) -> None:
        super().__init__(parent)
        self._workspace = workspace
        self._found: dict[tuple[str, str], KeySource] = {}  # by provider and reference
        self._looking: asyncio.Task[None] | None = None

    def look(self, entries: Sequence[ProviderEntry]) -> None:
        """Finds out about these providers and the key store, in place of what is being found out."""
        self.stop()
        self._looking = spawn(self._look(entries), name="sources of the keys")

    def stop(self) -> None:
        """Wants to know nothing any more."""
        if self._looking is not None:
            self._looking.cancel()

    def remember(self, entry: ProviderEntry, found: KeySource) -> None:
        """What was found where the key store was asked too."""
        reference = key_reference(self._workspace.settings, entry.id)
        self._found[entry.id, reference] = found
        self._tell(entry, found, reference)

    def forget(self, provider_id: str) -> None:
        """The key of this provider is another one now."""
        self._found = {key: found for key, found in self._found.items() if key[0] != provider_id}

    async def _look(self, entries: Sequence[ProviderEntry]) -> None:
        secrets = self._workspace.secrets
        for entry in entries:
            reference = key_reference(self._workspace.settings, entry.id)
            is_kept = reference == KEYRING  # then only whether one for this session comes before it
            found = await secrets.find(
                entry.key_owner,
                account=entry.key_account,
                reference="" if is_kept else reference,
                key_env="" if is_kept else entry.key_env,
                asks_keyring=False,
            )
            if not found.source and (is_kept or not reference):
                found = self._found.get((entry.id, reference), KeySource(KEYRING) if is_kept else found)
            if not isValid(self):
                return
            self._tell(entry, found, reference)
        status = await secrets.keyring_status()
        if isValid(self):
            self.keyring_told.emit(status)

    def _tell(self, entry: ProviderEntry, found: KeySource, reference: str) -> None:
        self.source_told.emit(entry.id, source_words(found, entry=entry, reference=reference))
