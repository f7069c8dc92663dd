"""The tests' side of the scripted server: starts the process, writes scripts, reads what it has seen."""

from __future__ import annotations

import base64
import http.client
import json
import subprocess
import sys
import time
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tests.fakes.server import CONTROL_PATH, Step

SSE = ("content-type", "text/event-stream")
JSON = ("content-type", "application/json")


def head(status: int = 200, *headers: tuple[str, str], framing: str = "chunked", length: int = 0) -> Step:
    """The head of the response; a body of ``length`` bytes may be promised and not sent."""
    return {"do": "head", "status": status, "headers": headers, "framing": framing, "length": length}


def send(data: bytes | str) -> Step:
    return {"do": "send", "data": _packed(data)}


def raw(data: bytes) -> Step:
    return {"do": "raw", "data": _packed(data)}


def drip(data: bytes | str, delay_s: float) -> Step:
    return {"do": "drip", "data": _packed(data), "delay_s": delay_s}


def sleep(seconds: float) -> Step:
    return {"do": "sleep", "seconds": seconds}


HOLD: Step = {"do": "hold"}
RESET: Step = {"do": "reset"}
CUT: Step = {"do": "cut"}
END: Step = {"do": "end"}


@dataclass(frozen=True, slots=True)
class SeenRequest:
    """A request as it reached the server; header names in lower case."""

    method: str
    target: str
    headers: dict[str, str]
    body: str
    connection: int
    disconnected_at: float | None

    @property
    def json(self) -> Any:
        return json.loads(self.body)


class FakeServer:
    """A running scripted server; use it as a context manager."""

    def __init__(self) -> None:
        self._process = subprocess.Popen(
            [sys.executable, str(Path(__file__).with_name("server.py"))], stdin=subprocess.PIPE, stdout=subprocess.PIPE
        )
        assert self._process.stdout is not None
        self.port = int(self._process.stdout.readline())

    def __enter__(self) -> FakeServer:
        return self

    def __exit__(self, *_: object) -> None:
        self._process.kill()
        self._process.communicate()

    @property
    def base_url(self) -> str:
        return f"http://127.0.0.1:{self.port}/v1"

    def script(self, *steps: Step) -> None:
        """What the next request that has no script yet is answered with."""
        self._command({"scripts": [steps]})

    def forget(self) -> None:
        """Drops scripts and seen requests."""
        self._command({"reset": True})

    @property
    def requests(self) -> list[SeenRequest]:
        """Every request since the last ``forget``."""
        return [
            SeenRequest(**{**seen, "headers": {name.lower(): value for name, value in seen["headers"]}})
            for seen in self._ask("GET")
        ]

    def wait_for_disconnect(self, number: int = 0, timeout_s: float = 5.0) -> float:
        """The wall-clock time at which the client left request ``number`` while its script was running."""
        deadline = time.monotonic() + timeout_s
        while time.monotonic() < deadline:
            seen = self.requests
            if len(seen) > number and (left_at := seen[number].disconnected_at) is not None:
                return left_at
            time.sleep(0.005)
        raise AssertionError(f"the client did not leave request {number} within {timeout_s} s")

    def _command(self, command: dict[str, Any]) -> None:
        self._ask("POST", json.dumps(command))

    def _ask(self, method: str, body: str | None = None) -> Any:
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=5)
        try:
            connection.request(method, CONTROL_PATH, body)
            return json.loads(connection.getresponse().read())
        finally:
            connection.close()


def _packed(data: bytes | str) -> str:
    return base64.b64encode(data.encode() if isinstance(data, str) else data).decode()
