"""Accounts that come and go: what is checked of a new one, and what is needed to bring a removed one back."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field

from agdesk.core.errors import ConfigurationError, SecretUnavailable, SettingsError
from agdesk.core.providers.account_rows import can_be_account_id
from agdesk.core.providers.presets import normalize_base_url
from agdesk.core.providers.registry import BUILTIN, CUSTOM, ProviderRegistry
from agdesk.core.settings.secrets import KeySource

ChangeSettings = Callable[[dict[str, object]], Awaitable[None]]


@dataclass(frozen=True, slots=True)
class RemovedAccount:
    """What brings an account back: its settings, and the key that it had."""

    id: str
    preset_id: str
    name: str
    changes: Mapping[str, object]
    key: KeySource = field(repr=False)


class Accounts:
    """Adds, removes and brings back accounts.

    Args:
        change_settings: as ``Workspace.change_settings``.
    """

    def __init__(self, registry: ProviderRegistry, change_settings: ChangeSettings) -> None:
        self._registry = registry
        self._change_settings = change_settings

    async def add(self, preset_id: str, *, account_id: str, name: str = "", base_url: str = "", wire: str = "") -> None:
        """Adds an account of a shipped provider; its key is given like any other one.

        Args:
            preset_id: whose account it is.
            account_id: what stands before the ``/`` of its model references.
            name: what it is called; empty: after its provider.
            base_url: its address; empty: the provider's.
            wire: the format that its server speaks, for one of ``custom``; empty: the row's.

        Raises:
            ConfigurationError: it cannot be.
            SettingsError: it cannot be kept.
        """
        await asyncio.to_thread(self._check, preset_id, account_id, base_url)
        if wire and preset_id != CUSTOM:
            raise ConfigurationError(
                f"{self._registry.row(preset_id).name} has a wire format of its own", "Add a custom server instead."
            )
        values = {"preset": preset_id, "name": name.strip(), "base_url": base_url.strip(), "wire": wire}
        await self._change_settings(
            {f"providers.{account_id}.{setting}": value for setting, value in values.items() if value}
        )

    async def remove(self, account_id: str) -> RemovedAccount:
        """Removes an account and its key; a default model that is its is the shipped default again.

        Raises:
            ConfigurationError: it is no account.
            SecretUnavailable: its key cannot be removed; nothing has changed then.
            SettingsError: it stays, and its key too.
        """
        registry = self._registry
        row = await asyncio.to_thread(registry.row, account_id)
        preset_id = registry.preset_id(account_id)
        if preset_id == account_id:
            raise ConfigurationError(f"{row.name} comes with agdesk", "Only an account can be removed.")
        settings = registry.settings_file.current()
        key = await self._take_key(account_id)
        before: dict[str, object] = {
            f"providers.{account_id}": settings.providers[account_id].model_dump(exclude_unset=True)
        }
        if settings.chat.default_model.startswith(f"{account_id}/"):
            before["chat.default_model"] = settings.chat.default_model
        removed = RemovedAccount(account_id, preset_id, row.name, before, key)
        try:
            await self._change_settings(dict.fromkeys(before))
        except SettingsError:
            await self._give_key(removed)
            raise
        await asyncio.to_thread(registry.table.lists.forget, account_id)
        return removed

    async def restore(self, removed: RemovedAccount) -> None:
        """Brings a removed account back, with its key.

        Raises:
            SettingsError: it cannot be kept.
            SecretUnavailable: its key cannot; the account is there again without one.
        """
        await self._change_settings(dict(removed.changes))
        await self._give_key(removed)

    def _check(self, preset_id: str, account_id: str, base_url: str) -> None:
        if preset_id == BUILTIN or self._registry.preset_id(preset_id) != preset_id:
            raise ConfigurationError(f"There are no accounts of {preset_id}", "Choose another provider.")
        row = self._registry.row(preset_id)
        if not can_be_account_id(account_id):
            raise ConfigurationError(
                f"{account_id!r} cannot be the id of an account",
                "Use small letters, digits and dashes, as in openai-work.",
            )
        if account_id in self._registry.provider_ids():
            raise ConfigurationError(f"There is a provider {account_id} already", "Choose another id.")
        if base_url.strip():
            normalize_base_url(base_url, base_path=row.base_path)

    async def _take_key(self, account_id: str) -> KeySource:
        """The key that was held or kept for the account, wherever its settings say that the key is; it is removed."""
        keys = self._registry.keys
        place = await asyncio.to_thread(self._registry.key_place, account_id)
        key = await keys.find(place.provider_id, reference="keyring", account=place.account)
        if key.problem and place.reference == "keyring" and (await keys.keyring_status()).is_usable:
            raise SecretUnavailable(key.problem.rstrip("."), "Unlock the key store and try again.")
        if key.value is not None:
            await keys.remove(place.provider_id, account=place.account)
        return key

    async def _give_key(self, removed: RemovedAccount) -> None:
        if removed.key.value is None:
            return
        if removed.key.source == "keyring":
            await self._registry.keys.keep(removed.preset_id, removed.key.value, account=removed.id)
        elif removed.key.source == "session":
            self._registry.keys.hold(removed.preset_id, removed.key.value, account=removed.id)
