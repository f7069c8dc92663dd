"""Asks a server for a text."""

from __future__ import annotations

import asyncio
import contextlib
import socket
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from typing import Any

import httpx
from typing_extensions import override

from agdesk import __version__
from agdesk.core.errors import ConfigurationError, ToolFailed
from agdesk.core.ir.effect import UrlFetch
from agdesk.core.ir.request import ResultSemantic
from agdesk.core.settings.validation import Field
from agdesk.core.tools.address import Address, is_reachable_by_all, parse_address
from agdesk.core.tools.base import ToolContext, ToolOutput, text_output
from agdesk.core.tools.builtin.tool import BuiltinTool, ToolInput
from agdesk.core.trace.transport.failures import FAILURES, describe_failure
from agdesk.core.trace.transport.proxies import Proxy, ProxyChoice, proxy_for
from agdesk.core.trace.transport.tls import TlsContexts

LIMIT_BYTES = 400_000
MAX_REDIRECTS = 5
_REDIRECTS = (301, 302, 303, 307, 308)
_TIMEOUT_S = {"connect": 10.0, "read": 30.0, "write": 10.0, "pool": 10.0}
_HEADERS = {
    "User-Agent": f"agdesk/{__version__}",
    "Accept": "text/*, application/json;q=0.9, */*;q=0.1",
    "Accept-Encoding": "identity",
}
_TEXT_ENDINGS = ("json", "xml", "javascript", "yaml", "toml", "x-sh", "x-ndjson", "x-www-form-urlencoded")
Resolve = Callable[[str, int], Awaitable[tuple[str, ...]]]


async def _resolved(host: str, port: int) -> tuple[str, ...]:
    found = await asyncio.get_running_loop().getaddrinfo(host, port, type=socket.SOCK_STREAM)
    return tuple(dict.fromkeys(str(entry[4][0]) for entry in found))


class FetchUrlInput(ToolInput):
    url: str = Field(min_length=1, max_length=8_000, description="Whole, with https:// or http://.")


@dataclass(frozen=True, slots=True)
class _Route:
    """The way to a server: through a proxy that looks up its name, or to these addresses of it."""

    address: Address
    port: int
    proxy: Proxy | None = None
    ips: tuple[str, ...] = ()


class FetchUrl(BuiltinTool[FetchUrlInput]):
    """GET only, without a cookie, a key or anything else than the address itself.

    The host is looked up first, and the connection goes to what was found. An address that not everybody can reach is
    refused, unless the approval showed it: else a page could make a model look into the local network.

    Args:
        proxies: gives the user's choice of a proxy; called for each request, on a thread.
        resolve: gives the IP addresses of a host.
    """

    name = "fetch_url"
    description = (
        "Gets a text from a server (GET) as it is, HTML too. Nothing is sent along; what a page needs a login or a "
        "browser for is not there. A redirect to another host is told and not followed."
    )
    semantic = ResultSemantic.FACTUAL
    input_model = FetchUrlInput

    def __init__(self, *, proxies: Callable[[], ProxyChoice] = ProxyChoice, resolve: Resolve = _resolved) -> None:
        super().__init__()
        self._proxies = proxies
        self._resolve = resolve
        self._contexts = TlsContexts()

    @override
    async def foresee(self, wanted: FetchUrlInput, context: ToolContext) -> UrlFetch:
        route = await self._route(wanted.url)
        ip = route.ips[0] if route.ips else ""
        return UrlFetch(
            wanted.url,
            route.address.scheme,
            route.address.host,
            route.port,
            ip,
            is_private=bool(ip) and not is_reachable_by_all(ip),
            proxy=route.proxy.name if route.proxy is not None else "",
        )

    @override
    async def act(self, wanted: FetchUrlInput, context: ToolContext) -> ToolOutput:
        url, told = httpx.URL(wanted.url), ""
        for _ in range(MAX_REDIRECTS + 1):
            route = await self._route(str(url))
            _check_private(route, context)
            answer = await self._ask(url, route)
            if answer.redirect is None:
                return _output(answer, told, effect=f"fetched {wanted.url}")
            target = answer.redirect
            if target.host != url.host or target.scheme not in ("https", url.scheme) or target.port != url.port:
                text = f"{url} redirects to {target}, which was not fetched: it is another place."
                return text_output(f"{text}\nCall fetch_url with that address if it is wanted.")
            told += f"[{url} redirects to {target}]\n"
            url = target
        raise ToolFailed(f"{wanted.url} redirects more than {MAX_REDIRECTS} times")

    async def _route(self, url: str) -> _Route:
        address = parse_address(url)
        if address is None or address.port is None:
            raise ToolFailed(
                f"{url} is no address that can be fetched",
                "It begins with https:// or http://, has no user name in it, and its host is plain ASCII.",
            )
        try:
            proxy = await asyncio.to_thread(lambda: proxy_for(address.scheme, address.host, self._proxies()))
        except ConfigurationError as error:
            raise ToolFailed(error.message, error.hint) from error
        if proxy is not None:
            return _Route(address, address.port, proxy)
        try:
            ips = await self._resolve(address.host, address.port)
        except OSError as error:
            raise ToolFailed(f"The host {address.host} was not found") from error
        return _Route(address, address.port, ips=ips)

    async def _ask(self, url: httpx.URL, route: _Route) -> _Answer:
        """Asks at each of the addresses until one takes the connection."""
        context = await asyncio.to_thread(self._contexts.get)
        failure: Exception = httpx.ConnectError("the host has no address")
        for ip in route.ips or ("",):
            sockets = _Sockets()
            request = httpx.Request(
                "GET",
                url.copy_with(host=ip or url.host, fragment=None),
                headers=_HEADERS | {"Host": url.netloc.decode("ascii")},
                extensions={"timeout": _TIMEOUT_S, "sni_hostname": route.address.host, "trace": sockets.on_event},
            )
            try:
                async with httpx.AsyncHTTPTransport(
                    verify=context, trust_env=False, proxy=_as_httpx(route.proxy)
                ) as transport:
                    return await _read(await transport.handle_async_request(request), url)
            except (httpx.ConnectError, httpx.ConnectTimeout) as error:
                failure = error
            except FAILURES as error:
                failure = error
                break
            finally:
                await sockets.aclose()
        # neither the hint nor the chain: they speak of a provider, and may quote bytes of the server
        message = describe_failure(failure, url.netloc.decode("ascii")).message
        through = "" if route.proxy is None else f" (through the proxy {route.proxy.name})"
        raise ToolFailed(f"{message}{through}") from None


