"""A local HTTP server that does what a script says, right or wrong; a process of its own.

It prints its port and runs until its stdin ends. Each request takes the next script: a JSON list of steps.

    {"do": "head", "status": 200, "headers": [["name", "value"]], "framing": "chunked", "length": 9}
    {"do": "send", "data": BASE64}                       a piece of the body, one write, framed as the head says
    {"do": "raw", "data": BASE64}                        bytes on the socket, whatever they are
    {"do": "drip", "data": BASE64, "delay_s": 0.01}      a piece of the body, byte by byte
    {"do": "sleep", "seconds": 0.1}
    {"do": "hold"}                                       waits until the client goes away
    {"do": "reset"}                                      ends the connection with a TCP reset
    {"do": "cut"}                                        ends the connection in the middle of the body
    {"do": "end"}                                        ends the body as its framing wants; the connection is kept

A framing is ``chunked``, ``length`` (of which a body may fall short) or ``close`` (the body ends with the connection).
Under ``/_control`` it takes scripts (POST) and tells the requests it has seen (GET), with the wall-clock time at which
the client went away while the script was running.
"""

from __future__ import annotations

import asyncio
import base64
import json
import os
import socket
import struct
import sys
import threading
import time
from typing import Any, cast

from typing_extensions import override

CONTROL_PATH = "/_control"
Step = dict[str, Any]


class Stage:
    """What all connections share: the scripts to come and the requests so far."""

    def __init__(self) -> None:
        self.scripts: list[list[Step]] = []
        self.requests: list[dict[str, Any]] = []
        self.connection_count = 0


class Connection(asyncio.Protocol):
    def __init__(self, stage: Stage) -> None:
        self._stage = stage
        self._received = b""
        self._framing = "close"
        self._running: asyncio.Task[None] | None = None
        self._request: dict[str, Any] | None = None

    @override
    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self._transport = cast(asyncio.Transport, transport)
        self._stage.connection_count += 1
        self._number = self._stage.connection_count

    @override
    def data_received(self, data: bytes) -> None:
        self._received += data
        if not self._received[:1].isalpha():  # no HTTP, perhaps TLS
            self._transport.write(b"HTTP/1.1 400 Bad Request\r\nconnection: close\r\n\r\n")
            self._transport.close()
            return
        head, found, rest = self._received.partition(b"\r\n\r\n")
        if not found:
            return
        first, *lines = head.decode("latin-1").split("\r\n")
        method, target, _ = first.split(" ")
        headers = [line.split(": ", 1) for line in lines]
        size = next((int(value) for name, value in headers if name.lower() == "content-length"), 0)
        if len(rest) < size:
            return
        body, self._received = rest[:size], rest[size:]
        if target == CONTROL_PATH:
            self._control(method, body)
            return
        self._request = {
            "method": method,
            "target": target,
            "headers": headers,
            "body": body.decode("utf-8", "replace"),
            "connection": self._number,
            "disconnected_at": None,
        }
        self._stage.requests.append(self._request)
        script: list[Step] = [{"do": "head", "status": 599}, {"do": "end"}]
        if self._stage.scripts:
            script = self._stage.scripts.pop(0)
        self._running = asyncio.get_running_loop().create_task(self._play(script))

    @override
    def eof_received(self) -> None:
        self._go()

    @override
    def connection_lost(self, exc: Exception | None) -> None:
        self._go()

    def _go(self) -> None:
        is_running = self._running is not None and not self._running.done()
        if is_running and self._request is not None and self._request["disconnected_at"] is None:
            self._request["disconnected_at"] = time.time()
            assert self._running is not None
            self._running.cancel()

    def _control(self, method: str, body: bytes) -> None:
        answer: Any = self._stage.requests
        if method == "POST":
            command = json.loads(body)
            if command.get("reset"):
                self._stage.scripts, self._stage.requests = [], []
            self._stage.scripts += command.get("scripts", [])
            answer = None
        payload = json.dumps(answer).encode()
        self._transport.write(b"HTTP/1.1 200 OK\r\nconnection: close\r\ncontent-length: %d\r\n\r\n" % len(payload))
        self._transport.write(payload)
        self._transport.close()

    async def _play(self, script: list[Step]) -> None:
        for step in script:
            data = base64.b64decode(step.get("data", ""))
            match step["do"]:
                case "head":
                    self._send_head(step)
                case "send":
                    self._send(data)
                case "raw":
                    self._transport.write(data)
                case "drip":
                    for byte in data:
                        self._send(bytes([byte]))
                        await asyncio.sleep(step["delay_s"])  # also lets the news in that the client has left
                case "sleep":
                    await asyncio.sleep(step["seconds"])
                case "hold":
                    await asyncio.get_running_loop().create_future()
                case "reset":
                    self._reset()
                case "cut":
                    self._transport.close()
                case "end":
                    self._end()
                case unknown:
                    raise ValueError(f"no step {unknown}")

    def _send_head(self, step: Step) -> None:
        self._framing = step.get("framing", "chunked")
        headers = list(step.get("headers", []))
        match self._framing:
            case "chunked":
                headers.append(["transfer-encoding", "chunked"])
            case "length":
                headers.append(["content-length", str(step["length"])])
            case "close":
                headers.append(["connection", "close"])
        lines = [f"HTTP/1.1 {step.get('status', 200)} Scripted", *(f"{name}: {value}" for name, value in headers)]
        self._transport.write("\r\n".join([*lines, "", ""]).encode("latin-1"))

    def _send(self, data: bytes) -> None:
        self._transport.write(b"%x\r\n%s\r\n" % (len(data), data) if self._framing == "chunked" else data)

    def _end(self) -> None:
        if self._framing == "chunked":
            self._transport.write(b"0\r\n\r\n")
        elif self._framing == "close":
            self._transport.close()

    def _reset(self) -> None:
        own = cast(socket.socket, self._transport.get_extra_info("socket"))
        # a linger time of 0 makes closing send RST instead of FIN
        own.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        self._transport.abort()


async def serve() -> None:
    stage = Stage()
    server = await asyncio.get_running_loop().create_server(lambda: Connection(stage), "127.0.0.1", 0)
    print(server.sockets[0].getsockname()[1], flush=True)
    await server.serve_forever()


def end_with_parent() -> None:
    sys.stdin.read()
    os._exit(0)


if __name__ == "__main__":
    threading.Thread(target=end_with_parent, daemon=True).start()
    asyncio.run(serve())
