"""Which way a request takes: directly, or through the system's proxy, and never one to the local network (L16)."""

from __future__ import annotations

import asyncio
import ipaddress
import ssl
import urllib.request
from collections.abc import Mapping
from typing import Any

import httpx
import truststore
from typing_extensions import override

from agdesk.core.errors import ConfigurationError

# no bound on connections: a stream occupies one for minutes, and a waiting request would look like a silent server
_LIMITS = httpx.Limits(max_connections=None, max_keepalive_connections=20, keepalive_expiry=30.0)


class SystemRoutes(httpx.AsyncBaseTransport):
    """Direct connections, or through the proxy that the system names for a host; certificates are the system's."""

    def __init__(self) -> None:
        self._tls = truststore.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
        self._direct = httpx.AsyncHTTPTransport(verify=self._tls, trust_env=False, limits=_LIMITS)
        self._through: dict[str, httpx.AsyncHTTPTransport] = {}

    @override
    async def handle_async_request(self, request: httpx.Request) -> httpx.Response:
        proxy = proxy_for(request.url.scheme, request.url.host)
        route = self._direct if proxy is None else self._via(proxy)
        connections: list[Any] = []

        async def on_event(name: str, info: Mapping[str, Any]) -> None:
            if name == "connection.connect_tcp.complete":
                connections.append(info["return_value"])

        request.extensions = {**request.extensions, "trace": on_event}
        try:
            return await route.handle_async_request(request)
        except asyncio.CancelledError:
            # a handshake that is cancelled leaves its socket open for as long as the server likes
            for connection in connections:
                await connection.aclose()
            raise

    @override
    async def aclose(self) -> None:
        for transport in (self._direct, *self._through.values()):
            await transport.aclose()

    def _via(self, proxy: str) -> httpx.AsyncHTTPTransport:
        if proxy not in self._through:
            scheme = proxy.partition("://")[0].lower()
            if scheme not in ("http", "https"):
                raise ConfigurationError(
                    f"The system's proxy is a {scheme} proxy, which agdesk cannot use",
                    "Set http_proxy and https_proxy to an HTTP proxy, or add the host to no_proxy.",
                )
            route = httpx.Proxy(proxy, ssl_context=self._tls if scheme == "https" else None)
            self._through[proxy] = httpx.AsyncHTTPTransport(
                verify=self._tls, trust_env=False, limits=_LIMITS, proxy=route
            )
        return self._through[proxy]


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


def proxy_for(scheme: str, host: str) -> str | None:
    """The URL of the proxy that the system wants for a request; None for a direct connection.

    The system is the environment (``https_proxy``, ``all_proxy``, ``no_proxy``), else the settings of Windows or macOS.
    """
    if is_private_host(host) or urllib.request.proxy_bypass(host):
        return None
    proxies = urllib.request.getproxies()
    proxy = proxies.get(scheme) or proxies.get("all")
    if not proxy:
        return None
    return proxy if "://" in proxy else f"http://{proxy}"
