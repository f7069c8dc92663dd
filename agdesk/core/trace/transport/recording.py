"""Records requests and the heads of their responses, without secrets."""

from __future__ import annotations

import httpx
from typing_extensions import override

from agdesk.core.trace.recorder import RequestTrace
from agdesk.core.trace.redact import Secrets
from agdesk.core.trace.wire import RequestSent, ResponseStarted

TRACE_EXTENSION = "agdesk.trace"
"""Where a request carries its ``RequestTrace``; without one nothing is recorded."""


class RecordingTransport(httpx.AsyncBaseTransport):
    """Records each request and the head of its response, without secrets, around another transport.

    The body of a response is recorded by its reader, after content decoding (D4).
    """

    def __init__(self, inner: httpx.AsyncBaseTransport, secrets: Secrets) -> None:
        self._inner = inner
        self._secrets = secrets

    @override
    async def handle_async_request(self, request: httpx.Request) -> httpx.Response:
        trace = trace_of(request)
        if trace is None:
            return await self._inner.handle_async_request(request)
        trace.sent(
            RequestSent(
                request.method,
                self._secrets.redact_text(str(request.url.copy_with(userinfo=b""))),
                self._secrets.redact_headers(request.headers.multi_items()),
                trace.blob(self._secrets.redact(request.content)) if request.content else None,
            )
        )
        response = await self._inner.handle_async_request(request)
        headers = self._secrets.redact_headers(response.headers.multi_items())
        trace.emit(ResponseStarted(response.status_code, headers, response.http_version))
        return response

    @override
    async def aclose(self) -> None:
        await self._inner.aclose()


def trace_of(request: httpx.Request) -> RequestTrace | None:
    """What ``request`` is recorded in."""
    trace: RequestTrace | None = request.extensions.get(TRACE_EXTENSION)
    return trace
