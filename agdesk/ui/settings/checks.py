"""What is checked of a value before it is saved, beyond the limits that the model has."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from agdesk.core.errors import ConfigurationError
from agdesk.ui.settings.fields import FieldKind, SettingField


def check_value(field: SettingField, value: object, *, redact: Callable[[str], str]) -> None:
    """Looks whether an address can be used, a file is there, and no header holds a key.

    Loads libraries and asks the disk: call it on a thread. ``redact`` takes the keys that are known out of a text.

    Raises:
        ConfigurationError: it cannot be used as it is.
    """
    if field.kind is FieldKind.HEADERS:
        from agdesk.core.providers.headers import check_headers, read_headers

        check_headers(value if isinstance(value, dict) else read_headers(str(value)), redact=redact)
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