class _Sockets:
    """What was opened for a request: a handshake that is cancelled leaves its socket open."""

    def __init__(self) -> None:
        self._opened: list[Any] = []

    async def on_event(self, name: str, info: Mapping[str, Any]) -> None:
        if name == "connection.connect_tcp.complete":
            self._opened.append(info["return_value"])

    async def aclose(self) -> None:
        for stream in self._opened:
            await stream.aclose()


@dataclass(frozen=True, slots=True)
class _Answer:
    """What a server said: where to go instead, or a text of which at most ``LIMIT_BYTES`` were read."""

    status: int
    redirect: httpx.URL | None = None
    media_type: str = ""
    text: str = ""
    is_cut: bool = False


async def _read(response: httpx.Response, url: httpx.URL) -> _Answer:
    pieces = response.aiter_raw()
    try:
        if response.status_code in _REDIRECTS and "location" in response.headers:
            return _Answer(response.status_code, url.join(response.headers["location"]))
        media_type = response.headers.get("content-type", "text/plain").partition(";")[0].strip().lower()
        if not media_type.startswith("text/") and not media_type.endswith(_TEXT_ENDINGS):
            raise ToolFailed(f"{url} is no text but {media_type}")
        if response.headers.get("content-encoding", "identity") != "identity":
            raise ToolFailed(f"{url} came compressed, which was not asked for")
        body = bytearray()
        async for piece in pieces:
            body += piece
            if len(body) > LIMIT_BYTES:
                break
        text = _decoded(bytes(body[:LIMIT_BYTES]), response.charset_encoding)
        return _Answer(response.status_code, None, media_type, text, len(body) > LIMIT_BYTES)
    finally:
        await response.aclose()
        # generators of httpx that are left where they stand would be closed by the loop, and qasync has nothing for it
        with contextlib.suppress(httpx.StreamError, *FAILURES):
            async for _ in pieces:
                pass


def _decoded(body: bytes, charset: str | None) -> str:
    try:
        return body.decode(charset or "utf-8", "replace")
    except LookupError:
        return body.decode("utf-8", "replace")


def _output(answer: _Answer, told: str, *, effect: str) -> ToolOutput:
    end = f"\n[… cut after {LIMIT_BYTES:,} bytes]" if answer.is_cut else ""
    text = f"{told}[status {answer.status}, {answer.media_type}]\n{answer.text}{end}"
    return text_output(text, is_error=answer.status >= 400, effect=effect)


def _check_private(route: _Route, context: ToolContext) -> None:
    """Refuses addresses in the own network that the approval of this call did not show."""
    shown = context.approved.address if isinstance(context.approved, UrlFetch) else ""
    for ip in route.ips:
        if ip != shown and not is_reachable_by_all(ip):
            raise ToolFailed(
                f"{route.address.host} is at {ip}, an address of this machine or of a local network",
                "It is fetched only if the user has seen that address when approving the call.",
            )


def _as_httpx(proxy: Proxy | None) -> httpx.Proxy | None:
    if proxy is None:
        return None
    return httpx.Proxy(proxy.url, auth=(proxy.user, proxy.password) if proxy.user or proxy.password else None)
