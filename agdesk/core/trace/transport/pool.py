"""The one connection pool of the program."""

from __future__ import annotations

import asyncio

import httpx

from agdesk.core.trace.recorder import RequestTrace
from agdesk.core.trace.redact import Secrets
from agdesk.core.trace.transport.failures import FAILURES, describe_failure
from agdesk.core.trace.transport.recording import TRACE_EXTENSION, RecordingTransport
from agdesk.core.trace.transport.response import HttpResponse
from agdesk.core.trace.transport.routes import SystemRoutes

MAX_REDIRECTS = 3


class HttpPool:
    """The connections of the whole program.

    Opened with the first request, on a thread: the TLS context takes some 35 ms to make.

    Attributes:
        secrets: what is replaced in every record of every request.
    """

    def __init__(self, secrets: Secrets, *, transport: httpx.AsyncBaseTransport | None = None) -> None:
        self.secrets = secrets
        self._recording = RecordingTransport(transport, secrets) if transport is not None else None
        self._opening = asyncio.Lock()

    async def open(self) -> None:
        """Makes the pool ready; ``send`` does so too if need be."""
        async with self._opening:
            if self._recording is None:
                self._recording = RecordingTransport(await asyncio.to_thread(SystemRoutes), self.secrets)

    async def send(self, request: httpx.Request, *, trace: RequestTrace | None = None) -> HttpResponse:
        """Sends ``request``, recorded in ``trace``, and gives the response once its head is there.

        A 307 or 308 is followed to another place on the same host; any other redirect is a response like all others
        (T19, SEC3).

        Raises:
            LlmError: no response arrived.
        """
        await self.open()
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
        return HttpResponse(await self._send_once(request), self.secrets)

    async def aclose(self) -> None:
        """Closes every connection; the next request opens new ones."""
        recording, self._recording = self._recording, None
        if recording is not None:
            await recording.aclose()

    async def _send_once(self, request: httpx.Request) -> httpx.Response:
        assert self._recording is not None
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
