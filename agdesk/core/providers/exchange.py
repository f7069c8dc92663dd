"""One request and its response: how long to wait for what, and a record of the end whatever happens."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable

from agdesk.core.errors import ErrorRecord, TransportError
from agdesk.core.providers.base import Endpoint
from agdesk.core.providers.watchdog import WaitedTooLong, Watchdog
from agdesk.core.trace.recorder import RequestTrace
from agdesk.core.trace.transport import HttpResponse
from agdesk.core.trace.wire import CloseReason, ResponseClosed

END_WAIT_S = 10.0
"""How long usage and the marker may follow a complete answer (T13, T15), or the body of an error its head."""


class Exchange:
    """Reads one response within the time that its endpoint grants; belongs to the running loop.

    Until the first byte of the body each wait may take ``first_byte_timeout_s``, then ``idle_timeout_s``; any byte
    counts (T18).
    """

    def __init__(self, endpoint: Endpoint, *, host: str, trace: RequestTrace | None) -> None:
        self._endpoint = endpoint
        self._host = host
        self._trace = trace
        self._watchdog = Watchdog(None if endpoint.is_local else endpoint.first_byte_timeout_s)
        self._response: HttpResponse | None = None
        self._may_end = False
        self._has_begun = False
        self._is_closed = False

    async def open(self, sending: Awaitable[HttpResponse]) -> HttpResponse:
        """Awaits the head of the response.

        Raises:
            LlmError: none came.
        """
        try:
            self._response = await self._watchdog.watch(sending)
        except WaitedTooLong as error:
            raise self._timeout(error, "did not answer") from error
        if not 200 <= self._response.status < 300:
            self.expect_end()
        return self._response

    async def read(self) -> bytes | None:
        """The next bytes of the body, perhaps none; None at its end.

        Raises:
            LlmError: the connection failed or was silent too long, and the end was not expected.
        """
        response, watchdog = self._response, self._watchdog
        assert response is not None
        watchdog.begin()  # not ``watch``: this is awaited for every read, and a coroutine less is felt
        try:
            chunk = await response.read()
        except asyncio.CancelledError:
            too_long = watchdog.claim()
            if too_long is None:
                raise
            if self._may_end:
                return None
            place = "sent nothing more" if response.byte_count else "sent nothing after the head of its answer"
            raise self._timeout(too_long, place) from None
        except TransportError:
            if self._may_end:
                return None
            raise
        finally:
            watchdog.end()
        if not self._has_begun:
            self._has_begun = True
            watchdog.allow(self._endpoint.idle_timeout_s)
        return chunk

    def expect_end(self) -> None:
        """What matters has been read: the rest is worth ten seconds, and a failure is as good as an end."""
        self._may_end = True
        self._watchdog.allow_in_all(END_WAIT_S)

    def limit(self, seconds: float) -> None:
        """Head and body together may take this long at most."""
        self._watchdog.allow_in_all(seconds)

    async def close(self, reason: CloseReason, error: ErrorRecord | None = None) -> None:
        """Frees the connection and records why reading ended; the first call counts."""
        if self._is_closed:
            return
        self._is_closed = True
        self._watchdog.close()
        byte_count = self._response.byte_count if self._response is not None else 0
        if self._trace is not None:
            self._trace.emit(ResponseClosed(CloseReason.ERROR if error is not None else reason, byte_count, error))
        if self._response is not None:
            await self._response.aclose(is_whole=reason is CloseReason.TERMINAL and error is None)

    def _timeout(self, error: WaitedTooLong, what: str) -> TransportError:
        return TransportError(
            f"{self._host} {what} for {error.limit_s:g} s",
            "Send the request again; a slow model may need a longer timeout in the row of this provider.",
            is_timeout=True,
        )
