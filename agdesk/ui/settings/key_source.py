"""Where a provider's key comes from, in words."""

from __future__ import annotations

from PySide6.QtCore import QCoreApplication

from agdesk.core.settings.model import Settings
from agdesk.core.settings.secrets import KeySource
from agdesk.core.workspace import ProviderEntry

KEYRING = "keyring"
SESSION = "session"
ENV_PREFIX = "env:"


def key_reference(settings: Settings, provider_id: str) -> str:
    """What the user has set for the key of a provider: ``keyring``, ``env:NAME``, or empty for the default order."""
    provider = settings.providers.get(provider_id)
    return provider.key if provider is not None else ""


def source_words(found: KeySource, *, entry: ProviderEntry, reference: str) -> str:
    """Where a key comes from as the user reads it; if from nowhere, whether that is known."""
    translate = QCoreApplication.translate
    source = found.source
    if source == SESSION:
        return translate("KeySource", "For this session")
    if source == KEYRING:
        return translate("KeySource", "Key in the key store")
    if source is not None:
        return translate("KeySource", "From %1").replace("%1", source.removeprefix(ENV_PREFIX))
    if reference.startswith(ENV_PREFIX):
        return translate("KeySource", "%1 is not set").replace("%1", reference.removeprefix(ENV_PREFIX))
    if found.problem and reference == KEYRING:  # one that is locked may well hold it
        return translate("KeySource", "Cannot be read")
    return translate("KeySource", "No key") if entry.needs_key else translate("KeySource", "Needs none")
