"""Providers as the settings show them."""

from __future__ import annotations

from dataclasses import dataclass

from agdesk.core.errors import ConfigurationError
from agdesk.core.providers.registry import ProviderRegistry
from agdesk.core.settings.secrets import DEFAULT_ACCOUNT


@dataclass(frozen=True, slots=True)
class ProviderEntry:
    """A provider as the settings show it.

    Attributes:
        key_env: the environment variable that may hold its key; empty for none.
        base_url: where it is reached, as set by the user or by its row; empty if nobody has set one.
        problem: why it cannot be used as it is set; empty if it can.
        preset_id: the shipped provider that an account is with; empty for a shipped one.
        usual_env: the variable of the preset, which an account uses only if it is told to.
        base_url_hint: what a base URL looks like where the row has none.
    """

    id: str
    name: str
    key_env: str
    needs_key: bool
    base_url: str
    is_local: bool
    problem: str = ""
    preset_id: str = ""
    usual_env: str = ""
    base_url_hint: str = ""

    @property
    def key_owner(self) -> str:
        """The provider under whose name the key store keeps the key."""
        return self.preset_id or self.id

    @property
    def key_account(self) -> str:
        """The account under which the key store keeps the key."""
        return self.id if self.preset_id else DEFAULT_ACCOUNT


def provider_entries(registry: ProviderRegistry) -> tuple[ProviderEntry, ...]:
    """Every provider by name, each followed by its accounts. Call it on a thread."""
    entries = [_entry(registry, provider_id) for provider_id in registry.provider_ids()]
    names = {entry.id: entry.name.casefold() for entry in entries}
    return tuple(
        sorted(
            entries,
            key=lambda entry: (names[entry.key_owner], entry.key_owner, bool(entry.preset_id), names[entry.id]),
        )
    )


def _entry(registry: ProviderRegistry, provider_id: str) -> ProviderEntry:
    try:
        row, problem = registry.endpoint(provider_id), ""
    except ConfigurationError as error:
        row, problem = registry.row(provider_id), f"{error.message}. {error.hint}"
    preset_id = registry.preset_id(provider_id)
    return ProviderEntry(
        row.id,
        row.name,
        row.key_env,
        row.needs_key,
        row.base_url,
        row.is_local,
        problem,
        preset_id="" if preset_id == provider_id else preset_id,
        usual_env=registry.row(preset_id).key_env,
        base_url_hint=row.base_url_hint,
    )
