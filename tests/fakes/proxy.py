"""An HTTP proxy on this machine that knows names of its own: no look-up leaves it."""

from __future__ import annotations

import asyncio
import base64
import contextlib
import ssl
from collections.abc import AsyncGenerator, Mapping

from agdesk.core.tasks import spawn


class FakeProxy:
    """A running proxy.

    Attributes:
        port: on 127.0.0.1.
        requests: first lines of what it was asked, as in ``CONNECT api.example.test:443 HTTP/1.1``.
        heads: the whole heads, as received.
        status: what it answers everything with, if it is not to connect.
    """

    def __init__(self, names: Mapping[str, int], credentials: str) -> None:
        self.port = 0
        self.requests: list[str] = []
        self.heads: list[str] = []
        self.status: int | None = None
        self._names = names
        self._credentials = credentials

    def url(self, credentials: str = "") -> str:
        """Its address, with ``user:password`` if given."""
        return f"http://{credentials}{'@' if credentials else ''}127.0.0.1:{self.port}"

    async def serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """One connection."""
        with contextlib.suppress(asyncio.IncompleteReadError, ConnectionError):
            head = (await reader.readuntil(b"\r\n\r\n")).decode()
            first = head.partition("\r\n")[0]
            self.requests.append(first)
            self.heads.append(head)
            method, target, _ = first.split(" ")
            if status := self.status or self._refusal(head):
                writer.write(b"HTTP/1.1 %d No\r\nconnection: close\r\ncontent-length: 0\r\n\r\n" % status)
                await writer.drain()
            elif method == "CONNECT":
                await self._join(reader, writer, target, b"")
            else:
                host, _, path = target.partition("://")[2].partition("/")
                lines = [line for line in head.split("\r\n")[1:] if not line.lower().startswith("proxy-")]
                await self._join(reader, writer, host, "\r\n".join([f"{method} /{path} HTTP/1.1", *lines]).encode())
        writer.close()

    def _refusal(self, head: str) -> int | None:
        if not self._credentials:
            return None
        wanted = f"proxy-authorization: basic {base64.b64encode(self._credentials.encode()).decode()}"
        return None if wanted.lower() in head.lower().split("\r\n") else 407

    async def _join(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter, host: str, first: bytes) -> None:
        """Carries bytes to and fro until one side ends; ``first`` goes ahead, without it the client is told first."""
        port = self._names[host.partition(":")[0]]
        their_reader, their_writer = await asyncio.open_connection("127.0.0.1", port)
        if first:
            their_writer.write(first)
        else:
            writer.write(b"HTTP/1.1 200 Connection established\r\n\r\n")
        back = spawn(_copy(their_reader, writer), name="proxy, back")
        await _copy(reader, their_writer)
        await back


@contextlib.asynccontextmanager
async def fake_proxy(
    names: Mapping[str, int], *, credentials: str = "", context: ssl.SSLContext | None = None
) -> AsyncGenerator[FakeProxy, None]:
    """A proxy to which ``names`` are ports of 127.0.0.1; with ``credentials`` (``user:password``) it wants them.

    With a ``context`` it is spoken to over TLS.
    """
    proxy = FakeProxy(names, credentials)
    listener = await asyncio.start_server(proxy.serve, "127.0.0.1", 0, ssl=context)
    proxy.port = listener.sockets[0].getsockname()[1]
    async with listener:
        yield proxy


async def _copy(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    with contextlib.suppress(ConnectionError):
        while chunk := await reader.read(65_536):
            writer.write(chunk)
            await writer.drain()
    writer.close()
