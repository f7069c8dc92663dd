"""What is checked of a value before it is saved, beyond the limits that the model has."""

from __future__ import annotations

from pathlib import Path

from agdesk.core.errors import ConfigurationError
from agdesk.ui.settings.fields import FieldKind, SettingField


def check_value(field: SettingField, value: object) -> None:
    """Looks whether an address can be used and a file is there. Loads libraries and asks the disk: call it on a thread.

    Raises:
        ConfigurationError: it cannot be used as it is.
    """
    if not isinstance(value, str) or value == field.default:
        return
    if field.kind is FieldKind.FILE and not Path(value).expanduser().is_file():
        raise ConfigurationError(f"There is no file {value}", "Choose one with Browse.")
    if field.key == "network.proxy_url":
        from agdesk.core.trace.transport.proxies import ProxyChoice, proxy_for

        proxy_for("https", "example.org", ProxyChoice("manual", value))
    elif field.key.startswith("providers.") and field.key.endswith(".base_url"):
        from agdesk.core.providers.presets import normalize_base_url

        normalize_base_url(value)
