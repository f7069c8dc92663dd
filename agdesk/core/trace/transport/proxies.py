"""Whether a request goes through a proxy, and through which: never to this machine or the local network (L16, SEC5)."""

from __future__ import annotations

import base64
import ipaddress
import urllib.request
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Literal, assert_never

import httpx

from agdesk.core.errors import ConfigurationError

_OF_THE_SYSTEM = "Set http_proxy and https_proxy to an HTTP proxy, or choose another proxy in Settings › Network."
_OF_THE_USER = "Write it as http://host:port in Settings › Network, or choose another proxy there."


@dataclass(frozen=True, slots=True)
class ProxyChoice:
    """Which proxy the user wants.

    Attributes:
        mode: that of the system, ``url``, or none.
        url: used by ``manual`` only; may carry a user name and password.
        bypass: hosts that are reached directly, separated by commas; ``.example.org``: all below it, ``*``: every host.
    """

    mode: Literal["system", "manual", "none"] = "system"
    url: str = field(default="", repr=False)
    bypass: str = ""


@dataclass(frozen=True, slots=True)
class Proxy:
    """A proxy as it is used.

    Attributes:
        name: host and port: what errors call it.
        url: its address without user name and password.
        hint: where it can be changed: the next step when it fails.
    """

    name: str
    url: str
    hint: str
    user: str = field(default="", repr=False)
    password: str = field(default="", repr=False)

    def secrets(self) -> Iterator[str]:
        """Everything that tells the password."""
        if self.user or self.password:
            both = f"{self.user}:{self.password}"
            yield from (self.password, both, base64.b64encode(both.encode()).decode("ascii"))


def proxy_for(scheme: str, host: str, choice: ProxyChoice) -> Proxy | None:
    """The proxy for a request; None for a direct connection. Asks the system, which may block: call it on a thread.

    The system is the environment (``https_proxy``, ``all_proxy``, ``no_proxy``), else the settings of Windows or macOS.

    Raises:
        ConfigurationError: the proxy is none that can be used.
    """
    if is_private_host(host) or _is_bypassed(host, choice.bypass):
        return None
    match choice.mode:
        case "none":
            return None
        case "manual":
            if not choice.url.strip():
                raise ConfigurationError("The proxy in the settings has no address", _OF_THE_USER)
            return _read_proxy(choice.url, "The proxy in the settings", _OF_THE_USER)
        case "system":
            proxies = {} if urllib.request.proxy_bypass(host) else urllib.request.getproxies()
            address = proxies.get(scheme) or proxies.get("all")
            return _read_proxy(address, "The system's proxy", _OF_THE_SYSTEM) if address else None
        case _:
            assert_never(choice.mode)


def is_private_host(host: str) -> bool:
    """Whether ``host`` is this machine or one of a local network, by its address or its name.

    A name without a dot and one that ends in ``.localhost`` or ``.local`` is local; nothing is looked up.
    """
    try:
        address = ipaddress.ip_address(host.strip("[]").partition("%")[0])
    except ValueError:
        name = host.rstrip(".").lower()
        return "." not in name or name.endswith((".localhost", ".local"))
    return address.is_private or address.is_loopback or address.is_link_local


def _is_bypassed(host: str, bypass: str) -> bool:
    name = host.rstrip(".").lower()
    for entry in (part.strip().lower() for part in bypass.split(",")):
        if entry in ("*", name) or (entry.startswith(".") and name.endswith(entry)):
            return True
    return False


def _read_proxy(address: str, what: str, hint: str) -> Proxy:
    """The proxy of an address. No error quotes it: it may hold a password."""
    text = address.strip()
    try:
        url = httpx.URL(text if "://" in text else f"http://{text}")
    except httpx.InvalidURL:
        raise ConfigurationError(f"{what} is no address", hint) from None
    if url.scheme.startswith("socks"):
        raise ConfigurationError(
            f"{what} is a {url.scheme} proxy, which agdesk cannot use",
            f"Most programs that offer SOCKS offer an HTTP proxy too, often on a port of its own. {hint}",
        )
    is_server = url.scheme in ("http", "https") and url.host and (url.port or 1) <= 65_535
    if not is_server or url.path not in ("", "/") or url.query or url.fragment:
        raise ConfigurationError(f"{what} is no address of an HTTP proxy", hint)
    name = url.netloc.decode("ascii")
    return Proxy(name, f"{url.scheme}://{name}", hint, url.username, url.password)
