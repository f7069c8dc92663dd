"""Runs a figure of the window in a process of its own, beside the server that streams into it."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from typing import Any


def measured_beside_server(module: str, *, rate: int, turn_s: float, arguments: tuple[str, ...], limit_s: float) -> Any:
    """What ``python -m MODULE PORT ARGUMENT…`` prints as its last line, as JSON.

    Args:
        module: makes the window and measures.
        rate: events a second that the server sends into each stream.
        turn_s: how long each stream takes.
        arguments: further ones of the module.
        limit_s: the process may not take longer.
    """
    serve = [sys.executable, "-m", "benchmarks.sse_server", str(rate), str(turn_s)]
    server = subprocess.Popen(serve, stdout=subprocess.PIPE, text=True)
    try:
        assert server.stdout is not None
        port = server.stdout.readline().strip()
        done = subprocess.run(
            [sys.executable, "-m", module, port, *arguments],
            env=os.environ | {"QT_QPA_PLATFORM": "offscreen"},
            stdout=subprocess.PIPE,
            text=True,
            timeout=limit_s,
            check=True,
        )
        return json.loads(done.stdout.splitlines()[-1])
    finally:
        server.kill()
        server.wait()
