"""The one connection pool of the program."""

from __future__ import annotations

import asyncio
from collections.abc import Callable

import httpx

from agdesk.core.trace.recorder import RequestTrace
from agdesk.core.trace.redact import Secrets
from agdesk.core.trace.transport.failures import FAILURES, describe_failure
from agdesk.core.trace.transport.proxies import ProxyChoice
from agdesk.core.trace.transport.recording import TRACE_EXTENSION, RecordingTransport
from agdesk.core.trace.transport.response import HttpResponse
from agdesk.core.trace.transport.routes import Routes

MAX_REDIRECTS = 3


def load_network() -> None:
    """Imports what httpx would import within the first connection, on the loop. Call it on a thread."""
    import anyio
    import httpcore  # noqa: F401

    anyio.run(anyio.sleep, 0)


class HttpPool:
    """The connections of the whole program. Cheap to make: what is slow happens on a thread, with the first request.

    Attributes:
        secrets: what is replaced in every record of every request.

    Args:
        proxies: gives the user's choice of a proxy; asked for each request, on a thread, so that a change is in force
            with the next one, while answers that are being read keep their connections.
        transport: takes the place of the network.
    """

    def __init__(
        self,
        secrets: Secrets,
        *,
        proxies: Callable[[], ProxyChoice] = ProxyChoice,
        transport: httpx.AsyncBaseTransport | None = None,
    ) -> None:
        self.secrets = secrets
        routes = Routes(proxies)
        self._routes = routes if transport is None else None
        self._recording = RecordingTransport(transport or routes, secrets)

    def prepare(self, request: httpx.Request, *, ca_file: str = "", owner: str = "") -> None:
        """Finds the way of a request that is sent next: proxy and certificates. Call it on a thread.

        Args:
            request: what will be sent.
            ca_file: a PEM file that this server is trusted by, beside the system's certificates; empty for none.
            owner: whose file that is, for its error.

        Raises:
            ConfigurationError: the proxy or ``ca_file`` cannot be used.
        """
        if self._routes is not None:
            self._routes.choose(request, ca_file=ca_file, owner=owner)

    async def send(self, request: httpx.Request, *, trace: RequestTrace | None = None) -> HttpResponse:
        """Sends ``request``, which was prepared, recorded in ``trace``; gives the response once its head is there.

        A 307 or 308 is followed to another place on the same host; any other redirect is a response like all others
        (T19, SEC3).

        Raises:
            LlmError: no response arrived.
        """
        request.extensions = {**request.extensions, TRACE_EXTENSION: trace}
        for _ in range(MAX_REDIRECTS):
            response = await self._send_once(request)
            target = _next_place(request, response)
            if target is None:
                return HttpResponse(response, self.secrets)
            await response.aclose()
            headers = request.headers.copy()
            del headers["host"]
            request = httpx.Request(
                request.method, target, headers=headers, content=request.content, extensions=request.extensions
            )
            if self._routes is not None:
                await asyncio.to_thread(self._routes.choose_again, request)
        return HttpResponse(await self._send_once(request), self.secrets)

    async def aclose(self) -> None:
        """Closes every connection; the next request opens new ones."""
        await self._recording.aclose()

    async def _send_once(self, request: httpx.Request) -> httpx.Response:
        if self._routes is not None:
            for secret in self._routes.secrets_of(request):
                self.secrets.add(secret)
        try:
            response = await self._recording.handle_async_request(request)
        except FAILURES as failure:
            # no chain: the failure's own text may quote bytes of the server, an echoed key among them
            raise describe_failure(failure, request.url.netloc.decode()) from None
        response.request = request
        return response


def _next_place(request: httpx.Request, response: httpx.Response) -> httpx.URL | None:
    """Where a redirect leads, if it keeps the method and the key stays with its host; never from https to http."""
    if response.status_code not in (307, 308) or "location" not in response.headers:
        return None
    here = request.url
    try:
        target = here.join(response.headers["location"]).copy_with(userinfo=b"")
    except httpx.InvalidURL:
        return None
    is_same_origin = (target.scheme, target.host, target.port) == (here.scheme, here.host, here.port)
    is_made_secure = (here.scheme, target.scheme) == ("http", "https") and target.host == here.host
    return target if is_same_origin or is_made_secure else None
