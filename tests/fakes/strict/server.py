"""A strict provider behind HTTP, on the loop of the test: what it refuses it says as the real one does."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from typing import Any

from tests.fakes.given.formats import GIVERS, Giver
from tests.fakes.strict.formats import CHECKS
from tests.fakes.strict.refusing import Issued, Refused


class StrictServer:
    """One provider.

    Attributes:
        answers: kinds of blocks for each answer to come; when there are none left, one of text.
        bodies: of the requests that were taken.
        issued: what was given out.
    """

    def __init__(self, wire: str) -> None:
        self.answers: list[list[str]] = []
        self.bodies: list[Any] = []
        self.issued = Issued()
        self._wire = wire
        self._giver: Giver = GIVERS[wire]
        self._number = 0
        self.port = 0

    @property
    def base_url(self) -> str:
        return f"http://127.0.0.1:{self.port}{self._giver.base_path}"

    async def serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """One connection, for one request."""
        head = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1")
        pairs = (line.partition(": ") for line in head.split("\r\n")[1:] if line)
        headers = {name.lower(): value for name, _, value in pairs}
        body = json.loads(await reader.readexactly(int(headers["content-length"])))
        try:
            CHECKS[self._wire](body, headers=headers, issued=self.issued)
        except Refused as refusal:
            self._send(writer, refusal.status, "application/json", json.dumps(refusal.body).encode())
        else:
            self.bodies.append(body)
            self._send(writer, 200, self._giver.content_type, self._answer())
        await writer.drain()
        writer.close()
        await writer.wait_closed()

    def _answer(self) -> bytes:
        blocks = []
        for kind in self.answers.pop(0) if self.answers else ["text"]:
            self._number += 10
            blocks += self._giver.answers[kind](self._number)
        self._giver.issue(blocks, self.issued)
        return self._giver.stream(blocks)

    def _send(self, writer: asyncio.StreamWriter, status: int, content_type: str, body: bytes) -> None:
        head = f"HTTP/1.1 {status} X\r\ncontent-type: {content_type}\r\ncontent-length: {len(body)}\r\n"
        writer.write(head.encode() + b"connection: close\r\n\r\n" + body)


@asynccontextmanager
async def strict_server(wire: str) -> AsyncGenerator[StrictServer, None]:
    """A server of this format, while it is needed."""
    strict = StrictServer(wire)
    server = await asyncio.start_server(strict.serve, "127.0.0.1", 0)
    strict.port = server.sockets[0].getsockname()[1]
    try:
        yield strict
    finally:
        server.close()
        await server.wait_closed()
