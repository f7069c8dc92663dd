"""Rows as the settings make them: the shipped ones with what the user has set, and accounts, which are copies of them.

An account is a provider of its own, named by its id in model references. Its row is that of its preset; its address,
headers and key are its own (D14). The functions read settings and rows, and nothing else.
"""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Collection
from dataclasses import dataclass
from pathlib import Path

from agdesk.core.errors import ConfigurationError
from agdesk.core.providers.base import Endpoint
from agdesk.core.providers.headers import check_headers, merged
from agdesk.core.providers.presets import at_base_url, shipped_endpoints
from agdesk.core.providers.registry import BUILTIN, CUSTOM
from agdesk.core.settings.model import Provider, Settings
from agdesk.core.settings.secrets import DEFAULT_ACCOUNT

_ID = re.compile(r"[a-z0-9][a-z0-9_-]{0,63}")


@dataclass(frozen=True, slots=True)
class KeyPlace:
    """Where the key of a provider may be, as ``SecretStore.find`` takes it.

    Attributes:
        provider_id, account: its place in the key store; a shipped provider's account is the default one.
        reference: ``keyring`` or ``env:NAME`` as the user has set it; empty for the default order.
        key_env: the variable that is looked up where there is no reference; empty for none.
    """

    provider_id: str
    account: str
    reference: str
    key_env: str


def account_ids(settings: Settings) -> tuple[str, ...]:
    """The accounts that the settings have, in their order."""
    return tuple(provider_id for provider_id in settings.providers if preset_id(settings, provider_id) != provider_id)


def preset_id(settings: Settings, provider_id: str) -> str:
    """The shipped row that an account is of. Any other provider's is its own id, known or not."""
    chosen = settings.providers.get(provider_id)
    shipped = shipped_endpoints()
    if chosen is None or provider_id in shipped or not can_be_account_id(provider_id):
        return provider_id
    return chosen.preset if chosen.preset in shipped and chosen.preset != BUILTIN else provider_id


def can_be_account_id(account_id: str) -> bool:
    """Whether an account may have this id: it stands in model references, in keys of settings and in the key store."""
    is_word = _ID.fullmatch(account_id) is not None
    return is_word and account_id != DEFAULT_ACCOUNT and account_id not in Provider.model_fields


def suggest_account_id(preset: str, name: str, taken: Collection[str]) -> str:
    """An id that is free, for an account of that name: ``openai-work``, or ``openai-2`` if no name gives one."""
    words = re.findall(r"[a-z0-9]+", name.lower())
    found, number = f"{preset}-{'-'.join(words)}"[:60].rstrip("-") if words else f"{preset}-2", 2
    stem = found if words else preset
    while found in taken:
        number += 1
        found = f"{stem}-{number}"
    return found


def row_of(settings: Settings, provider_id: str) -> Endpoint | None:
    """The shipped row, or an account's; None if there is no such provider."""
    preset = preset_id(settings, provider_id)
    row = shipped_endpoints().get(preset)
    if row is None:
        return None
    chosen = settings.providers.get(provider_id, Provider())
    if preset == CUSTOM and chosen.wire != row.wire:
        row = _speaking(row, chosen.wire)
    if preset == provider_id:
        return row
    # the variable belongs to the preset: with it, one account's key would go to the server of another
    return dataclasses.replace(row, id=provider_id, name=chosen.name or f"{row.name} ({provider_id})", key_env="")


def endpoint_of(row: Endpoint, chosen: Provider, *, base_url: str = "") -> Endpoint:
    """A row with what the user has set for it; ``base_url`` comes before the address that is set.

    Raises:
        ConfigurationError: an address is none, or a header may not be sent.
    """
    check_headers(chosen.headers)
    row = dataclasses.replace(row, headers=merged(row.headers, chosen.headers))
    if chosen.ca_file:
        row = dataclasses.replace(row, ca_file=str(Path(chosen.ca_file).expanduser()))
    address = base_url or chosen.base_url
    return at_base_url(row, address) if address else row


def key_place(settings: Settings, provider_id: str) -> KeyPlace:
    """Where the key of a provider may be."""
    preset = preset_id(settings, provider_id)
    chosen, row = settings.providers.get(provider_id, Provider()), row_of(settings, provider_id)
    account = DEFAULT_ACCOUNT if preset == provider_id else provider_id
    return KeyPlace(preset, account, chosen.key, row.key_env if row is not None else "")


def no_key(endpoint: Endpoint, place: KeyPlace, problem: str) -> ConfigurationError:
    """Why a provider cannot be asked; ``problem`` is what the search for its key has told."""
    variable = "" if place.reference == "keyring" else place.reference.removeprefix("env:") or place.key_env
    hint = "Give a key in Settings › Providers."
    if variable:
        hint = f"Set the environment variable {variable} and start agdesk again, or give a key in Settings › Providers."
    return ConfigurationError(f"There is no key for {endpoint.name}", f"{problem} {hint}".strip())


def _speaking(row: Endpoint, wire: str) -> Endpoint:
    """The row in another format, with what the format's own provider needs in every request."""
    usual = next(shipped for shipped in shipped_endpoints().values() if shipped.wire == wire)
    return dataclasses.replace(
        row,
        wire=wire,
        base_path=usual.base_path,
        headers=usual.headers,
        defaults=usual.defaults,
        dialect=usual.dialect,
    )
