"""The body of a response: read, redacted, recorded."""

from __future__ import annotations

import asyncio
import contextlib

import httpx

from agdesk.core.errors import LlmError
from agdesk.core.trace.redact import ResponseRedactor, Secrets
from agdesk.core.trace.transport.failures import FAILURES, describe_failure
from agdesk.core.trace.transport.recording import trace_of

BODY_END_WAIT_S = 0.02


class HttpResponse:
    """A response whose body is being read. No secret gets past it, and every byte that does is recorded.

    Attributes:
        status: the HTTP status.
        headers: names in lower case, credentials masked.
        byte_count: body bytes so far, after content decoding.
    """

    def __init__(self, response: httpx.Response, secrets: Secrets) -> None:
        self.status = response.status_code
        self.headers = dict(secrets.redact_headers(response.headers.items()))
        self.byte_count = 0
        self._response = response
        self._redactor = ResponseRedactor(secrets)
        # a body without an encoding skips httpx's layers; that is what was asked for, and each costs something per read
        is_plain = "content-encoding" not in response.headers and not response.is_stream_consumed
        stream = response.stream
        chunks = stream if is_plain and isinstance(stream, httpx.AsyncByteStream) else response.aiter_bytes()
        self._chunks = aiter(chunks)
        self._next_chunk = self._chunks.__anext__
        self._trace = trace_of(response.request)
        self._host = response.request.url.netloc.decode()
        self._is_open = True
        self._failure: LlmError | None = None

    async def read(self) -> bytes | None:
        """The next bytes, perhaps none: what may be the beginning of a secret is held back. None at the end.

        Raises:
            LlmError: the connection failed; what had arrived was given out before.
        """
        if not self._is_open:
            if self._failure is not None:
                raise self._failure
            return None
        try:
            chunk = self._redactor.feed(await self._next_chunk())
        except StopAsyncIteration:
            self._is_open = False
            chunk = self._redactor.finish()
        except FAILURES as failure:
            self._is_open, self._failure = False, describe_failure(failure, self._host)
            chunk = self._redactor.finish()
        if chunk:
            self.byte_count += len(chunk)
            if self._trace is not None:
                self._trace.body(chunk)
        return chunk

    async def aclose(self, *, is_whole: bool = False) -> None:
        """Closes the connection at once.

        Args:
            is_whole: nothing more is wanted because all was read: a body that ends within a moment gives its connection
                back to the pool, which saves the next request the handshake.
        """
        self._is_open = False
        if is_whole:
            with contextlib.suppress(TimeoutError, *FAILURES):
                async with asyncio.timeout(BODY_END_WAIT_S):
                    await self._exhaust()
        await self._response.aclose()
        # httpx nests four generators per body. Left where they stand, each would take a task of the loop to be closed,
        # and on qasync, which has none for this, the garbage collector; asked once more, they see the end and end.
        with contextlib.suppress(httpx.StreamError, *FAILURES):
            await self._exhaust()

    async def _exhaust(self) -> None:
        async for _ in self._chunks:
            pass
