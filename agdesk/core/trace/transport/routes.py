"""Which way a request takes: its proxy, its TLS context, and the connections that go with both."""

from __future__ import annotations

import asyncio
import ssl
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

import httpx
from typing_extensions import override

from agdesk.core.trace.transport.failures import FAILURES, describe_proxy_failure, proxy_rejection
from agdesk.core.trace.transport.proxies import Proxy, ProxyChoice, proxy_for
from agdesk.core.trace.transport.tls import TlsContexts

# no bound on connections: a stream occupies one for minutes, and a waiting request would look like a silent server
_LIMITS = httpx.Limits(max_connections=None, max_keepalive_connections=20, keepalive_expiry=30.0)
_WAY = "agdesk.way"


class Routes(httpx.AsyncBaseTransport):
    """Sends requests the way that ``choose`` found for them.

    Connections of one way are never used by another: a provider's extra authority vouches for nobody else's server.
    Those of a way that is no longer chosen are left to their streams and close with the rest.

    Args:
        proxies: gives the user's choice as it is now; called for each request, on a thread.
    """

    def __init__(self, proxies: Callable[[], ProxyChoice]) -> None:
        self._proxies = proxies
        self._contexts = TlsContexts()
        self._connections: dict[tuple[Proxy | None, ssl.SSLContext], httpx.AsyncHTTPTransport] = {}

    def choose(self, request: httpx.Request, *, ca_file: str, owner: str) -> None:
        """Finds the way of ``request`` by the settings in force, before anything of it is sent or recorded.

        Asks the system and makes what TLS needs: call it on a thread.

        Raises:
            ConfigurationError: the proxy or the extra authority cannot be used.
        """
        url = request.url
        proxy = proxy_for(url.scheme, url.host, self._proxies())
        context = self._contexts.get(ca_file, owner=owner)
        proxy_context = self._contexts.get() if proxy is not None and proxy.url.startswith("https:") else None
        way = _Way(proxy, context, proxy_context, url.scheme == "https", ca_file, owner)
        request.extensions = {**request.extensions, _WAY: way, "trace": way.on_event}

    def choose_again(self, request: httpx.Request) -> None:
        """The same for a redirect, which carries the way of the request before it."""
        before: _Way = request.extensions[_WAY]
        self.choose(request, ca_file=before.ca_file, owner=before.owner)

    def secrets_of(self, request: httpx.Request) -> Iterable[str]:
        """What may stand in no record of ``request``: the password of its proxy."""
        way: _Way = request.extensions[_WAY]
        return way.proxy.secrets() if way.proxy is not None else ()

    @override
    async def handle_async_request(self, request: httpx.Request) -> httpx.Response:
        way: _Way = request.extensions[_WAY]
        proxy, host = way.proxy, request.url.netloc.decode()
        try:
            response = await self._connections_of(way).handle_async_request(request)
        except asyncio.CancelledError:
            # a handshake that is cancelled leaves its socket open for as long as the server likes
            for socket in way.sockets:
                await socket.aclose()
            raise
        except FAILURES as failure:
            if proxy is None or not way.is_at_proxy:
                raise
            # no chain: the failure's own text may quote bytes of the proxy
            raise describe_proxy_failure(
                failure, host, proxy=proxy.name, has_password=bool(proxy.password), hint=proxy.hint
            ) from None
        if proxy is not None and not way.is_tunnel and response.status_code == 407:
            await response.aclose()
            raise proxy_rejection(407, host, proxy=proxy.name, has_password=bool(proxy.password), hint=proxy.hint)
        return response

    @override
    async def aclose(self) -> None:
        connections, self._connections = self._connections, {}
        for transport in connections.values():
            await transport.aclose()

    def _connections_of(self, way: _Way) -> httpx.AsyncHTTPTransport:
        made = self._connections.get((way.proxy, way.context))
        if made is None:
            route = None
            if (proxy := way.proxy) is not None:
                auth = (proxy.user, proxy.password) if proxy.user or proxy.password else None
                route = httpx.Proxy(proxy.url, ssl_context=way.proxy_context, auth=auth)
            made = httpx.AsyncHTTPTransport(verify=way.context, trust_env=False, limits=_LIMITS, proxy=route)
            self._connections[way.proxy, way.context] = made
        return made


@dataclass(slots=True, eq=False)
class _Way:
    """One request's way, and how far it came on it.

    Attributes:
        ca_file, owner: what the context was made for.
        sockets: those that were opened for it.
        is_at_proxy: it got as far as the proxy and no further: what fails is the proxy's.
    """

    proxy: Proxy | None
    context: ssl.SSLContext
    proxy_context: ssl.SSLContext | None
    is_tunnel: bool
    ca_file: str
    owner: str
    sockets: list[Any] = field(default_factory=list)
    is_at_proxy: bool = False

    async def on_event(self, name: str, info: Mapping[str, Any]) -> None:
        """Called by httpx's connections, some ten times per request."""
        match name:
            case "connection.connect_tcp.started":
                self.is_at_proxy = self.proxy is not None
            case "connection.connect_tcp.complete":
                self.sockets.append(info["return_value"])
            case "proxy.start_tls.started":
                self.is_at_proxy = False
            case "http11.send_request_headers.started" if not self.is_tunnel:
                self.is_at_proxy = False
