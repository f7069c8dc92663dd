"""Which links of foreign text may be clicked, and how an address is shown."""

from __future__ import annotations

from urllib.parse import urlsplit

from agdesk.ui.widgets.text import visible_text

WEB_SCHEMES = frozenset({"http", "https"})
MAIL_SCHEME = "mailto"


def clickable(href: str) -> str | None:
    """The address if it may become a link, else None.

    That is: absolute http, https or mailto, with nothing hidden in it. A user name, or an encoded character in the
    host, only makes a web address look like that of another host.
    """
    if visible_text(href) != href or "\\" in href or " " in href:
        return None
    try:
        parts = urlsplit(href)
        host = parts.hostname
    except ValueError:
        return None
    if parts.scheme in WEB_SCHEMES:
        return href if host and not set("@%") & set(parts.netloc) else None
    if parts.scheme == MAIL_SCHEME:
        return href if "@" in parts.path else None
    return None


def shown(href: str) -> str:
    """An address as it is printed beside its text: no character in it can change how the rest reads."""
    return visible_text(href)
